import { describe, expect, test } from 'vitest';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { LOST, loses, ok, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS_ON, CHATS_ON, type Customer, STORES, theWorld, UNGUARDED } from '../kit/world.ts';
import { orders } from './transfer-orders.ts';

/** A wallet of another provider: any number that the sandbox does not know. */
const ELSEWHERE = msisdn('0655000000');
const MINUTE_MS = 60_000;

describe.each(STORES)('sending money, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook', safety: UNGUARDED });

  test.each(CHANNELS_ON[store])('a customer sends money and hears the outcome, on %s', async (channel) => {
    const youssef = world.customer({ channel: 'web', balance: '10' });
    await youssef.isAtMenu();
    const fatima = world.customer({ channel, balance: '500' });
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    await fatima.says(youssef.phone).sees('transfer.askAmount', { to: youssef.phone });
    await fatima.says('200').sees('transfer.askPin', { amount: 20000, fees: 200, total: 20200 });
    await fatima.enters().sees('transfer.processing');
    await fatima.after(1_500).hears('transfer.done', { amount: 20000, to: youssef.phone, total: 20200 });
    await youssef.sees('menu.choose').hears('received.from', { amount: 20000, from: fatima.phone });
  });

  test.each(CHANNELS_ON[store])(
    'too little money is noticed by the preview, and another amount is asked, on %s',
    async (channel) => {
      const fatima = world.customer({ channel, balance: '100' });
      await fatima.isAtMenu();
      await fatima.walks(orders(ELSEWHERE, '99,50')).sees('pay.short');
      await fatima.says('50').sees('transfer.askPinOpenLoop', { amount: 5000, fees: 200, total: 5200 });
    },
  );

  test.each(CHATS_ON[store])(
    'a transfer that fails after it was accepted is told, and the money is back, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().walks(orders(MAGIC.failsLater, '100')).enters().sees('transfer.processing');
      await fatima.after(1_500).hears('transfer.failed', { amount: 10000 });
      // In Telegram a chat is not opened again: it stands there, and `/start` leads to the menu.
      if (channel === 'web') await fatima.opens();
      await fatima.sees('transfer.failed').goes('menu').isToldNothing().chooses('balance');
      await fatima.enters().sees('balance.shown', { balance: 50000 });
    },
  );

  test.each(CHANNELS_ON[store])(
    'an answer lost after the execution is "not confirmed", then done, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.isAtMenu().walks(orders(ELSEWHERE, '100'));
      world.wallet.next('transfer', loses);
      await fatima.enters().sees('transfer.notConfirmed', { amount: 10000, to: ELSEWHERE });
      await fatima.after(1_500).hears('transfer.done', { total: 10200 });
      expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
    },
  );
});

const world = theWorld({ safety: UNGUARDED });

describe('the recipient', () => {
  const asked = () => world.customer().isAtMenu().chooses('transfer').sees('transfer.askRecipient');

  test.each([
    ['06 55 00 00 00'],
    ['06-55.00.00.00'],
    ['+212 655 00 00 00'],
    ['00212655000000'],
    ['٠٦٥٥٠٠٠٠٠٠'],
    ['\u202a0655000000\u202c'],
  ])('a number: %s', (text) => asked().says(text).sees('transfer.askAmount', { to: ELSEWHERE }));

  test.each([
    ['a landline', '0522123456'],
    ['a foreign number', '+33612345678'],
    ['one letter', 'Y'],
    ['an emoji', '🐪'],
    ['a right-to-left override', '\u202e'],
    ['an injection', "0655000000'; DROP TABLE doc;--"],
    ['help, where only choices have it', '99'],
  ])('no number: %s', (_, text) =>
    asked().says(text).sees('transfer.askRecipient').isTold('mobile.notANumber'),
  );

  test('oneself, however it is written', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer');
    await fatima.says(`0${fatima.phone.slice(4)}`);
    await fatima.sees('transfer.askRecipient').isTold('transfer.toYourself');
    expect(world.wallet.calls(fatima.phone, 'previewTransfer')).toEqual([]);
  });

  test('the preview decides: a number without any wallet', async () => {
    const fatima = asked();
    await fatima.says(MAGIC.noWallet).says('50').sees('transfer.askRecipient').isTold('problem.90013');
    await fatima.says(ELSEWHERE).says('50').sees('transfer.askPinOpenLoop');
  });

  test.each([
    ['has not confirmed its registration', 1],
    ['is locked', 5],
  ] as const)('a wallet that %s', async (_, status) => {
    const youssef = world.customer({ status, balance: '0' });
    await asked().says(youssef.phone).says('50').sees('transfer.askRecipient').isTold('problem.90014');
  });

  test('a full wallet of the recipient leads to another amount', async () => {
    const youssef = world.customer({ level: 1, balance: '990' });
    await asked()
      .says(youssef.phone)
      .says('50')
      .sees('transfer.askAmount')
      .isTold('problem.90011')
      .says('10')
      .sees('transfer.askPin', { amount: 1000, fees: 0 });
  });

  test('a wallet of another provider is pointed out', () =>
    asked().says(ELSEWHERE).says('150').sees('transfer.askPinOpenLoop', { fees: 400, total: 15_400 }));

  test('a name is shown only where the preview gives one', async () => {
    const customer = asked().says(ELSEWHERE);
    world.wallet.next('previewTransfer', async (ask) => {
      const answer = await ask();
      return answer.kind === 'ok'
        ? ok({ ...answer.value, openLoop: false, recipientName: 'Youssef Benali' })
        : answer;
    });
    await customer.says('150').sees('transfer.askPinNamed', { recipientName: 'Youssef Benali' });
  });
});

describe('the amount', () => {
  const asked = () =>
    world.customer({ channel: 'web', balance: '2000000' }).isAtMenu().chooses('transfer').says(ELSEWHERE);

  test.each([
    ['200', 200_00],
    ['200,5', 200_50],
    ['200.50', 200_50],
    ['1200', 1_200_00],
    ['1 200,50', 1_200_50],
    ['1\u202f200,50', 1_200_50],
    ['1.200,50', 1_200_50],
    ['1,200.50', 1_200_50],
    ['12 345 ', 12_345_00],
    ['200 DH', 200_00],
    ['200dhs', 200_00],
    ['200 درهم', 200_00],
    ['١٢٠٠', 1_200_00],
    ['١٬٢٠٠٫٥٠', 1_200_50],
    ['۲۰۰', 200_00],
    ['\u200f200\u200e', 200_00],
    ['0,01', 1],
    ['007', 7_00],
    ['098', 98_00],
    ['99 DH', 99_00],
    ['1000000', 1_000_000_00],
  ])('%j', (text, centimes) => asked().says(text).sees('transfer.askPinOpenLoop', { amount: centimes }));

  test.each([
    ['1.500', 'amount.ambiguous'],
    ['1,500', 'amount.ambiguous'],
    ['12.345', 'amount.ambiguous'],
    ['200,505', 'amount.ambiguous'],
    ['0,505', 'amount.tooPrecise'],
    ['1200,505', 'amount.tooPrecise'],
    ['0', 'amount.zero'],
    ['0,00', 'amount.zero'],
    ['1000000,01', 'amount.tooLarge'],
    ['99999999999', 'amount.tooLarge'],
    ['2 00', 'amount.notAnAmount'],
    ['1.2.3', 'amount.notAnAmount'],
    ['-5', 'amount.notAnAmount'],
    ['+5', 'amount.notAnAmount'],
    ['1e3', 'amount.notAnAmount'],
    ['0x10', 'amount.notAnAmount'],
    ['NaN', 'amount.notAnAmount'],
    ['½', 'amount.notAnAmount'],
    ['２００', 'amount.notAnAmount'],
    ['200 €', 'amount.notAnAmount'],
    ['deux ou trois cents', 'amount.notAnAmount'],
    ['شي مائتين', 'amount.notAnAmount'],
    ['💰', 'amount.notAnAmount'],
    ["1'; DROP TABLE doc;--", 'amount.notAnAmount'],
    ['\u202e200', 'amount.notAnAmount'],
    ['12٣', 'amount.notAnAmount'],
    ['', 'amount.notAnAmount'],
    ['9'.repeat(5_000), 'nav.tooLong'],
  ])('%j is %s', (text, told) => asked().says(text).sees('transfer.askAmount').isTold(told));
});

describe('the preview of a transfer', () => {
  const confirming = (balance = '500') =>
    world.customer({ balance }).isAtMenu().walks(orders(ELSEWHERE, '100'));
  /** The next preview costs so much more. */
  const feesRise = (byCentimes: number) =>
    world.wallet.next('previewTransfer', async (ask) => {
      const answer = await ask();
      if (answer.kind !== 'ok') return answer;
      const { fees, total } = answer.value;
      return ok({
        ...answer.value,
        fees: (fees + byCentimes) as typeof fees,
        total: (total + byCentimes) as typeof total,
      });
    });

  test('after two minutes the preview is made again, and other fees are confirmed again', async () => {
    const fatima = confirming();
    await fatima.sees('transfer.askPinOpenLoop', { fees: 200 });
    feesRise(100);
    await fatima.after(2 * MINUTE_MS + 1);
    await fatima.enters().sees('pin.lapsed').chooses('continue');
    await fatima.sees('transfer.confirmOpenLoop', { fees: 300, total: 10_300 }).isTold('pay.changed');
    await fatima.chooses('confirm').sees('transfer.askPinOpenLoop', { fees: 300, total: 10_300 });
  });

  test('after two minutes, when nothing has changed, the PIN is asked', async () => {
    const fatima = confirming();
    await fatima.after(2 * MINUTE_MS + 1).dials();
    await fatima.chooses('continue').sees('transfer.askPinOpenLoop', { fees: 200 }).isToldNothing();
    expect(world.wallet.calls(fatima.phone, 'previewTransfer')).toHaveLength(2);
  });

  test('after two minutes, the customer is told when it can no longer be paid', async () => {
    const fatima = confirming();
    await fatima.after(2 * MINUTE_MS + 1);
    world.wallet.next('previewTransfer', refused('90010'));
    await fatima.dials().chooses('continue').sees('pay.short').chooses('amend');
    await fatima.says('100').sees('transfer.askPinOpenLoop');
  });

  test('within two minutes it is not made again', async () => {
    const fatima = confirming();
    await fatima.after(2 * MINUTE_MS - 10_000);
    await fatima.enters().sees('transfer.processing');
    expect(world.wallet.calls(fatima.phone, 'previewTransfer')).toHaveLength(1);
  });

  test('other fees that come up while the PIN is typed are confirmed again, and nothing is sent', async () => {
    const fatima = confirming();
    await fatima.after(MINUTE_MS);
    await fatima.enters('4321').sees('transfer.askPinOpenLoop');
    await fatima.after(MINUTE_MS + 1);
    feesRise(100);
    await fatima.enters().sees('transfer.confirmOpenLoop', { fees: 300 }).isTold('pay.changed');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
    await fatima.chooses('confirm').enters().sees('transfer.processing', { total: 10_300 });
  });
});

describe('the confirmation of a transfer', () => {
  const confirming = (balance = '500') =>
    world.customer({ balance }).isAtMenu().walks(orders(ELSEWHERE, '100'));

  test('a payment just like it is asked about first', async () => {
    const fatima = confirming();
    await fatima.enters().sees('transfer.processing');
    await fatima.after(1_500).dials().walks(orders(ELSEWHERE, '100'));
    await fatima.sees('transfer.confirmAgain', { amount: 10_000, to: ELSEWHERE }).goes('back');
    await fatima.says('110').sees('transfer.askPinOpenLoop');
  });

  test('a similar payment that appears while the PIN is typed is asked about too', async () => {
    const fatima = confirming();
    await fatima.sees('transfer.askPinOpenLoop');
    const chat = world.chatOf(fatima);
    await chat.isAtMenu().walks(orders(ELSEWHERE, '100')).enters();
    await chat.after(1_500).hears('transfer.done');
    await fatima.enters().sees('transfer.confirmAgain').isTold('pay.alikeSince');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test.each([
    ['slow', LOST],
    ['unreachable', UNSENT],
  ])('a wallet that is %s at the preview offers to try again or to leave', async (_, instead) => {
    world.wallet.next('previewTransfer', instead);
    world.wallet.next('previewTransfer', instead);
    await confirming()
      .sees('pay.unavailable')
      .chooses('again')
      .sees('pay.unavailable')
      .chooses('again')
      .sees('transfer.askPinOpenLoop');
    world.wallet.next('previewTransfer', instead);
    await confirming().sees('pay.unavailable').chooses('cancel').sees('transfer.notSent');
    world.wallet.next('previewTransfer', instead);
    await confirming().sees('pay.unavailable').goes('back').sees('transfer.askAmount');
  });

  test('back at each step', async () => {
    const fatima = confirming();
    await fatima.sees('transfer.askPinOpenLoop').goes('back').sees('transfer.askAmount');
    await fatima.goes('back').sees('transfer.askRecipient').goes('back').sees('menu.choose');
  });

  test('another amount is another order, not one whose fees have changed', async () => {
    const fatima = confirming();
    await fatima.goes('back');
    await fatima.says('200').sees('transfer.askPinOpenLoop', { amount: 20_000, fees: 400 }).isToldNothing();
  });

  test('cancelled at each step: nothing is sent', async () => {
    const fatima = world.customer({ channel: 'web' });
    const steps: ((customer: Customer) => unknown)[] = [
      (customer) => customer.chooses('transfer'),
      (customer) => customer.chooses('transfer').says(ELSEWHERE),
      (customer) => customer.walks(orders(ELSEWHERE, '100')).sees('transfer.askPinOpenLoop'),
    ];
    await fatima.isAtMenu();
    for (const step of steps) {
      const told = step === steps.at(-1) ? 'transfer.cancelled' : 'nav.cancelled';
      await fatima.walks(step).says('/cancel').sees('menu.choose').isTold(told);
    }
    await fatima.walks(orders(ELSEWHERE, '100')).chooses('cancel').sees('transfer.cancelled');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toEqual([]);
  });
});
