import { z } from 'zod';
import { codec, textOf } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address, Language } from '../incoming.ts';

/** Why a person is needed. `asked`: the customer wants one; `stuck`: they get no further on their own. */
export const CASE_KINDS = ['asked', 'stuck', 'payment', 'webhook'] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

/** `waiting`: it is the customer's turn. */
type CaseState = 'open' | 'waiting' | 'closed';

/** How a case ended. `byItself`: what it was about needs nobody any more; `merged`: it goes on in another one. */
export type CaseEnd = 'solved' | 'byCustomer' | 'byItself' | 'merged';

const STEP_KINDS = [
  ...(['opened', 'askedAgain', 'assigned', 'toTeam', 'returned', 'answered'] as const),
  ...(['customerWrote', 'waiting', 'goesOn', 'urgent', 'notUrgent', 'breached'] as const),
  ...(['note', 'snoozed', 'cameBack', 'merged', 'closed', 'reopened', 'rated'] as const),
  ...(['labelled', 'unlabelled'] as const),
];
export type CaseStepKind = (typeof STEP_KINDS)[number];

/** The person who works on a case. */
export interface CaseOwner {
  readonly id: string;
  readonly name: string;
}

/** The receiver of a case: an agent, or a team, of which nobody in particular has it then. */
export type CaseReceiver = { readonly agent: CaseOwner } | { readonly team: CaseOwner };

/** A person of the company who does something about a case. */
export interface Handler {
  /** The agent's id. */
  readonly id: string;
  /** Also where it is another agent's. */
  readonly mayTake?: boolean;
}

/** An agent, as cases and their updates name one. */
export const AGENT = z.object({ id: z.string(), name: z.string() });
/** One thing that happened to a case. */
const STEP = z.looseObject({
  /** In ms since 1970. */
  at: z.number(),
  what: textOf<CaseStepKind>(),
  /** The agent's id; absent where nobody of the company did it. */
  by: z.string().exactOptional(),
  /** In an agent's words, the name of whom or what it concerns, or a label's id. */
  note: z.string().exactOptional(),
  /** The agent whose case it was until then, by their id: somebody else has taken it from them, or given it away. */
  from: z.string().exactOptional(),
});

/** Something that a person has to do, from its beginning until it is closed. */
const CASE = z.object({
  /** `c-4k7m2qd`: what agents call it. */
  id: z.string(),
  kind: textOf<CaseKind>(),
  /** Its subject: an address, a payment's id, a webhook's. There is one open case of a kind about it. */
  subject: z.string(),
  address: textOf<Address>().exactOptional(),
  wallet: textOf<Msisdn>().exactOptional(),
  /** The customer's language, where there is a customer. */
  language: textOf<Language>().exactOptional(),
  /** The customer's position, as `transfer.askingAmount`. */
  about: z.string().exactOptional(),
  state: textOf<CaseState>(),
  isUrgent: z.literal(true).exactOptional(),
  owner: AGENT.exactOptional(),
  /** The id of the team of agents that it was given to; absent: that of its kind, if any. */
  team: z.string().exactOptional(),
  labels: z.array(z.string()).readonly().exactOptional(),
  /** Agents whom a note has named, or from whom it was taken, by their ids: true until they have looked, also where the case is closed. */
  mentions: z.record(z.string(), z.boolean()).readonly().exactOptional(),
  /** When agents have last looked at it, in ms since 1970, by their ids. */
  seen: z.record(z.string(), z.number()).readonly().exactOptional(),
  openedAt: z.number(),
  /** By when somebody has to have done something, in ms since 1970; while it waits for the customer, when it is looked at again. */
  due: z.number(),
  /** An agent has put it off until then, in ms since 1970: it is nobody's next, and comes back by itself. When it is due stays. */
  snoozedUntil: z.number().exactOptional(),
  /** It was put off until its customer says something: `snoozedUntil` is only when somebody looks at it all the same. */
  snoozedFor: z.literal('customer').exactOptional(),
  /** It was due and nobody had done anything. */
  breachedAt: z.number().exactOptional(),
  firstAnswerAt: z.number().exactOptional(),
  closedAt: z.number().exactOptional(),
  end: textOf<CaseEnd>().exactOptional(),
  mergedInto: z.string().exactOptional(),
  /** How the customer says that it was: 1 good, 2 fair, 3 poor. */
  rating: z.number().exactOptional(),
  /** The first and the latest ones. */
  steps: z.array(STEP).readonly(),
});
export type Case = Readonly<z.infer<typeof CASE>>;
export type CaseStep = Readonly<Pick<z.infer<typeof STEP>, 'at' | 'what' | 'by' | 'note' | 'from'>>;
/** The customer of a case; both members are absent where it is about nobody. */
export type Whose = Pick<Case, 'address' | 'wallet'>;

export const caseCodec = codec<Case>('case', CASE);

/** The release before this one has its cases there, each in a document of its own (`move-cases.ts`). */
export const CASES = partitionOf('cases');
/** A case that is closed can be opened again for so long. */
const GOES_ON_MS = 30 * 24 * 3_600_000;
/** A case that nobody has dealt with is looked at again so often. */
const LOOK_AGAIN_MS = 15 * 60_000;
/** Put off until moments that are less apart, it is put off until the same one: it was pressed twice. */
const SAME_SNOOZE_MS = 60_000;
const STEPS_MAX = 60;

export function caseKey(id: string): string {
  return `case:${id}`;
}

/** When a case is to be looked at, in ms since 1970. Undefined: it is closed. */
export function lookAtOf(it: Case): number | undefined {
  if (it.closedAt !== undefined) return undefined;
  const { due, breachedAt, snoozedUntil = Number.POSITIVE_INFINITY } = it;
  const lookAt = breachedAt === undefined ? due : Math.max(due, breachedAt) + LOOK_AGAIN_MS;
  return Math.min(lookAt, snoozedUntil);
}

/** True for a case that was closed too long ago to go on: nothing can be done about it any more. */
export function isOver(
  { closedAt = Number.POSITIVE_INFINITY }: Pick<Case, 'closedAt'>,
  now: number,
): boolean {
  return now > closedAt + GOES_ON_MS;
}

/** True while somebody whom a note names has not looked. */
export function isUnread({ mentions = {} }: Pick<Case, 'mentions'>): boolean {
  return Object.values(mentions).includes(true);
}

/** The steps that leave a snoozed case where it is. Every other step brings it back. */
const LEAVES_SNOOZED: ReadonlySet<CaseStepKind> = new Set([
  'snoozed',
  'note',
  'urgent',
  'notUrgent',
  'breached',
  'labelled',
  'unlabelled',
]);

/** The case with one more step; of very many the earliest that are no notes are left out, but for the first. */
export function stepped(it: Case, step: CaseStep): Case {
  const { snoozedUntil, snoozedFor, ...rest } = it;
  const after = LEAVES_SNOOZED.has(step.what) ? it : rest;
  const steps = [...it.steps, step];
  if (steps.length <= STEPS_MAX) return { ...after, steps };
  const earliest = steps.findIndex(({ what }, i) => i > 0 && what !== 'note');
  return { ...after, steps: steps.toSpliced(earliest < steps.length - 1 ? earliest : 1, 1) };
}

/** True for whoever may change a case: its owner and those who may take it from them; anybody where it has none. */
export function isTheirs({ owner }: Pick<Case, 'owner'>, { id, mayTake = false }: Handler): boolean {
  return !owner || owner.id === id || mayTake;
}

const HANDS: ReadonlySet<CaseStepKind> = new Set(['assigned', 'toTeam', 'returned']);

/** True where it was an agent's and somebody else has taken it from them or given it away, the last time that it changed hands. */
export function isTakenFrom({ steps }: Pick<Case, 'steps'>, agent: string): boolean {
  return steps.findLast(({ what }) => HANDS.has(what))?.from === agent;
}

/** True while a case is put off. */
export function isSnoozed({ snoozedUntil = 0 }: Pick<Case, 'snoozedUntil'>, now: number): boolean {
  return snoozedUntil > now;
}

/** True where a case is put off like this already: until then, to the minute, or until its customer says something. */
export function isSnoozedUntil(it: Case, until: number | 'customer', now: number): boolean {
  if (!isSnoozed(it, now)) return false;
  const { snoozedFor, snoozedUntil = 0 } = it;
  if (until === 'customer') return snoozedFor === 'customer';
  return !snoozedFor && Math.abs(until - snoozedUntil) < SAME_SNOOZE_MS;
}

/**
 * Since when an agent whose turn it is has done nothing about a case of theirs, in ms since 1970. Undefined where it is not their turn.
 * A line of somebody else makes it no younger.
 */
export function silentSince({ state, owner, steps, ...it }: Case, now: number): number | undefined {
  if (state !== 'open' || !owner || isSnoozed(it, now)) return undefined;
  return steps.findLast(({ what, by }) => by === owner.id || !OF_OTHERS.has(what))?.at;
}

/** Steps that say nothing of the owner's turn, unless they are the owner's own. */
const OF_OTHERS: ReadonlySet<CaseStepKind> = new Set([
  ...(['note', 'urgent', 'notUrgent', 'breached', 'merged', 'labelled', 'unlabelled'] as const),
]);

/** True for two that are about the same customer: only these can go on together. */
export function isSameCustomer(one: Whose, other: Whose): boolean {
  if (one.wallet && other.wallet) return one.wallet === other.wallet;
  return one.address !== undefined && one.address === other.address;
}

/** Those that are due first come first; what is urgent before what is not. */
export function byDue(a: Case, b: Case): number {
  return Number(b.isUrgent === true) - Number(a.isUrgent === true) || a.due - b.due;
}

/** Steps by which a customer waits for somebody. */
export const ASKS: ReadonlySet<CaseStepKind> = new Set([
  'opened',
  'askedAgain',
  'customerWrote',
  'reopened',
  'rated',
]);

/** Since when a customer waits for somebody, in ms since 1970. Undefined while it is their own turn, or the case is closed. */
export function waitsSince({ state, steps, openedAt }: Case): number | undefined {
  if (state !== 'open') return undefined;
  const after = steps.slice(steps.findLastIndex(({ what }) => what === 'answered') + 1);
  return (after.find(({ what }) => ASKS.has(what)) ?? steps.at(-1))?.at ?? openedAt;
}
