import type { Case, CaseStep, CaseStepKind } from '../../conversation/cases/case.ts';
import { noteWords } from '../../conversation/cases/changes.ts';
import { type ConsoleKey, isConsoleKey, keyIn, say } from '../sentences.ts';
import { dayOf, duration, moment } from '../times.ts';
import type { Offered } from './options.ts';
import type { Said, View } from './parts.ts';

const CLOCK_CHARACTERS = 'HH:MM'.length;

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
  note: ['note'],
  snooze: ['snoozed'],
};

const TOLD = new Set([...Object.values(BEFORE).flat(), 'closed']);

/** The same for agents who did it themselves. An act that is not here is the one that they wanted to do now. */
const OWN: Readonly<Partial<Record<CaseStepKind, ConsoleKey>>> = {
  toTeam: 'console.beforeOwnAssigned',
  answered: 'console.beforeOwnAnswered',
  closed: 'console.beforeOwnClosed',
};

/**
 * The earlier step, by another agent or the same one, because of which an act about a case was refused. Undefined where
 * it was refused for another reason.
 * @param it as it is now
 * @param path the end of the act's path
 * @param form what the act was given
 */
export function stepBefore(
  it: Case,
  said: Said,
  path: string,
  form: Readonly<Record<string, unknown>>,
): CaseStep | undefined {
  const labels = [form.label ?? []].flat();
  const kinds = kindsBefore(it, said, path);
  const isMeant = ({ what, note }: CaseStep) => {
    if (what === 'note') return note === noteWords(String(form.text ?? ''));
    return !/labelled$/.test(what) || labels.some((each) => each === note);
  };
  return it.steps.findLast((step) => kinds.includes(step.what) && isMeant(step));
}

function kindsBefore({ state }: Case, said: Said, path: string): readonly CaseStepKind[] {
  if (said === 'owned') return ['assigned'];
  if (said !== 'notNow' || (path === 'reopen' && state === 'closed')) return [];
  return state === 'closed' ? ['closed'] : (BEFORE[path] ?? []);
}

/** The name of a case's step in an address: `closed.1795392000000`. */
export function nameOf({ what, at }: CaseStep): string {
  return `${what}.${at}`;
}

/**
 * A step of a case, by its name, as the next agent reads it, who may be its own agent. Undefined where there is none to
 * tell.
 */
export function beforeSentence(
  it: Case,
  name: string | undefined,
  { agents, labels }: Pick<Offered, 'agents' | 'labels'>,
  { language, now, who }: Pick<View, 'language' | 'now' | 'who'>,
): string | undefined {
  const step = it.steps.findLast((each) => nameOf(each) === name && TOLD.has(each.what));
  if (!step) return undefined;
  const { at, what, by, note = '' } = step;
  const ago = { text: duration(now - at, language) };
  const agent = agents.find(({ id }) => id === by)?.name ?? by;
  if (agent === undefined) {
    const key = it.end === 'byCustomer' ? 'console.beforeClosedByCustomer' : 'console.beforeClosedByItself';
    return what === 'closed' ? say(language, key, { ago }) : undefined;
  }
  if (by === who.id) {
    const to = { name: note };
    return say(language, ownKeyOf(step, agent), { at: { text: timeOf(at, now) }, to });
  }
  const label = labels.find(({ id }) => id === note)?.names[language] ?? note;
  const values = { agent: { name: agent }, ago, to: { name: note }, label: { text: label } };
  return say(language, keyOf(it, step, agent), values);
}

function keyOf({ end }: Case, { what, note }: CaseStep, agent: string): ConsoleKey {
  if (what === 'assigned' && note === agent) return 'console.beforeTaken';
  if (what === 'closed' && end === 'merged') return 'console.beforeMerged';
  const key: string = keyIn('before', what);
  return isConsoleKey(key) ? key : 'console.beforeOwn';
}

function ownKeyOf({ what, note }: CaseStep, agent: string): ConsoleKey {
  if (what === 'assigned' && note !== agent) return 'console.beforeOwnAssigned';
  return OWN[what] ?? 'console.beforeOwn';
}

/** `14:05`, with its day where that is not today. */
function timeOf(at: number, now: number): string {
  return dayOf(at) === dayOf(now) ? moment(at).slice(-CLOCK_CHARACTERS) : moment(at);
}
