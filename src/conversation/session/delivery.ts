import { canPush, hasWindow, ownWallet } from '../channel.ts';
import type {
  Address,
  Chat,
  ChatAt,
  Conversations,
  Deliver,
  Delivery,
  DeliveryStatus,
  ProviderStatus,
  Push,
} from '../incoming.ts';
import type { Secrets } from '../secrets.ts';
import {
  atLink,
  currentScreen,
  isPrivate,
  isUnderway,
  languageOf,
  readerOf,
  screenMessage,
} from './current-screen.ts';
import { readNow } from './dated-sentences.ts';
import { createDeliveryRecord, type DeliveryOutcome } from './delivery-record.ts';
import { formToken } from './form.ts';
import { keypadOf } from './keypad.ts';
import { AGAIN } from './missed-messages.ts';
import {
  beforeSms,
  hasToMove,
  mayMove,
  moveAtOf,
  moveOn,
  NEXT_LINK_MS,
  withGot,
  withRead,
} from './next-link.ts';
import { withOpenPayments } from './open-first.ts';
import { isNamed, withEarlyStatus, withStatus } from './provider-status.ts';
import {
  deliverable,
  enqueue,
  isAccepted,
  isOvertaken,
  type Outgoing,
  pairWaitMs,
  type Session,
  withOneMore,
  withOutbox,
} from './session.ts';
import type { LoadedSession, Sessions } from './sessions.ts';
import { unsealed } from './unseal.ts';
import { hasSecret, revealed } from './wallet-secret.ts';

/** Waits between attempts while a channel is down. The last wait is repeated. */
const BACKOFF_MS = [1_000, 5_000, 30_000, 60_000, 300_000] as const;
/** After this many attempts a message is held until the customer's next input. */
const DELIVERY_TRIES_MAX = 100;

interface DeliveryOptions {
  readonly sessions: Sessions;
  readonly secrets: Secrets;
  readonly deliver: Deliver;
  readonly chatAt: ChatAt;
  readonly document: Conversations['document'];
  readonly now: () => number;
}

/** Delivers messages that are no reply to an input: stored first, then handed over ("at least once, in order" per address). */
export interface Deliveries {
  /** Hands the waiting messages of a session to its channel, until one must be tried again later. */
  deliverAll(first: LoadedSession, isDue: (message: Outgoing) => boolean): Promise<void>;
  /**
   * The screen is shown. Messages that waited in case it was lost are done with, and the channel's note is kept. If
   * none waited, the note is worth no commit of its own. Losing it costs no more than a menu that stays in the chat.
   */
  screenShown(loaded: LoadedSession, screenId: number, view: string | undefined): Promise<void>;
  /** The channel could not show the current screen: it becomes a message, in place of any older screen. */
  queueScreen(loaded: LoadedSession, afterMs?: number): Promise<void>;
  /** `Conversations.statusCame`. */
  statusCame(loaded: LoadedSession, name: string, status: ProviderStatus): Promise<void>;
  saw(loaded: LoadedSession, ids: readonly string[]): Promise<void>;
}

interface DeliveryDeps extends DeliveryOptions {
  /** Messages that this process is handing over now: a turn in the meantime must not deliver them a second time. */
  readonly underway: Set<string>;
}

export function createDelivery(options: DeliveryOptions): Deliveries {
  const deps: DeliveryDeps = { ...options, underway: new Set() };
  return {
    deliverAll: (first, isDue) => deliverAll(deps, first, isDue),
    screenShown: (loaded, screenId, view) => screenShown(deps, loaded, screenId, view),
    queueScreen: (loaded, afterMs) => queueScreen(deps, loaded, afterMs),
    statusCame: (loaded, name, status) => statusCame(deps, loaded, name, status),
    saw: (loaded, ids) => saw(deps, loaded, ids),
  };
}

async function deliverAll(
  deps: DeliveryDeps,
  first: LoadedSession,
  isDue: (message: Outgoing) => boolean,
): Promise<void> {
  const loaded = await deliverDue(deps, first, isDue);
  if (!hasToMove(loaded.session, deps.now())) return;
  await moveOn(deps, await sayClosed(deps, loaded));
}

/** Hands the messages of a session over until one must be tried again later. Gives the session as it is then. */
async function deliverDue(
  deps: DeliveryDeps,
  first: LoadedSession,
  isDue: (message: Outgoing) => boolean,
): Promise<LoadedSession> {
  const { underway, now } = deps;
  const { address } = first;
  const chat = deps.chatAt(address);
  const tried = new Set<string>();
  let loaded = first;
  for (;;) {
    const { session } = loaded;
    // A message that has come meanwhile was left to this process, as an earlier one was being delivered. It is the next
    // one.
    const [message] = deliverable(session);
    const isPaused = session.retryAt !== undefined && session.retryAt > now();
    if (!message || isPaused || tried.has(message.id) || !isDue(message)) return loaded;
    const name = `${address} ${message.id}`;
    if (underway.has(name)) return loaded;
    tried.add(message.id);
    underway.add(name);
    try {
      const handed = await (chat
        ? chat.inOrder(() => handOverInChat(deps, chat, message.id, address))
        : handOver(deps, loaded, message));
      loaded = handed.loaded;
      if (handed.status === 'later') return loaded;
    } finally {
      underway.delete(name);
    }
  }
}

async function screenShown(
  deps: DeliveryDeps,
  loaded: LoadedSession,
  screenId: number,
  view: string | undefined,
): Promise<void> {
  const { session } = loaded;
  if (session.outbox?.some((message) => waitsForScreen(message, screenId)))
    await change(deps, loaded, (latest) => withScreenShown(latest, screenId, view));
  else if (view !== undefined && view !== session.view) deps.sessions.keepNote(loaded, view);
}

async function queueScreen(
  deps: DeliveryDeps,
  loaded: LoadedSession,
  afterMs: number | undefined,
): Promise<void> {
  const { now } = deps;
  await change(deps, loaded, (latest) => {
    const session = quieted(latest, afterMs, now());
    const isOnShow = ({ screenId }: Outgoing) => screenId === session.screen;
    const money = session.outbox?.some((message) => isOnShow(message) && message.money) ?? false;
    const left = withOutbox(session, (message) =>
      isOvertaken(message, session) || isOnShow(message) ? [] : [message],
    );
    const tryAt = now() + (afterMs ?? BACKOFF_MS[0]);
    return enqueue(left, { ...screenMessage(session, { money }, now()), tries: 1, tryAt });
  });
}

async function statusCame(
  deps: DeliveryDeps,
  loaded: LoadedSession,
  name: string,
  status: ProviderStatus,
): Promise<void> {
  const { now } = deps;
  // Nothing waits for the report on an SMS that is done with. Only a failure may have come before our own commit.
  const isKnown = loaded.session.outbox?.some((each) => isNamed(each, name));
  if (!isKnown && ownWallet(loaded.address) && status !== 'failed') return;
  const record = (latest: LoadedSession) => {
    const message = latest.session.outbox?.find((each) => isNamed(each, name));
    if (!message || (status === 'failed' && !isAccepted(message) && message.smsAs === undefined))
      return undefined;
    return createDeliveryRecord(latest, message, { outcome: status }, now());
  };
  const after = await change(deps, loaded, (session) => withStatus(session, name, status, now()), record);
  if (hasToMove(after.session, now())) await moveOn(deps, after);
}

async function saw(deps: DeliveryDeps, loaded: LoadedSession, ids: readonly string[]): Promise<void> {
  if (!loaded.session.outbox?.some(({ id }) => ids.includes(id))) return;
  await change(deps, loaded, (session) => withGot(session, ({ id }) => ids.includes(id)));
}

/**
 * Hands over a message in a chat where nothing else is shown in the meantime. The message is read again, because a turn may have
 * changed the chat, or shown the message or a screen that replaces it. The chat's note is stored before the chat shows
 * anything else.
 */
async function handOverInChat(deps: DeliveryDeps, chat: Chat, id: string, address: Address): Promise<Handed> {
  const { sessions, secrets, now } = deps;
  const loaded = await sessions.load(address, now());
  const message = waitingMessages(loaded.session).find((each) => each.id === id);
  if (!message) return { status: 'delivered', loaded };
  const handed = await handOver(deps, loaded, message);
  const { document } = message.screen;
  if (document && handed.status === 'delivered') {
    const file = await deps.document(address, document).catch(() => undefined);
    await chat.sendFile(pushOf(message, loaded, secrets, now()), file);
  }
  return handed;
}

/** Hands one message to its channel, and stores the result. */
async function handOver(deps: DeliveryDeps, loaded: LoadedSession, message: Outgoing): Promise<Handed> {
  const { deliver, secrets, now } = deps;
  const push = pushOf(message, loaded, secrets, now());
  const { address, session } = loaded;
  const isNumber = ownWallet(address) !== undefined;
  const decided = isNumber ? await beforeSms(deps, loaded, message) : undefined;
  if (typeof decided === 'object') return { status: 'later', loaded: decided };
  if (decided === 'read') return store(deps, loaded, message, { status: 'held', isTold: true });
  const mustWait = decided === 'held' || (hasWindow(address) && !canPush(address, session, now()));
  const afterMs = pairWaitMs(session, address, now());
  if (afterMs > 0 && !mustWait) return store(deps, loaded, message, { status: 'later', afterMs });
  const taken = resultOf(mustWait ? 'held' : await deliver(address, push).catch((): Delivery => 'later'));
  return store(deps, loaded, message, taken);
}

/** Stores what has become of a message that was handed over. */
async function store(
  deps: DeliveryDeps,
  loaded: LoadedSession,
  message: Outgoing,
  taken: Result,
): Promise<Handed> {
  const { now } = deps;
  const { address, session } = loaded;
  const shown = message.screenId === session.screen ? message.screenId : undefined;
  const repeated = isSafeToRepeat(message) && taken.status === 'unknown' ? REPEATED : taken;
  const result = { ...repeated, status: statusFor(message, repeated) };
  const outcome = outcomeOf(message, result);
  const counted = (latest: Session) =>
    TAKEN.has(taken.status) ? withOneMore(latest, address, now()) : latest;
  const after = await change(
    deps,
    loaded,
    (latest) => delivered(counted(latest), message, result, { address, shown, now: now() }),
    outcome && ((latest) => createDeliveryRecord(latest, message, { outcome, bySms: result.bySms }, now())),
  );
  return { status: result.status, loaded: after };
}

/**
 * A message that goes to the next link is kept until it has. One that stands in for a chat is done with once an SMS is out on which
 * no report will come, or the chat has shown it after all.
 */
function statusFor(message: Outgoing, { status, bySms, isTold, as }: Result): DeliveryStatus {
  if (status === 'gone' && mayMove(message)) return 'held';
  const isSaid = isTold || (bySms && as === undefined);
  return message.standsIn && status === 'held' && isSaid ? 'delivered' : status;
}

/**
 * Before a message goes from a chat whose window is closed to the next link: says it there by a template, if there is one. The
 * message is claimed first, so that of all processes one says it. Meanwhile it moves nowhere.
 */
async function sayClosed(deps: DeliveryDeps, first: LoadedSession): Promise<LoadedSession> {
  const { deliver, secrets, now } = deps;
  const { address, session } = first;
  if (!hasWindow(address) || canPush(address, session, now())) return first;
  let loaded = first;
  for (const message of session.outbox ?? []) {
    if (message.moveAt === undefined || message.moveAt > now()) continue;
    const claimed = await claimClosed(deps, loaded, message.id);
    if (!claimed) continue;
    loaded = claimed;
    const push: Push = { ...pushOf(message, loaded, secrets, now()), isClosed: true };
    const taken = resultOf(await deliver(address, push).catch((): Delivery => 'later'));
    if (TAKEN.has(taken.status))
      loaded = (await store(deps, loaded, { ...message, byTemplate: true }, taken)).loaded;
    else loaded = await change(deps, loaded, (latest) => movedAt(latest, message.id, now()));
  }
  return loaded;
}

/** The session as it is once this process may say a message by a template. Undefined where that was tried before. */
async function claimClosed(
  { sessions, now }: DeliveryDeps,
  loaded: LoadedSession,
  id: string,
): Promise<LoadedSession | undefined> {
  let isOurs = false;
  const after = await sessions.update(
    loaded.address,
    now,
    ({ session }) => {
      isOurs = session.outbox?.some((each) => each.id === id && !each.byTemplate) === true;
      if (!isOurs) return undefined;
      const claimed = withOutbox(session, (each) => [each.id === id ? { ...each, byTemplate: true } : each]);
      return { session: movedAt(claimed, id, now() + NEXT_LINK_MS), durable: true };
    },
    loaded,
  );
  return isOurs ? after : undefined;
}

/** The session with another moment at which a message goes to the next link. */
function movedAt(session: Session, id: string, moveAt: number): Session {
  return withOutbox(session, (each) => [each.id === id ? { ...each, moveAt } : each]);
}

/** A template is tried once: whatever else its provider says moves the message on. */
const TAKEN: ReadonlySet<DeliveryStatus> = new Set(['delivered', 'accepted', 'unknown']);

/** A message whose answer was lost, and which is sent again. */
const REPEATED: Result = { status: 'later', isTold: true };

/** False for money received: said twice, it reads as if it had come twice. Every other message is about one thing that it names. */
function isSafeToRepeat({ received }: Outgoing): boolean {
  return received === undefined;
}

/** The recorded outcome of handing a message over. Undefined while we still try again. */
function outcomeOf({ tries }: Outgoing, { status }: Result): DeliveryOutcome | undefined {
  if (status !== 'later') return status;
  return tries >= DELIVERY_TRIES_MAX ? 'given-up' : undefined;
}

/** Changes a session that still exists: one that was deleted in the meantime has no messages left. */
async function change(
  { sessions, now }: DeliveryDeps,
  first: LoadedSession,
  to: (session: Session) => Session,
  recordOf?: (loaded: LoadedSession) => string | undefined,
): Promise<LoadedSession> {
  const toLatest = (loaded: LoadedSession) =>
    loaded !== first && loaded.version === 0
      ? undefined
      : { session: to(loaded.session), turn: recordOf?.(loaded) };
  return (await sessions.update(first.address, now, toLatest, first)) ?? first;
}

/** The result of handing over a message, and the session as stored after it. */
interface Handed {
  readonly status: DeliveryStatus;
  readonly loaded: LoadedSession;
}

/**
 * The waiting messages, oldest first. Left out are those that were accepted, those that another screen has replaced, and those
 * that wait for the customer's next message.
 */
function waitingMessages(session: Session): Outgoing[] {
  const isOut = (message: Outgoing) => isAccepted(message) || message.waits || isOvertaken(message, session);
  return (session.outbox ?? []).filter((message) => !isOut(message));
}

/** The messages that wait for an address, oldest first, without those that another screen has replaced. */
export function waitingIn(loaded: LoadedSession, secrets: Secrets, now: number): Push[] {
  return waitingMessages(loaded.session).map((message) => pushOf(message, loaded, secrets, now));
}

/** A message as its channel gets it, with its sealed values opened. */
function pushOf(message: Outgoing, loaded: LoadedSession, secrets: Secrets, now: number): Push {
  const { address, session } = loaded;
  const { id, money, at, topic, replaces } = message;
  const { intent, linksTo, sealed, saidAt, screenId, told, spoken } = message;
  const said = unsealed(message, address, secrets, now);
  const isCurrent = screenId === session.screen;
  const keypad = isCurrent ? keypadOf(session, { address, secrets, now }) : undefined;
  const linked = atLink(session, linksTo);
  const asks = isCurrent || linksTo === linked.screen ? currentScreen(linked).expects : 'nothing';
  const form = formToken({ address, screen: linked.screen }, asks, secrets, now);
  // The current screen says how payments stand now, even where it is delivered late. A message about an outcome stays
  // as it is.
  const screen =
    isCurrent && !message.money
      ? withOpenPayments(loaded)
      : readNow(said, { saidAt, intent }, loaded.wallet.value);
  const isSecret = sealed !== undefined || linksTo !== undefined || hasSecret(said);
  return {
    ...{ id, money },
    ...(at !== undefined && { at }),
    ...(topic && { topic }),
    ...(replaces && { replaces }),
    screen: revealed(
      told && message.money && !isCurrent ? { ...screen, notice: AGAIN } : screen,
      session,
      secrets,
      now,
    ),
    language: session.language ?? spoken ?? languageOf(loaded),
    ...(isCurrent && { screenId }),
    ...(keypad && { keypad }),
    ...(form !== undefined && { form }),
    ...(session.view !== undefined && { view: session.view }),
    ...(isCurrent && isUnderway(session) && { underway: true as const }),
    ...(isCurrent && isPrivate(session) && { isPrivate: true as const }),
    ...readerOf(loaded, secrets),
    ...(isSecret && { isSecret }),
  };
}

type Result = Exclude<Delivery, DeliveryStatus> & { readonly isTold?: true };

function resultOf(delivery: Delivery): Result {
  return typeof delivery === 'string' ? { status: delivery } : delivery;
}

/** The session after its channel has asked for a pause, if it has: nothing goes to the chat before that is over. */
function quieted(session: Session, afterMs: number | undefined, now: number): Session {
  const { retryAt = 0, ...rest } = session;
  const until = Math.max(retryAt, afterMs === undefined ? 0 : now + afterMs);
  return until > now ? { ...rest, retryAt: until } : rest;
}

/** True for a message that says the same as this screen: a customer who sees the screen has seen the message. */
function waitsForScreen(message: Outgoing, screenId: number | undefined): boolean {
  return message.screenId !== undefined && message.screenId === screenId;
}

/** The session once its channel shows a screen, with the channel's note. */
function withScreenShown(session: Session, screenId: number | undefined, view: string | undefined): Session {
  return {
    ...withGot(session, (message) => waitsForScreen(message, screenId)),
    ...(view !== undefined && { view }),
  };
}

/** The record of how a held message was sent. A provider that gave its SMS an id reports by that id. */
function toldBy(
  { id, standsIn }: Outgoing,
  bySms: true | undefined,
  isTold: true | undefined,
  smsAs: string,
): Pick<Outgoing, 'told' | 'smsAs' | 'read'> {
  if (!bySms && !isTold) return {};
  if (!bySms || smsAs === id) return { told: true };
  // An SMS for a chat is not said again by a dial, unless its provider reports that it has failed.
  return { told: true, smsAs, ...(standsIn && { read: true }) };
}

/** A message that waits for a dial, unless its page was answered before its SMS was out. */
function unlessRead({ read }: Outgoing, held: Outgoing): Outgoing[] {
  return read ? [] : [held];
}

function delivered(
  latest: Session,
  handed: Outgoing,
  { status, afterMs, view, bySms, isTold, as = handed.id }: Result,
  {
    address,
    shown,
    now,
  }: { readonly address: Address; readonly shown: number | undefined; readonly now: number },
): Session {
  const { id, byTemplate } = handed;
  const quiet = quieted(latest, afterMs, now);
  const session = view === undefined ? quiet : withScreenShown(quiet, shown, view);
  const after = withOutbox(session, (message) => {
    if (isOvertaken(message, session)) return [];
    if (message.id !== id) return [message];
    if (status === 'delivered') return [message];
    if (status === 'gone') return [];
    const { moveAt: _before, ...rest } = message;
    const moveAt = moveAtOf(message, status, { address, now });
    const moving = { ...rest, ...(moveAt !== undefined && { moveAt }), ...(byTemplate && { byTemplate }) };
    const { tryAt = now, ...waiting } = moving;
    if (status === 'accepted') return [{ ...waiting, sentAs: as }];
    if (status === 'unknown') return [{ ...waiting, waits: true, told: true }];
    const held = { ...waiting, ...toldBy(message, bySms, isTold, as) };
    if (status === 'held') return unlessRead(message, { at: now, ...held });
    if (message.tries >= DELIVERY_TRIES_MAX) return [held];
    // A channel that says when it takes the message is well.
    const failed = afterMs === undefined ? 1 : 0;
    const wait = afterMs ?? BACKOFF_MS[Math.min(message.tries, BACKOFF_MS.length - 1)] ?? 0;
    return [{ dueAt: tryAt, ...held, tries: message.tries + failed, tryAt: now + wait }];
  });
  const said = bySms ? withRead(after, handed) : after;
  if (status === 'delivered') return withGot(said, (message) => message.id === id);
  return status === 'accepted' || bySms ? withEarlyStatus(said, as, now) : said;
}
