import { isDeepStrictEqual } from 'node:util';
import type { Ended } from '../../payments/payment.ts';
import type { IntentState } from './intent.ts';

/** An operation of the wallet, as it was read by its id. Without `ended` it is still open. */
export interface ReadOperation {
  readonly id: number;
  readonly ended?: Ended;
  /** It moved another amount, is of another type or went to another recipient than was ordered. */
  readonly isOther?: true;
}

/** The two agents who have settled a payment, by their ids, and how they know. */
export interface Agreed {
  readonly by: string;
  readonly approvedBy: string;
  readonly evidence: string;
}

/** One thing that is known about a payment, and how it was learnt (docs/safety.md, "The truth"). */
export type Fact =
  /** The wallet's answer to the request to pay. `isFinal`: the answer itself is the outcome. */
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
  /** The order's own key has found the payment. Without an operation where the service names none. */
  | {
      readonly kind: 'own-key';
      readonly order: string;
      readonly operationId?: number;
      readonly ended?: Ended;
    }
  /** Of all listed operations only this one matches. */
  | { readonly kind: 'only-match'; readonly operationId: number }
  | { readonly kind: 'several'; readonly operationIds: readonly number[] }
  /** Another payment looks just like this one: the list does not show whose operation it is. */
  | { readonly kind: 'contested' }
  /** The list was read once more after the success: operations that look like this payment and belong to none. */
  | { readonly kind: 'look-alikes'; readonly operationIds: readonly number[] }
  /**
   * Until the horizon nothing was found, or no outcome of the found operation (`exists`, `operationId`). `unlisted`: an
   * operation may exist that the list does not show.
   */
  | {
      readonly kind: 'horizon';
      readonly exists?: true;
      readonly unlisted?: true;
      readonly operationId?: number;
    }
  /**
   * The wallet has the payment and waits for its customer, who has not continued so far. `declined`: a browser has come
   * back from the bank's page with that word, which proves nothing.
   */
  | { readonly kind: 'unfinished'; readonly declined?: true }
  /** Two people have settled it. `proposedAt` distinguishes one settlement from the next. */
  | ({
      readonly kind: 'settled';
      readonly as: 'succeeded' | 'failed' | 'reversed';
      readonly proposedAt: number;
      readonly operationId?: number;
    } & Agreed)
  /** The conclusion of a version of Wasl that kept no evidence. */
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
