import { isDeepStrictEqual } from 'node:util';
import type { Ended } from '../../payments/payment.ts';
import type { IntentState } from './intent.ts';

/** An operation of the wallet, as it was read by its id; without `ended` it is still open. */
export interface ReadOperation {
  readonly id: number;
  readonly ended?: Ended;
  /** It moved another amount, is of another type or went to somebody else than was ordered. */
  readonly isOther?: true;
}

/** One thing that is known about a payment, and how it came to be known (docs/safety.md, "The truth"). */
export type Fact =
  /** What the wallet said when it was asked to pay. `isFinal`: the answer itself is the outcome. */
  | {
      readonly kind: 'answer';
      readonly said: 'accepted' | 'rejected' | 'unsent' | 'unknown';
      readonly isFinal?: true;
      readonly operationId?: number;
    }
  /** The process that was to bring the answer has never saved one. */
  | { readonly kind: 'no-answer' }
  /** An authentic webhook with our request id named this operation, and it was read by its id. */
  | { readonly kind: 'webhook'; readonly event: string; readonly operation: ReadOperation }
  /** The operation that the payment became was read by its id. */
  | { readonly kind: 'read'; readonly operation: ReadOperation }
  /** The order's own key has found it; without an operation where the service names none. */
  | {
      readonly kind: 'own-key';
      readonly order: string;
      readonly operationId?: number;
      readonly ended?: Ended;
    }
  /** Of all listed operations only this one matches. */
  | { readonly kind: 'only-match'; readonly operationId: number }
  | { readonly kind: 'several'; readonly operationIds: readonly number[] }
  /** Another payment looks just like this one: the list cannot tell whose operation it is. */
  | { readonly kind: 'contested' }
  /** The list was read once more after the success: operations that look like this payment and belong to none. */
  | { readonly kind: 'look-alikes'; readonly operationIds: readonly number[] }
  /** Nothing was found until the horizon, or no outcome of what was found (`exists`, `operationId`). */
  | { readonly kind: 'horizon'; readonly exists?: true; readonly operationId?: number }
  /** Two people have settled it. `proposedAt` tells one settlement from the next. */
  | {
      readonly kind: 'settled';
      readonly as: 'succeeded' | 'failed' | 'reversed';
      readonly why: string;
      readonly proposedAt: number;
      readonly operationId?: number;
    }
  /** What a version of Wasl that kept no evidence had concluded. */
  | {
      readonly kind: 'earlier';
      readonly state: IntentState;
      readonly operationId?: number;
      readonly isByList?: boolean;
    };

/** A fact, when it was learnt (ms since 1970), and the other payment that its operation belonged to already. */
export type Evidence = Fact & { readonly at: number; readonly owner?: string };

/** True when this is known already, however often it is learnt again. */
export function isKnown(evidence: readonly Evidence[], fact: Fact): boolean {
  return evidence.some(({ at: _when, owner: _whose, ...known }) => isDeepStrictEqual(known, fact));
}

/** How a fact came to be known, as it is written into the audit. */
export function sourceOf(fact: Fact): string {
  switch (fact.kind) {
    case 'answer':
      return 'answer of the wallet';
    case 'no-answer':
      return 'no answer was ever saved';
    case 'webhook':
      return `webhook ${fact.event}`;
    case 'read':
      return 'read by id';
    case 'own-key':
      return fact.operationId === undefined && fact.ended
        ? `the ${fact.order} itself says so`
        : 'found by its own key';
    case 'only-match':
      return 'the only match';
    case 'several':
      return `several operations match: ${fact.operationIds.join(', ')}`;
    case 'contested':
      return 'another payment looks just like this one';
    case 'look-alikes':
      return fact.operationIds.length > 0
        ? `operations that look like it: ${fact.operationIds.join(', ')}`
        : 'no other operation looks like it';
    case 'horizon':
      if (fact.operationId !== undefined) return `operation ${fact.operationId} has no outcome after 72 h`;
      return fact.exists ? 'operation without an id has no outcome after 72 h' : 'nothing was found in 72 h';
    case 'settled':
      return fact.why;
    case 'earlier':
      return 'concluded by an earlier version';
  }
}
