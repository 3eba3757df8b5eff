import { ASKS, type Case, type CaseKind, type CaseStep, isSnoozed } from '../conversation/cases/case.ts';
import type { CaseChoice } from '../conversation/cases/choice.ts';
import type { Language } from '../conversation/incoming.ts';
import type { Team } from './teams.ts';

/** Tells the pages of one process when something was done about a case in it. */
export function createCaseNews() {
  const listeners = new Set<() => void>();
  return {
    expire() {
      for (const listener of listeners) listener();
    },
    /** Called then, until the function that it gives is called. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const SHOWN = ['mine', 'team', 'unassigned', 'waiting', 'snoozed', 'mentions', 'all'] as const;
export type CaseListName = (typeof SHOWN)[number];

/** For whom, and when, it is said which cases a list has. */
export interface Seen {
  readonly agent: string;
  readonly teams: readonly Team[];
  readonly now: number;
}

/** The cases that a list of the inbox has for an agent. */
export function choiceOf(shown: CaseListName, { agent, teams }: Seen): CaseChoice {
  switch (shown) {
    case 'mine':
      return { stands: 'turn', owners: [agent] };
    case 'team':
      return { stands: 'turn', teams: { all: teams, of: teamsOf(agent, teams) } };
    case 'unassigned':
      return { stands: 'turn', owners: [''] };
    case 'snoozed':
    case 'waiting':
      return { stands: shown };
    case 'mentions':
      return { naming: agent };
    case 'all':
      return {};
  }
}

function teamsOf(agent: string, teams: readonly Team[]): string[] {
  return teams.filter(({ members }) => members.includes(agent)).map(({ id }) => id);
}

/** The cases that an agent is meant to take: those of their teams, or of none. An agent in no team looks after all. */
export function choiceForThem({ agent, teams }: Seen): CaseChoice {
  const own = teamsOf(agent, teams);
  return own.length === 0 ? {} : { teams: { all: teams, of: [...own, ''] } };
}

/** The filters of the inbox: the languages or the kinds that an agent can handle. Absent: everything. */
export interface Narrowed {
  readonly language?: Language | undefined;
  readonly kind?: CaseKind | undefined;
  readonly team?: string | undefined;
  readonly label?: string | undefined;
}

/** The cases that are within it. */
export function choiceWithin({ language, kind, team, label }: Narrowed, teams: readonly Team[]): CaseChoice {
  return {
    ...(language && { languages: [language] }),
    ...(kind && { kind }),
    ...(team && { teams: { all: teams, of: [team] } }),
    ...(label && { label }),
  };
}

/**
 * True for a case with something new since an agent last looked at it. The customer has asked or written, a note names the agent, or somebody else
 * has changed the agent's own case.
 */
export function isUnreadBy(it: Case, agent: string): boolean {
  if (it.mentions?.[agent] === true) return true;
  const { state, steps, owner, seen = {} } = it;
  const lookedAt = seen[agent] ?? 0;
  const isNew = ({ at, what, by }: CaseStep) =>
    at > lookedAt && (owner?.id === agent || (by === undefined && ASKS.has(what)));
  // An agent who does something about a case has looked at it.
  const since = steps.findLastIndex(({ by }) => by === agent) + 1;
  return state !== 'closed' && steps.slice(since).some(isNew);
}

/** True for a case in which something is new that an agent is told of: their own ones, and notes that name them. */
export function isNewCase(it: Case, { agent, now }: Seen): boolean {
  const isTheirs = it.owner?.id === agent && it.state === 'open' && !isSnoozed(it, now);
  return it.mentions?.[agent] === true || (isTheirs && isUnreadBy(it, agent));
}

/** The list of an agent who has asked for none: the first one in which something is to be done. */
export function listWithWork(counts: Readonly<Partial<Record<CaseListName, number>>>): CaseListName {
  const inTurn = ['mine', 'team', 'unassigned'] as const;
  return inTurn.find((shown) => (counts[shown] ?? 0) > 0) ?? 'mine';
}
