import type { Order, Quote } from '../../../machines/kit/order.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Facts } from '../../wallet/wallet.ts';
import type { Address } from '../incoming.ts';

/**
 * How far a confirmed payment has come (docs/safety.md, "The intent"). What comes before `sent` is the conversation's:
 * nothing has left the house yet. `sent` is written before the first byte goes out, and nothing is ever sent again.
 */
export type IntentState =
  | 'sent'
  | 'accepted'
  | 'unknown'
  | 'rejected'
  | 'unsent'
  | 'succeeded'
  | 'failed'
  | 'reversed'
  | 'not-found'
  | 'human';

/** One step of an intent: when (ms since 1970), what it became, and why. */
export type AuditStep = readonly [at: number, state: string, why: string];

/** A confirmed money movement, written down before it is sent and followed until its outcome is known. */
export interface Intent {
  /** Also the call's `C-Request-Id`. */
  readonly id: string;
  readonly wallet: Msisdn;
  readonly address: Address;
  readonly order: Order;
  readonly quote: Quote;
  readonly state: IntentState;
  readonly sentAt: number;
  /** Operations that the wallet listed before: none of them can be this one. */
  readonly before: readonly number[];
  readonly operationId?: number;
  /** The operation was found in the wallet's list, and by nothing that is this payment's own. */
  readonly isByList?: boolean;
  /** What the wallet's answer said for the receipt. */
  readonly facts?: Facts;
  /** How a support agent says that it ended; it counts once another one agrees. */
  readonly proposal?: Proposal;
  /** Only ever added to. */
  readonly audit: readonly AuditStep[];
}

/** How a person says that a payment ended, and how they know. */
export interface Settlement {
  /** `handedOver`: a voucher's code was given to the customer by a person (docs/safety.md, rule 11). */
  readonly as: 'succeeded' | 'failed' | 'reversed' | 'handedOver';
  readonly evidence: string;
  /** The wallet's operation, where there is one. */
  readonly operationId?: number;
}

export interface Proposal extends Settlement {
  /** The agent. */
  readonly by: string;
  readonly at: number;
}

/** How long an intent is kept after its last change: longer than a customer may ask about it. */
export const INTENT_KEPT_MS = 400 * 24 * 3_600_000;
/** Past this the first byte must not go out any more: the process was frozen in between (rule 4). */
export const SEND_WITHIN_MS = 10_000;

const OPEN: readonly IntentState[] = [
  'accepted',
  'unknown',
  'rejected',
  'unsent',
  'succeeded',
  'failed',
  'not-found',
  'human',
];
/** What may follow. Anything else is a change that nothing explains, and freezes the intent for a person. */
const NEXT: Readonly<Record<IntentState, readonly IntentState[]>> = {
  sent: OPEN,
  accepted: OPEN,
  unknown: OPEN,
  'not-found': ['succeeded', 'failed', 'human'],
  succeeded: ['reversed', 'human'],
  failed: ['human'],
  rejected: ['human'],
  unsent: ['human'],
  reversed: ['human'],
  human: ['succeeded', 'failed', 'reversed'],
};

/** Its outcome is not known yet, and reconciliation goes on. */
export function isOpen({ state }: Intent): boolean {
  return state === 'sent' || state === 'accepted' || state === 'unknown';
}

/**
 * True when only a person can bring it to its end: nobody else can say what became of the money, or a voucher was paid
 * whose code no answer has brought (docs/safety.md, rule 11).
 */
export function needsPerson({ state, order, facts }: Intent): boolean {
  return state === 'human' || (state === 'succeeded' && order.kind === 'voucher' && !facts?.codeSent);
}

/** The intent after a fact. The same object when the fact is nothing new. */
export function learn(
  intent: Intent,
  state: IntentState,
  at: number,
  why: string,
  operationId?: number,
): Intent {
  // Money that has come back is the end of a success, however the wallet words it and however often it says so.
  const isBack = state === 'failed' && (intent.state === 'succeeded' || intent.state === 'reversed');
  const next = isBack ? 'reversed' : state;
  if (intent.state === next && (operationId === undefined || intent.operationId === operationId))
    return intent;
  if (intent.operationId !== undefined && operationId !== undefined && intent.operationId !== operationId) {
    return frozen(intent, at, `${why}: operation ${operationId}, not ${intent.operationId}`);
  }
  if (intent.state !== next && !NEXT[intent.state].includes(next))
    return frozen(intent, at, `${why}: ${next} after ${intent.state}`);
  return {
    ...intent,
    state: next,
    ...(operationId !== undefined && { operationId }),
    audit: [...intent.audit, [at, next, why]],
  };
}

function frozen(intent: Intent, at: number, why: string): Intent {
  return intent.state === 'human'
    ? intent
    : { ...intent, state: 'human', audit: [...intent.audit, [at, 'human', why]] };
}

export function intentKey(id: string): string {
  return `intent:${id}`;
}
