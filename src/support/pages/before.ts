import type { Case, CaseStep, CaseStepKind } from '../../conversation/cases/case.ts';
import type { Who } from '../access/guard.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { duration } from '../times.ts';
import type { Offered } from './options.ts';
import type { Said, View } from './parts.ts';

/** The steps after which an act about a case, by the end of its path, has nothing left to do. */
const BEFORE: Readonly<Record<string, readonly CaseStepKind[]>> = {
  take: ['assigned'],
  give: ['assigned', 'toTeam'],
  wait: ['waiting', 'answered'],
  'go-on': ['goesOn'],
  urgent: ['urgent'],
  'not-urgent': ['notUrgent'],
  label: ['labelled'],
  unlabel: ['unlabelled'],
  reopen: ['reopened'],
};

const SENTENCES: Readonly<Partial<Record<CaseStepKind, ConsoleKey>>> = {
  assigned: 'console.beforeGiven',
  toTeam: 'console.beforeToTeam',
  waiting: 'console.beforeWaiting',
  answered: 'console.beforeAnswered',
  goesOn: 'console.beforeGoesOn',
  urgent: 'console.beforeUrgent',
  notUrgent: 'console.beforeNotUrgent',
  labelled: 'console.beforeLabelled',
  unlabelled: 'console.beforeUnlabelled',
  reopened: 'console.beforeReopened',
  closed: 'console.beforeClosed',
};

/**
 * What somebody else had done when an act about a case was refused. Undefined where it was refused for something else, or where they
 * had done it themselves.
 * @param it as it is now
 * @param path the end of the act's path
 * @param form what the act was given
 */
export function stepBefore(
  it: Case,
  said: Said,
  path: string,
  form: Readonly<Record<string, unknown>>,
  { id }: Pick<Who, 'id'>,
): CaseStep | undefined {
  const labels = [form.label ?? []].flat();
  const kinds = kindsBefore(it, said, path);
  const step = it.steps.findLast(
    ({ what, note }) =>
      kinds.includes(what) && (!/labelled$/.test(what) || labels.some((each) => each === note)),
  );
  return step?.by === id ? undefined : step;
}

function kindsBefore({ state }: Case, said: Said, path: string): readonly CaseStepKind[] {
  if (said === 'owned') return ['assigned'];
  if (said !== 'notNow' || (path === 'reopen' && state === 'closed')) return [];
  return state === 'closed' ? ['closed'] : (BEFORE[path] ?? []);
}

/** What an address calls a step of a case: `closed.1795392000000`. */
export function nameOf({ what, at }: CaseStep): string {
  return `${what}.${at}`;
}

/** A step of a case, by its name, as whoever came after it reads it; undefined where there is none to be told. */
export function beforeSentence(
  it: Case,
  name: string | undefined,
  { agents, labels }: Pick<Offered, 'agents' | 'labels'>,
  { language, now }: Pick<View, 'language' | 'now'>,
): string | undefined {
  const step = it.steps.findLast((each) => nameOf(each) === name && SENTENCES[each.what]);
  if (!step) return undefined;
  const { at, what, by, note = '' } = step;
  const ago = { text: duration(now - at, language) };
  const agent = agents.find(({ id }) => id === by)?.name ?? by;
  if (agent === undefined) {
    const key = it.end === 'byCustomer' ? 'console.beforeClosedByCustomer' : 'console.beforeClosedByItself';
    return what === 'closed' ? say(language, key, { ago }) : undefined;
  }
  const label = labels.find(({ id }) => id === note)?.names[language] ?? note;
  const values = { agent: { name: agent }, ago, to: { name: note }, label: { text: label } };
  return say(language, keyOf(it, step, agent), values);
}

function keyOf({ end }: Case, { what, note }: CaseStep, agent: string): ConsoleKey {
  if (what === 'assigned' && note === agent) return 'console.beforeTaken';
  if (what === 'closed' && end === 'merged') return 'console.beforeMerged';
  return SENTENCES[what] ?? 'console.saidNotNow';
}
