import type { Store } from '../store/store.ts';
import type { Came, Deliver, Delivery, Push } from './incoming.ts';
import { keypadOf } from './keypad.ts';
import { shownScreen } from './open-first.ts';
import type { Secrets } from './secrets.ts';
import { deliverable, enqueue, isOvertaken, type Outgoing, type Session } from './session.ts';
import { type createSessions, type Loaded, sessionWrite } from './sessions.ts';
import { languageOf } from './think.ts';
import { unsealed } from './unseal.ts';
import { screenPush } from './work.ts';

/** Waits between tries while a channel is down: the last one is repeated. */
const BACKOFF_MS = [1_000, 5_000, 30_000, 60_000, 300_000] as const;
/** After so many tries a message is held until the customer comes. */
const TRIES_MAX = 100;

/** Delivers what Wasl says on its own: stored first, at least once, in order per address (design rule 15). */
export function createDelivery(
  store: Store,
  sessions: ReturnType<typeof createSessions>,
  secrets: Secrets,
  deliver: Deliver,
  now: () => number,
) {
  /** What this process is handing over now: a turn that comes in between must not say it a second time. */
  const underway = new Set<string>();

  return {
    /** Hands the messages of a session that are waiting to its channel, until one must be tried again later. */
    async deliverAll(loaded: Loaded, isDue: (message: Outgoing) => boolean): Promise<void> {
      const results = new Map<string, Result>();
      const { session } = loaded;
      if (session.retryAt !== undefined && session.retryAt > now()) return;
      const nameOf = (id: string) => `${loaded.address} ${id}`;
      for (const message of deliverable(session)) {
        if (!isDue(message) || underway.has(nameOf(message.id))) break;
        const push = pushOf(message, loaded, secrets, now());
        underway.add(nameOf(message.id));
        const result = resultOf(await deliver(loaded.address, push).catch((): Delivery => 'later'));
        results.set(message.id, result);
        if (result.came === 'later') break;
      }
      if (results.size === 0) return;
      await change(loaded, (latest) => delivered(latest, results, now())).finally(() => {
        for (const id of results.keys()) underway.delete(nameOf(id));
      });
    },

    /** The screen is shown: what waited in case it was lost is done with, and the channel's note is kept. */
    async shown(loaded: Loaded, screenId: number, view: string | undefined): Promise<void> {
      const waits = (message: Outgoing) => message.screenId === screenId && message.tryAt === undefined;
      if (view === loaded.session.view && !loaded.session.outbox?.some(waits)) return;
      await change(loaded, (session) => ({
        ...withOutbox(session, (message) => (waits(message) ? [] : [message])),
        ...(view !== undefined && { view }),
      }));
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
        return enqueue(left, { ...screenPush(session, { money }, now()), tries: 1, tryAt });
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

  /** Changes a session by compare-and-set, again until nobody was in between. */
  async function change(first: Loaded, to: (session: Session) => Session): Promise<void> {
    let loaded = first;
    for (;;) {
      const write = sessionWrite({ ...loaded, session: to(loaded.session) });
      if (await store.commit(loaded.partition, { writes: [write] })) return;
      loaded = await sessions.load(loaded.address, now());
      if (loaded.version === 0) return;
    }
  }
}

/** What waits for an address, oldest first, without what another screen has replaced. */
export function waitingIn(loaded: Loaded, secrets: Secrets, now: number): Push[] {
  const { session } = loaded;
  const waiting = (session.outbox ?? []).filter((message) => !isOvertaken(message, session));
  return waiting.map((message) => pushOf(message, loaded, secrets, now));
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
    language: languageOf(session),
    ...(isCurrent && { screenId }),
    ...(keypad && { keypad }),
    ...(session.view !== undefined && { view: session.view }),
    ...(sealed && { isSecret: true }),
  };
}

type Result = Exclude<Delivery, Came>;

function resultOf(delivery: Delivery): Result {
  return typeof delivery === 'string' ? { came: delivery } : delivery;
}

/** The session after its channel has asked for a pause, if it has: nothing goes to the chat before that is over. */
function quieted(session: Session, afterMs: number | undefined, now: number): Session {
  const { retryAt = 0, ...rest } = session;
  const until = Math.max(retryAt, afterMs === undefined ? 0 : now + afterMs);
  return until > now ? { ...rest, retryAt: until } : rest;
}

function delivered(latest: Session, results: ReadonlyMap<string, Result>, now: number): Session {
  const pauses = [...results.values()].map(({ afterMs = 0 }) => afterMs);
  const session = quieted(latest, Math.max(...pauses), now);
  return withOutbox(session, (message) => {
    if (isOvertaken(message, session)) return [];
    const { came, afterMs } = results.get(message.id) ?? {};
    if (came === 'delivered' || came === 'gone') return [];
    const { tryAt: _tryAt, ...held } = message;
    if (came === 'held' || message.tries >= TRIES_MAX) return [held];
    if (came !== 'later') return [message];
    const wait = afterMs ?? BACKOFF_MS[Math.min(message.tries, BACKOFF_MS.length - 1)] ?? 0;
    return [{ ...message, tries: message.tries + 1, tryAt: now + wait }];
  });
}

function withOutbox(session: Session, each: (message: Outgoing) => Outgoing[]): Session {
  const { outbox = [], ...rest } = session;
  const left = outbox.flatMap(each);
  return left.length > 0 ? { ...rest, outbox: left } : rest;
}
