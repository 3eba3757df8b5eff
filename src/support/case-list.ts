import {
  type Case,
  type CaseKind,
  type CaseStep,
  type CaseStepKind,
  isSnoozed,
} from '../conversation/cases/case.ts';
import type { Cases } from '../conversation/cases/cases.ts';
import { channelOf } from '../conversation/channel.ts';
import type { Language } from '../conversation/incoming.ts';
import { createFresh } from './fresh.ts';
import { type Team, teamOf } from './teams.ts';

/** How old what everybody sees of the cases may be: they are read once for all agents of this process. */
const FRESH_MS = 1_000;

/** Cases as the pages of one process see them. */
export interface CaseList {
  /** Those that are not closed, by when they are due, and closed ones that name somebody who has not looked. */
  read(): Promise<readonly Case[]>;
  /** Has the cases read again after an act on one. Followers are told. */
  expire(): void;
  /** Called when something was done in this process, until the function that it gives is called. */
  onChange(listener: () => void): () => void;
}

export function createCaseList(cases: Pick<Cases, 'inbox'>, now: () => number): CaseList {
  const all = createFresh<readonly Case[]>(() => cases.inbox(), FRESH_MS, now);
  const listeners = new Set<() => void>();
  return {
    read: all.read,
    expire() {
      all.expire();
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The lists of the inbox. */
export const SHOWN = ['mine', 'team', 'unassigned', 'waiting', 'snoozed', 'mentions', 'all'] as const;
export type CaseListName = (typeof SHOWN)[number];

/** For whom, and when, it is said which cases a list has. */
export interface Seen {
  /** The account's id. */
  readonly agent: string;
  readonly teams: readonly Team[];
  readonly now: number;
}

/** True for a case of a team that an agent is in. */
function isOfTheirTeam(it: Case, { agent, teams }: Seen): boolean {
  return teamOf(it, teams)?.members.includes(agent) === true;
}

/** True for a case that an agent is meant to take: one of their teams, or of none. An agent in no team looks after all. */
export function isForThem(it: Case, seen: Seen): boolean {
  const { agent, teams } = seen;
  const isInOne = teams.some(({ members }) => members.includes(agent));
  return !isInOne || teamOf(it, teams) === undefined || isOfTheirTeam(it, seen);
}

/** True for a case that a list of the inbox shows an agent. */
export function isShown(it: Case, shown: CaseListName, seen: Seen): boolean {
  const { agent, now } = seen;
  const { state, owner } = it;
  const isTheirTurn = state === 'open' && !isSnoozed(it, now);
  switch (shown) {
    case 'mine':
      return owner?.id === agent && isTheirTurn;
    case 'team':
      return isTheirTurn && isOfTheirTeam(it, seen);
    case 'unassigned':
      return owner === undefined && isTheirTurn;
    case 'snoozed':
      return isSnoozed(it, now);
    case 'mentions':
      // A closed case is shown only to agents who have not read the mention.
      return state === 'closed' ? it.mentions?.[agent] === true : it.mentions?.[agent] !== undefined;
    case 'waiting':
      return state === 'waiting';
    case 'all':
      return state !== 'closed';
  }
}

/** The filters of the inbox: the languages or the kinds that an agent can handle. Absent: everything. */
export interface Narrowed {
  readonly language?: Language | undefined;
  readonly kind?: CaseKind | undefined;
  /** The id of a team. */
  readonly team?: string | undefined;
  /** The id of a label. */
  readonly label?: string | undefined;
}

/** True for a case that is within it. One that is about no customer needs no language. */
export function isWithin(
  { language, kind, team, label }: Narrowed,
  teams: readonly Team[],
): (it: Case) => boolean {
  return (it) =>
    (!language || it.language === undefined || it.language === language) &&
    (!kind || it.kind === kind) &&
    (!team || teamOf(it, teams)?.id === team) &&
    (!label || it.labels?.includes(label) === true);
}

/** Steps by which a customer waits for somebody. */
const ASKS: ReadonlySet<CaseStepKind> = new Set([
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

/**
 * True for a case in which something is new to an agent since they last looked at it: the customer has asked or written,
 * a note names them, or somebody else has changed the agent's own case.
 */
export function isUnreadBy(it: Case, agent: string): boolean {
  if (it.mentions?.[agent] === true) return true;
  const { state, steps, owner, seen = {} } = it;
  const lookedAt = seen[agent] ?? 0;
  const isNew = ({ at, what, by }: CaseStep) =>
    at > lookedAt && (owner?.id === agent || (by === undefined && ASKS.has(what)));
  // Who does something about a case has looked at it.
  const since = steps.findLastIndex(({ by }) => by === agent) + 1;
  return state !== 'closed' && steps.slice(since).some(isNew);
}

/** True for a case in which something is new that an agent is told of: their own ones, and notes that name them. */
export function isNewCase(it: Case, seen: Seen): boolean {
  return it.mentions?.[seen.agent] === true || (isShown(it, 'mine', seen) && isUnreadBy(it, seen.agent));
}

/** The list of an agent who has asked for none: the first one in which something is to be done. */
export function listWithWork(cases: readonly Case[], seen: Seen): CaseListName {
  const inTurn = ['mine', 'team', 'unassigned'] as const;
  return inTurn.find((shown) => cases.some((it) => isShown(it, shown, seen))) ?? 'mine';
}

type Order = (a: Case, b: Case) => number;
const byName =
  (nameOf: (it: Case) => string | undefined) =>
  (language: Language): Order => {
    const { compare } = new Intl.Collator(language);
    // Those without a name come last.
    return (a, b) => compare(nameOf(a) ?? '\uffff', nameOf(b) ?? '\uffff');
  };
const byTime = (timeOf: (it: Case) => number) => (): Order => (a, b) => timeOf(a) - timeOf(b);

/** The orders of a list. Within each, what is due first comes first. */
export const SORTS = {
  due: () => () => 0,
  waiting: byTime((it) => waitsSince(it) ?? Number.POSITIVE_INFINITY),
  newest: byTime(({ openedAt }) => -openedAt),
  customer: byName(({ wallet }) => wallet),
  channel: byName(({ address }) => address && channelOf(address)),
  language: byName(({ language }) => language),
  reason: byName(({ kind }) => kind),
  owner: byName(({ owner }) => owner?.name),
} as const satisfies Readonly<Record<string, (language: Language) => Order>>;
export type SortName = keyof typeof SORTS;
