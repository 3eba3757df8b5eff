import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/conversation/incoming.ts';
import { SAFETY_DEFAULTS } from '../../src/conversation/session/safety.ts';
import { NBSP, plain } from '../../src/screen/marks.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { type Customer, HOUR_MS, LOST, PIN, refused, theWorld, UNSENT, type World } from '../kit/world.ts';
import { merchantIn } from './merchant-orders.ts';
import { orders } from './transfer-orders.ts';

const YOUSSEF = { firstName: 'Youssef', lastName: 'Benali' };

/** A customer whose PIN was right a moment ago. */
const proven = (world: World, more: { balance?: string; language?: Language; channel?: 'web' } = {}) =>
  world
    .customer({ balance: '3000', ...more })
    .isAtMenu()
    .chooses('balance')
    .enters()
    .sees(more.balance === '0' ? 'balance.empty' : 'balance.shown');
const home = (customer: Customer) => customer.goes('menu');
const asked = (world: World) => world.wallet.calls(undefined as never, 'maskedName');

describe('the name of a recipient whom Wasl warns of', () => {
  const world = theWorld({ store: 'redis', namesPayees: true, safety: SAFETY_DEFAULTS });

  test('is on the page of the PIN, and in nothing kept once the payment is over', async () => {
    const zineb = world.customer({ firstName: 'Zinebquatrevingt', lastName: 'Xaviersson' });
    const fatima = proven(world, { channel: 'web' });
    await fatima.walks(home).walks(orders(zineb.phone, '50')).sees('pay.askNew');
    expect(world.renderer.chat(fatima.reply().screen, 'en').text).toContain('Zinebquatrevingt X.');
    await fatima.enters().sees('transfer.processing');
    await fatima.after(6_000).hears('transfer.doneNamed');
    await fatima.goes('menu').chooses('balance').sees('balance.askPin');
    const stored = await world.everythingStored();
    expect(stored).toContain('pay.askNew');
    expect(stored).not.toContain('Zinebquatrevingt X');
  });
});

describe('the name of a recipient before the PIN', () => {
  const world = theWorld({ store: 'redis', namesPayees: true });

  test.each<[Language, string]>([
    ['fr', 'Envoi de 50,00 DH à Youssef B., 06'],
    ['ar', '50 إلى Youssef B.'],
    ['en', 'Sending MAD 50.00 to Youssef B., 06'],
  ])('is a first name and a letter, on the one page of the PIN in %s', async (language, page) => {
    const youssef = world.customer(YOUSSEF);
    const fatima = proven(world, { language });
    await fatima.walks(home).walks(orders(youssef.phone, '50'));
    await fatima.sees('transfer.askPinNamed', { recipientName: 'Youssef B.' });
    const shown = world.renderer.ussd(fatima.reply().screen, language, 0);
    expect(plain(shown.text).replaceAll(NBSP, ' ')).toContain(page);
    expect(shown.pages).toBe(1);
    await fatima.enters().sees('transfer.processing', { amount: 5_000 });
  });

  test('is on the receipt, and in no payment, no turn record and no document once the payment is over', async () => {
    const zineb = world.customer({ firstName: 'Zinebquatrevingt', lastName: 'Xaviersson' });
    const fatima = proven(world, { channel: 'web' });
    await fatima.walks(home).walks(orders(zineb.phone, '50')).sees('transfer.askPinNamed');
    await fatima.enters().sees('transfer.processing');
    await fatima.after(6_000).hears('transfer.doneNamed', { recipientName: 'Zinebquatrevingt X.' });
    await fatima.goes('menu').chooses('balance').sees('balance.askPin');
    const stored = await world.everythingStored();
    expect(stored).toContain('transfer.askPinNamed');
    expect(stored).not.toContain('Zinebquatrevingt X');
    expect(stored).not.toContain('Xaviersson');
  });

  test('a wallet whose PIN was not proven lately names nobody', async () => {
    const youssef = world.customer(YOUSSEF);
    const fatima = world.customer();
    await fatima.isAtMenu().walks(orders(youssef.phone, '50')).sees('transfer.askPin');
    await fatima.enters('4321').sees('transfer.askPin').goes('menu');
    await fatima.walks(orders(youssef.phone, '51')).sees('transfer.askPin').enters();
    await fatima.sees('transfer.processing');
    await world.passes(6_000);
    await fatima.dials().walks(orders(youssef.phone, '52')).sees('transfer.askPinNamed').goes('menu');
    await world.passes(25 * HOUR_MS);
    await fatima.dials().walks(orders(youssef.phone, '53')).sees('transfer.askPin');
  });

  test('the next owner of a number names nobody before their own PIN', async () => {
    const youssef = world.customer(YOUSSEF);
    const fatima = proven(world, { balance: '0' });
    await fatima;
    await world.api.unregister({ phone: fatima.phone, reason: 3 });
    await fatima.dials().sees('consent.ask');
    const next = { firstName: 'Sara', lastName: 'Alaoui', level: 2, status: 3, pin: PIN } as const;
    world.sandbox.addCustomer({ phone: fatima.phone, ...next, balance: centimes(50_000) });
    await fatima.dials().goes('menu').walks(orders(youssef.phone, '50')).sees('transfer.askPin');
  });

  test('ten numbers a day are named, over all channels, and one of them again', async () => {
    const fatima = proven(world);
    await fatima.walks(home);
    const people = Array.from({ length: 11 }, () => world.customer(YOUSSEF));
    for (const { phone } of people.slice(0, 10))
      await fatima.walks(orders(phone, '5')).sees('transfer.askPinNamed').goes('menu');
    const chat = world.chatOf(fatima);
    await chat
      .isAtMenu()
      .walks(orders(people[10]?.phone ?? '', '5'))
      .sees('transfer.askPin')
      .isToldNothing();
    await chat.goes('menu');
    await chat.walks(orders(people[3]?.phone ?? '', '5')).sees('transfer.askPinNamed');
    expect(new Set(world.wallet.calls(people[10]?.phone ?? '', 'maskedName')).size).toBe(0);
    await world.passes(25 * HOUR_MS);
    await fatima.dials().chooses('balance').enters().dials();
    await fatima.walks(orders(people[10]?.phone ?? '', '5')).sees('transfer.askPinNamed');
  });

  test.each([
    ['is lost', LOST],
    ['was never sent', UNSENT],
    ['is refused', refused('20005')],
    ['names nobody', { kind: 'ok', value: {} }],
  ] as const)('a page without a name comes where the answer %s', async (_, instead) => {
    const fatima = proven(world);
    await fatima.walks(home);
    world.wallet.next('maskedName', instead as never);
    await fatima.walks(orders(world.customer(YOUSSEF).phone, '50')).sees('transfer.askPin');
    await fatima.isToldNothing();
    await fatima.enters().sees('transfer.processing');
  });

  test('a wallet of another provider is not asked for, and neither is a number that cannot be paid', async () => {
    const fatima = proven(world);
    await fatima.walks(home).walks(orders('0655000000', '50')).sees('transfer.askPinOpenLoop').goes('menu');
    world.wallet.next('previewTransfer', refused('90013'));
    const { phone } = world.customer(YOUSSEF);
    await fatima.walks(orders(phone, '50')).isTold('problem.90013');
    for (const each of ['+212655000000', phone]) expect(world.wallet.calls(each, 'maskedName')).toEqual([]);
  });

  test('a merchant is named whole, and only once the preview of a merchant took the number', async () => {
    const { phone } = merchantIn(world);
    const fatima = proven(world);
    await fatima.walks(home).chooses('transfer').chooses('merchant').says(phone);
    expect(world.wallet.calls(phone, 'shopName')).toEqual([]);
    await fatima.says('50').sees('merchant-payment.askPinNamed', { recipientName: 'Épicerie Bâ' });
    await fatima.goes('menu').walks(orders(phone, '50')).sees('transfer.askPinNamed');
    expect(world.wallet.calls(phone, 'shopName')).toHaveLength(1);
    await fatima.goes('menu').chooses('transfer').chooses('merchant').says('0655000000');
    expect(world.wallet.calls('+212655000000', 'shopName')).toEqual([]);
  });
});

describe('without the setting', () => {
  const world = theWorld();

  test('nobody is named, and no profile of somebody else is read', async () => {
    const youssef = world.customer(YOUSSEF);
    const fatima = proven(world);
    await fatima.walks(home).walks(orders(youssef.phone, '50')).sees('transfer.askPin');
    expect(world.wallet.calls(youssef.phone)).toEqual([]);
    expect(asked(world)).toEqual([]);
  });
});

describe('the reader of a name', () => {
  const read = (data: object, status = 200, as: 'maskedName' | 'shopName' = 'maskedName') =>
    createWallet({
      ...{ url: 'http://wallet.test', apiKey: 'key' },
      fetch: async () => new Response(JSON.stringify({ data }), { status }),
    })[as](msisdn('0612345678'));
  const rest = { id: 7, balance: 987.65, rib: '007780000123456789012396', phoneNumber: '+212612345678' };

  test.each([
    [{ firstName: 'Youssef', lastName: 'Benali' }, 'Youssef B.'],
    [{ fullName: 'Fatima Zahra El Amrani' }, 'Fatima A.'],
    [{ fullName: 'youssef   élan' }, 'youssef É.'],
    [{ firstName: 'Youssef' }, 'Y.'],
    [{ firstName: 'Youssef Benali', lastName: 'Benali' }, 'Youssef B.'],
    [{ firstName: 'www.gagnez.ma/100', lastName: '0612345678' }, 'W.'],
    [{ fullName: '0612345678 Youssef Ben-Ali' }, 'Youssef B.'],
    [{ fullName: 'Épicerie' }, 'É.'],
    [{ firstName: 'محمد', lastName: 'العلوي' }, 'محمد ا.'],
    [{ firstName: '\u202eYoussef\u0000', lastName: '\nBenali' }, 'Youssef B.'],
  ])('gives %j as %s, and nothing more of the profile', async (names, name) => {
    const answer = await read({ ...rest, accountLevel: 2, customerStatus: 3, ...names });
    expect(answer).toEqual({ kind: 'ok', value: { name } });
    expect(JSON.stringify(answer)).not.toMatch(/987|0077|balance|rib/);
  });

  test.each([{}, { fullName: '' }, { fullName: '   ' }, { fullName: null }, { firstName: '', lastName: '' }])(
    'gives no name for %j',
    async (names) => expect(await read({ ...rest, ...names })).toEqual({ kind: 'ok', value: {} }),
  );

  test('gives the whole name of a merchant, and nothing more of the profile', async () => {
    expect(await read({ ...rest, firstName: 'Café', lastName: 'Atlas' }, 200, 'shopName')).toEqual({
      kind: 'ok',
      value: { name: 'Café Atlas' },
    });
    expect(await read({ ...rest, fullName: ' ' }, 200, 'shopName')).toEqual({ kind: 'ok', value: {} });
  });

  test('a profile that cannot be read is no refusal', async () => {
    expect((await read({ ...rest, fullName: 7 })).kind).not.toBe('refused');
    expect((await read({}, 500)).kind).toBe('unknown');
  });
});
