import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { SAFETY_DEFAULTS } from '../../src/conversation/session/safety.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { CHANNELS, type Customer, HOUR_MS, LOST, refused, testOn, theWorld, UNSENT } from '../kit/world.ts';
import { KARIM } from './bank-orders.ts';

const KNOWN = '0655000000';
const orders =
  (amount: string, to = KNOWN) =>
  (customer: Customer) =>
    customer.says('/transfer').says(to).says(amount);

describe('a new recipient', () => {
  const world = theWorld({ bot: 'webhook', safety: SAFETY_DEFAULTS });
  const paysElsewhere = async ({ phone }: Customer, to: string) => {
    const order = { from: phone, to: msisdn(to), amount: centimes(1_000), reason: 'app' };
    expect(await world.api.transfer(order, { requestId: randomUUID() })).toMatchObject({ kind: 'ok' });
    await world.passes(5_000);
  };

  testOn(CHANNELS)(
    'is warned of with the first payment, however small, and never again, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu();
      await fatima.walks(orders('2')).sees('pay.askNew', { to: msisdn('+212655000000') });
      await fatima.enters();
      await fatima.after(5_000).goes('menu').walks(orders('3')).sees('transfer.askPinOpenLoop');
    },
  );

  test('a PIN on a page before the payment does not count, in Arabic', async () => {
    const fatima = world.customer({ language: 'ar' });
    await fatima.isAtMenu().walks(orders('100')).sees('pay.askNew').says('1234').sees('pay.askNew');
    expect(fatima.reply().page).toBe(0);
    expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
    await fatima.says('1').enters().sees('transfer.processing', { amount: 10_000 });
  });

  test('its Arabic page leads on to the question by 1, which is a mistyped PIN there', async () => {
    const fatima = world.customer({ language: 'ar' });
    await fatima.isAtMenu().walks(orders('100')).sees('pay.askNew');
    const text = () => pageOf(world.renderer, fatima.reply()).text;
    expect(text()).toMatch(/\n1 متابعة\n0 </);
    await fatima.says('1').isToldNothing();
    expect(text()).toMatch(/\nالرمز السري؟/);
    await fatima.says('1').sees('pay.askNew').isTold('pin.format');
  });

  describe('is warned of on an Arabic page without a question', () => {
    const warned = async () => {
      const fatima = world.customer({ language: 'ar' });
      await fatima.isAtMenu().walks(orders('100')).sees('pay.askNew');
      return { fatima, page: () => pageOf(world.renderer, fatima.reply()).text };
    };

    test.each(['2', '99', 'abc', '1500', '50000', '500 درهم', 'شكون هذا'])(
      'which only its digit leads on from: %s is not taken, and that is said',
      async (text) => {
        const { fatima, page } = await warned();
        expect(page()).toMatch(/^100 لمستفيد جديد .*\n1 متابعة/);
        await fatima.says(text).sees('pay.askNew').isTold('pin.asksLater');
        expect(page()).toMatch(/^لم نأخذ جوابكم\.\n1 متابعة/);
        await fatima.says('1');
        expect(page()).toMatch(/^100 لمستفيد جديد .*\n1 متابعة/);
        await fatima.says('1');
        expect(page()).toMatch(/^إرسال 100 إلى 0655000000؟\nرسوم 2 مجموع 102 درهم\nالرمز السري؟/);
        expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
      },
    );

    test.each(['نعم', 'oui'])('which %s leads on from', async (text) => {
      const { fatima, page } = await warned();
      await fatima.says(text).sees('pay.askNew').isToldNothing();
      expect(page()).toMatch(/\nالرمز السري؟/);
    });

    test.each(['لا', 'non', 'no'])('which %s leads back from, as it does from the question', async (text) => {
      const { fatima } = await warned();
      await fatima.says(text).sees('transfer.askAmount');
      await fatima.says('100').sees('pay.askNew').says('1').says(text).sees('transfer.askAmount');
    });
  });

  test('is nobody whom the wallet lists as paid, in its app or at a counter', async () => {
    const fatima = world.customer({ balance: '900' });
    await paysElsewhere(fatima, '+212655000003');
    await fatima.isAtMenu().walks(orders('2', '0655000003')).sees('transfer.askPinOpenLoop').goes('menu');
    await fatima.walks(orders('2', '0655000004')).sees('pay.askNew');
  });

  test('is a payer of this customer, and any recipient while the list is unread', async () => {
    const [fatima, youssef] = [world.customer({ balance: '900' }), world.customer({ balance: '900' })];
    await paysElsewhere(youssef, fatima.phone);
    await fatima.isAtMenu().walks(orders('2', youssef.phone)).sees('pay.askNew').goes('menu');
    await paysElsewhere(fatima, '+212655000003');
    // The first read looks for what is alike, the second one for who is known.
    world.wallet.next('operations', (ask) => ask());
    world.wallet.next('operations', LOST);
    await fatima.walks(orders('4', '0655000003')).sees('pay.askNew');
  });
});

const world = theWorld({ bot: 'webhook' });

describe('an unexpected payment', () => {
  testOn(CHANNELS)(
    'somebody new is warned of once, on the screen that takes the PIN, on %s',
    async (channel) => {
      const fatima = world.customer({ channel, balance: '5000' });
      await fatima.isAtMenu().walks(orders('499')).sees('transfer.askPinOpenLoop').chooses('cancel');
      await fatima.walks(orders('500')).sees('pay.askNew').goes('cancel').isTold('transfer.cancelled');
      await fatima.walks(orders('500')).sees('pay.askNew', { amount: 50_000 }).enters();
      await fatima.after(5_000).goes('menu').walks(orders('600')).sees('transfer.askPinOpenLoop');
    },
  );

  test('the answer counts even if the quote has expired meanwhile', async () => {
    const fatima = world.customer({ channel: 'web', balance: '5000' });
    await fatima.isAtMenu().walks(orders('500')).sees('pay.askNew');
    await fatima.after(110_000);
    await fatima.goes('back').sees('transfer.askAmount').says('510').sees('pay.askNew');
  });

  test.each([
    ['is rejected', refused('90014')],
    ['never left', UNSENT],
  ] as const)('a payment that %s makes no recipient known, and no amount usual', async (_, answer) => {
    const fatima = world.customer({ channel: 'web', balance: '9000' });
    await fatima.isAtMenu().walks(orders('300', '0655000002')).enters();
    await fatima.after(3_000_000).goes('menu').walks(orders('1000')).sees('pay.askBoth').chooses('confirm');
    await fatima.sees('transfer.askPinOpenLoop').meanwhile(() => world.wallet.next('transfer', answer));
    await fatima.enters();
    await fatima.after(HOUR_MS).goes('menu').says('/transfer').sees('transfer.askRecipient');
    const { choices = [] } = fatima.reply().screen;
    expect(choices.map(({ id }) => id).filter((id) => id.startsWith('paid-'))).toEqual([
      'paid-+212655000002',
    ]);
    await fatima.says(KNOWN).says('1000').sees('pay.askBoth');
  });

  test('an amount far above the usual', async () => {
    const fatima = world.customer({ balance: '9000' });
    await fatima.isAtMenu().walks(orders('300')).enters();
    await world.passes(3_000_000);
    await fatima.dials().walks(orders('900')).sees('transfer.askPinOpenLoop').chooses('cancel');
    await fatima.walks(orders('1000')).sees('pay.askUnusual');
    await fatima.chooses('confirm').sees('transfer.askPinOpenLoop');
    await fatima.goes('menu').walks(orders('1000', '0655000001')).sees('pay.askBoth');
  });

  test('a chat offers another amount, and takes one that is typed', async () => {
    const fatima = world.customer({ channel: 'web', balance: '9000' });
    await fatima.isAtMenu().walks(orders('300')).enters();
    await fatima.after(3_000_000).goes('menu').walks(orders('1000')).sees('pay.askUnusual').says('45,5');
    await fatima.sees('transfer.askPinOpenLoop', { amount: 4_550 }).goes('back').says('1000');
    await fatima.sees('pay.askUnusual').chooses('amend').sees('transfer.askAmount');
  });

  test('a recipient saved a moment ago is still new, as saving takes no PIN', async () => {
    const fatima = world.customer({ balance: '5000' });
    await fatima.isAtMenu().walks(orders('900', '0655000002')).sees('pay.askNew').goes('cancel');
    await fatima.says('bénéficiaires').chooses('add').says('0655000002').says('Maman');
    const saved = () => fatima.reply().screen.choices?.[0]?.id ?? '';
    await fatima.sees('beneficiaries.done').says('/transfer').sees('transfer.askRecipient');
    await fatima.chooses(saved()).says('900').sees('pay.askNew', { to: '+212655000002' });
    await world.passes(25 * HOUR_MS);
    await fatima.dials().says('/transfer').sees('transfer.askRecipient');
    await fatima.chooses(saved()).says('900').sees('transfer.askPinOpenLoopNamed');
  });

  testOn(CHANNELS)('a withdrawal far above the usual, which then is one, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '9000' });
    await fatima.isAtMenu().walks(orders('50')).enters();
    await fatima.after(3_000_000).goes('menu').says('/cash-out 900').sees('cash-out.askPin').goes('menu');
    await fatima.says('/cash-out 1000').sees('cash-out.askUnusual', { amount: 100_000 });
    await fatima.offers('cancel', 'confirm');
    await fatima.chooses('cancel').sees('menu.choose');
    expect(world.wallet.calls(fatima.phone, 'requestCashOut')).toEqual([]);
    await fatima.says('/cash-out 1000').chooses('confirm').sees('cash-out.askPin').enters();
    await fatima.sees('cash-out.shown').goes('menu').says('/cash-out 999').sees('cash-out.askPin');
  });

  test('a dial asks for it, and does not answer it', async () => {
    const fatima = world.customer({ balance: '9000' });
    await fatima.isAtMenu().walks(orders('50')).enters();
    await world.passes(3_000_000);
    await fatima.dials('5', '3', '5000', '2').sees('cash-out.askUnusual', { amount: 500_000 });
  });

  test('an account of a bank and a merchant count as recipients as well', async () => {
    const fatima = world.customer({ balance: '9000' });
    await fatima.isAtMenu().says('/bank-transfer').says(KARIM).says('Karim Alami');
    await fatima.says('600').sees('pay.askNew');
  });
});

describe('a large payment', () => {
  const large = orders('1001');

  test('waits in a chat linked today, but not when the SIM proves the customer', async () => {
    const fatima = world.customer({ channel: 'web', balance: '9000' });
    await fatima.isAtMenu().walks(large).sees('problem.newLink', { amount: 100_000 });
    await fatima.chooses('amend').sees('transfer.askAmount');
    await fatima.says('1000').sees('pay.askNew');
    await world.dialer(fatima).isAtMenu().walks(large).sees('pay.askNew');
    await world.passes(24 * HOUR_MS);
    await fatima.goes('menu').walks(large).sees('pay.askNew');
  });

  test.each([
    ['a transfer', large, 'pay.short'],
    ['a withdrawal', (it: Customer) => it.says('/cash-out 1001'), 'pay.short'],
  ] as const)('that the wallet does not hold is refused for that first: %s', async (_, orders, key) => {
    const fatima = world.customer({ channel: 'web', balance: '900' });
    await fatima.isAtMenu().walks(orders).sees(key);
  });

  test('that no top-up takes is refused for that first', async () => {
    const fatima = world.customer({ channel: 'web', balance: '3000' });
    await fatima.isAtMenu().says('recharger mon numéro de 2000 dh').chooses('1');
    await fatima.sees('top-up.askAmount').isTold('top-up.amountRefused');
  });

  test('counts among the amounts that are tried without the PIN', async () => {
    const fatima = world.customer({ channel: 'web', balance: '3000' });
    await fatima.isAtMenu();
    for (const amount of ['1001', '1002', '1003', '1004', '1005'])
      await fatima.walks(orders(amount)).sees('problem.newLink').goes('menu');
    // Whether the wallet holds it is not told any more.
    await fatima.walks(orders('3001')).sees('problem.newLink').goes('menu');
    await fatima.walks(orders('50')).sees('pay.askCost');
  });

  testOn(CHANNELS)('an amount typed where another one is offered is taken, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '9000' });
    await fatima.isAtMenu().chooses('account').chooses('pin-change').enters().enters('2590').enters('2590');
    await fatima.goes('menu').walks(large).sees('problem.newPin', { amount: 100_000 });
    await fatima.says('900').sees('pay.askNew', { amount: 90_000 }).goes('menu');
    await fatima.walks(large).says('1 000,00 DH').sees('pay.askNew', { amount: 100_000 }).goes('menu');
    await fatima.walks(large).says('1200 dh').sees('problem.newPin', { amount: 100_000 });
    await fatima.says('1 000').sees('pay.askNew', { amount: 100_000 }).goes('menu');
    await fatima.walks(large).says('12').sees('transfer.askPinOpenLoop', { amount: 1_200 });
  });

  test('waits everywhere after a new PIN, and so does a withdrawal', async () => {
    const fatima = world.customer({ balance: '9000' });
    await fatima.isAtMenu().chooses('account').chooses('pin-change').enters().enters('2590').enters('2590');
    await fatima.sees('pin-change.changedUntil', { amount: 100_000 });
    const { until } = fatima.reply().screen.values ?? {};
    await fatima.goes('menu').walks(large).sees('problem.newPin');
    expect(fatima.reply().screen.values?.until).toEqual(until);
    await fatima.goes('menu').says('/cash-out 1001').sees('problem.newPin');
    expect(world.wallet.calls(fatima.phone, 'requestCashOut')).toEqual([]);
    await world.passes(24 * HOUR_MS);
    await fatima.dials().walks(large).sees('pay.askNew');
  });

  test('waits also after the PIN was reset, and after a thaw', async () => {
    const fatima = world.customer({ balance: '9000' });
    await fatima.isAtMenu().chooses('account').chooses('pin-reset').chooses('send').entersCodeFromSms();
    await fatima.enters('5937').enters('5937').sees('menu.choose').walks(large).sees('problem.newPin');
    await world.passes(24 * HOUR_MS);
    await fatima.dials().says('/geler').chooses('thaw').enters('5937');
    await fatima.entersCodeFromSms().sees('freeze.thawed');
    await fatima.dials().walks(large).sees('problem.newThaw');
  });

  test('a PIN that changes while it is confirmed holds it back', async () => {
    const fatima = world.customer({ balance: '9000' });
    const chat = world.chatOf(fatima);
    await chat.isAtMenu();
    await fatima.isAtMenu().walks(large).sees('pay.askNew');
    await chat.chooses('account').chooses('pin-change').enters().enters('2590').enters('2590');
    await fatima.enters('2590').sees('problem.newPin');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
  });
});
