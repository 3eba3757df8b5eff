import type { ConfirmedOrder } from '../../src/payments/payments.ts';
import { STATUSES } from '../../src/wallet/contract/fields.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { FoundCash } from './effects.ts';
import type { Paying } from './paying.ts';
import { type Failure, isRefusal } from './problem.ts';
import type { Sentence } from './screen.ts';
import type { SentenceKey } from './sentence-key.ts';

/** The context of a conversation in which an agent executes a reference. */
export interface AtCounter extends Paying {
  code: string;
}

/** The payment of a reference that is open. */
export function orderOf(
  kind: 'agent-cash-in' | 'agent-cash-out',
  { wallet, code }: AtCounter,
  { number, amount, madeAt, customer }: FoundCash,
  typed?: Msisdn,
): Pick<Paying, 'order' | 'notice'> {
  const order: ConfirmedOrder = {
    kind,
    from: wallet,
    code,
    number,
    amount,
    madeAt,
    ...(customer && { customer }),
    ...(customer && customer === typed && { isTyped: true as const }),
  };
  return { order, notice: undefined };
}

export function isOpen({ status }: Pick<FoundCash, 'status'>): boolean {
  return status === STATUSES.OPEN;
}

/**
 * Why a reference that is not open cannot be executed.
 * @param used what is said of one that was executed before
 */
export function notOpen(
  { status }: Pick<FoundCash, 'status'>,
  used: SentenceKey = 'problem.90122',
): { notice: Sentence } {
  return { notice: { key: status === STATUSES.COMPLETED ? used : 'problem.90121' } };
}

/** No reference of this desk has that number. The other desk is not asked: a look may be a guess. */
export function noSuch(key: SentenceKey) {
  return {
    if: (refusal: Failure) => isRefusal(refusal, 'referenceUnknown'),
    target: 'asking',
    know: () => ({ notice: { key } as Sentence }),
  };
}
