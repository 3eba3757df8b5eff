import type { Due, Store } from '../store/store.ts';

/** How often the store is asked what has fallen due. */
const POLL_MS = 500;
/** How long a due document is ours before another process may take it. */
const LEASE_MS = 30_000;
/** Chores under way at once. */
const CHORES_MAX = 100;

/** What to do with a due document, by the prefix of its key (`session`, `webhook`, …). */
export type Chores = Readonly<Record<string, (name: string) => Promise<void>>>;

/**
 * Does what has fallen due, whichever process it was meant for: timers, lost answers, messages, webhooks. Several workers
 * on one store share the work by leases; compare-and-set makes it right (design rule 15).
 */
export function startWorker(
  store: Pick<Store, 'due'>,
  chores: Chores,
  options: { now?: () => number; onError?: (error: unknown, where: string) => void; pollMs?: number } = {},
) {
  const { now = Date.now, onError = () => {}, pollMs = POLL_MS } = options;
  let stopped = false;
  let wakeUp = () => {};
  const underWay = new Map<string, Promise<void>>();

  /** Begins what is due now. The loop waits for none of it: a chore can be as slow as the wallet. */
  async function take(limit: number): Promise<Promise<void>[]> {
    return (await store.due(now(), limit, LEASE_MS)).map(begin);
  }

  /** One document is attended to once at a time: it may have fallen due again meanwhile. */
  function begin(due: Due): Promise<void> {
    const before = underWay.get(due.key) ?? Promise.resolve();
    const chore = before
      .then(() => attend(due))
      .finally(() => underWay.get(due.key) === chore && underWay.delete(due.key));
    underWay.set(due.key, chore);
    return chore;
  }

  /** One round: everything that is due now. Gives how much that was. */
  async function round(): Promise<number> {
    return (await Promise.all(await take(CHORES_MAX))).length;
  }

  async function attend({ key }: Due): Promise<void> {
    const [prefix = ''] = key.split(':', 1);
    try {
      await chores[prefix]?.(key.slice(prefix.length + 1));
    } catch (error) {
      // Its lease runs out, and it is due again.
      onError(error, `due ${prefix}`);
    }
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      const room = CHORES_MAX - underWay.size;
      const taken = await take(room).catch((error) => {
        onError(error, 'worker');
        return [];
      });
      if (taken.length === room) {
        // There may be more: it is taken when one is done.
        await Promise.race(underWay.values());
        continue;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollMs);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  const running = loop();
  return {
    round,
    /** Waits for what other rounds have taken. True when there was any. */
    async settles(): Promise<boolean> {
      const all = [...underWay.values()];
      await Promise.all(all);
      return all.length > 0;
    },
    async stop(): Promise<void> {
      stopped = true;
      wakeUp();
      await running;
      await Promise.all(underWay.values());
    },
  };
}
