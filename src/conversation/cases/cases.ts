import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { codec, jsonOf, type KeyedDoc } from '../../store/codec.ts';
import type { Store, Write } from '../../store/store.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { withoutSecrets } from '../session/talk.ts';
import {
  byDue,
  CASES,
  type Case,
  type CaseEnd,
  type CaseKind,
  type CaseOwner,
  type CaseStepKind,
  caseCodec,
  caseKey,
  caseWrite,
  type Handler,
  isSameCustomer,
  isSnoozed,
  isSnoozedUntil,
  isTheirs,
  stepped,
  subjectCodec,
  subjectKey,
  type Whose,
} from './case.ts';
import { afterOpenTime, type OpeningHours, opensAt } from './hours.ts';
import { customerKeys, notedWrites, openOf } from './of-customer.ts';

/** Cases that are listed: as many as are open where each answered one waits for a day. Nothing about one customer depends on it. */
export const LISTED_MAX = 10_000;
/** So many are read at once. */
const LISTED_PIECE = 500;
/** A case that waits for its customer is looked at again after this. */
const WAITS_MS = 24 * 3_600_000;
/** How many others are tried before "next" gives up: each was taken by somebody else in between. */
const NEXT_TRIES_MAX = 50;
const NOTE_MAX_CHARS = 500;
/** What is put off for longer is forgotten rather than snoozed. */
export const SNOOZE_MAX_MS = 30 * 24 * 3_600_000;
/** More of them say nothing. */
export const CASE_LABELS_MAX = 10;
/** Longer than any case is open. */
const SUBJECT_KEPT_MS = 400 * 24 * 3_600_000;

/** What the operator says about cases. */
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

/** What the company's own tools are told of. */
type CaseEventKind = 'opened' | 'assigned' | 'breached' | 'closed';

/** What they are told: nothing by which a customer is known. */
export interface CaseEvent {
  readonly type: `case.${CaseEventKind}`;
  /** In ms since 1970. */
  readonly at: number;
  readonly case: Pick<Case, 'id' | 'kind' | 'state' | 'openedAt' | 'due' | 'end'> & {
    /** The agent's id. */
    readonly owner?: string;
    /** The id of the team that it was given to. */
    readonly team?: string;
    /** The ids of its labels. */
    readonly labels?: readonly string[];
    readonly isUrgent: boolean;
  };
  /** How often it was tried to deliver it. */
  readonly tries: number;
}
export const caseEventCodec = codec<CaseEvent>(
  'case event',
  z.object({
    type: z.custom<CaseEvent['type']>((value) => typeof value === 'string'),
    at: z.number(),
    case: z.custom<CaseEvent['case']>((value) => typeof value === 'object' && value !== null),
    tries: z.number(),
  }),
);
export function caseEventKey(id: string): string {
  return `case-event:${id}`;
}

/** What a case begins with. */
export type Opening = Pick<Case, 'kind' | 'subject' | 'address' | 'wallet' | 'language' | 'about'>;

/** The result of something that was done to a case. */
export type CaseActed = 'done' | 'notFound' | 'notNow' | 'owned';

/**
 * Cases: what people have to do. Each change is one commit by compare-and-set, so that two agents never get the same: whoever does
 * something about another one's case is told `owned` by the commit itself, and nothing has changed. Every method rejects with
 * `StoreDown`.
 */
export interface Cases {
  /** Opens a case, unless one of its kind is open about the same: then the customer has asked again. */
  open(opening: Opening): Promise<Case>;
  find(id: string): Promise<Case | undefined>;
  /** The open case of a kind about something. */
  about(kind: CaseKind, subject: string): Promise<Case | undefined>;
  /** Those of a customer that are not closed, by when they are due. @param whose their wallet, an address of theirs, or both */
  ofCustomer(whose: Whose): Promise<Case[]>;
  /** Those that are not closed, by when they are due: `LISTED_MAX` at most. */
  list(): Promise<Case[]>;
  /** The same, and closed ones that somebody whom a note names has not looked at, as far as they can be opened again. */
  inbox(): Promise<Case[]>;
  /**
   * Takes the one that is due first and that nobody has, with what else of the same customer nobody has; undefined where there is none.
   * Of whom another agent has a case is left to them, while there is another one and it is not late.
   * @param isFor which ones; absent: any
   */
  next(by: CaseOwner, isFor?: (it: Case) => boolean): Promise<Case | undefined>;
  /** Whoever has it until then, and does not give it away themselves, is told (`mentions`). */
  assign(id: string, to: CaseOwner, by: Handler): Promise<CaseActed>;
  /** Gives it to a team: whoever of it is there takes it. */
  toTeam(id: string, team: CaseOwner, by: Handler): Promise<CaseActed>;
  /** An agent has written to the customer: it is their turn, but for a payment, which needs people whatever is said about it. */
  answered(id: string, by: CaseOwner): Promise<CaseActed>;
  /** The customer has written to the agent. */
  customerWrote(id: string): Promise<CaseActed>;
  /** It is the customer's turn, or somebody's of the company again. */
  setWaiting(id: string, isWaiting: boolean, by: Handler): Promise<CaseActed>;
  setUrgent(id: string, isUrgent: boolean, by: Handler): Promise<CaseActed>;
  /** Puts labels on it or takes them off, while it is not closed: `CASE_LABELS_MAX` at most. @param labels their ids */
  label(id: string, labels: readonly string[], isOn: boolean, by: string): Promise<CaseActed>;
  /** An agent writes something down for others, while it is not closed: anybody may, and the same twice in a row is one note. Secrets in it are left out. */
  note(id: string, by: string, text: string, named?: readonly string[]): Promise<CaseActed>;
  /** An agent whom a note has named has looked. */
  looked(id: string, by: string): Promise<CaseActed>;
  /**
   * Puts it off, unless it is so already: it comes back by itself, or when its customer says something. When it is due stays; one that waits for its customer
   * is due then. @param until in ms since 1970: from now on, for `SNOOZE_MAX_MS` at most; `customer`: nothing but their word is waited
   * for, and `SNOOZE_MAX_MS` is the end of it
   */
  snooze(id: string, until: number | 'customer', by: Handler): Promise<CaseActed>;
  /** A customer has said something to whomever: what was put off about them is back. @param whose their address, and their wallet if it is known */
  wake(whose: Whose): Promise<void>;
  /** It goes on in another one, which is about the same customer, and which may be another agent's. */
  merge(id: string, into: string, by: Handler): Promise<CaseActed>;
  /** `byItself`: only while nobody has it. @param by absent: nobody of the company */
  close(id: string, end: CaseEnd, by?: Handler, note?: string): Promise<CaseActed>;
  /** One that is closed and goes on in no other one. @param by the agent; absent: the customer */
  reopen(id: string, by?: string): Promise<CaseActed>;
  /** When somebody is there next, in ms since 1970; undefined where somebody is. @param at absent: now */
  opensAt(at?: number): number | undefined;
  /** The customer says how it was, once: with that it is closed. One that is opened again they can be asked about again. */
  rate(id: string, rating: number): Promise<CaseActed>;
  /** The customer says that it is not settled: somebody's turn, and open again where it was closed; so is the one that it was merged into. */
  notYet(id: string): Promise<CaseActed>;
  /** Looks at one that is due: called by the worker. @param isNeeded whether what it is about still needs somebody */
  look(id: string, isNeeded: (it: Case) => Promise<boolean>): Promise<void>;
}

interface CasesDeps {
  readonly store: Store;
  readonly settings: CaseSettings;
  readonly now: () => number;
  /** What the list was made of the last time: only what has changed since is parsed. */
  readonly parsed: { docs: ReadonlyMap<string, { readonly version: number; readonly it: Case | undefined }> };
}

export function createCases(options: Omit<CasesDeps, 'parsed'>): Cases {
  const deps: CasesDeps = { ...options, parsed: { docs: new Map() } };
  return {
    open: (opening) => open(deps, opening),
    find: (id) => find(deps, id),
    about: (kind, subject) => about(deps, kind, subject),
    ofCustomer: (whose) => ofCustomer(deps, whose),
    list: () => list(deps),
    inbox: () => inbox(deps),
    next: (by, isFor) => next(deps, by, isFor),
    assign: (id, to, by) => assign(deps, id, to, by),
    toTeam: (id, team, by) => toTeam(deps, id, team, by),
    answered: (id, by) => answered(deps, id, by),
    customerWrote: (id) => customerWrote(deps, id),
    setWaiting: (id, isWaiting, by) => setWaiting(deps, id, isWaiting, by),
    setUrgent: (id, isUrgent, by) => setUrgent(deps, id, isUrgent, by),
    label: (id, labels, isOn, by) => label(deps, id, labels, isOn, by),
    note: (id, by, text, named) => note(deps, id, by, text, named),
    looked: (id, by) => looked(deps, id, by),
    snooze: (id, until, by) => snooze(deps, id, until, by),
    wake: (whose) => wake(deps, whose),
    merge: (id, into, by) => merge(deps, id, into, by),
    close: (id, end, by, note) => close(deps, id, end, by, note),
    reopen: (id, by) => reopen(deps, id, by),
    opensAt: (at = deps.now()) => opensAt(at, deps.settings.hours),
    rate: (id, rating) => rate(deps, id, rating),
    notYet: (id) => notYet(deps, id),
    look: (id, isNeeded) => look(deps, id, isNeeded),
  };
}

/** What a change makes of a case. */
interface Changed {
  readonly it: Case;
  /** What the company's tools are told of it. */
  readonly tells?: CaseEventKind;
}

/** Changes a case, again until nobody was in between. */
function change(
  deps: CasesDeps,
  id: string,
  to: (it: Case) => Changed | Exclude<CaseActed, 'done'>,
): Promise<CaseActed> {
  return update(deps.store, CASES, [caseKey(id)], async (doc): Promise<Update<CaseActed>> => {
    const before = caseCodec.read(doc);
    if (!before) return { result: 'notFound' };
    const changed = to(before);
    if (typeof changed === 'string') return { result: changed };
    const writes = [
      caseWrite(doc, changed.it),
      ...(await notedWrites(deps.store, changed.it, keptUntil(deps))),
      ...eventWrites(deps, changed),
    ];
    return { writes, ...recordOf(changed.it), durable: true, result: 'done' };
  });
}

/** The same by somebody of the company: whose it is, is looked at in the commit that changes it. */
function handle(
  deps: CasesDeps,
  id: string,
  by: Handler,
  to: (it: Case) => Changed | Exclude<CaseActed, 'done'>,
): Promise<CaseActed> {
  return change(deps, id, (it) => (it.state !== 'closed' && !isTheirs(it, by) ? 'owned' : to(it)));
}

/** What the company's tools are told, written with the case itself: it is sent by whoever finds it (`src/webhooks/outgoing.ts`). */
function eventWrites({ settings, now }: CasesDeps, { it, tells }: Changed): Write[] {
  if (!settings.notifies || !tells) return [];
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
  const event: CaseEvent = { type: `case.${tells}`, at: now(), case: about, tries: 0 };
  const doc = { key: caseEventKey(randomUUID()), version: 0, value: '' };
  return [caseEventCodec.write(doc, event, { dueAt: now() })];
}

/**
 * A case that is closed, for the stream that the records are made of: there it is kept for years, and found by its id and by its
 * customer. Whoever reads turns leaves it out.
 * @param isReopened it was closed until now: what its end has added to the figures is taken back
 */
function recordOf(it: Case, isReopened = false): { readonly turn?: string } {
  const { id, address, wallet, closedAt } = it;
  if (closedAt === undefined) return {};
  const refs = [id, ...(wallet ? [casesOf(wallet)] : [])];
  const about = { ...(address && { address }), ...(wallet && { wallet }) };
  return {
    turn: JSON.stringify({
      v: 1,
      at: closedAt,
      ...about,
      event: { kind: 'case', isReopened },
      refs,
      case: it,
    }),
  };
}

/** The name under which the records have the closed cases of a customer. */
export function casesOf(wallet: Msisdn): string {
  return `cases:${wallet}`;
}

const RECORD = z.object({ event: z.object({ kind: z.literal('case') }), case: z.unknown() });

/** A closed case as the records have it; undefined for anything else. */
export function closedCaseIn(json: string): Case | undefined {
  const { data } = RECORD.safeParse(jsonOf(json));
  return data && caseCodec.readable({ key: '', version: 1, value: JSON.stringify(data.case) });
}

function step({ now }: CasesDeps, it: Case, what: CaseStepKind, by?: string, note?: string): Case {
  return stepped(it, { at: now(), what, ...(by !== undefined && { by }), ...(note && { note }) });
}

/** By when somebody has to have done something about a case, from now on. */
function dueFrom({ settings, now }: CasesDeps, kind: CaseKind): number {
  return afterOpenTime(now(), settings.levels[kind], settings.hours);
}

/** Until when it is noted what a case is about, and whom. */
function keptUntil({ now }: CasesDeps): number {
  return now() + SUBJECT_KEPT_MS;
}

async function open(deps: CasesDeps, opening: Opening): Promise<Case> {
  const { store, now } = deps;
  return update(store, CASES, [subjectKey(opening)], async (noted): Promise<Update<Case>> => {
    const known = subjectCodec.read(noted)?.case;
    const [knownDoc] = await readDocs(store, CASES, [caseKey(known ?? newCaseId())]);
    const before = caseCodec.read(knownDoc);
    if (before && before.state !== 'closed') {
      const after = askedAgain(deps, before);
      return after
        ? { writes: [caseWrite(knownDoc, after)], durable: true, result: after }
        : { result: before };
    }
    const [doc] = before ? await readDocs(store, CASES, [caseKey(newCaseId())]) : [knownDoc];
    // Another case has this name: it is tried again with another one.
    if (doc.version > 0) return open(deps, opening).then((result) => ({ result }));
    const at = now();
    const id = doc.key.slice(caseKey('').length);
    const first = { at, what: 'opened' } as const;
    const it: Case = {
      ...opening,
      id,
      state: 'open',
      openedAt: at,
      due: dueFrom(deps, opening.kind),
      steps: [first],
    };
    const writes = [
      caseWrite(doc, it),
      subjectCodec.write(noted, { case: id }, { keepUntil: keptUntil(deps) }),
      ...(await notedWrites(store, it, keptUntil(deps))),
      ...eventWrites(deps, { it, tells: 'opened' }),
    ];
    return { writes, durable: true, result: it };
  });
}

/** A customer who asks again while an agent waits for them: it is the agent's turn. Undefined where that says nothing new. */
function askedAgain(deps: CasesDeps, it: Case): Case | undefined {
  if (it.kind !== 'asked') return undefined;
  return step(deps, { ...it, state: 'open', due: dueAgain(deps, it) }, 'askedAgain');
}

/** By when somebody has to have done something now that it is their turn again. */
function dueAgain(deps: CasesDeps, { kind, state, due }: Case): number {
  return state === 'waiting' ? dueFrom(deps, kind) : Math.min(due, dueFrom(deps, kind));
}

/** Letters and digits that nobody takes for one another. */
const ID_CHARACTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const ID_LENGTH = 7;

function newCaseId(): string {
  return `c-${Array.from({ length: ID_LENGTH }, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]).join('')}`;
}

async function find({ store }: CasesDeps, id: string): Promise<Case | undefined> {
  const [doc] = await readDocs(store, CASES, [caseKey(id)]);
  return caseCodec.read(doc);
}

async function about(deps: CasesDeps, kind: CaseKind, subject: string): Promise<Case | undefined> {
  const [noted] = await readDocs(deps.store, CASES, [subjectKey({ kind, subject })]);
  const id = subjectCodec.read(noted)?.case;
  const it = id === undefined ? undefined : await find(deps, id);
  return it?.state === 'closed' ? undefined : it;
}

async function list(deps: CasesDeps): Promise<Case[]> {
  return (await inbox(deps)).filter(({ state }) => state !== 'closed');
}

async function inbox({ store, parsed }: CasesDeps): Promise<Case[]> {
  const scheduled = await store.scheduled(CASES, caseKey(''), LISTED_MAX);
  const docs: KeyedDoc[] = [];
  for (let from = 0; from < scheduled.length; from += LISTED_PIECE) {
    const keys = scheduled.slice(from, from + LISTED_PIECE).map(({ key }) => key);
    docs.push(...(await readDocs(store, CASES, keys)));
  }
  const before = parsed.docs;
  const now = docs.map((doc) => {
    const known = before.get(doc.key);
    const isSame = known?.version === doc.version;
    return [doc.key, isSame ? known : { version: doc.version, it: caseCodec.readable(doc) }] as const;
  });
  parsed.docs = new Map(now);
  return now.flatMap(([, { it }]) => it ?? []).sort(byDue);
}

async function ofCustomer({ store }: CasesDeps, whose: Whose): Promise<Case[]> {
  return (await openOf(store, whose)).sort(byDue);
}

async function next(
  deps: CasesDeps,
  by: CaseOwner,
  isFor: (it: Case) => boolean = () => true,
): Promise<Case | undefined> {
  const all = await list(deps);
  const free = all.filter(
    (it) => it.state === 'open' && !it.owner && !isSnoozed(it, deps.now()) && isFor(it),
  );
  const theirs = new Set(all.flatMap((it) => (it.owner && it.owner.id !== by.id ? customerKeys(it) : [])));
  const isLeft = (it: Case) => it.due > deps.now() && customerKeys(it).some((key) => theirs.has(key));
  const inTurn = [...free.filter((it) => !isLeft(it)), ...free.filter(isLeft)];
  for (const it of inTurn.slice(0, NEXT_TRIES_MAX)) {
    if ((await assign(deps, it.id, by, { id: by.id })) !== 'done') continue;
    // Nobody is answered twice.
    for (const other of free)
      if (other.id !== it.id && isSameCustomer(it, other)) await assign(deps, other.id, by, { id: by.id });
    return find(deps, it.id);
  }
  return undefined;
}

function assign(deps: CasesDeps, id: string, to: CaseOwner, by: Handler): Promise<CaseActed> {
  return handle(deps, id, by, (it) => {
    if (it.state === 'closed' || it.owner?.id === to.id) return 'notNow';
    return {
      it: handedOver(deps, { ...it, owner: to }, it.owner, 'assigned', by, to.name),
      tells: 'assigned',
    };
  });
}

function toTeam(deps: CasesDeps, id: string, team: CaseOwner, by: Handler): Promise<CaseActed> {
  return handle(deps, id, by, (it) => {
    const { owner, ...free } = it;
    if (it.state === 'closed' || (it.team === team.id && !owner)) return 'notNow';
    return {
      it: handedOver(deps, { ...free, team: team.id }, owner, 'toTeam', by, team.name),
      tells: 'assigned',
    };
  });
}

/** A case that changes hands: the agent from whom it was taken is told, as one whom a note names. */
function handedOver(
  deps: CasesDeps,
  it: Case,
  before: CaseOwner | undefined,
  what: CaseStepKind,
  by: Handler,
  to: string,
): Case {
  if (!before || before.id === by.id) return step(deps, it, what, by.id, to);
  const mentioned = { ...it, mentions: { ...it.mentions, [before.id]: true } };
  return stepped(mentioned, { at: deps.now(), what, by: by.id, note: to, from: before.id });
}

function answered(deps: CasesDeps, id: string, by: CaseOwner): Promise<CaseActed> {
  return change(deps, id, (it) => {
    if (it.state === 'closed') return 'notNow';
    const { breachedAt: _over, ...rest } = it;
    const { firstAnswerAt = deps.now(), owner = by } = it;
    // Whatever is said about a payment, people have to find out what became of it: it stays their turn, and due.
    if (it.kind === 'payment')
      return { it: { ...step(deps, it, 'answered', by.id), owner, firstAnswerAt, ...putOff(it) } };
    const due = deps.now() + WAITS_MS;
    return { it: step(deps, { ...rest, owner, firstAnswerAt, state: 'waiting', due }, 'answered', by.id) };
  });
}

/** How a case is put off. */
function putOff({ snoozedUntil, snoozedFor }: Case): Pick<Case, 'snoozedUntil' | 'snoozedFor'> {
  return { ...(snoozedUntil !== undefined && { snoozedUntil }), ...(snoozedFor && { snoozedFor }) };
}

function customerWrote(deps: CasesDeps, id: string): Promise<CaseActed> {
  return change(deps, id, (it) => {
    if (it.state !== 'waiting' && it.snoozedUntil === undefined) return 'notNow';
    return { it: step(deps, { ...it, state: 'open', due: dueAgain(deps, it) }, 'customerWrote') };
  });
}

function setWaiting(deps: CasesDeps, id: string, isWaiting: boolean, by: Handler): Promise<CaseActed> {
  return handle(deps, id, by, (it) => {
    const isPutOff = it.state === 'open' && it.snoozedUntil !== undefined;
    if (isPutOff && !isWaiting) return { it: step(deps, it, 'goesOn', by.id) };
    if (it.state !== (isWaiting ? 'open' : 'waiting')) return 'notNow';
    const { breachedAt: _over, ...rest } = it;
    const due = isWaiting ? deps.now() + WAITS_MS : dueFrom(deps, it.kind);
    const state = isWaiting ? 'waiting' : 'open';
    return { it: step(deps, { ...rest, state, due }, isWaiting ? 'waiting' : 'goesOn', by.id) };
  });
}

function setUrgent(deps: CasesDeps, id: string, isUrgent: boolean, by: Handler): Promise<CaseActed> {
  return handle(deps, id, by, (it) => {
    if (it.state === 'closed' || (it.isUrgent === true) === isUrgent) return 'notNow';
    const { isUrgent: _was, ...rest } = it;
    const after: Case = isUrgent ? { ...rest, isUrgent } : rest;
    return { it: step(deps, after, isUrgent ? 'urgent' : 'notUrgent', by.id) };
  });
}

function label(
  deps: CasesDeps,
  id: string,
  labels: readonly string[],
  isOn: boolean,
  by: string,
): Promise<CaseActed> {
  return change(deps, id, (it) => {
    const { labels: before = [], ...rest } = it;
    const changed = [...new Set(labels)].filter((each) => before.includes(each) !== isOn);
    const after = isOn ? [...before, ...changed] : before.filter((each) => !changed.includes(each));
    if (it.state === 'closed' || changed.length === 0 || after.length > CASE_LABELS_MAX) return 'notNow';
    const what = isOn ? 'labelled' : 'unlabelled';
    const first: Case = after.length > 0 ? { ...rest, labels: after } : rest;
    return { it: changed.reduce((each, name) => step(deps, each, what, by, name), first) };
  });
}

function note(
  deps: CasesDeps,
  id: string,
  by: string,
  text: string,
  named: readonly string[] = [],
): Promise<CaseActed> {
  const words = noteWords(text);
  const unread = Object.fromEntries(named.filter((each) => each !== by).map((each) => [each, true]));
  return change(deps, id, (it) => {
    if (it.state === 'closed' || words === '') return 'notNow';
    // One press that was sent twice is one note.
    const last = it.steps.at(-1);
    if (last?.what === 'note' && last.by === by && last.note === words) return 'notNow';
    const mentions = { ...it.mentions, ...unread };
    const after = Object.keys(mentions).length > 0 ? { ...it, mentions } : it;
    return { it: step(deps, after, 'note', by, words) };
  });
}

function looked(deps: CasesDeps, id: string, by: string): Promise<CaseActed> {
  return update(deps.store, CASES, [caseKey(id)], (doc): Update<CaseActed> => {
    const it = caseCodec.read(doc);
    if (!it) return { result: 'notFound' };
    if (it.mentions?.[by] !== true) return { result: 'notNow' };
    // One that is closed is in the records already, and counted: it does not end once more.
    const after = { ...it, mentions: { ...it.mentions, [by]: false } };
    return { writes: [caseWrite(doc, after)], durable: true, result: 'done' };
  });
}

/** What an agent writes down, as it is kept: so much of it, and without secrets. */
export function noteWords(text: string): string {
  return withoutSecrets(text.trim().slice(0, NOTE_MAX_CHARS));
}

function snooze(deps: CasesDeps, id: string, until: number | 'customer', by: Handler): Promise<CaseActed> {
  const { settings, now } = deps;
  const isForCustomer = until === 'customer';
  const snoozedUntil = isForCustomer ? now() + SNOOZE_MAX_MS : until;
  return handle(deps, id, by, (it) => {
    const isInTime = snoozedUntil > now() && snoozedUntil <= now() + SNOOZE_MAX_MS;
    const isNobodys = isForCustomer && !it.address && !it.wallet;
    if (it.state === 'closed' || !isInTime || isNobodys || isSnoozedUntil(it, until, now())) return 'notNow';
    const { snoozedFor: _before, breachedAt, ...rest } = it;
    const isTheirTurn = isForCustomer || it.state === 'waiting';
    const due = isTheirTurn ? afterOpenTime(snoozedUntil, settings.levels[it.kind], settings.hours) : it.due;
    const after: Case = {
      ...rest,
      ...(isForCustomer && { snoozedFor: 'customer' }),
      ...(!isForCustomer && breachedAt !== undefined && { breachedAt }),
      ...{ state: 'open', due, snoozedUntil },
    };
    return { it: step(deps, after, 'snoozed', by.id, isForCustomer ? 'customer' : `${until}`) };
  });
}

async function wake(deps: CasesDeps, whose: Whose): Promise<void> {
  const theirs = await openOf(deps.store, whose);
  for (const { id, snoozedUntil } of theirs) if (snoozedUntil !== undefined) await customerWrote(deps, id);
}

/** Of two that go together, the one stays that somebody has asked for: what only stands still ends by itself once its customer goes on. */
async function merge(deps: CasesDeps, id: string, into: string, by: Handler): Promise<CaseActed> {
  if (id === into) return 'notNow';
  const [it, other] = await Promise.all([id, into].map((each) => find(deps, each)));
  const isAsked = it?.kind === 'asked' && other?.kind === 'stuck';
  return isAsked ? mergeInto(deps, into, id, by) : mergeInto(deps, id, into, by);
}

function mergeInto(deps: CasesDeps, id: string, into: string, by: Handler): Promise<CaseActed> {
  return update(deps.store, CASES, [caseKey(id), caseKey(into)], (doc, intoDoc): Update<CaseActed> => {
    const [it, other] = [caseCodec.read(doc), caseCodec.read(intoDoc)];
    if (!it || !other) return { result: 'notFound' };
    if (it.state !== 'closed' && !isTheirs(it, by)) return { result: 'owned' };
    if (it.state === 'closed' || other.state === 'closed' || !isSameCustomer(it, other))
      return { result: 'notNow' };
    const { mentions: _told, ...rest } = it;
    const merged = closed(deps, { ...rest, mergedInto: into }, 'merged', by.id, into);
    // What is due sooner stays so, labels say what it is about now, and who was named in a note and has not looked is still told.
    const labels = [...new Set([...(other.labels ?? []), ...(it.labels ?? [])])].slice(0, CASE_LABELS_MAX);
    const unread = Object.entries(it.mentions ?? {}).filter(
      ([id, isUnread]) => isUnread || !other.mentions?.[id],
    );
    const goesOn = {
      ...other,
      ...(unread.length > 0 && { mentions: { ...other.mentions, ...Object.fromEntries(unread) } }),
      ...(labels.length > 0 && { labels }),
      ...(!other.owner && it.owner && { owner: it.owner }),
      due: Math.min(it.due, other.due),
      ...(it.isUrgent && { isUrgent: true as const }),
    };
    const writes = [
      caseWrite(doc, merged.it),
      caseWrite(intoDoc, step(deps, goesOn, 'merged', by.id, id)),
      ...eventWrites(deps, merged),
    ];
    return { writes, ...recordOf(merged.it), durable: true, result: 'done' };
  });
}

function close(deps: CasesDeps, id: string, end: CaseEnd, by?: Handler, note?: string): Promise<CaseActed> {
  return change(deps, id, (it) => {
    if (it.state === 'closed') return 'notNow';
    const isOwned = by ? !isTheirs(it, by) : end === 'byItself' && it.owner !== undefined;
    return isOwned ? 'owned' : closed(deps, it, end, by?.id, note);
  });
}

function closed(deps: CasesDeps, it: Case, end: CaseEnd, by?: string, note = ''): Changed {
  const after: Case = { ...it, state: 'closed', closedAt: deps.now(), end };
  return { it: step(deps, after, 'closed', by, noteWords(note)), tells: 'closed' };
}

function reopen(deps: CasesDeps, id: string, by?: string): Promise<CaseActed> {
  return update(deps.store, CASES, [caseKey(id)], async (doc): Promise<Update<CaseActed>> => {
    const it = caseCodec.read(doc);
    if (!it) return { result: 'notFound' };
    // It goes on in another one, or another one about the same may be open by now: that is the one to go on with.
    if (it.state !== 'closed' || it.end === 'merged') return { result: 'notNow' };
    if (await about(deps, it.kind, it.subject)) return { result: 'notNow' };
    // How its customer says that it was is asked anew, once it is over again.
    const { closedAt: _then, end: _how, rating: _before, breachedAt: _over, ...rest } = it;
    const after: Case = { ...rest, state: 'open', due: dueFrom(deps, it.kind) };
    const [noted] = await readDocs(deps.store, CASES, [subjectKey(it)]);
    const writes = [
      caseWrite(doc, step(deps, after, 'reopened', by)),
      subjectCodec.write(noted, { case: id }, { keepUntil: keptUntil(deps) }),
      ...(await notedWrites(deps.store, after, keptUntil(deps))),
      ...eventWrites(deps, { it: after, tells: 'opened' }),
    ];
    return { writes, ...recordOf(it, true), durable: true, result: 'done' };
  });
}

function rate(deps: CasesDeps, id: string, rating: number): Promise<CaseActed> {
  return change(deps, id, (it) => {
    if (it.rating !== undefined) return 'notNow';
    const rated = step(deps, { ...it, rating }, 'rated', undefined, String(rating));
    return it.state === 'closed' ? { it: rated } : closed(deps, rated, 'byCustomer');
  });
}

async function notYet(deps: CasesDeps, named: string): Promise<CaseActed> {
  const id = await goesOnIn(deps, named);
  const reopened = await reopen(deps, id);
  return reopened === 'done' ? reopened : customerWrote(deps, id);
}

/** The case in which one goes on that was merged, maybe several times; one that was not goes on in itself. */
async function goesOnIn(deps: CasesDeps, id: string, tries = NEXT_TRIES_MAX): Promise<string> {
  const into = (await find(deps, id))?.mergedInto;
  return into === undefined || tries === 0 ? id : goesOnIn(deps, into, tries - 1);
}

async function look(deps: CasesDeps, id: string, isNeeded: (it: Case) => Promise<boolean>): Promise<void> {
  const found = await find(deps, id);
  if (!found || found.state === 'closed') return;
  const isStillNeeded = await isNeeded(found);
  await change(deps, id, (it) => {
    if (it.state === 'closed') return 'notNow';
    if (!isStillNeeded && !it.owner) return closed(deps, it, 'byItself');
    const isBack = it.snoozedUntil !== undefined && !isSnoozed(it, deps.now());
    return late(deps, isBack ? step(deps, it, 'cameBack') : it);
  });
}

/** What has become of a case that somebody should have done something about. */
function late(deps: CasesDeps, it: Case): Changed {
  // It was moved while it was looked at, or has only come back.
  if (it.due > deps.now()) return { it };
  // The customer has not come back: somebody decides what becomes of it.
  if (it.state === 'waiting')
    return { it: step(deps, { ...it, state: 'open', due: dueFrom(deps, it.kind) }, 'goesOn') };
  if (it.breachedAt !== undefined) return { it: { ...it, breachedAt: deps.now() } };
  return { it: step(deps, { ...it, breachedAt: deps.now() }, 'breached'), tells: 'breached' };
}
