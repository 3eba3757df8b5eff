import { methodOf, type Order } from '../../payments/payments.ts';
import type { Quote } from '../../payments/quote.ts';
import { codec, isObject } from '../../store/codec.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Facts } from '../../wallet/wallet.ts';
import type { Address } from '../incoming.ts';
import { type Conclusion, type Conflict, conclude, conflictsIn } from './conclusion.ts';
import { type Agreed, type Evidence, type Fact, isKnown } from './evidence.ts';

/**
 * The progress of a confirmed payment (docs/safety.md, "The intent"). Everything before `sent` belongs to the
 * conversation, as nothing has left the house yet. `sent` is written before the first byte goes out, and nothing is
 * ever sent again.
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

/** Why an intent has taken a step. */
export type Reason =
  /** The customer was shown the price. */
  | { readonly kind: 'quoted' }
  /** The customer has confirmed it and entered the PIN. */
  | { readonly kind: 'confirmed' }
  /** The store had lost it, and a webhook with our request id has found it. */
  | { readonly kind: 'rebuilt'; readonly event: string }
  /** The store had lost it, and the process that has sent it has written it again. */
  | { readonly kind: 'restored' }
  /** Something was learnt. `conflict`: it contradicts what was known before. */
  | { readonly kind: 'learnt'; readonly fact: Fact; readonly conflict?: Conflict }
  | {
      readonly kind: 'proposed';
      readonly by: string;
      readonly as: Settlement['as'];
      readonly evidence: string;
    }
  | { readonly kind: 'withdrawn'; readonly by: string }
  /** The code of a voucher was given to the customer by a person. */
  | ({ readonly kind: 'handed-over' } & Agreed)
  | { readonly kind: 'told-again'; readonly by: string };

/** When (ms since 1970), the new state, and why. An earlier version has written a text as the reason. */
type AuditStep = readonly [at: number, state: string, why: Reason | string];

/**
 * A confirmed money movement, written down before it is sent and followed until its outcome is known. Its state is
 * computed from its evidence, and stored with it for readers.
 */
export interface Intent extends Conclusion {
  /** Also the call's `C-Request-Id`. */
  readonly id: string;
  readonly wallet: Msisdn;
  readonly address: Address;
  readonly order: Order;
  readonly quote: Quote;
  /** By the clock of the process that has sent it. */
  readonly sentAt: number;
  /** How far the wallet's clock was ahead of that one, in ms. Absent: not at all. */
  readonly skewMs?: number;
  /** Operations that the wallet listed before: none of them can be this one. */
  readonly before: readonly number[];
  /** Everything that is known about it, in the order in which it was learnt. Only ever added to. */
  readonly evidence: readonly Evidence[];
  /** How often it was looked for since the wallet last answered. */
  readonly unanswered?: number;
  /** The facts of the wallet's answer that the receipt needs. */
  readonly facts?: Facts;
  /** The outcome that a support agent proposes. It counts once another agent agrees. */
  readonly proposal?: Proposal;
  /** Only ever added to. */
  readonly audit: readonly AuditStep[];
}

/** How a person says that a payment ended, and how they know. */
export interface Settlement {
  /** `handedOver`: a voucher's code was given to the customer by a person (docs/safety.md, "The intent"). */
  readonly as: 'succeeded' | 'failed' | 'reversed' | 'handedOver';
  readonly evidence: string;
  readonly operationId?: number;
  /** The webhook that names it, by its id: nothing of it but an agent's word says that it is this payment's. */
  readonly webhook?: string;
}

interface Proposal extends Settlement {
  /** The agent. */
  readonly by: string;
  readonly at: number;
}

/** How long an intent is kept after its last change: longer than a customer may ask about it. */
export const INTENT_KEPT_MS = 400 * 24 * 3_600_000;
/** More than is ever known of a payment that a person is not looking at already. */
const EVIDENCE_MAX = 100;
/** Past this the first byte must not go out any more: the process was frozen in between. */
export const SEND_WITHIN_MS = 10_000;

/** Its outcome is not known yet, and reconciliation goes on. */
export function isOpen({ state }: Pick<Intent, 'state'>): boolean {
  return state === 'sent' || state === 'accepted' || state === 'unknown';
}

/**
 * True when only a person can bring the payment to its end. Either nothing else can tell where the money went, or a
 * part of what was paid is missing (docs/safety.md, "The intent").
 */
export function needsPerson({ state, order, facts }: Intent): boolean {
  const isIncomplete = methodOf(order).followed.isIncomplete?.(facts ?? {}) === true;
  return state === 'human' || (state === 'succeeded' && isIncomplete);
}

/**
 * The intent after one more fact: added to its evidence, from which everything else is computed anew. The same object when
 * the fact is known already.
 * @param owner the other payment that the fact's operation belongs to, if there is one
 */
export function learn(intent: Intent, fact: Fact, at: number, owner?: string): Intent {
  if (isKnown(intent.evidence, fact)) return intent;
  if (intent.evidence.length >= EVIDENCE_MAX && fact.kind !== 'settled') return intent;
  const evidence: Evidence[] = [...intent.evidence, { ...fact, at, ...(owner !== undefined && { owner }) }];
  const conclusion = conclude(evidence);
  const conflicts = conflictsIn(evidence);
  const isConflict = conflicts.length > conflictsIn(intent.evidence).length;
  const conflict = isConflict ? conflicts.at(-1) : undefined;
  const why: Reason = { kind: 'learnt', fact, ...(conflict && { conflict }) };
  return withConclusion(
    { ...intent, evidence, audit: [...intent.audit, [at, conclusion.state, why]] },
    conclusion,
  );
}

/**
 * The intent once its customer has not confirmed it elsewhere, as far as anybody sees. The same object where that is
 * known, or where it waits for nobody.
 * @param why `declined`: a browser has come back with that word
 */
export function unfinished(intent: Intent, why: 'declined' | 'late', at: number): Intent {
  const { state, order, operationId, evidence } = intent;
  const isKnown = why === 'late' && evidence.some(({ kind }) => kind === 'unfinished');
  const isWaiting =
    state === 'accepted' && operationId === undefined && methodOf(order).waitsFor !== undefined;
  if (isKnown || !isWaiting) return intent;
  return learn(intent, { kind: 'unfinished', ...(why === 'declined' && { declined: true }) }, at);
}

/** Intents are read wherever their payment is, so they are checked by hand. */
export const intentCodec = codec<Intent>('intent', isIntent, withEarlier);

function isIntent(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, wallet, address, state, sentAt, order, quote, before, audit, evidence } = value;
  return (
    [id, wallet, address, state].every((each) => typeof each === 'string') &&
    typeof sentAt === 'number' &&
    isObject(order) &&
    isObject(quote) &&
    [before, audit, evidence ?? []].every(Array.isArray)
  );
}

/** A version that keeps no evidence may have changed the intent meanwhile. Its conclusion is a fact of its own. */
function withEarlier(intent: Intent & Partial<Pick<Intent, 'evidence'>>): Intent {
  const { evidence = [], state, operationId, isByList, audit } = intent;
  const conclusion = conclude(evidence);
  if (conclusion.state === state && conclusion.operationId === operationId) return { ...intent, evidence };
  const earlier: Evidence = {
    kind: 'earlier',
    at: audit.at(-1)?.[0] ?? intent.sentAt,
    state,
    ...(operationId !== undefined && { operationId }),
    ...(isByList && { isByList }),
  };
  const all = [...evidence, earlier];
  return withConclusion({ ...intent, evidence: all }, conclude(all));
}

function withConclusion(intent: Intent, conclusion: Conclusion): Intent {
  const { state: _s, operationId: _o, others: _f, isByList: _l, trouble: _t, ...rest } = intent;
  return { ...rest, ...conclusion };
}

export function intentKey(id: string): string {
  return `intent:${id}`;
}
