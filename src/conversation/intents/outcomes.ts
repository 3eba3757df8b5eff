import type { Payment } from '../../../machines/kit/effects.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import { partitionOf } from '../../store/partition.ts';
import { PARTITIONS, type Partition, type Store, type Write } from '../../store/store.ts';
import { versionAfter } from '../../store/version.ts';
import { enqueue, type Session } from '../session/session.ts';
import { type createSessions, type Loaded, sessionWrite } from '../session/sessions.ts';
import { createRecord } from '../turn/record.ts';
import { partitionOfRef } from '../turn/ref.ts';
import type { TurnEvent } from '../turn/turn-event.ts';
import { type Book, bookKey, EMPTY_BOOK, noted, openIn } from './book.ts';
import { elsewhereWrites } from './elsewhere.ts';
import { type Intent, type IntentState, intentKey, isOpen, needsPerson, readIntent } from './intent.ts';
import { noteNames } from './names.ts';
import { answered, codeMessage, facts, intentWrite } from './pay.ts';
import { outcomeOf, told } from './told.ts';

/** Payments that are woken are looked at within so long, one after the other: the wallet has only just come back. */
const WOKEN_WITHIN_MS = 5_000;
/** Of one partition: more payments than are ever open in it. The schedule finds the rest. */
const WOKEN_MAX = 200;

/** An intent as it becomes, and what its customer is given with it. */
export interface Change {
  readonly intent: Intent;
  /** A voucher's code, which only the answer to the purchase ever says. */
  readonly code?: Sealed | undefined;
  /** When it happened, in ms since 1970, where a webhook says so. */
  readonly happenedAt?: number | undefined;
}

/** What has come to light means for an intent as it stands now; undefined: nothing. */
export type Decide = (intent: Intent, book: Book) => Change | undefined;

/** Where payments are kept, and how their customers are told. */
export interface Outcomes {
  /** The intent that a request id belongs to; undefined when it is none of ours, or the store has lost it. */
  intentOf(requestId: string): Promise<Intent | undefined>;
  /**
   * Changes an intent, again until nobody was in between, and tells the customer if its outcome has changed. A change
   * without new evidence only sets the next check. Rejects with `StoreDown`.
   */
  apply(intent: Pick<Intent, 'id' | 'wallet'>, decide: Decide): Promise<void>;
  /**
   * Adds the wallet's answer to an execution to its intent, however late it comes and whatever the conversation has been told
   * meanwhile: the customer is told if that changes the outcome, and gets a voucher's code. Adding it again changes nothing.
   */
  answered(id: string, answer: Payment): Promise<void>;
  /** Tells the outcome that an answer has brought in the wallet's other chats that have named the payment as open. */
  tellElsewhere(id: string): Promise<void>;
  /** Has these payments looked at soon, if they are still open. */
  hasten(ids: readonly string[]): Promise<void>;
  /** The same for every open payment: called when a process has started. */
  hastenAll(): Promise<void>;
}

export interface OutcomesDeps {
  readonly store: Store;
  readonly sessions: ReturnType<typeof createSessions>;
  /** Told of each session with news in its outbox. */
  readonly pushed: (loaded: Loaded) => void;
  /** Told when a payment needs a person. */
  readonly alert: (intent: Intent) => void;
  readonly now: () => number;
}

/** Applies facts to intents: intent, the wallet's book and the customer's session change in one commit. */
export function createOutcomes(deps: OutcomesDeps): Outcomes {
  return {
    intentOf: (requestId) => intentOf(deps, requestId),
    apply: (intent, decide) => apply(deps, intent, decide),
    answered: (id, answer) => lateAnswer(deps, id, answer),
    tellElsewhere: (id) => tellElsewhere(deps, id),
    hasten: (ids) => hasten(deps, ids),
    hastenAll: () => hastenAll(deps),
  };
}

async function intentOf({ store }: OutcomesDeps, requestId: string): Promise<Intent | undefined> {
  const partition = partitionOfRef(requestId);
  if (partition === undefined) return undefined;
  const [doc] = await store.read(partition, [intentKey(requestId)]);
  return doc && readIntent(doc.value);
}

async function apply(
  deps: OutcomesDeps,
  intent: Pick<Intent, 'id' | 'wallet'>,
  decide: Decide,
): Promise<void> {
  while (!(await applied(deps, intent, decide)));
}

async function lateAnswer(deps: OutcomesDeps, id: string, answer: Payment): Promise<void> {
  const intent = await intentOf(deps, id);
  if (!intent) return;
  const code = 'voucherCode' in answer ? answer.voucherCode : undefined;
  await apply(deps, intent, (current, book) => ({
    intent: answered(current, answer, book, deps.now()),
    code,
  }));
}

async function tellElsewhere(deps: OutcomesDeps, id: string): Promise<void> {
  for (;;) {
    const intent = await intentOf(deps, id);
    const writes = intent ? await elsewhereWrites(deps, intent) : [];
    if (!intent || writes.length === 0) return;
    if (await deps.store.commit(partitionOf(intent.wallet), { writes, durable: true })) return;
  }
}

/** False when somebody was faster and it must be looked at again. */
async function applied(
  deps: OutcomesDeps,
  { id, wallet }: Pick<Intent, 'id' | 'wallet'>,
  decide: Decide,
): Promise<boolean> {
  const { store, sessions, now } = deps;
  const startedAt = now();
  const partition = partitionOf(wallet);
  const [doc, bookDoc] = await store.read(partition, [intentKey(id), bookKey(wallet)]);
  if (!doc) return true;
  const intent = readIntent(doc.value);
  const book = bookDoc ? (JSON.parse(bookDoc.value) as Book) : EMPTY_BOOK;
  const change = decide(intent, book) ?? { intent };
  if (change.intent.evidence.length === intent.evidence.length) {
    return rescheduled(deps, partition, { ...doc, key: intentKey(id) }, change.intent);
  }
  // Other names were noted when it was sent.
  if (change.intent.operationId !== intent.operationId) await noteNames(store, change.intent, now());
  const loaded = await sessions.load(intent.address, now());
  const isTheirs = loaded.partition === partition;
  const { after, session } = tellIn(loaded.session, intent, change, isTheirs, now());
  const rewritten = sessionWrite({ ...loaded, session });
  const bookAfter = noted(book, id, facts(after));
  const next = { ...loaded, version: rewritten.next, session, open: openIn(bookAfter) };
  // Written also where telling is left to the answer under way: that may have been thought of without this fact.
  const awaited = session.underway?.ref === id;
  const reached = isTheirs && (session !== loaded.session || awaited);
  const bookVersion = bookDoc?.version ?? 0;
  const value = JSON.stringify(bookAfter);
  const writes: Write[] = [
    intentWrite({ ...doc, key: intentKey(id) }, after, now()),
    { key: bookKey(wallet), version: bookVersion, next: versionAfter(bookVersion), value },
  ];
  if (reached) writes.push(rewritten);
  if (outcomeOf(after) !== outcomeOf(intent)) writes.push(...(await elsewhereWrites(deps, after)));
  const event = paymentEvent(after, intent.state);
  const { happenedAt } = change;
  const turn = createRecord({
    before: loaded,
    after: next,
    event,
    happenedAt,
    ran: [],
    startedAt,
    now: now(),
  });
  if (!(await store.commit(partition, { writes, turn, durable: true }))) return false;
  if (reached) deps.pushed(next);
  if (needsPerson(after)) deps.alert(after);
  return true;
}

/**
 * That something was learnt of a payment, for the turn record.
 * @param from its state before; absent where the store had lost it
 */
export function paymentEvent({ id, state, evidence }: Intent, from?: IntentState): TurnEvent {
  const learnt = evidence.at(-1);
  if (!learnt) throw new Error(`nothing was learnt of payment ${id}`);
  return { kind: 'payment', intent: id, ...(from && { from }), to: state, why: learnt.kind };
}

/** Nothing has come to light: only the next check is set, where there is one. */
async function rescheduled(
  { store, alert, now }: OutcomesDeps,
  partition: Partition,
  doc: { readonly key: string; readonly version: number; readonly value: string },
  after: Intent,
): Promise<boolean> {
  // Whoever should look at it is reminded for as long as nobody has.
  if (needsPerson(after)) alert(after);
  const written = intentWrite(doc, after, now());
  return (written.dueAt ?? null) === null || store.commit(partition, { writes: [written] });
}

/** The session in which a change is told, and the intent after that: a code that nobody can be given is not `codeSent`. */
function tellIn(
  session: Session,
  before: Intent,
  { intent, code }: Change,
  isTheirs: boolean,
  now: number,
): { after: Intent; session: Session } {
  const news = outcomeOf(intent) === outcomeOf(before) ? session : told(session, intent, now);
  if (!code) return { after: intent, session: news };
  if (isTheirs && session.linked && session.wallet === intent.wallet)
    return { after: intent, session: enqueue(news, codeMessage(intent, code, now)) };
  const { codeSent: _notTo, ...others } = intent.facts ?? {};
  const after = { ...intent, facts: others };
  return { after, session: outcomeOf(intent) === outcomeOf(before) ? session : told(session, after, now) };
}

async function hasten(deps: OutcomesDeps, ids: readonly string[]): Promise<void> {
  for (const [i, id] of ids.entries()) {
    const partition = partitionOfRef(id);
    const afterMs = Math.floor((i / ids.length) * WOKEN_WITHIN_MS);
    if (partition !== undefined) await wake(deps, partition, [intentKey(id)], afterMs);
  }
}

async function hastenAll(deps: OutcomesDeps): Promise<void> {
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const soon = deps.now() + WOKEN_WITHIN_MS;
    const scheduled = await deps.store.scheduled(partition, intentKey(''), WOKEN_MAX);
    const keys = scheduled.filter(({ at }) => at > soon).map(({ key }) => key);
    await wake(deps, partition, keys, Math.floor((partition / PARTITIONS) * WOKEN_WITHIN_MS));
  }
}

/** Brings the next look at open payments of a partition forward. Whoever writes one meanwhile sets its next look anyway. */
async function wake(
  { store, now }: OutcomesDeps,
  partition: Partition,
  keys: readonly string[],
  afterMs: number,
): Promise<void> {
  if (keys.length === 0) return;
  const docs = await store.read(partition, keys);
  for (const [i, key] of keys.entries()) {
    const doc = docs[i];
    const intent = doc && readIntent(doc.value);
    if (!doc || !intent || !isOpen(intent)) continue;
    const write = { ...intentWrite({ ...doc, key }, intent, now()), dueAt: now() + afterMs };
    await store.commit(partition, { writes: [write] });
  }
}
