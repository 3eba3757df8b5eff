import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { type Customer, LOST, MINUTE_MS, refused, STORES, theWorld, UNSENT } from '../kit/world.ts';
import { paysLikeAll } from './payment-cases.ts';
import { tops } from './top-up-orders.ts';

const SISTER = msisdn('0655000000');

const world = theWorld();

describe('the preview of a top-up decides', () => {
  test.each<[string, string, string, string?]>([
    [
      'an amount that the operator does not sell: another one',
      '90015',
      'top-up.askAmount',
      'top-up.amountRefused',
    ],
    ['a product that is gone: another amount', '90018', 'top-up.askAmount'],
    ['a parameter that is missing', '10001', 'top-up.askAmount'],
    ['a value that is not allowed', '90001', 'top-up.askAmount'],
    ['the customer is not found', '20005', 'top-up.askAmount'],
    ['a number that is none: another number', '20000', 'top-up.askNumber'],
    ['a number that the operator refuses: another number', '90019', 'top-up.askNumber'],
  ])('%s', async (_, code, asked, told: string = `problem.${code}`) => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('previewTopUp', refused(code));
    await fatima.walks(tops(SISTER)).sees(asked).isTold(told);
    expect(world.wallet.calls(fatima.phone, 'topUp')).toEqual([]);
  });

  test('a code that nobody knows is told with the code', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    world.wallet.next('previewTopUp', refused('47110'));
    await fatima.walks(tops(SISTER)).sees('top-up.askAmount').isTold('problem.other', { code: '47110' });
  });

  test('as the sandbox plays it: too little money, and an amount below the least', async () => {
    const fatima = world.customer({ balance: '40' });
    await fatima.isAtMenu().walks(tops(SISTER, '45')).sees('pay.short').chooses('amend');
    await fatima.says('2').sees('top-up.askAmount').isTold('top-up.amountRefused');
    await fatima.says('35').sees('top-up.askPin', { amount: 3500, total: 3500 });
  });

  test.each([
    ['slow', LOST],
    ['unreachable', UNSENT],
  ])('a wallet that is %s offers to try again or to leave', async (_, instead) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    world.wallet.next('previewTopUp', instead);
    await fatima.walks(tops(SISTER)).sees('pay.unavailable').chooses('again').sees('top-up.askPin');
    await fatima.chooses('cancel').sees('top-up.cancelled');
  });
});

describe('on the way', () => {
  test('back at each step', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    await fatima.walks(tops(SISTER, '50', '1')).sees('top-up.chooseProduct');
    await fatima.chooses('classic').sees('top-up.askPin').goes('back').sees('top-up.askAmount');
    await fatima.says('50').sees('top-up.chooseProduct').goes('back').sees('top-up.askAmount');
    await fatima.goes('back').sees('top-up.chooseOperator').goes('back').sees('top-up.askNumber');
    await fatima.goes('back').sees('menu.choose');
  });

  test('cancelled at each step: nothing is sent', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    const steps: ((customer: Customer) => unknown)[] = [
      (customer) => customer.chooses('top-up'),
      (customer) => customer.chooses('top-up').chooses('me'),
      (customer) => customer.chooses('top-up').chooses('me').chooses('1'),
      (customer) => customer.walks(tops(SISTER, '50', '1')).sees('top-up.chooseProduct'),
      (customer) => customer.walks(tops(SISTER)).sees('top-up.askPin'),
    ];
    for (const step of steps) {
      const isQuoted = step === steps.at(-1);
      const told = isQuoted ? 'top-up.cancelled' : 'nav.cancelled';
      await fatima.walks(step).says('/cancel').sees('menu.choose').isTold(told);
    }
    expect(world.wallet.calls(fatima.phone, 'topUp')).toEqual([]);
  });

  test.each([
    [
      'the operator',
      (customer: Customer) => customer.chooses('top-up').says(SISTER),
      'top-up.chooseOperator',
    ],
    [
      'the amount',
      (customer: Customer) => customer.chooses('top-up').says(SISTER).chooses('2'),
      'top-up.askAmount',
    ],
    ['the products', tops(SISTER, '50', '1'), 'top-up.chooseProduct'],
    ['the PIN: never past it', tops(SISTER), 'top-up.askPin'],
  ] as const)('a session that broke off at %s is gone on with on the next dial', async (_, path, key) => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(path);
    await fatima.dials();
    const amount = key === 'top-up.askPin' ? 4_500 : key === 'top-up.chooseProduct' && 5_000;
    await fatima.sees(amount ? 'top-up.resumePayment' : 'top-up.resume', {
      to: SISTER,
      ...(amount && { amount }),
    });
    await fatima.chooses('continue').sees(key);
  });

  test('a request in one line is not asked again', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says('recharge 45 0655000000').sees('top-up.chooseOperator', { to: SISTER });
    await fatima.chooses('2').sees('top-up.askPin', { amount: 4500, to: SISTER, operator: 'Orange' });
    // The request counts once: after going back the customer is asked.
    await fatima.goes('back').sees('top-up.askAmount').says('55').sees('top-up.askPin', { amount: 5500 });
  });

  test.each([
    ['only the amount', 'recharge 45', ['top-up.askNumber', 'top-up.chooseOperator', 'top-up.askPin']],
    ['only the number', '/topup 0655000000', ['top-up.chooseOperator', 'top-up.askAmount']],
  ] as const)('%s', async (_, line, keys) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().says(line).sees(keys[0]);
    await (keys[0] === 'top-up.askNumber' ? fatima.says(SISTER) : fatima.chooses('2')).sees(keys[1]);
    if (keys[2]) await fatima.chooses('2').sees(keys[2], { amount: 4500, to: SISTER });
  });
});

describe.each(STORES)('the money of a top-up, on %s', (store) => {
  const world = theWorld({ store });
  const atPin = (customer: Customer) => customer.isAtMenu().walks(tops(SISTER)).sees('top-up.askPin');
  paysLikeAll({
    ...{ world, kind: 'top-up', call: 'topUp', asks: 'top-up.askPin', refusals: ['90018', '90019'] },
    atPin: (channel) => world.customer({ channel }).walks(atPin),
  });

  test('the same top-up is asked about first, with any operator', async () => {
    const fatima = world.customer();
    await fatima.walks(atPin).enters().sees('top-up.done').dials();
    await fatima.chooses('top-up').says(SISTER);
    await fatima.says('45').sees('top-up.confirmAgain', { amount: 4500, to: SISTER });
    await fatima.goes('back').says('46').sees('top-up.askPin');
  });

  test('one with an unknown outcome is pointed out, and made again only knowingly', async () => {
    const fatima = world.customer({ channel: 'web' }).walks(atPin);
    world.wallet.next('topUp', LOST);
    await fatima.enters().sees('top-up.notConfirmed').goes('menu').isTold('top-up.notConfirmed');
    await world.passes(3 * MINUTE_MS);
    await fatima.walks(tops(SISTER)).sees('top-up.confirmUnconfirmed', { amount: 4500 });
    await fatima.chooses('cancel').sees('pay.noSecond');
    await fatima.isTold('top-up.notConfirmed', { amount: 4500, to: SISTER });
    expect(world.wallet.calls(fatima.phone, 'topUp')).toHaveLength(1);
  });

  test('an operator that refuses after a preview without objection, as the sandbox plays it', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().walks(tops(MAGIC.topUpRefused));
    await fatima.enters().sees('top-up.refused').isTold('problem.90019').goes('menu').chooses('balance');
    await fatima.enters().sees('balance.shown', { balance: 50_000 });
  });

  test('one that fails later is told, and the money is back', async () => {
    const fatima = world.customer({ language: 'fr' });
    await fatima.isAtMenu().walks(tops(MAGIC.failsLater)).enters().sees('top-up.processing');
    await world.passes(10_000);
    await fatima.hears('top-up.failed', { amount: 4500 }).dials().isTold('top-up.failed');
    expect(world.sms(fatima.phone).at(-1)).toMatch(/n'a pas abouti/);
  });

  test('two of one wallet at once: one is made, the other is told to wait', async () => {
    const ussd = world.customer();
    const chat = world.chatOf(ussd);
    await ussd.walks(atPin);
    await chat.isAtMenu().walks(tops('0655000001'));
    const slow = world.wallet.holds('topUp');
    const first = ussd.enters();
    await slow.reached;
    await chat.enters().sees('pay.busy').chooses('menu').sees('menu.choose').isTold('top-up.notConfirmed');
    slow.go();
    await first.sees('top-up.done');
    expect(world.wallet.calls(ussd.phone, 'topUp')).toHaveLength(1);
  });
});

describe('the pages of a handset name a pass', () => {
  test.each(LANGUAGES)('with its operator, before the PIN and after, in %s', async (language) => {
    const fatima = world.customer({ language });
    const namesBoth = () => {
      const reply = fatima.reply();
      const { pages } = pageOf(world.renderer, reply);
      const texts = Array.from(
        { length: pages },
        (_, page) => pageOf(world.renderer, { ...reply, page }).text,
      );
      const lines = texts.join('\n').split('\n');
      const said = lines.filter((line) => !/^(?:0|00|98) |^1 متابعة$/.test(line)).join(' ');
      expect(said).toContain('Maroc Telecom');
      expect(said).toContain(pass);
    };
    await fatima.isAtMenu();
    await fatima.walks(tops(SISTER, '50', '1')).sees('top-up.chooseProduct');
    const { values = {} } = fatima.reply().screen.choices?.[1] ?? {};
    const alone = { key: 'top-up.product', values, expects: 'nothing' } as const;
    const pass = world.renderer.ussd(alone, language, 0).text.replaceAll('\n', ' ');
    expect(pass).not.toBe('');
    await fatima.chooses(1).sees('top-up.askPin').meanwhile(namesBoth);
    await fatima.enters().sees('top-up.done').meanwhile(namesBoth);
  });
});
