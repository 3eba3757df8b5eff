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
 * What a merchant does with money that a card payment has reserved: takes it, or releases it. Neither makes an operation of its own,
 * and neither has an event: the payment's operation says what has become of it. Until then it is shown to nobody (not shown in
 * v2.3; the sandbox refuses to read it), so that a refusal to read it means that the money is still reserved.
 */

/** `amount` is what is taken; of a release, all that is reserved. */
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

/** What became of an order whose answer was lost; undefined while the money is reserved. */
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

/** What taking a reservation and giving it up have in common: the payment that was made by card is what they are about. */
export const SETTLEMENT = {
  madeIn: 'card-payments',
  type: OPERATION_TYPES.CARD_PAYMENT,
  guard: 'once',
  events: {},

  alike: { beneficiary: ({ payment }) => payment.id, name: ({ payment }) => payment.id },
  listed: {
    statementName: 'statement.payment',
    side: 'credit',
    changesAnother: true,
    beneficiary: ({ payment }) => payment.id,
    receiver: () => undefined,
  },
  receipt: { reference: ({ payment }) => String(payment.operationId) },

  preview: stillReserved,
} satisfies Partial<PaymentMethod<CardSettlementOrder>>;
