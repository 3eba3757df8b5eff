import { type Case, type CaseKind, isSnoozed } from '../conversation/cases/case.ts';
import type { Cases } from '../conversation/cases/cases.ts';
import type { Language } from '../conversation/incoming.ts';
import { createFresh } from './fresh.ts';

/** How old what everybody sees of the cases may be: they are read once for all agents of this process. */
const FRESH_MS = 1_000;

/** Cases as the pages of one process see them. */
export interface CaseList {
  /** Those that are not closed, by when they are due. */
  read(): Promise<readonly Case[]>;
  /** Has them read anew: something was done about one. Whoever follows is told. */
  expire(): void;
  /** Called when something was done in this process, until the function that it gives is called. */
  onChange(listener: () => void): () => void;
}

export function createCaseList(cases: Pick<Cases, 'list'>, now: () => number): CaseList {
  const all = createFresh<readonly Case[]>(() => cases.list(), FRESH_MS, now);
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
export const SHOWN = ['mine', 'unassigned', 'waiting', 'snoozed', 'all'] as const;
export type Shown = (typeof SHOWN)[number];

/** True for a case that a list of the inbox shows an agent. */
export function isShown(it: Case, shown: Shown, agent: string, now: number): boolean {
  const { state, owner } = it;
  const isTheirTurn = state === 'open' && !isSnoozed(it, now);
  switch (shown) {
    case 'mine':
      return owner?.id === agent && isTheirTurn;
    case 'unassigned':
      return owner === undefined && isTheirTurn;
    case 'snoozed':
      return isSnoozed(it, now);
    case 'waiting':
      return state === 'waiting';
    case 'all':
      return true;
  }
}

/** What the inbox is narrowed to: what an agent speaks, or what they are good at. Absent: everything. */
export interface Narrowed {
  readonly language?: Language | undefined;
  readonly kind?: CaseKind | undefined;
}

/** True for a case that is within it. One that is about no customer needs no language. */
export function isWithin({ language, kind }: Narrowed): (it: Case) => boolean {
  return (it) =>
    (!language || it.language === undefined || it.language === language) && (!kind || it.kind === kind);
}

/** True where something has happened that its agent has not done: an answer of the customer, or a case that was given to them. */
export function isNews(it: Case, agent: string, now: number): boolean {
  return isShown(it, 'mine', agent, now) && it.steps.at(-1)?.by !== agent;
}
