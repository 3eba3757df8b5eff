import type { Store } from '../store/store.ts';
import type { Address, Deliver, Delivery, Language, Push } from './incoming.ts';
import type { Secrets } from './secrets.ts';
import type { Outgoing, Session } from './session.ts';
import { type createSessions, type Loaded, sessionWrite } from './sessions.ts';
import { languageOf } from './think.ts';
import { unsealed } from './unseal.ts';

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
  return {
    /** Hands the messages of a session that are waiting to its channel, until one must be tried again later. */
    async deliverAll(loaded: Loaded, isDue: (message: Outgoing) => boolean): Promise<void> {
      const results = new Map<string, Delivery>();
      for (const message of loaded.session.outbox ?? []) {
        if (message.tryAt === undefined) continue;
        if (!isDue(message)) break;
        const push = pushOf(message, loaded.address, languageOf(loaded.session), secrets, now());
        const result = await deliver(loaded.address, push).catch((): Delivery => 'later');
        results.set(message.id, result);
        if (result === 'later') break;
      }
      if (results.size > 0) await change(loaded, (session) => delivered(session, results, now()));
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

/** A message as its channel gets it, with what was sealed in it opened. */
export function pushOf(
  message: Outgoing,
  address: Address,
  language: Language,
  secrets: Secrets,
  now: number,
): Push {
  const { tries: _tries, tryAt: _tryAt, sealed, ...push } = message;
  const screen = unsealed(message, address, secrets, now);
  return { ...push, screen, language, ...(sealed && { isSecret: true }) };
}

function delivered(session: Session, results: ReadonlyMap<string, Delivery>, now: number): Session {
  return withOutbox(session, (message) => {
    const result = results.get(message.id);
    if (result === 'delivered' || result === 'gone') return [];
    const { tryAt: _tryAt, ...held } = message;
    if (result === 'held' || message.tries >= TRIES_MAX) return [held];
    if (result !== 'later') return [message];
    const wait = BACKOFF_MS[Math.min(message.tries, BACKOFF_MS.length - 1)] ?? 0;
    return [{ ...message, tries: message.tries + 1, tryAt: now + wait }];
  });
}

function withOutbox(session: Session, each: (message: Outgoing) => Outgoing[]): Session {
  const { outbox = [], ...rest } = session;
  const left = outbox.flatMap(each);
  return left.length > 0 ? { ...rest, outbox: left } : rest;
}
