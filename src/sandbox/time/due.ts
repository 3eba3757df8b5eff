import type { Core } from '../core/core.ts';
import type { Delivery, Webhooks } from '../webhooks/webhooks.ts';

const DELIVERIES_AT_ONCE_MAX = 16;
/** The longest the timer sleeps: the clock may be moved underneath it. */
const NAP_MAX_MS = 60_000;

/** Something that falls due, and is then done in the database. */
export interface Timed {
  /** Does some of what is due; false when there was nothing. Runs inside one transaction. */
  work(now: number): boolean;
  /** When the next of them falls due, after that moment. */
  nextAfter(now: number): number | undefined;
}

/**
 * What happens by itself as time goes by: operations settle, identities are verified, webhooks are sent. Time is the sandbox's own. Either a
 * timer looks after it (`start`), or a test moves the clock and waits until all that fell due has happened.
 */
export function createDue({ db, clock }: Core, timed: readonly Timed[], webhooks: Webhooks) {
  const underway = new Map<number, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let started = false;
  let awake = false;

  function workOff({ work }: Timed, now: number): void {
    while (db.transaction(() => work(now)));
  }

  function send(delivery: Delivery): void {
    const attempt = webhooks
      .attempt(delivery)
      .catch((error: unknown) => console.error('sandbox: a webhook could not be tried', error))
      .finally(() => {
        underway.delete(delivery.id);
        wake();
      });
    underway.set(delivery.id, attempt);
  }

  /** Settles what is due and starts the deliveries there is room for. Gives the moment up to which it did. */
  function work(): number {
    const now = clock.now();
    for (const each of timed) workOff(each, now);
    const waiting = webhooks.dueAt(now).filter(({ id }) => !underway.has(id));
    for (const delivery of waiting.slice(0, DELIVERIES_AT_ONCE_MAX - underway.size)) send(delivery);
    return now;
  }

  /** When the next thing falls due. After the moment of the last look, not after now: nothing may slip in between. */
  function nextAfter(looked: number): number | undefined {
    const moments = [...timed, webhooks].map((each) => each.nextAfter(looked));
    return moments.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a));
  }

  function sleep(forMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(look, Math.max(forMs, 1));
    timer.unref();
  }

  function look(): void {
    awake = false;
    const next = nextAfter(work());
    const isFar = next === undefined || clock.isFrozen();
    if (started) sleep(Math.min(isFar ? NAP_MAX_MS : next - clock.now(), NAP_MAX_MS));
  }

  /** Something may have fallen due: the timer looks soon, after the answer under way has left. */
  function wake(): void {
    if (!started || awake) return;
    // Once only, or requests that come faster than the timer would put it off for ever.
    awake = true;
    sleep(1);
  }

  /** Does all that is due now, and what follows from it at once. */
  async function settle(): Promise<number> {
    let looked: number;
    do {
      looked = work();
      await Promise.all(underway.values());
    } while (webhooks.dueAt(clock.now()).length > 0);
    return looked;
  }

  return {
    wake,
    async settle(): Promise<void> {
      await settle();
    },

    start(): void {
      started = true;
      wake();
    },

    /** Goes through time as it would have passed: stops wherever something falls due, and lets it happen. */
    async advance(ms: number): Promise<void> {
      const era = db.era();
      const target = clock.now() + ms;
      let next = nextAfter(await settle());
      while (next !== undefined && next <= target && db.era() === era) {
        clock.moveTo(next);
        next = nextAfter(await settle());
      }
      // What has been reset meanwhile has a time of its own.
      if (db.era() !== era) return;
      clock.moveTo(target);
      await settle();
    },

    /** Ends the timer and the attempts under way; those are made again after the next start. */
    async stop(): Promise<void> {
      started = false;
      clearTimeout(timer);
      webhooks.stop();
      await Promise.all(underway.values());
    },
  };
}
export type DueWork = ReturnType<typeof createDue>;
