import type { CaseOwner } from '../conversation/cases/case.ts';

/** A name in a note, as agents write it: `@nadia.b`. */
const NAME = /(?<![\p{L}\p{N}])@([\p{L}\p{N}][\p{L}\p{N}._-]*)/gu;

/** The ids of the agents whom a note names. Any other name is a word. */
export function namedIn(text: string, agents: readonly CaseOwner[]): string[] {
  const names = new Set([...text.matchAll(NAME)].map(([, name = '']) => plain(name)));
  return agents.flatMap(({ id }) => (names.has(plain(id)) ? [id] : []));
}

/**
 * Tells whether a note that names agents has told all of them, some or none. A misspelt name tells nobody, which its
 * writer should know.
 */
export function mentionResult(
  text: string,
  agents: readonly CaseOwner[],
): 'done' | 'toldSome' | 'toldNobody' {
  const isNamed = [...text.matchAll(NAME)].map(([name]) => namedIn(name, agents).length > 0);
  if (isNamed.every(Boolean)) return 'done';
  return isNamed.some(Boolean) ? 'toldSome' : 'toldNobody';
}

/** A note in pieces: the words between the names of agents, and these. */
export function piecesOf(
  text: string,
  agents: readonly CaseOwner[],
): { readonly text: string; readonly isName: boolean }[] {
  return text
    .split(/((?<![\p{L}\p{N}])@[\p{L}\p{N}][\p{L}\p{N}._-]*)/u)
    .map((piece, i) => ({ text: piece, isName: i % 2 === 1 && namedIn(piece, agents).length > 0 }));
}

/** Without a full stop behind it, and however it is written. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[.-]+$/, '');
}
