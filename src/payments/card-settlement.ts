import type { Answer } from '../wallet/answer.ts';
import type { CardSettlement } from '../wallet/bank-cards.ts';
import { ERRORS } from '../wallet/contract/errors.ts';
import { OPERATION_TYPES, STATUSES } from '../wallet/contract/fields.ts';
import type { Centimes } from '../wallet/money.ts';
import { centimes } from '../wallet/money.ts';
import type { Call, Preview, Wallet } from '../wallet/wallet.ts';
import type { CardPayment } from './card-payment.ts';
import type { Ended, Found, PaymentEnv, PaymentMethod, Placed } from './payment.ts';

/*
 * A merchant collects or releases a card reservation. Neither makes an operation of its own, and neither has an event:
 * the payment's operation shows the result. Until then that operation is visible to nobody (not shown in v2.3; the
 * sandbox refuses to read it). So a refusal to read it means that the money is still reserved.
 */

/** `amount`: the part to collect, or for a release the whole reservation. */
export interface CardSettlementOrder extends Placed {
  readonly payment: CardPayment;
}

/** How the payment's operation ended: taken, of so much, or released. */
interface Settled {
  readonly status: Ended;
  readonly amount: Centimes;
}

/** The API has no preview of either: what is known is whether there is still something to take or release. */
async function stillReserved(
  { from, amount, payment }: CardSettlementOrder,
  { api, call }: Pick<PaymentEnv, 'api' | 'call'>,
): Promise<Answer<Preview>> {
  const answer = await settledOf({ from, payment }, api, call);
  if (answer.kind !== 'ok') return answer;
  return answer.value
    ? { kind: 'refused', code: String(ERRORS.cardPaymentState.code), description: '' }
    : { kind: 'ok', value: { fees: centimes(0), total: amount, openLoop: false } };
}

/** The outcome of an order whose answer was lost. Undefined while the money is reserved. */
export async function foundOf(
  order: CardSettlementOrder,
  api: Pick<Wallet, 'operation'>,
  call: Call,
  meaning: (settled: Settled) => Found,
): Promise<Answer<Found | undefined>> {
  const answer = await settledOf(order, api, call);
  if (answer.kind !== 'ok') return answer;
  return { kind: 'ok', value: answer.value && meaning(answer.value) };
}

export function settlementOf({ from, amount, payment }: CardSettlementOrder): CardSettlement {
  return { merchant: from, amount, orderId: payment.orderId, trackId: payment.trackId };
}

async function settledOf(
  { from, payment }: Pick<CardSettlementOrder, 'from' | 'payment'>,
  api: Pick<Wallet, 'operation'>,
  call: Call,
): Promise<Answer<Settled | undefined>> {
  const answer = await api.operation(from, payment.operationId, call);
  if (answer.kind === 'refused') return { kind: 'ok', value: undefined };
  if (answer.kind !== 'ok') return answer;
  const { status, amount } = answer.value;
  if (status === STATUSES.OPEN) return { kind: 'ok', value: undefined };
  return { kind: 'ok', value: { status: status === STATUSES.COMPLETED ? 'succeeded' : 'failed', amount } };
}

/** The common part of collecting and releasing a reservation: both act on the card payment. */
export const SETTLEMENT = {
  madeIn: 'card-payments',
  type: OPERATION_TYPES.CARD_PAYMENT,
  guard: 'once',

  alike: { beneficiary: ({ payment }) => payment.id, name: ({ payment }) => payment.id },
  listed: {
    statementName: 'statement.payment',
    side: 'credit',
    changesAnother: true,
    beneficiary: ({ payment }) => payment.id,
    receiver: () => undefined,
  },
  followed: { takenBack: 'never', events: {} },
  receipt: { reference: ({ payment }) => String(payment.operationId) },

  preview: stillReserved,
} satisfies Partial<PaymentMethod<CardSettlementOrder>>;
