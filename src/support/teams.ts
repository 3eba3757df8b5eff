import type { Case, CaseKind } from '../conversation/cases/case.ts';
import { isGivenName } from './book.ts';
import type { NameIn } from './sentences.ts';

export const TEAMS_MAX = 50;
export const TEAM_NAME_MAX_CHARACTERS = 40;

/** Agents who look after the same cases. */
export interface Team {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
  /** Cases of these kinds are theirs, until somebody gives one to another team. */
  readonly kinds: readonly CaseKind[];
}

/** The fault of a team: a name that is invalid or another one's, or a kind of cases that belongs to another one already. */
export function wrongIn({ name, kinds }: Team, others: readonly Team[]): NameIn<'said'> | undefined {
  if (!isGivenName(name, TEAM_NAME_MAX_CHARACTERS)) return 'teamName';
  if (others.some((other) => other.name === name)) return 'teamTaken';
  return others.some((other) => other.kinds.some((kind) => kinds.includes(kind))) ? 'teamKind' : undefined;
}

/** The team of a case: the team that it was given to, while there is one, else that of its kind. */
export function teamOf(
  { team, kind }: Pick<Case, 'team' | 'kind'>,
  teams: readonly Team[],
): Team | undefined {
  return teams.find(({ id }) => id === team) ?? teams.find(({ kinds }) => kinds.includes(kind));
}
