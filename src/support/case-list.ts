import { type Case, type CaseKind, isSnoozed } from '../conversation/cases/case.ts';
import type { Cases } from '../conversation/cases/cases.ts';
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

/**
 * True for a case that another person has changed. In the agent's own case: an answer of the customer, or the assignment to them. In
 * any case: a note that names them.
 */
export function isNewCase(it: Case, seen: Seen): boolean {
  if (it.mentions?.[seen.agent] === true) return true;
  return isShown(it, 'mine', seen) && it.steps.at(-1)?.by !== seen.agent;
}
