import type { Payment } from '../../../machines/kit/effects.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { KeyedDoc } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import { PARTITIONS, type Partition, type Store } from '../../store/store.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import { carried } from '../cases/update.ts';
import { ownAddress, ownWallet } from '../channel.ts';
import { createRecord, type WebhookInfo } from '../record/record.ts';
import { partitionOfRef } from '../record/ref.ts';
import type { TurnEvent } from '../record/turn-event.ts';
import { type Book, noted } from '../session/book.ts';
import { enqueue, type Outgoing, type Session } from '../session/session.ts';
import { type LoadedSession, mayRead, sessionKey, sessionWrite, withWallet } from '../session/sessions.ts';
import { voucherCodeKey } from '../session/voucher-codes.ts';
import { type WalletState, walletKey, walletStateOf, walletWrite } from '../session/wallet-doc.ts';
import type { Archive } from './archive.ts';
import { type ElsewhereDeps, elsewhereWrites, withReceipt } from './elsewhere.ts';
import { type Intent, type IntentState, intentCodec, intentKey, isOpen, needsPerson } from './intent.ts';
import { needsOf } from './needs-person.ts';
import { notified, outcomeOf, unfinishedMessage } from './notification.ts';
import {
  answered,
  bookFacts,
  codeMessage,
  codeMessageId,
  intentWrite,
  keptCodeWrites,
  withBought,
} from './pay.ts';
import { type Claimed, restored } from './restore.ts';
import { mayBeTakenBack } from './schedule.ts';
import { withOutcome } from './taken-payments.ts';

/** Woken payments are looked at within this time, one after the other, as the wallet has only just come back. */
const WOKEN_WITHIN_MS = 5_000;
/** Of one partition: more payments than are ever open in it. The schedule finds the rest. */
const WOKEN_MAX = 200;

/** A changed intent, and what its customer is told. */
interface Change {
  readonly intent: Intent;
  /** A voucher's code, which only the answer to the purchase ever says. */
  readonly code?: Sealed | undefined;
  /** The same, for the wallet that has paid. */
  readonly keptCode?: Sealed | undefined;
  /** The webhook that says so, where one does. */
  readonly webhook?: WebhookInfo | undefined;
}

/** The change that new evidence makes to an intent as it is now. Undefined: no change. */
type Decide = (intent: Intent, book: Book) => Change | undefined;

/** The places where payments are kept, and the ways to notify their customers. */
export interface Outcomes {
  /** The intent that a request id belongs to. Undefined when it is none of ours, or when the store has lost it. */
  intentOf(requestId: string): Promise<Intent | undefined>;
  /**
   * Changes an intent, again until nobody was in between, and notifies the customer if its outcome has changed. A change
   * without new evidence only sets the next check. Gives the intent as it is then. Rejects with `StoreDown`.
   */
  apply(intent: Pick<Intent, 'id' | 'wallet' | 'address'>, decide: Decide): Promise<Intent | undefined>;
  /**
   * Adds the wallet's answer to an execution to its intent, however late it comes and whatever the conversation has
   * learnt meanwhile. The customer is notified if that changes the outcome, and gets a voucher's code. Adding it again
   * changes nothing.
   * @param claimed the documents of the claim: where the store has lost the intent, it is written again
   */
  answered(id: string, answer: Payment, claimed?: Claimed): Promise<void>;
  /** Has these payments looked at soon, if they are still open. */
  hasten(ids: readonly string[]): Promise<void>;
  /** The same for every open payment: called when a process has started. */
  hastenAll(): Promise<void>;
}

interface OutcomesDeps extends ElsewhereDeps {
  readonly store: Store;
  /** The archive of payments that have left the store. */
  readonly archive: Pick<Archive, 'find'>;
  readonly pushed: (loaded: LoadedSession) => void;
  /** Told when a payment needs a person. */
  readonly alert: (intent: Intent) => void;
}

/** Applies facts to intents: intent, the wallet's book and the customer's session change in one commit. */
export function createOutcomes(deps: OutcomesDeps): Outcomes {
  return {
    intentOf: (requestId) => intentOf(deps, requestId),
    apply: (intent, decide) => apply(deps, intent, decide),
    answered: (id, answer, claimed) => lateAnswer(deps, id, answer, claimed),
    hasten: (ids) => hasten(deps, ids),
    hastenAll: () => hastenAll(deps),
  };
}

async function intentOf({ store, archive }: OutcomesDeps, requestId: string): Promise<Intent | undefined> {
  const partition = partitionOfRef(requestId);
  if (partition === undefined) return undefined;
  const [doc] = await readDocs(store, partition, [intentKey(requestId)]);
  return intentCodec.read(doc) ?? archive.find(requestId);
}

async function lateAnswer(
  deps: OutcomesDeps,
  id: string,
  answer: Payment,
  claimed: Claimed = { docs: [] },
): Promise<void> {
  const intent = (await intentOf(deps, id)) ?? (await restored(deps, id, claimed));
  if (!intent) return;
  const { voucherCode: code, keptCode } = 'voucherCode' in answer ? answer : {};
  await apply(deps, intent, (current, book) => ({
    intent: answered(current, answer, book, deps.now()),
    code,
    keptCode,
  }));
}

/** The result of a change: the intent, and the session that has the message about it. */
interface ChangeResult {
  readonly intent?: Intent;
  readonly notified?: LoadedSession;
}

async function apply(
  deps: OutcomesDeps,
  { id, wallet, address }: Pick<Intent, 'id' | 'wallet' | 'address'>,
  decide: Decide,
): Promise<Intent | undefined> {
  // The outcome of a payment that was ordered in a chat is told where that chat lives now.
  const keys = [intentKey(id), walletKey(wallet), sessionKey(address)] as const;
  const { intent, notified: reached } = await update(deps.store, partitionOf(wallet), keys, (...docs) =>
    decided(deps, id, docs, decide),
  );
  if (reached) deps.pushed(reached);
  // The alert repeats until a person has looked at it.
  if (intent && needsPerson(intent)) deps.alert(intent);
  return intent;
}

async function decided(
  deps: OutcomesDeps,
  id: string,
  [doc, walletDoc, sessionDoc]: readonly [doc: KeyedDoc, walletDoc: KeyedDoc, sessionDoc: KeyedDoc],
  decide: Decide,
): Promise<Update<ChangeResult>> {
  const startedAt = deps.now();
  // An intent that has left the store comes back with its new evidence.
  const intent = intentCodec.read(doc) ?? (await deps.archive.find(id));
  if (!intent) return { result: {} };
  const wallet = walletStateOf(walletDoc);
  const change = decide(intent, wallet.value) ?? { intent };
  if (change.intent.evidence.length === intent.evidence.length) {
    // Nothing has come to light: only the next check is set, where there is one, or where there was one.
    const write = intentWrite(doc, change.intent, deps.now());
    const isOver = (write.dueAt ?? null) === null && (doc.version === 0 || !mayBeTakenBack(change.intent));
    const updates = isOver ? {} : carried(needsOf(change.intent, deps.now()));
    return { writes: isOver ? [] : [write], ...updates, result: { intent: change.intent } };
  }
  const reader = () => sessionOfReader(deps, intent, sessionDoc, wallet);
  return learnt(deps, { doc, intent, wallet, reader }, change, startedAt);
}

/** Intent, wallet and session after new evidence, in one commit. */
async function learnt(
  deps: OutcomesDeps,
  before: {
    readonly doc: KeyedDoc;
    readonly intent: Intent;
    readonly wallet: WalletState;
    readonly reader: () => Promise<LoadedSession>;
  },
  change: Change,
  startedAt: number,
): Promise<Update<ChangeResult>> {
  const { now } = deps;
  const { doc, intent, wallet } = before;
  const loaded = await before.reader();
  const { after, session: informed } = notifyIn(loaded, intent, change, now());
  const hasNewOutcome = outcomeOf(after) !== outcomeOf(intent);
  const session = hasNewOutcome
    ? withReceipt({ ...loaded, session: informed }, after, deps.served, now())
    : informed;
  const sessionAfter = sessionWrite({ ...loaded, session });
  const book = { ...wallet.value, ...noted(wallet.value, intent.id, bookFacts(after)) };
  const value = withOutcome(withBought(book, after, change), after, intent);
  const [codeDoc] = change.keptCode
    ? await readDocs(deps.store, partitionOf(intent.wallet), [voucherCodeKey(intent.id)])
    : [];
  const kept = keptCodeWrites(codeDoc, after, change, now());
  const walletAfter = walletWrite(intent.wallet, wallet, value);
  const next = withWallet(
    { ...loaded, version: sessionAfter.next, session },
    { version: walletAfter.next, value },
  );
  // Written also where telling is left to the answer under way: that may have been thought of without this fact.
  const awaited = session.underway?.ref === intent.id;
  const reached = session !== loaded.session || awaited;
  const turn = createRecord({
    before: loaded,
    after: next,
    event: paymentEvent(after, intent.state),
    webhook: change.webhook,
    ran: [],
    caseUpdates: needsOf(after, now()),
    startedAt,
    now: now(),
  });
  const elsewhere = hasNewOutcome ? await elsewhereWrites(deps, after, value.linked) : [];
  const writes = [intentWrite(doc, after, now()), walletAfter, ...kept, ...elsewhere];
  return {
    writes: reached ? [...writes, sessionAfter] : writes,
    ...turn,
    durable: true,
    result: { intent: after, ...(reached && { notified: next }) },
  };
}

/**
 * The event for the turn record that something was learnt of a payment.
 * @param from its state before; absent where the store had lost it
 */
export function paymentEvent({ id, state, evidence }: Intent, from?: IntentState): TurnEvent {
  const learnt = evidence.at(-1);
  if (!learnt) throw new Error(`nothing was learnt of payment ${id}`);
  return { kind: 'payment', intent: id, ...(from && { from }), to: state, why: learnt.kind };
}

/**
 * The session in which its customer reads of a payment: where it was ordered, as long as they may read about the wallet
 * there. A chat that was unlinked, linked to another wallet or idle for too long may be another person's. Then it is
 * the session of the number that has paid.
 */
async function sessionOfReader(
  { sessions, now }: OutcomesDeps,
  { address, wallet }: Intent,
  sessionDoc: KeyedDoc,
  state: WalletState,
): Promise<LoadedSession> {
  const isOwn = ownWallet(address) === wallet;
  const ordered = await (isOwn
    ? sessions.ofNumber(wallet, sessionDoc, state, now())
    : sessions.load(address, now()));
  return mayRead(ordered, wallet, now()) ? ordered : sessions.load(ownAddress(wallet), now());
}

/** The session with the message about a change, and the intent after that. A code that nobody can be given is not `codeSent`. */
function notifyIn(
  { address, session }: Pick<LoadedSession, 'address' | 'session'>,
  before: Intent,
  { intent, code }: Change,
  now: number,
): { after: Intent; session: Session } {
  const hasNewOutcome = outcomeOf(intent) !== outcomeOf(before);
  const { codeSent: _notTo, ...others } = intent.facts ?? {};
  // A code is sealed for the address that has ordered it.
  const isHandedOn = code !== undefined && address === intent.address;
  const after = code === undefined || isHandedOn ? intent : { ...intent, facts: others };
  const waits = unfinishedMessage(after, before, now);
  const waiting = waits ? enqueue(session, waits) : session;
  const informed = hasNewOutcome ? notified(withoutVoidCode(session, after), after, now) : waiting;
  return { after, session: isHandedOn ? enqueue(informed, codeMessage(intent, code, now)) : informed };
}

/** The session without a voucher's code that nobody has read yet and that the wallet has taken back. */
function withoutVoidCode(session: Session, { id, state }: Intent): Session {
  const isVoid = (message: Outgoing) => state === 'reversed' && message.id === codeMessageId(id);
  const { outbox } = session;
  return outbox?.some(isVoid) ? { ...session, outbox: outbox.filter((each) => !isVoid(each)) } : session;
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

/** Brings the next look at open payments of a partition forward. A concurrent write of one sets its next look anyway. */
async function wake(
  { store, now }: OutcomesDeps,
  partition: Partition,
  keys: readonly string[],
  afterMs: number,
): Promise<void> {
  if (keys.length === 0) return;
  for (const doc of await readDocs(store, partition, keys)) {
    const intent = intentCodec.readable(doc);
    if (!intent || !isOpen(intent)) continue;
    const write = { ...intentWrite(doc, intent, now()), dueAt: now() + afterMs };
    await store.commit(partition, { writes: [write] });
  }
}
