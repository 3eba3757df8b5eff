import { describe, expect, test } from 'vitest';
import { LIFECYCLE, type PaymentAction, type PaymentState } from '../../../src/sandbox/cards/payment.ts';
import { TEST_CARDS } from '../../../src/sandbox/cards/test-cards.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { call, errorOf, wallet } from '../kit.ts';
import { CAFE, held, ledgerOf, paid } from './cards-kit.ts';

const AMOUNT = 80;
const DAY_MS = 24 * 3_600_000;

/** How a payment comes into each state. */
const REACHED: Readonly<Record<PaymentState, (of: Sandbox) => ReturnType<typeof held>>> = {
  waiting: (of) => held(of, AMOUNT, { '3dSecure': true }),
  expired: async (of) => {
    const payment = await held(of, AMOUNT, { '3dSecure': true });
    await of.clock.advance(DAY_MS);
    return payment;
  },
  declined: (of) => held(of, AMOUNT, { pan: TEST_CARDS.declined.pan }),
  authorized: (of) => held(of, AMOUNT),
  captured: (of) => held(of, AMOUNT, { autoCapture: true }),
  reversed: async (of) => {
    const payment = await held(of, AMOUNT);
    await call(of, 'reverseCardPayment', { ...payment.ids, Amount: AMOUNT });
    return payment;
  },
  refunded: async (of) => {
    const payment = await held(of, AMOUNT, { autoCapture: true });
    await acts(of, 'refund', payment);
    return payment;
  },
};

/** Does it to the payment. If that has no operation yet, it uses an unknown number. */
function acts(of: Sandbox, action: PaymentAction, { ids, operationId }: Awaited<ReturnType<typeof held>>) {
  if (action === 'capture') return call(of, 'captureCardPayment', { ...ids, Amount: AMOUNT });
  if (action === 'reverse') return call(of, 'reverseCardPayment', { ...ids, Amount: AMOUNT });
  const { PhoneNumber } = ids;
  return call(of, 'refundCardPayment', {
    PhoneNumber,
    OperationId: operationId ?? 999,
    RefundAmount: AMOUNT,
  });
}

/** Written out once more, so that a change of the table shows. */
const ALLOWED = ['authorized capture', 'authorized reverse', 'captured refund'];
const ACTIONS: readonly PaymentAction[] = ['capture', 'reverse', 'refund'];
const STATES = Object.keys(LIFECYCLE) as PaymentState[];
/** Without an operation there is no number by which a refund could find the payment. */
const UNFOUND = ['waiting refund', 'expired refund', 'declined refund'];

describe.each(STATES)('a payment that is %s', (state) => {
  test.each(ACTIONS)('%s', async (action) => {
    await paid(wallet, 20);
    const payment = await REACHED[state](wallet);
    const before = wallet.checkLedger();
    const said = await acts(wallet, action, payment);
    const pair = `${state} ${action}`;
    if (ALLOWED.includes(pair)) {
      expect(said).toMatchObject({ status: 200, body: { data: { phoneNumber: CAFE } } });
    } else {
      const error = UNFOUND.includes(pair) ? 'cardPaymentUnknown' : 'cardPaymentState';
      expect(said).toMatchObject(errorOf(error));
      expect(wallet.checkLedger()).toEqual(before);
    }
    ledgerOf(wallet);
    const again = await acts(wallet, action, payment);
    expect(again.status).not.toBe(200);
    await wallet.clock.advance(30 * DAY_MS);
    expect(ledgerOf(wallet).transit).toBe(0);
  });
});
