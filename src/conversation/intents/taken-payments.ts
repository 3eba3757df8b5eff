import type { CardPaymentEntry } from '../../../machines/kit/effects.ts';
import { methodOf } from '../../payments/payments.ts';
import { withCardPayment, withCardPaymentChanged } from '../session/card-payments.ts';
import { withConfirmed } from '../session/safety.ts';
import { type WalletDoc, withoutPaid, withPaid } from '../session/wallet-doc.ts';
import type { Intent } from './intent.ts';

/** Refunds of wallet payments that are remembered: of an older one the wallet alone knows that it was given back. */
const GIVEN_BACK_MAX = 50;

/**
 * The wallet after a new outcome of a payment. Only a payment that has arrived makes its recipient known and its amount usual: a rejected one
 * says nothing of either. Saying it again changes nothing.
 * @param before the intent as it was
 */
export function withOutcome(wallet: WalletDoc, intent: Intent, before: Pick<Intent, 'state'>): WalletDoc {
  const { order, state, sentAt } = intent;
  const taken = withTakenPayments(wallet, intent);
  const { ofAgent, listed } = methodOf(order);
  const hasArrived = state === 'succeeded' && before.state !== 'succeeded';
  if (state === 'reversed' && before.state !== 'reversed') return withoutPaid(taken, order);
  if (!hasArrived || ofAgent || listed.side === 'credit') return taken;
  return withPaid(withConfirmed(taken, order, sentAt), order);
}

/**
 * The wallet with the payments that a merchant has taken, brought up to date by an intent. The API has no other source
 * for these lists. No read gives the gateway's ids of a card payment again, lists reserved payments, or says which
 * payment a refund belongs to. Doing it again changes nothing.
 */
function withTakenPayments(wallet: WalletDoc, intent: Intent): WalletDoc {
  const { id, order, state, trouble } = intent;
  const isBack = state === 'reversed' || state === 'failed';
  const isDone = state === 'succeeded' || trouble?.kind === 'alike';
  switch (order.kind) {
    case 'card-payment': {
      const entry = isDone ? entryOf(intent) : undefined;
      return entry ? withCardPayment(wallet, entry) : wallet;
    }
    case 'card-capture':
      return withCardPaymentChanged(wallet, order.payment.id, (entry) =>
        isDone ? { ...entry, state: 'captured', captured: order.amount } : entry,
      );
    case 'card-reverse':
      return withCardPaymentChanged(wallet, order.payment.id, (entry) =>
        isDone ? { ...entry, state: 'released' } : entry,
      );
    case 'card-refund':
      return withCardPaymentChanged(wallet, order.payment.id, ({ refunds = [], ...entry }) => {
        const others = refunds.filter((each) => each.id !== id);
        return { ...entry, refunds: isDone ? [...others, { id, amount: order.amount }] : others };
      });
    case 'merchant-refund': {
      const others = wallet.givenBack?.filter((each) => each.id !== id) ?? [];
      if (!isDone && others.length === (wallet.givenBack?.length ?? 0)) return wallet;
      const { amount, original } = order;
      const one = { id, of: original.id, amount };
      return { ...wallet, givenBack: isDone ? [...others, one].slice(-GIVEN_BACK_MAX) : others };
    }
    case 'voucher': {
      const { vouchers } = wallet;
      if (!vouchers?.some((each) => each.id === id && each.takenBack !== (isBack || undefined)))
        return wallet;
      const changed = vouchers.map(({ takenBack, ...each }) => {
        const isStill = each.id === id ? isBack : takenBack;
        return isStill ? { ...each, takenBack: true as const } : each;
      });
      return { ...wallet, vouchers: changed };
    }
    default:
      return wallet;
  }
}

/** A card payment as an entry of its list. Undefined where the ids are unknown that every later step needs. */
function entryOf({ id, order, operationId, facts = {}, sentAt: at }: Intent): CardPaymentEntry | undefined {
  const { orderId, trackId } = facts;
  if (order.kind !== 'card-payment' || operationId === undefined || !orderId || !trackId) return undefined;
  const state = order.isReserved ? 'reserved' : 'captured';
  return { id, operationId, orderId, trackId, amount: order.amount, at, state };
}
