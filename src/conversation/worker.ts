import type { Due, Store } from '../store/store.ts';

/** How often the store is asked what has fallen due. */
const POLL_MS = 500;
/** How long a due document is ours before another process may take it. */
const LEASE_MS = 30_000;
/** Documents taken at once. */
const BATCH = 100;

/** What to do with a due document, by the prefix of its key (`session`, `webhook`, …). */
export type Chores = Readonly<Record<string, (name: string) => Promise<void>>>;

/**
 * Does what has fallen due, whichever process it was meant for: timers, lost answers, messages, webhooks. Several workers
 * on one store share the work by leases; compare-and-set makes it right (design rule 15).
 */
export function startWorker(
  store: Store,
  chores: Chores,
  options: { now?: () => number; onError?: (error: unknown, where: string) => void; pollMs?: number } = {},
) {
  const { now = Date.now, onError = () => {}, pollMs = POLL_MS } = options;
  let stopped = false;
  let wakeUp = () => {};
  const underWay = new Set<Promise<void>>();

  /** One round: everything that is due now. Gives how much that was. */
  async function round(): Promise<number> {
    const due = await store.due(now(), BATCH, LEASE_MS);
    const attended = Promise.all(due.map(attend)).then(() => {});
    underWay.add(attended);
    await attended.finally(() => underWay.delete(attended));
    return due.length;
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
      const done = await round().catch((error) => {
        onError(error, 'worker');
        return 0;
      });
      if (done === BATCH) continue;
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
      const all = [...underWay];
      await Promise.all(all);
      return all.length > 0;
    },
    async stop(): Promise<void> {
      stopped = true;
      wakeUp();
      await running;
    },
  };
}
