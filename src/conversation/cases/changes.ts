import { randomInt } from 'node:crypto';
import { withoutSecrets } from '../session/talk.ts';
import {
  type Case,
  type CaseEnd,
  type CaseKind,
  type CaseOwner,
  type CaseReceiver,
  type CaseStepKind,
  type Handler,
  isOver,
  isSameCustomer,
  isSnoozed,
  isSnoozedUntil,
  isTheirs,
  silentSince,
  stepped,
} from './case.ts';
import { afterOpenTime, type OpeningHours } from './hours.ts';

/*
 * The changes of a case: functions of the case and the moment alone. `cases.ts` and `events.ts` apply them, each in one
 * transaction of the records.
 */

/** A case that waits for its customer is looked at again after this. */
const WAITS_MS = 24 * 3_600_000;
const NOTE_MAX_CHARS = 500;
/** A case that is put off for longer is forgotten rather than snoozed. */
export const SNOOZE_MAX_MS = 30 * 24 * 3_600_000;
/** More of them say nothing. */
export const CASE_LABELS_MAX = 10;

/** The operator's settings of cases. */
export interface CaseSettings {
  /** How long a case of a kind may wait for somebody, in ms of the time in which somebody is there. */
  readonly levels: Readonly<Record<CaseKind, number>>;
  /** When somebody is there; absent: always. */
  readonly hours?: OpeningHours;
  /** The company's own tools are told. */
  readonly notifies?: boolean;
}

const MINUTE_MS = 60_000;
export const CASE_DEFAULTS: CaseSettings = {
  levels: {
    asked: 15 * MINUTE_MS,
    stuck: 30 * MINUTE_MS,
    payment: 4 * 60 * MINUTE_MS,
    webhook: 8 * 60 * MINUTE_MS,
  },
};

/** The events that the company's own tools are told of. */
type CaseEventKind = 'opened' | 'assigned' | 'breached' | 'closed';

/** The content of such an event: nothing by which a customer is known. */
export interface CaseEvent {
  readonly type: `case.${CaseEventKind}`;
  /** In ms since 1970. */
  readonly at: number;
  readonly case: Pick<Case, 'id' | 'kind' | 'state' | 'openedAt' | 'due' | 'end'> & {
    /** The agent's id. */
    readonly owner?: string;
    readonly team?: string;
    readonly labels?: readonly string[];
    readonly isUrgent: boolean;
  };
}
export type Opening = Pick<Case, 'kind' | 'subject' | 'address' | 'wallet' | 'language' | 'about'>;

export type CaseActed = 'done' | 'notFound' | 'notNow' | 'owned';

/** The settings and the moment of a change. */
export interface Rules {
  readonly settings: CaseSettings;
  /** In ms since 1970. */
  readonly at: number;
}

export interface Changed {
  readonly it: Case;
  /** The event that the company's tools are told. */
  readonly tells?: CaseEventKind;
}

/** Gives the changed case, or the reason why it stays as it is. */
export type Change = (it: Case, rules: Rules) => Changed | Exclude<CaseActed, 'done' | 'notFound'>;

/** The event of a change for the company's tools. Undefined: they are told nothing. */
export function caseEventOf({ settings, at }: Rules, { it, tells }: Changed): CaseEvent | undefined {
  if (!settings.notifies || !tells) return undefined;
  const { id, kind, state, openedAt, due, end, owner, team, labels, isUrgent = false } = it;
  const about = {
    id,
    kind,
    state,
    openedAt,
    due,
    ...(end && { end }),
    ...(owner && { owner: owner.id }),
    ...(team !== undefined && { team }),
    ...(labels && { labels }),
    isUrgent,
  };
  return { type: `case.${tells}`, at, case: about };
}

function step({ at }: Rules, it: Case, what: CaseStepKind, by?: string, note?: string): Case {
  return stepped(it, { at, what, ...(by !== undefined && { by }), ...(note && { note }) });
}

/** By when somebody has to have done something about a case, from now on. */
function dueFrom({ settings, at }: Rules, kind: CaseKind): number {
  return afterOpenTime(at, settings.levels[kind], settings.hours);
}

/** By when somebody has to have done something now that it is their turn again. */
function dueAgain(rules: Rules, { kind, state, due }: Case): number {
  return state === 'waiting' ? dueFrom(rules, kind) : Math.min(due, dueFrom(rules, kind));
}

/** Letters and digits that nobody takes for one another. */
const ID_CHARACTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const ID_LENGTH = 7;

export function newCaseId(): string {
  return `c-${Array.from({ length: ID_LENGTH }, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]).join('')}`;
}

/** A new case. */
export function begun(rules: Rules, opening: Opening, id: string): Changed {
  const { at } = rules;
  const due = dueFrom(rules, opening.kind);
  const it: Case = { ...opening, id, state: 'open', openedAt: at, due, steps: [{ at, what: 'opened' }] };
  return { it, tells: 'opened' };
}

/** A customer who asks again while an agent waits for them: it is the agent's turn. Else it says nothing new. */
export const askedAgain: Change = (it, rules) => {
  if (it.state === 'closed' || it.kind !== 'asked') return 'notNow';
  return { it: step(rules, { ...it, state: 'open', due: dueAgain(rules, it) }, 'askedAgain') };
};

/** The same on another channel: the case goes on there. */
export function askedAgainAt({ subject, ...where }: Opening): Change {
  return (it, rules) => {
    const changed = askedAgain(it, rules);
    if (typeof changed === 'string' || it.subject === subject) return changed;
    return { ...changed, it: { ...changed.it, ...where, subject } };
  };
}

/** A change by somebody of the company, to a case that is theirs. */
function handled(by: Handler, change: Change): Change {
  return (it, rules) => (it.state !== 'closed' && !isTheirs(it, by) ? 'owned' : change(it, rules));
}

/** Gives it to an agent, or to a team: whoever of it is there takes it. */
export function handOver(to: CaseReceiver, by: Handler): Change {
  return handled(by, (it, rules) => {
    if (it.state === 'closed') return 'notNow';
    if ('agent' in to) {
      const { agent } = to;
      if (it.owner?.id === agent.id) return 'notNow';
      const after = { ...it, owner: agent };
      return { it: handedOver(rules, after, it.owner, 'assigned', by, agent.name), tells: 'assigned' };
    }
    const { owner, ...free } = it;
    if (it.team === to.team.id && !owner) return 'notNow';
    const after = { ...free, team: to.team.id };
    return { it: handedOver(rules, after, owner, 'toTeam', by, to.team.name), tells: 'assigned' };
  });
}

/** The rule of assignment gives a case that nobody has to an agent. */
export function dealt(agent: CaseOwner): Change {
  return (it, rules) => {
    if (it.owner) return 'owned';
    if (it.state !== 'open' || isSnoozed(it, rules.at)) return 'notNow';
    const after = step(rules, { ...it, owner: agent }, 'assigned', undefined, agent.name);
    return { it: after, tells: 'assigned' };
  };
}

/** A case goes back to the queue, because its owner has done nothing about it since a moment. They are told, as after a hand-over. */
export function returned(before: number): Change {
  return (it, rules) => {
    const { owner, ...free } = it;
    if (!owner || (silentSince(it, rules.at) ?? rules.at) > before) return 'notNow';
    const told = { ...free, mentions: { ...it.mentions, [owner.id]: true } };
    return { it: stepped(told, { at: rules.at, what: 'returned', from: owner.id }) };
  };
}

/** A case that changes hands: the agent from whom it was taken is told, as one whom a note names. */
function handedOver(
  rules: Rules,
  it: Case,
  before: CaseOwner | undefined,
  what: CaseStepKind,
  by: Handler,
  to: string,
): Case {
  if (!before || before.id === by.id) return step(rules, it, what, by.id, to);
  const mentioned = { ...it, mentions: { ...it.mentions, [before.id]: true } };
  return stepped(mentioned, { at: rules.at, what, by: by.id, note: to, from: before.id });
}

/** An agent has written to the customer. */
export function answered(by: CaseOwner): Change {
  return (it, rules) => {
    if (it.state === 'closed') return 'notNow';
    const { breachedAt: _over, ...rest } = it;
    const { firstAnswerAt = rules.at, owner = by } = it;
    // An answer settles no payment. People have to find out what became of it: it stays their turn, and due.
    if (it.kind === 'payment')
      return { it: { ...step(rules, it, 'answered', by.id), owner, firstAnswerAt, ...putOff(it) } };
    const due = rules.at + WAITS_MS;
    return { it: step(rules, { ...rest, owner, firstAnswerAt, state: 'waiting', due }, 'answered', by.id) };
  };
}

function putOff({ snoozedUntil, snoozedFor }: Case): Pick<Case, 'snoozedUntil' | 'snoozedFor'> {
  return { ...(snoozedUntil !== undefined && { snoozedUntil }), ...(snoozedFor && { snoozedFor }) };
}

/** The customer has written to the agent. */
export const customerWrote: Change = (it, rules) => {
  if (it.state === 'closed' || (it.state !== 'waiting' && it.snoozedUntil === undefined)) return 'notNow';
  return { it: step(rules, { ...it, state: 'open', due: dueAgain(rules, it) }, 'customerWrote') };
};

/** It is the customer's turn, or somebody's of the company again. */
export function waits(isWaiting: boolean, by: Handler): Change {
  return handled(by, (it, rules) => {
    const isPutOff = it.state === 'open' && it.snoozedUntil !== undefined;
    if (isPutOff && !isWaiting) return { it: step(rules, it, 'goesOn', by.id) };
    if (it.state !== (isWaiting ? 'open' : 'waiting')) return 'notNow';
    const { breachedAt: _over, ...rest } = it;
    const due = isWaiting ? rules.at + WAITS_MS : dueFrom(rules, it.kind);
    const state = isWaiting ? 'waiting' : 'open';
    return { it: step(rules, { ...rest, state, due }, isWaiting ? 'waiting' : 'goesOn', by.id) };
  });
}

export function urgent(isUrgent: boolean, by: Handler): Change {
  return handled(by, (it, rules) => {
    if (it.state === 'closed' || (it.isUrgent === true) === isUrgent) return 'notNow';
    const { isUrgent: _was, ...rest } = it;
    const after: Case = isUrgent ? { ...rest, isUrgent } : rest;
    return { it: step(rules, after, isUrgent ? 'urgent' : 'notUrgent', by.id) };
  });
}

/** Puts labels on it or takes them off. @param labels their ids */
export function labelled(labels: readonly string[], isOn: boolean, by: string): Change {
  return (it, rules) => {
    const { labels: before = [], ...rest } = it;
    const changed = [...new Set(labels)].filter((each) => before.includes(each) !== isOn);
    const after = isOn ? [...before, ...changed] : before.filter((each) => !changed.includes(each));
    if (it.state === 'closed' || changed.length === 0 || after.length > CASE_LABELS_MAX) return 'notNow';
    const what = isOn ? 'labelled' : 'unlabelled';
    const first: Case = after.length > 0 ? { ...rest, labels: after } : rest;
    return { it: changed.reduce((each, name) => step(rules, each, what, by, name), first) };
  };
}

/** An agent writes something down for others. @param named the agents whom it names, by their ids */
export function noted(by: string, text: string, named: readonly string[]): Change {
  const words = noteWords(text);
  const unread = Object.fromEntries(named.filter((each) => each !== by).map((each) => [each, true]));
  return (it, rules) => {
    if (it.state === 'closed' || words === '') return 'notNow';
    // One press that was sent twice is one note.
    const last = it.steps.at(-1);
    if (last?.what === 'note' && last.by === by && last.note === words) return 'notNow';
    const mentions = { ...it.mentions, ...unread };
    const after = Object.keys(mentions).length > 0 ? { ...it, mentions } : it;
    return { it: step(rules, after, 'note', by, words) };
  };
}

/** An agent has looked: what was new to them is read, and so is a note that names them. */
export function looked(by: string): Change {
  return (it, { at }) => {
    const { mentions, seen = {}, steps } = it;
    const isMentioned = mentions?.[by] === true;
    if (!isMentioned && (seen[by] ?? 0) >= (steps.at(-1)?.at ?? 0)) return 'notNow';
    const after = { ...it, seen: { ...seen, [by]: at } };
    return { it: isMentioned ? { ...after, mentions: { ...mentions, [by]: false } } : after };
  };
}

/** An agent's note as it is stored: so much of it, and without secrets. */
export function noteWords(text: string): string {
  return withoutSecrets(text.trim().slice(0, NOTE_MAX_CHARS));
}

/** Puts it off until a moment, in ms since 1970, or until its customer says something. */
export function snoozed(until: number | 'customer', by: Handler): Change {
  const isForCustomer = until === 'customer';
  return handled(by, (it, rules) => {
    const { settings, at } = rules;
    const snoozedUntil = isForCustomer ? at + SNOOZE_MAX_MS : until;
    const isInTime = snoozedUntil > at && snoozedUntil <= at + SNOOZE_MAX_MS;
    const isNobodys = isForCustomer && !it.address && !it.wallet;
    if (it.state === 'closed' || !isInTime || isNobodys || isSnoozedUntil(it, until, at)) return 'notNow';
    const { snoozedFor: _before, breachedAt, ...rest } = it;
    const isTheirTurn = isForCustomer || it.state === 'waiting';
    const due = isTheirTurn ? afterOpenTime(snoozedUntil, settings.levels[it.kind], settings.hours) : it.due;
    const after: Case = {
      ...rest,
      ...(isForCustomer && { snoozedFor: 'customer' }),
      ...(!isForCustomer && breachedAt !== undefined && { breachedAt }),
      ...{ state: 'open', due, snoozedUntil },
    };
    return { it: step(rules, after, 'snoozed', by.id, isForCustomer ? 'customer' : `${until}`) };
  });
}

/** A case that goes on in another one: both as they are then. */
export function merged(
  it: Case,
  into: Case,
  by: Handler,
  rules: Rules,
): readonly [from: Changed, into: Changed] | 'owned' | 'notNow' {
  if (it.state !== 'closed' && !isTheirs(it, by)) return 'owned';
  if (it.state === 'closed' || into.state === 'closed' || !isSameCustomer(it, into)) return 'notNow';
  const { mentions: _told, ...rest } = it;
  const from = ended(rules, { ...rest, mergedInto: into.id }, 'merged', by.id, into.id);
  // The sooner due moment counts, labels say what it is about now, and an agent who was named in a note and has not looked is still told.
  const labels = [...new Set([...(into.labels ?? []), ...(it.labels ?? [])])].slice(0, CASE_LABELS_MAX);
  const unread = Object.entries(it.mentions ?? {}).filter(
    ([id, isUnread]) => isUnread || !into.mentions?.[id],
  );
  const goesOn: Case = {
    ...into,
    ...(unread.length > 0 && { mentions: { ...into.mentions, ...Object.fromEntries(unread) } }),
    ...(labels.length > 0 && { labels }),
    ...(!into.owner && it.owner && { owner: it.owner }),
    due: Math.min(it.due, into.due),
    ...(it.isUrgent && { isUrgent: true as const }),
  };
  return [from, { it: step(rules, goesOn, 'merged', by.id, it.id) }];
}

/** Ends it. `byItself`: only while nobody has it. @param by absent: nobody of the company */
export function closed(end: CaseEnd, by?: Handler, note?: string): Change {
  return (it, rules) => {
    if (it.state === 'closed') return 'notNow';
    const isOwned = by ? !isTheirs(it, by) : end === 'byItself' && it.owner !== undefined;
    return isOwned ? 'owned' : ended(rules, it, end, by?.id, note);
  };
}

function ended(rules: Rules, it: Case, end: CaseEnd, by?: string, note = ''): Changed {
  const after: Case = { ...it, state: 'closed', closedAt: rules.at, end };
  return { it: step(rules, after, 'closed', by, noteWords(note)), tells: 'closed' };
}

/** Opens one that is closed and goes on in no other one. @param by the agent; absent: the customer */
export function reopened(by?: string): Change {
  return (it, rules) => {
    if (it.state !== 'closed' || it.end === 'merged' || isOver(it, rules.at)) return 'notNow';
    // How its customer says that it was is asked anew, once it is over again.
    const { closedAt: _then, end: _how, rating: _before, breachedAt: _over, ...rest } = it;
    const after: Case = { ...rest, state: 'open', due: dueFrom(rules, it.kind) };
    return { it: step(rules, after, 'reopened', by), tells: 'opened' };
  };
}

/** The customer says how it was, once: with that it is closed. */
export function rated(rating: number): Change {
  return (it, rules) => {
    if (it.rating !== undefined) return 'notNow';
    const after = step(rules, { ...it, rating }, 'rated', undefined, String(rating));
    return it.state === 'closed' ? { it: after } : ended(rules, after, 'byCustomer');
  };
}

/** Looks at a case that is due. @param isNeeded its subject still needs somebody */
export function lookedAt(isNeeded: boolean): Change {
  return (it, rules) => {
    if (it.state === 'closed') return 'notNow';
    if (!isNeeded && !it.owner) return ended(rules, it, 'byItself');
    const isBack = it.snoozedUntil !== undefined && !isSnoozed(it, rules.at);
    return late(rules, isBack ? step(rules, it, 'cameBack') : it);
  };
}

/** Moves a case on that somebody should have done something about. */
function late(rules: Rules, it: Case): Changed {
  // It was moved while it was looked at, or has only come back.
  if (it.due > rules.at) return { it };
  // The customer has not come back: somebody decides what becomes of it.
  if (it.state === 'waiting')
    return { it: step(rules, { ...it, state: 'open', due: dueFrom(rules, it.kind) }, 'goesOn') };
  if (it.breachedAt !== undefined) return { it: { ...it, breachedAt: rules.at } };
  return { it: step(rules, { ...it, breachedAt: rules.at }, 'breached'), tells: 'breached' };
}
