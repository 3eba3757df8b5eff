import { describe, expect, test } from 'vitest';
import { type Customer, LOST, loses, refused, STORES, theWorld, UNGUARDED, UNSENT } from '../kit/world.ts';
import { CREDITORS, findsContributions, goesTo, known, ordersWater, type Path } from './bill-orders.ts';
import { paysLikeAll } from './payment-cases.ts';

const MINUTE_MS = 60_000;
const PASSWORD = '48151623';
/** A contract that no other test has paid. */
let last = 6_000_000;
const contract = () => String(last++);

function payers(store: (typeof STORES)[number]) {
  const world = theWorld({ store, safety: UNGUARDED });
  const rich = (channel: 'ussd' | 'web' = 'web') => world.customer({ channel, balance: '9000' });
  const atPin = (number = contract(), channel: 'ussd' | 'web' = 'web') =>
    rich(channel).isAtMenu().walks(ordersWater(number));
  const sent = ({ phone }: Customer) => world.wallet.calls(phone, 'payBill');
  return { world, rich, atPin, sent };
}

describe.each(STORES)('a paid bill, on %s', (store) => {
  const { world, rich, atPin, sent } = payers(store);
  paysLikeAll({
    ...{ world, kind: 'bill-payment', call: 'payBill', asks: 'bill-payment.askPinAllFree' },
    refusals: ['bill104', 'bill107', 'bill109'],
    atPin: (channel) => atPin(contract(), channel),
  });

  test.each([
    ['000', contract(), 'bill-payment.doneSettled'],
    ['301', '0990000301', 'bill-payment.doneSettled'],
    ['908', '0990000908', 'bill-payment.processing'],
    ['909', '0990000909', 'bill-payment.processing'],
    ['910', '0990000910', 'bill-payment.processing'],
    ['a code that nobody knows, though it is paid', '0990000998', 'bill-payment.notConfirmed'],
    ['a code that nobody knows, and it is not', '0990000999', 'bill-payment.notConfirmed'],
  ])('answered with %s', async (_, number, key) => {
    const fatima = atPin(number);
    await fatima.enters().sees(key);
    expect(sent(fatima)).toHaveLength(1);
  });

  test.each([
    ['confirmed', CREDITORS.telecom, '0990000908', 'done'],
    ['cancelled', CREDITORS.telecom, '0990000909', 'failed'],
    ['failed', CREDITORS.telecom, '0990000910', 'failed'],
    ['refunded', CREDITORS.telecom, '0990000911', 'failed'],
  ])('the webhook says %s', async (_, creditor, number, outcome) => {
    const fatima = rich();
    await fatima.isAtMenu().walks(goesTo(creditor)).chooses('01').says(number).chooses('all');
    await fatima.enters().sees('bill-payment.processing');
    await fatima.after(2_000).hears(`bill-payment.${outcome}`, { creditor: 'Maroc Telecom (test)' });
    expect(sent(fatima)).toHaveLength(1);
  });

  test('both are told when a payment is confirmed and then refunded', async () => {
    const fatima = atPin('0990000912');
    await fatima.enters().sees('bill-payment.doneSettled');
    await fatima.after(6_000).hears('bill-payment.reversed');
  });

  test('an unlisted code is followed until its outcome is known', async () => {
    const fatima = rich().isAtMenu().walks(goesTo(CREDITORS.telecom)).chooses('02').says('0990000998');
    await fatima.chooses('all').enters().sees('bill-payment.notConfirmed');
    await fatima;
    await fatima.after(2_000).hears('bill-payment.done');
  });

  test('a lost answer is found again by its own reference', async () => {
    const fatima = atPin();
    await fatima;
    world.wallet.next('payBill', loses);
    await fatima.enters().sees('bill-payment.notConfirmed');
    await fatima.after(6_000).hears('bill-payment.done');
    expect(sent(fatima)).toHaveLength(1);
  });

  /** The search for unpaid bills has made the transaction. Only a confirmation that reached the network changes its state. */
  test.each([
    ['EN_ATTENTE', 'listed'],
    ['no transaction', 'noContent'],
  ] as const)(
    'a confirmation that never arrived is read as %s, and counts as not found',
    async (_, waitingBill) => {
      world.sandbox.setSettings({ waitingBill });
      const fatima = atPin();
      await fatima;
      world.wallet.next('payBill', LOST);
      await fatima.enters().sees('bill-payment.notConfirmed');
      await fatima.after(74 * 60 * MINUTE_MS).hears('bill-payment.notFound');
      expect(sent(fatima)).toHaveLength(1);
    },
  );

  test('nothing is debited by a payment that was never sent', async () => {
    const fatima = atPin();
    await fatima;
    world.wallet.next('payBill', UNSENT);
    await fatima.enters().sees('bill-payment.notSent').isTold('problem.unavailable');
  });
});

describe.each(STORES)('the receipt of a bill, on %s', (store) => {
  const { world, atPin } = payers(store);

  test('without an operation there is no file, and the payment is done all the same', async () => {
    const fatima = atPin();
    await fatima;
    world.wallet.next('billStatus', LOST);
    await fatima.enters().sees('bill-payment.doneSettled');
    expect(fatima.reply().screen.document).toBeUndefined();
  });

  test('the receipt of a paid bill can be fetched, by its customer and by nobody else', async () => {
    const fatima = atPin();
    const other = world.customer({ channel: 'web' }).isAtMenu();
    await Promise.all([fatima.enters().sees('bill-payment.doneSettled'), other]);
    const { document } = fatima.reply().screen;
    if (!document) throw new Error('a receipt was expected');
    expect((await world.engine.document(fatima.address, document))?.type).toBe('application/pdf');
    expect(await world.engine.document(other.address, document)).toBeUndefined();
    expect(await world.engine.document(world.chatOf(fatima).address, document)).toBeUndefined();
  });

  test('on USSD the lines of the receipt come by SMS, once', async () => {
    const fatima = world.customer({ language: 'fr', balance: '9000' });
    await fatima.isAtMenu().walks(ordersWater(contract())).enters().sees('bill-payment.doneSettled');
    await fatima.meanwhile(() => world.rests());
    await fatima.dials().isTold('bill-payment.doneSettled').chooses('account').chooses('language');
    await fatima.chooses('fr');
    await world.passes(MINUTE_MS);
    const { amount, settlement } = seen(fatima);
    const receipts = world.sms(fatima.phone).filter((text) => text.includes(settlement));
    expect(receipts).toHaveLength(1);
    expect(receipts[0]).toContain('Amendis (test)');
    expect(receipts[0]).toContain(amount);
    await fatima.dials().sees('menu.choose').isToldNothing();

    function seen({ phone }: Customer) {
      const [, amount = '?'] = /([\d ]+,\d\d) DH/.exec(world.sms(phone)[0] ?? '') ?? [];
      const [, settlement = '?'] = /Règlement (\S+)/.exec(world.sms(phone)[0] ?? '') ?? [];
      return { amount, settlement };
    }
  });
});

describe.each(STORES)('a bill paid twice, on %s', (store) => {
  const { world, atPin } = payers(store);

  test('paid bills are not offered again, and similar ones are asked about', async () => {
    const number = contract();
    const fatima = atPin(number);
    await fatima;
    const { unpaid, quote } = await known(world, fatima);
    const again: Path = (customer) =>
      customer.goes('menu').walks(goesTo(CREDITORS.amendis)).chooses('01').says(number);
    await fatima.enters().sees('bill-payment.doneSettled').walks(again).sees('bill-payment.nothingToPay');
    world.wallet.next('unpaidBills', { kind: 'ok', value: unpaid });
    world.wallet.next('previewBill', { kind: 'ok', value: quote });
    await fatima.walks(again).chooses('all').sees('bill-payment.confirmAgain', { amount: quote.total });
  });

  test('an unconfirmed payment is asked about before a second one', async () => {
    const number = contract();
    const fatima = atPin(number);
    await fatima;
    world.wallet.next('payBill', LOST);
    await fatima.enters().sees('bill-payment.notConfirmed').goes('menu');
    await fatima.chooses('bill-payment').sees('pay.busy');
    await fatima.after(3 * MINUTE_MS).goes('menu');
    await fatima.walks(goesTo(CREDITORS.amendis)).chooses('01').says(number).sees('bill-payment.reviewFor');
    await fatima.chooses('all').sees('bill-payment.confirmUnconfirmed');
  });
});

describe.each(STORES)('the password of a bill, on %s', (store) => {
  const { world, rich, sent } = payers(store);
  const atBills = () => rich().isAtMenu().walks(findsContributions('9876543', PASSWORD));

  test('is nowhere in clear, and is gone once the bill is paid', async () => {
    const fatima = atBills();
    await fatima.sees('bill-payment.reviewFor');
    expect(await world.everythingStored()).not.toContain(PASSWORD);
    expect((await known(world, fatima)).answers).toContainEqual({
      name: 'codeAcces',
      sealed: expect.any(String),
    });
    await fatima.chooses('all').enters().sees('bill-payment.doneSettled');
    const after = await known(world, fatima);
    expect(JSON.stringify(after)).not.toContain('sealed');
    expect(after.answers).toEqual([]);
    expect(await world.everythingStored()).not.toContain(PASSWORD);
  });

  test('is asked for again when it is too old before the bills are found', async () => {
    const fatima = rich().isAtMenu().walks(findsContributions('9876544', PASSWORD));
    await fatima.sees('bill-payment.reviewFor').goes('back').goes('back').sees('bill-payment.ask');
    await world.passes(3 * MINUTE_MS);
    await fatima.says('9876544').says(PASSWORD).sees('bill-payment.reviewFor');
    await fatima.after(3 * MINUTE_MS);
    await fatima.chooses('all').sees('bill-payment.ask', { label: "Code d'accès" }).isTold('problem.expired');
    await fatima.says(PASSWORD).sees('bill-payment.askPin').enters().sees('bill-payment.doneSettled');
  });

  test('is asked for again when it grows old during the PIN question, and the payment goes on', async () => {
    const fatima = rich().isAtMenu().walks(findsContributions('9876545', PASSWORD));
    await fatima.chooses('all').after(1.5 * MINUTE_MS);
    await fatima.enters('4321').after(MINUTE_MS);
    await fatima.enters().sees('bill-payment.ask', { label: "Code d'accès" }).isTold('problem.expired');
    expect(sent(fatima)).toEqual([]);
    await fatima.says(PASSWORD).sees('bill-payment.askPin').enters().sees('bill-payment.doneSettled');
  });

  test('leads back to the form when the network does not take it', async () => {
    const fatima = rich().isAtMenu().walks(goesTo(CREDITORS.cnss)).says('9876546');
    await fatima;
    world.wallet.next('unpaidBills', refused('90001'));
    await fatima.says(PASSWORD).sees('bill-payment.ask', { label: "Numéro d'affiliation" });
    await fatima.isTold('problem.90001');
  });

  test('can be skipped when it is optional', async () => {
    const fatima = rich();
    await fatima.isAtMenu().walks(goesTo(CREDITORS.insurer)).chooses('01');
    await fatima.says('POL12345').sees('bill-payment.offer', { label: 'Mot de passe' });
    await fatima.chooses('skip').sees('bill-payment.reviewFor');
  });
});
