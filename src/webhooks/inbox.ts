import { randomUUID } from 'node:crypto';
import type { Background } from '../conversation/background.ts';
import type { Secrets } from '../conversation/secrets.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';

/** How long a webhook is remembered, to know a redelivered one: longer than the wallet retries (72 h). */
export const WEBHOOK_KEPT_MS = 7 * 24 * 3_600_000;
/** Whoever has saved a webhook applies it at once; another process takes over after this. */
const LEASE_MS = 15_000;
/** Waits between tries to apply one; the last is repeated until the webhook is forgotten. */
const BACKOFF_MS = [15_000, 60_000, 300_000, 3_600_000] as const;

/** Tries until a webhook is kept for a person: with the waits above, a little over 72 h. */
const TRIES_MAX = 76;

/** What became of an attempt to apply a webhook: `later` is tried again, `kept` stays for a person to look at. */
export type Applied = 'done' | 'later' | 'kept';

interface Saved {
  /** The raw body, sealed: it names people and money. Absent once it has been applied. */
  readonly sealed?: string;
  readonly tries: number;
  readonly state: 'waiting' | 'done' | 'kept';
}

/** The body's own id, if it has one: a delivery that is repeated has the same (open question 31). */
function idOf(raw: string): string | undefined {
  try {
    const id = (JSON.parse(raw) as { data?: { WebhookId?: unknown } })?.data?.WebhookId;
    return typeof id === 'string' && id.length > 0 && id.length <= 200 ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Webhooks, written down before they are acknowledged and applied afterwards, once by their `WebhookId`. */
export function createInbox(
  store: Store,
  secrets: Secrets,
  apply: (raw: string) => Promise<Applied>,
  background: Background,
  now: () => number,
) {
  const inbox = {
    /** Writes a webhook down, and then applies it behind the answer. Rejects with `StoreDown` when it is not saved. */
    async save(raw: string): Promise<void> {
      // An authentic body without an id is kept for a person; two of them are never taken for the same.
      const key = `webhook:${idOf(raw) ?? `unreadable-${randomUUID()}`}`;
      const saved: Saved = { sealed: secrets.seal(raw, key, now()), tries: 0, state: 'waiting' };
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
      const saved = doc && (JSON.parse(doc.value) as Saved);
      if (!doc || !saved?.sealed || saved.state !== 'waiting') return;
      const raw = secrets.open(saved.sealed as never, key, now(), WEBHOOK_KEPT_MS);
      const result = raw === undefined ? 'kept' : await apply(raw);
      const applied = result === 'later' && saved.tries >= TRIES_MAX ? 'kept' : result;
      const wait = BACKOFF_MS[Math.min(saved.tries, BACKOFF_MS.length - 1)] ?? 0;
      const after: Saved =
        applied === 'done'
          ? { tries: saved.tries, state: 'done' }
          : { ...saved, tries: saved.tries + 1, state: applied === 'kept' ? 'kept' : 'waiting' };
      const dueAt = applied === 'later' ? now() + wait : null;
      const write = {
        key,
        version: doc.version,
        value: JSON.stringify(after),
        dueAt,
        keepUntil: now() + WEBHOOK_KEPT_MS,
      };
      // Somebody else was faster: what they wrote stands, and applying twice changed nothing.
      await store.commit(partitionOf(key), { writes: [write] });
    },
  };
  return inbox;
}

export type Inbox = ReturnType<typeof createInbox>;
