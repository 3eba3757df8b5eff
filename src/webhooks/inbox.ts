import { randomUUID } from 'node:crypto';
import type { Background } from '../conversation/background.ts';
import type { Secrets } from '../conversation/secrets.ts';
import { parseJson } from '../http/json.ts';
import { partitionOf } from '../store/partition.ts';
import { type Doc, PARTITIONS, type Store } from '../store/store.ts';

/** How long a webhook is remembered, to know a redelivered one: longer than the wallet retries (72 h). */
const WEBHOOK_KEPT_MS = 7 * 24 * 3_600_000;
/** Whoever has saved a webhook applies it at once; another process takes over after this. */
const LEASE_MS = 15_000;
/** Waits between tries to apply one; the last is repeated until the webhook is forgotten. */
const BACKOFF_MS = [15_000, 60_000, 300_000, 3_600_000] as const;

/** Tries until a webhook is kept for a person: with the waits above, a little over 72 h. */
const TRIES_MAX = 76;

const PREFIX = 'webhook:';
/** Of one partition: more than that is an incident, not a queue. */
const STUCK_MAX = 200;

/** What became of an attempt to apply a webhook: `later` is tried again, `kept` stays for a person to look at. */
export type Applied = 'done' | 'later' | 'kept';

interface Saved {
  /** When it came, in ms since 1970. */
  readonly at: number;
  /** The raw body, sealed: it names people and money. Absent once it has been applied. */
  readonly sealed?: string;
  readonly tries: number;
  readonly state: 'waiting' | 'done' | 'kept';
}

/** What a body says, if it can be read at all: none of it is known to be of its kind. */
function dataOf(raw: string): Readonly<Record<string, unknown>> {
  return (parseJson(raw) as { data?: Record<string, unknown> | null } | null | undefined)?.data ?? {};
}

/** The body's own id, if it has one: a delivery that is repeated has the same (open question 31). */
function idOf(raw: string): string | undefined {
  const id = dataOf(raw).WebhookId;
  return typeof id === 'string' && id.length > 0 && id.length <= 200 ? id : undefined;
}

/** What a person needs to decide about a webhook. Only what looks as it should: the rest names people and money. */
function aboutOf(raw: string): Pick<StuckWebhook, 'event' | 'operationId' | 'requestId'> {
  const { EventId: event, OperationId: operationId, CRequestId: requestId } = dataOf(raw);
  return {
    ...(typeof event === 'string' && /^[a-z][a-z._-]{0,59}$/i.test(event) && { event }),
    ...(typeof operationId === 'number' && /^[1-9]\d{0,11}$/.test(String(operationId)) && { operationId }),
    ...(typeof requestId === 'string' &&
      /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(requestId) && { requestId }),
  };
}

/** How often people are told again of a webhook that only they can deal with. */
const REMIND_MS = 24 * 3_600_000;

/** A webhook that has not been applied at once, or that is kept for a person. */
export interface StuckWebhook {
  readonly id: string;
  readonly state: 'waiting' | 'kept';
  readonly tries: number;
  /** When it came, in ms since 1970. */
  readonly since: number;
  /** What it says it is about, where it can be read: `transfer.received`, the wallet's operation, the request's id. */
  readonly event?: string;
  readonly operationId?: number;
  readonly requestId?: string;
}

/** Webhooks, written down before they are acknowledged and applied afterwards, once by their `WebhookId`. */
export function createInbox(
  store: Store,
  secrets: Secrets,
  apply: (raw: string) => Promise<Applied>,
  background: Background,
  now: () => number,
  /** Told when one needs a person, and again every day. */
  alert: (id: string) => void = () => {},
) {
  const inbox = {
    /** Writes a webhook down, and then applies it behind the answer. Rejects with `StoreDown` when it is not saved. */
    async save(raw: string): Promise<void> {
      // An authentic body without an id is kept for a person; two of them are never taken for the same.
      const key = `${PREFIX}${idOf(raw) ?? `unreadable-${randomUUID()}`}`;
      const saved: Saved = { at: now(), sealed: secrets.seal(raw, key, now()), tries: 0, state: 'waiting' };
      const write = {
        key,
        version: 0,
        value: JSON.stringify(saved),
        dueAt: now() + LEASE_MS,
        keepUntil: now() + WEBHOOK_KEPT_MS,
      };
      await store.commit(partitionOf(key), { writes: [write], durable: true });
      background.add(inbox.process(key), 'webhook');
    },

    /** Applies a saved webhook, if that is still to be done. Called by the worker where nobody did it. */
    async process(key: string): Promise<void> {
      const [doc] = await store.read(partitionOf(key), [key]);
      const saved = doc && savedIn(doc, now());
      if (!doc || !saved?.sealed || saved.state === 'done') return;
      if (saved.state === 'kept') {
        alert(key.slice(PREFIX.length));
        const dueAt = now() + REMIND_MS;
        await store.commit(partitionOf(key), {
          writes: [{ ...doc, key, dueAt, keepUntil: saved.at + WEBHOOK_KEPT_MS }],
        });
        return;
      }
      const raw = opened(saved, key);
      const result = raw === undefined ? 'kept' : await apply(raw);
      const applied = result === 'later' && saved.tries >= TRIES_MAX ? 'kept' : result;
      const wait = BACKOFF_MS[Math.min(saved.tries, BACKOFF_MS.length - 1)] ?? 0;
      const after: Saved =
        applied === 'done'
          ? { at: saved.at, tries: saved.tries, state: 'done' }
          : { ...saved, tries: saved.tries + 1, state: applied === 'kept' ? 'kept' : 'waiting' };
      const dueAt = applied === 'later' ? now() + wait : applied === 'kept' ? now() + REMIND_MS : null;
      const write = {
        key,
        version: doc.version,
        value: JSON.stringify(after),
        dueAt,
        keepUntil: saved.at + WEBHOOK_KEPT_MS,
      };
      // Somebody else was faster: what they wrote stands, and applying twice changed nothing.
      const written = await store.commit(partitionOf(key), { writes: [write] });
      if (written && applied === 'kept') alert(key.slice(PREFIX.length));
    },

    /** Those that a person should look at: kept ones, and ones that could not be applied yet. The oldest first. */
    async stuck(): Promise<StuckWebhook[]> {
      const found = await Promise.all(
        Array.from({ length: PARTITIONS }, async (_, partition) => {
          const scheduled = await store.scheduled(partition, PREFIX, STUCK_MAX);
          const docs = await store.read(
            partition,
            scheduled.map(({ key }) => key),
          );
          return docs.flatMap((doc, i) => stuckIn(scheduled[i]?.key ?? '', doc) ?? []);
        }),
      );
      return found.flat().sort((a, b) => a.since - b.since);
    },

    /** One of those; undefined where there is none of that id. */
    async find(id: string): Promise<StuckWebhook | undefined> {
      const key = PREFIX + id;
      const [doc] = await store.read(partitionOf(key), [key]);
      return stuckIn(key, doc);
    },

    /** Tries one again, now. False when there is none to be tried. */
    async retry(id: string): Promise<boolean> {
      const put = await change(id, (saved) => ({ ...saved, state: 'waiting' }));
      if (put) await inbox.process(PREFIX + id);
      return put;
    },

    /** A person has dealt with it: it is not looked at any more, and its body is erased. False when there is none. */
    close: (id: string): Promise<boolean> => change(id, ({ at, tries }) => ({ at, tries, state: 'done' })),
  };
  return inbox;

  function stuckIn(key: string, doc: Doc | undefined): StuckWebhook | undefined {
    const saved = doc && savedIn(doc, now());
    if (!saved || saved.state === 'done' || saved.tries === 0) return undefined;
    const { state, tries, at: since } = saved;
    const raw = opened(saved, key);
    return { id: key.slice(PREFIX.length), state, tries, since, ...(raw !== undefined && aboutOf(raw)) };
  }

  function opened({ sealed }: Saved, key: string): string | undefined {
    return sealed && secrets.open(sealed as never, key, now(), WEBHOOK_KEPT_MS);
  }

  async function change(id: string, to: (saved: Saved) => Saved): Promise<boolean> {
    const key = PREFIX + id;
    for (;;) {
      const [doc] = await store.read(partitionOf(key), [key]);
      const saved = doc && savedIn(doc, now());
      if (!doc || !saved?.sealed || saved.state === 'done') return false;
      const after = to(saved);
      const write = {
        key,
        version: doc.version,
        value: JSON.stringify(after),
        dueAt: after.state === 'done' ? null : now() + LEASE_MS,
        keepUntil: saved.at + WEBHOOK_KEPT_MS,
      };
      if (await store.commit(partitionOf(key), { writes: [write], durable: true })) return true;
    }
  }
}

export type Inbox = ReturnType<typeof createInbox>;

/** One that an older version of Wasl has saved does not say when: it is kept from now on. */
function savedIn({ value }: Doc, now: number): Saved {
  const { at = now, ...saved } = JSON.parse(value) as Partial<Saved> & Omit<Saved, 'at'>;
  return { at, ...saved };
}
