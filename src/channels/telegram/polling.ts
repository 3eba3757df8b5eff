import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';
import { type Log, thrown } from '../log.ts';
import { ALLOWED_UPDATES } from './commands.ts';

/** How long Telegram holds a question that has no answer yet. It allows 50 s. */
const LONG_POLL_SECONDS = 30;
/** While turns are under way Telegram holds no question, for it has an answer: it is asked this often. */
const GLANCE_MS = 250;
/** Telegram gives no more at once, counted from the first that is not acknowledged. */
const BATCH_MAX = 100;
/** Waits after a failure: the last one is repeated. */
const BACKOFF_MS = [500, 1_000, 2_000, 5_000, 15_000, 30_000] as const;
/** An update that fails so often, over more than five minutes, is given up: no more than a batch can pass it. */
const TRIES_MAX = 15;
/** Telegram gives updates to one asker only, and to none while a webhook is set (facts B1). */
const CONFLICT = 409;
const CONTESTED_EVERY_MS = 600_000;
const CONTESTED =
  'another process answers for this bot: fetch updates with one process only, or set PUBLIC_URL for all of them';

export interface PollingOptions {
  /** Patient enough for a long poll. */
  readonly api: Api;
  /** @param earlier what the customer did before: to be waited for, as it may fail and be tried again. */
  readonly handle: (update: Update, earlier: Promise<void>) => Promise<void>;
  readonly log: Log;
}

/**
 * Fetches updates. Customers are served side by side, each of them in order: whoever is slow, or fails, holds up nobody
 * else. What is done is acknowledged, by asking for what comes after it, only up to the first turn that is not saved yet;
 * so Telegram gives the rest again, and it is passed over.
 */
export function startPolling({ api, handle, log }: PollingOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Taken and not saved, oldest first. They reject when they are left to the next process. */
  const open = new Map<number, Promise<void>>();
  /** Saved, but not acknowledged yet. */
  const done = new Set<number>();
  /** The last turn of each customer. */
  const last = new Map<number, Promise<void>>();
  let next = 0;
  let contestedAt = Number.NEGATIVE_INFINITY;

  const running = (async () => {
    for (let failures = 0; !signal.aborted; ) {
      const offset = acknowledged();
      for (const id of done) if (id < offset) done.delete(id);
      try {
        const timeout = open.size > 0 ? 0 : LONG_POLL_SECONDS;
        const updates = await api.getUpdates(
          { offset, limit: BATCH_MAX, timeout, allowed_updates: ALLOWED_UPDATES },
          signal as never,
        );
        for (const update of updates) take(update);
        next = (updates.at(-1)?.update_id ?? next - 1) + 1;
        failures = 0;
        await room(updates.length >= BATCH_MAX);
      } catch (error) {
        if (signal.aborted) break;
        report(error);
        await pause(backOff(++failures)).catch(() => {});
      }
    }
  })();

  return {
    /** Resolves once the updates under way are done, and Telegram knows it. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
      await Promise.allSettled(open.values());
      const offset = acknowledged();
      if (offset > 0) await api.getUpdates({ offset, limit: 1, timeout: 0 }).catch(() => {});
    },
  };

  /** The offset to ask with: everything before it is done. */
  function acknowledged(): number {
    return open.size > 0 ? Math.min(...open.keys()) : next;
  }

  function take(update: Update): void {
    const { update_id: id } = update;
    if (open.has(id) || done.has(id)) return;
    const user = userOf(update);
    const turn = serve(update, last.get(user) ?? Promise.resolve());
    open.set(id, turn);
    last.set(user, turn);
    turn.then(
      () => {
        open.delete(id);
        done.add(id);
        if (last.get(user) === turn) last.delete(user);
      },
      () => {},
    );
  }

  /** Until the update is done or given up, in its place among what its customer does. Rejects when we stop before. */
  async function serve(update: Update, earlier: Promise<void>): Promise<void> {
    for (let failures = 0; failures <= TRIES_MAX; ) {
      try {
        return await handle(update, earlier);
      } catch (error) {
        log.error({ channel: 'telegram', ...thrown(error) }, 'turn lost');
        await pause(backOff(++failures));
      }
    }
  }

  /** Waits until asking again may bring something new. After a full batch it cannot, before its first turn is done. */
  async function room(isFull: boolean): Promise<void> {
    if (open.size === 0) return;
    const first = open.get(acknowledged());
    await Promise.race([Promise.allSettled(open.values()), pause(GLANCE_MS)]);
    if (isFull) await first;
  }

  function report(error: unknown): void {
    if (!(error instanceof GrammyError) || error.error_code !== CONFLICT) {
      log.error({ channel: 'telegram', ...thrown(error) }, 'cannot fetch updates');
      return;
    }
    // Two that fetch end each other's questions all the time: that is one piece of news.
    if (Date.now() - contestedAt < CONTESTED_EVERY_MS) return;
    contestedAt = Date.now();
    log.error({ channel: 'telegram' }, CONTESTED);
  }

  function pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal, ref: false });
  }
}

function backOff(failures: number): number {
  return BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? 0;
}

function userOf(update: Update): number {
  const { message, edited_message: edited, callback_query: pressed, my_chat_member: member } = update;
  return (message ?? edited ?? pressed ?? member)?.from?.id ?? 0;
}
