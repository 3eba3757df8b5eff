import { isDeepStrictEqual } from 'node:util';
import type { Ended } from '../../payments/payment.ts';
import type { Evidence, Fact } from './evidence.ts';
import type { IntentState } from './intent.ts';

/**
 * The reason why a payment needs a person. Only a settlement ends a *conflict*. A fact of our own also ends an
 * *ambiguity*.
 * A *double* is the conflict of two operations that the wallet made for one request, where neither is known to have
 * failed.
 * *Alike*: after the success the wallet lists a second operation just like it, which is no payment of ours.
 */
interface Trouble {
  readonly kind: 'double' | 'alike' | 'conflict' | 'ambiguity';
  /** Every operation that is part of it, the payment's own first. */
  readonly operationIds: readonly number[];
}

/** The reason why a claim contradicts the established facts. */
export type Conflict =
  /** The claim comes after one that rules it out. */
  | {
      readonly kind: 'contradicts';
      readonly state: 'succeeded' | 'failed' | 'rejected' | 'unsent';
      readonly after: 'succeeded' | 'failed' | 'reversed' | 'rejected' | 'unsent';
    }
  /** The operation is another payment's of ours, `owner`. */
  | { readonly kind: 'owned'; readonly operationId: number; readonly owner: string }
  /** The operation is not the ordered one. */
  | { readonly kind: 'not-ours'; readonly operationId: number }
  /** The payment has become another operation already, `own`. */
  | { readonly kind: 'second'; readonly operationId: number; readonly own: number }
  /** An earlier version had frozen the payment. */
  | { readonly kind: 'frozen' };

/** The state of a payment by its evidence. */
export interface Conclusion {
  readonly state: IntentState;
  readonly operationId?: number;
  /** Further operations that our request id proves to be made for this payment. */
  readonly others?: readonly number[];
  /** The operation was found in the wallet's list, and by nothing that is this payment's own. */
  readonly isByList?: boolean;
  readonly trouble?: Trouble;
}

/** The claim of a piece of evidence, in terms in which claims can contradict one another. */
interface Claim {
  readonly call?: 'rejected' | 'unsent';
  readonly operationId?: number;
  /** Our request id, or the order's own key, proves that the operation is this payment's. */
  readonly isOwn?: true;
  readonly isOther?: true;
  readonly owner?: string;
  readonly ended?: Ended;
}

/** The facts established so far, claim by claim. */
interface Course {
  readonly call?: 'rejected' | 'unsent';
  readonly ended?: Ended | 'reversed';
  /** The operation whose end it is, where one is named. */
  readonly endedBy?: number;
  readonly own: readonly number[];
  readonly listed?: number;
  readonly mentioned: readonly number[];
  readonly failed: readonly number[];
  readonly conflicts: readonly Conflict[];
}

const NOTHING: Course = { own: [], mentioned: [], failed: [], conflicts: [] };

/**
 * Computes the state of a payment from its evidence, in the order in which it was learnt. A settlement by people, or
 * the conclusion of an earlier version, explains everything before it.
 */
export function conclude(evidence: readonly Evidence[]): Conclusion {
  const course = courseOf(evidence);
  const [own, ...others] = course.own;
  const operationId = own ?? course.listed;
  const state = stateOf(course, evidence);
  const trouble = state === 'human' ? troubleOf(course, evidence) : undefined;
  return {
    state,
    ...(operationId !== undefined && { operationId }),
    ...(others.length > 0 && { others }),
    ...(own === undefined && operationId !== undefined && { isByList: true }),
    ...(trouble && { trouble }),
  };
}

/** The contradictions in the evidence, oldest first, without those that people have settled. */
export function conflictsIn(evidence: readonly Evidence[]): readonly Conflict[] {
  return courseOf(evidence).conflicts;
}

function courseOf(evidence: readonly Evidence[]): Course {
  const last = evidence.findLastIndex(({ kind }) => kind === 'settled' || kind === 'earlier');
  const base = evidence[last];
  if (!base) return claimsIn(evidence).reduce(after, NOTHING);
  const before = evidence.slice(0, last);
  const start = startOf(base, courseOf(before));
  const explained = claimsIn(before);
  const [settled] = start.own;
  const isNew = (claim: Claim) =>
    !explained.some((known) => isDeepStrictEqual(known, claim)) &&
    // An operation that people knew of when they settled the payment as another one: only its success is news.
    !(claim.ended !== 'succeeded' && claim.operationId !== settled && names(explained, claim.operationId));
  return claimsIn(evidence.slice(last + 1))
    .filter(isNew)
    .reduce(after, start);
}

/** The course that starts from a settlement, or from the conclusion of an earlier version. */
function startOf(base: Evidence, before: Course): Course {
  if (base.kind !== 'settled' && base.kind !== 'earlier') throw new Error(`${base.kind} settles nothing`);
  const operationId = base.operationId ?? before.own[0] ?? before.listed;
  const isByList = base.kind === 'earlier' && base.isByList === true;
  const state = base.kind === 'settled' ? base.as : base.state;
  const ends = state === 'succeeded' || state === 'failed' || state === 'reversed';
  const own = operationId === undefined || isByList ? [] : [operationId];
  return {
    ...NOTHING,
    own,
    mentioned: operationId === undefined ? [] : [operationId],
    failed: state === 'failed' || state === 'reversed' ? own : [],
    ...(isByList && operationId !== undefined && { listed: operationId }),
    ...(ends && { ended: state, ...(operationId !== undefined && { endedBy: operationId }) }),
    ...((state === 'rejected' || state === 'unsent') && { call: state }),
    ...(state === 'human' && { conflicts: [{ kind: 'frozen' }] }),
  };
}

/** The claims of the evidence. An answer is about the moment of sending, whenever it has reached us, so it comes first. */
function claimsIn(evidence: readonly Evidence[]): Claim[] {
  const isAnswer = ({ kind }: Evidence) => kind === 'answer';
  return [...evidence.filter(isAnswer), ...evidence.filter((each) => !isAnswer(each))].flatMap(claimIn);
}

function claimIn(fact: Evidence): Claim[] {
  const owner = fact.owner === undefined ? {} : { owner: fact.owner };
  switch (fact.kind) {
    case 'answer': {
      if (fact.said === 'rejected' || fact.said === 'unsent') return [{ call: fact.said }];
      const { operationId, isFinal } = fact;
      if (operationId === undefined) return isFinal ? [{ ended: 'succeeded' }] : [];
      return [{ operationId, isOwn: true, ...(isFinal && { ended: 'succeeded' as const }), ...owner }];
    }
    case 'webhook':
    case 'read': {
      const { id: operationId, ...how } = fact.operation;
      return [{ operationId, ...(fact.kind === 'webhook' && { isOwn: true as const }), ...how, ...owner }];
    }
    case 'own-key': {
      const { operationId, ended } = fact;
      const named = operationId === undefined ? {} : { operationId, isOwn: true as const, ...owner };
      return [{ ...named, ...(ended && { ended }) }];
    }
    case 'only-match':
      return [{ operationId: fact.operationId, ...owner }];
    default:
      return [];
  }
}

/** The established facts after one more claim. */
function after(course: Course, claim: Claim): Course {
  const { operationId, ended, call } = claim;
  const conflict = conflictOf(course, claim);
  const isOurs = operationId !== undefined && !claim.isOther && claim.owner === undefined;
  return {
    ...course,
    ...(call && !course.call && { call }),
    ...(isOurs && claim.isOwn && { own: added(course.own, operationId) }),
    ...(isOurs && !claim.isOwn && course.listed === undefined && { listed: operationId }),
    ...(operationId !== undefined && { mentioned: added(course.mentioned, operationId) }),
    ...(operationId !== undefined && ended === 'failed' && { failed: added(course.failed, operationId) }),
    ...(!conflict && ended && endAfter(course, ended, operationId)),
    ...(conflict && { conflicts: [...course.conflicts, conflict] }),
  };
}

/** Money that has come back is the end of a success, however the wallet words it and however often it says so. */
function endAfter({ ended, endedBy }: Course, next: Ended, operationId: number | undefined): Partial<Course> {
  if (ended === undefined || ended === next) {
    const by = operationId ?? endedBy;
    return { ended: next, ...(by !== undefined && { endedBy: by }) };
  }
  return next === 'failed' ? { ended: 'reversed' } : {};
}

/** The reason why a claim contradicts the established facts. Undefined where it does not. */
function conflictOf(course: Course, claim: Claim): Conflict | undefined {
  const { operationId, ended, owner, isOther, isOwn, call } = claim;
  const [own] = course.own;
  if (call && course.ended === 'succeeded') return { kind: 'contradicts', state: call, after: 'succeeded' };
  if (operationId !== undefined) {
    if (owner !== undefined) return { kind: 'owned', operationId, owner };
    if (isOther) return { kind: 'not-ours', operationId };
    if (isOwn && own !== undefined && !course.own.includes(operationId))
      return { kind: 'second', operationId, own };
  }
  if (ended === 'succeeded') {
    const before = course.ended === 'failed' ? 'failed' : course.ended === undefined && course.call;
    if (before) return { kind: 'contradicts', state: ended, after: before };
    // A read that was under way when the money came back tells a known fact.
    if (course.ended === 'reversed' && course.endedBy !== operationId)
      return { kind: 'contradicts', state: ended, after: 'reversed' };
  }
  const isOfAnother = course.endedBy !== undefined && course.endedBy !== operationId;
  return ended === 'failed' && course.ended === 'succeeded' && operationId !== undefined && isOfAnother
    ? { kind: 'contradicts', state: ended, after: 'succeeded' }
    : undefined;
}

function stateOf(course: Course, evidence: readonly Evidence[]): IntentState {
  if (course.conflicts.length > 0) return 'human';
  if (course.ended === 'succeeded' && alikeIn(evidence).length > 0) return 'human';
  if (course.ended) return course.ended;
  // A wallet that has an operation of the payment by its own request id has taken it, whatever its answer was.
  if (course.call && course.own.length === 0) return course.call;
  const is = (kind: Fact['kind']) => evidence.some((each) => each.kind === kind);
  if (course.own.length === 0 && (is('several') || is('contested'))) return 'human';
  const horizon = evidence.findLast(({ kind }) => kind === 'horizon');
  if (horizon?.kind === 'horizon')
    return horizon.exists || horizon.unlisted || horizon.operationId !== undefined ? 'human' : 'not-found';
  const said = evidence.flatMap((each) =>
    each.kind === 'answer' ? each.said : each.kind === 'earlier' ? each.state : [],
  );
  if (said.includes('not-found')) return 'not-found';
  const isTaken = course.own.length > 0 || course.listed !== undefined;
  if (isTaken || said.includes('accepted')) return 'accepted';
  return said.includes('unknown') || is('no-answer') ? 'unknown' : 'sent';
}

function troubleOf(course: Course, evidence: readonly Evidence[]): Trouble {
  const { own, listed, mentioned, failed, conflicts } = course;
  const ours = own[0] ?? listed;
  if (conflicts.length > 0) {
    const isDouble = own.filter((id) => !failed.includes(id)).length > 1;
    const first = ours === undefined ? [] : [ours];
    return {
      kind: isDouble ? 'double' : 'conflict',
      operationIds: [...new Set([...first, ...mentioned])],
    };
  }
  const alike = alikeIn(evidence);
  if (alike.length > 0 && course.ended)
    return { kind: 'alike', operationIds: [...(ours === undefined ? [] : [ours]), ...alike] };
  const unclear = evidence.findLast(({ kind }) => ['several', 'contested', 'horizon'].includes(kind));
  const matching = unclear?.kind === 'several' ? unclear.operationIds : [];
  return {
    kind: 'ambiguity',
    operationIds: matching.length > 0 ? matching : ours === undefined ? [] : [ours],
  };
}

/** Further operations just like the payment, that nobody has settled it with. */
function alikeIn(evidence: readonly Evidence[]): readonly number[] {
  const last = evidence.findLastIndex(({ kind }) => kind === 'settled' || kind === 'earlier');
  return evidence.slice(last + 1).flatMap((fact) => (fact.kind === 'look-alikes' ? fact.operationIds : []));
}

function names(claims: readonly Claim[], operationId: number | undefined): boolean {
  return operationId !== undefined && claims.some((claim) => claim.operationId === operationId);
}

function added(all: readonly number[], one: number): readonly number[] {
  return all.includes(one) ? all : [...all, one];
}
