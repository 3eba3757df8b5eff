import type { Language } from '../incoming.ts';
import type { CaseKind } from './case.ts';

/** A choice among the cases that are not closed: all that it names holds. */
export interface CaseChoice {
  /** `turn`: an agent has something to do now. `snoozed`: it is put off. */
  readonly stands?: 'turn' | 'waiting' | 'snoozed';
  /** It has one of these owners, by their ids. An empty one stands for nobody. */
  readonly owners?: readonly string[];
  /** Somebody has it. */
  readonly isOwned?: true;
  /** A note names this agent. Closed cases that do so are chosen too, until the agent has looked. */
  readonly naming?: string;
  /** Its customer has one of these wallets or addresses. */
  readonly customers?: readonly string[];
  readonly teams?: TeamChoice;
  /** One of these, or none: a case that is about no customer needs no language. */
  readonly languages?: readonly Language[];
  readonly kind?: CaseKind;
  /** A label's id. */
  readonly label?: string;
  /** All that this names holds too. */
  readonly and?: Omit<CaseChoice, 'naming'>;
}

/** Cases of some teams. A case is of the team that it was given to, while there is one, else of that of its kind. */
export interface TeamChoice {
  readonly all: readonly { readonly id: string; readonly kinds: readonly CaseKind[] }[];
  /** The ids of the chosen ones. An empty one stands for cases of no team. */
  readonly of: readonly string[];
}

/** The orders of a list. Within each, what is urgent and what is due first comes first. */
export const CASE_SORTS = [
  ...(['due', 'waiting', 'newest', 'customer', 'channel', 'language', 'reason', 'owner'] as const),
] as const;
export type CaseSort = (typeof CASE_SORTS)[number];

export interface CasePage {
  /** Absent: by when they are due. */
  readonly sort?: CaseSort | undefined;
  /** How many cases are before it. */
  readonly from?: number;
  readonly limit?: number;
}
