import type { Store } from '../../store/store.ts';
import type {
  Address,
  Chat,
  ChatAt,
  Conversations,
  Deliver,
  Delivery,
  DeliveryStatus,
  Push,
} from '../incoming.ts';
import type { Secrets } from '../secrets.ts';
import { keypadOf } from '../turn/keypad.ts';
import { shownScreen } from '../turn/open-first.ts';
import { languageOf, screenMessage } from './current-screen.ts';
import { deliverable, enqueue, isOvertaken, type Outgoing, type Session } from './session.ts';
import { type createSessions, type Loaded, sessionWrite } from './sessions.ts';
import { unsealed } from './unseal.ts';

/** Waits between tries while a channel is down: the last one is repeated. */
const BACKOFF_MS = [1_000, 5_000, 30_000, 60_000, 300_000] as const;
/** After so many tries a message is held until the customer comes. */
const TRIES_MAX = 100;

export interface DeliveryOptions {
  readonly store: Store;
  readonly sessions: ReturnType<typeof createSessions>;
  readonly secrets: Secrets;
  readonly deliver: Deliver;
  readonly chatAt: ChatAt;
  /** The file of a screen. */
  readonly document: Conversations['document'];
  readonly now: () => number;
}

/** Delivers what Wasl says on its own: stored first, at least once, in order per address ("at least once, in order"). */
export function createDelivery(options: DeliveryOptions) {
  const { store, sessions, now } = options;
  /** What this process is handing over now: a turn that comes in between must not say it a second time. */
  const underway = new Set<string>();

  return {
    /** Hands the messages of a session that are waiting to its channel, until one must be tried again later. */
    async deliverAll(first: Loaded, isDue: (message: Outgoing) => boolean): Promise<void> {
      const { session, address } = first;
      if (session.retryAt !== undefined && session.retryAt > now()) return;
      const chat = options.chatAt(address);
      let loaded = first;
      for (const message of deliverable(session)) {
        const name = `${address} ${message.id}`;
        if (!isDue(message) || underway.has(name)) return;
        underway.add(name);
        try {
          const handed = await (chat
            ? chat.inOrder(() => handOverInChat(chat, message.id, address))
            : handOver(loaded, message));
          if (handed.status === 'later') return;
          loaded = handed.loaded;
        } finally {
          underway.delete(name);
        }
      }
    },

    /** The screen is shown: what waited in case it was lost is done with, and the channel's note is kept. */
    async shown(loaded: Loaded, screenId: number, view: string | undefined): Promise<void> {
      const { session } = loaded;
      if (view === session.view && !session.outbox?.some((message) => waitsForScreen(message, screenId)))
        return;
      await change(loaded, (latest) => shownNow(latest, screenId, view));
    },

    /** The screen on show could not be shown: it is a message now, in place of any older screen. */
    async owe(loaded: Loaded, afterMs?: number): Promise<void> {
      await change(loaded, (latest) => {
        const session = quieted(latest, afterMs, now());
        const isOnShow = ({ screenId }: Outgoing) => screenId === session.screen;
        const money = session.outbox?.some((message) => isOnShow(message) && message.money) ?? false;
        const left = withOutbox(session, (message) =>
          isOvertaken(message, session) || isOnShow(message) ? [] : [message],
        );
        const tryAt = now() + (afterMs ?? BACKOFF_MS[0]);
        return enqueue(left, { ...screenMessage(session, { money }, now()), tries: 1, tryAt });
      });
    },

    /** Forgets messages that the customer has seen. */
    async saw(loaded: Loaded, ids: readonly string[]): Promise<void> {
      if (!loaded.session.outbox?.some(({ id }) => ids.includes(id))) return;
      await change(loaded, (session) =>
        withOutbox(session, (message) => (ids.includes(message.id) ? [] : [message])),
      );
    },
  };

  /**
   * Hands over a message in a chat where nothing else is shown meanwhile. It is read anew, for a turn may have changed the
   * chat since, or may have shown the message or a screen that takes its place. The chat's note is written before the chat
   * shows anything else.
   */
  async function handOverInChat(chat: Chat, id: string, address: Address): Promise<Handed> {
    const loaded = await sessions.load(address, now());
    const message = waitingMessages(loaded.session).find((each) => each.id === id);
    if (!message) return { status: 'delivered', loaded };
    const handed = await handOver(loaded, message);
    const { document } = message.screen;
    if (document && handed.status === 'delivered') {
      const file = await options.document(address, document).catch(() => undefined);
      await chat.sendFile(pushOf(message, loaded, options.secrets, now()), file);
    }
    return handed;
  }

  /** Hands one message to its channel, and writes down what came of it. */
  async function handOver(loaded: Loaded, message: Outgoing): Promise<Handed> {
    const push = pushOf(message, loaded, options.secrets, now());
    const result = resultOf(await options.deliver(loaded.address, push).catch((): Delivery => 'later'));
    const after = await change(loaded, (latest) => delivered(latest, push, result, now()));
    return { status: result.status, loaded: after };
  }

  /** Changes a session by compare-and-set, again until nobody was in between. */
  async function change(first: Loaded, to: (session: Session) => Session): Promise<Loaded> {
    let loaded = first;
    for (;;) {
      const session = to(loaded.session);
      const write = sessionWrite({ ...loaded, session });
      if (await store.commit(loaded.partition, { writes: [write] }))
        return { ...loaded, session, version: write.next };
      loaded = await sessions.load(loaded.address, now());
      if (loaded.version === 0) return loaded;
    }
  }
}

/** What became of a message, and the session as it was written then. */
interface Handed {
  readonly status: DeliveryStatus;
  readonly loaded: Loaded;
}

/** What waits, without what another screen has replaced. */
function waitingMessages(session: Session): Outgoing[] {
  return (session.outbox ?? []).filter((message) => !isOvertaken(message, session));
}

/** What waits for an address, oldest first, without what another screen has replaced. */
export function waitingIn(loaded: Loaded, secrets: Secrets, now: number): Push[] {
  return waitingMessages(loaded.session).map((message) => pushOf(message, loaded, secrets, now));
}

/** A message as its channel gets it, with what was sealed in it opened. */
function pushOf(message: Outgoing, loaded: Loaded, secrets: Secrets, now: number): Push {
  const { address, session } = loaded;
  const {
    tries: _tries,
    tryAt: _tryAt,
    byAgent: _who,
    received: _sum,
    intent: _of,
    sealed,
    screenId,
    ...push
  } = message;
  const screen = unsealed(message, address, secrets, now);
  const isCurrent = screenId === session.screen;
  const keypad = isCurrent ? keypadOf(session, { address, secrets, now }) : undefined;
  // A screen that begins or ends a contact names what is open, also where it comes late; an outcome speaks for itself.
  const { key, first } = isCurrent && !message.money ? shownScreen(loaded) : screen;
  return {
    ...push,
    screen: first ? { ...screen, key, first } : screen,
    language: languageOf(loaded),
    ...(isCurrent && { screenId }),
    ...(keypad && { keypad }),
    ...(session.view !== undefined && { view: session.view }),
    ...(isCurrent && session.underway && { underway: true as const }),
    ...(sealed && { isSecret: true }),
  };
}

type Result = Exclude<Delivery, DeliveryStatus>;

function resultOf(delivery: Delivery): Result {
  return typeof delivery === 'string' ? { status: delivery } : delivery;
}

/** The session after its channel has asked for a pause, if it has: nothing goes to the chat before that is over. */
function quieted(session: Session, afterMs: number | undefined, now: number): Session {
  const { retryAt = 0, ...rest } = session;
  const until = Math.max(retryAt, afterMs === undefined ? 0 : now + afterMs);
  return until > now ? { ...rest, retryAt: until } : rest;
}

/** True for a message that says what this screen says: whoever sees the screen has seen it. */
function waitsForScreen(message: Outgoing, screenId: number | undefined): boolean {
  return message.screenId !== undefined && message.screenId === screenId;
}

/** The session once its channel shows a screen, with the channel's note. */
function shownNow(session: Session, screenId: number | undefined, view: string | undefined): Session {
  return {
    ...withOutbox(session, (message) => (waitsForScreen(message, screenId) ? [] : [message])),
    ...(view !== undefined && { view }),
  };
}

function delivered(
  latest: Session,
  { id, screenId }: Push,
  { status, afterMs, view }: Result,
  now: number,
): Session {
  const quiet = quieted(latest, afterMs, now);
  const session = view === undefined ? quiet : shownNow(quiet, screenId, view);
  return withOutbox(session, (message) => {
    if (isOvertaken(message, session)) return [];
    if (message.id !== id) return [message];
    if (status === 'delivered' || status === 'gone') return [];
    const { tryAt: _tryAt, ...held } = message;
    if (status === 'held' || message.tries >= TRIES_MAX) return [held];
    const wait = afterMs ?? BACKOFF_MS[Math.min(message.tries, BACKOFF_MS.length - 1)] ?? 0;
    return [{ ...message, tries: message.tries + 1, tryAt: now + wait }];
  });
}

function withOutbox(session: Session, each: (message: Outgoing) => Outgoing[]): Session {
  const { outbox = [], ...rest } = session;
  const left = outbox.flatMap(each);
  return left.length > 0 ? { ...rest, outbox: left } : rest;
}
