import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';
import { type Log, thrown } from '../log.ts';
import { ALLOWED_UPDATES } from './commands.ts';

/** How long Telegram holds a question that has no answer yet. It allows 50 s. */
const LONG_POLL_SECONDS = 30;
/** Waits after a failure: the last one is repeated. */
const BACKOFF_MS = [500, 1_000, 2_000, 5_000, 15_000, 30_000] as const;
/** An update that fails so often, over more than five minutes, is given up: it holds back everybody. */
const TRIES_MAX = 15;
/** Telegram gives updates to one asker only, and to none while a webhook is set (facts B1). */
const CONFLICT = 409;
const CONTESTED_EVERY_MS = 600_000;
const CONTESTED =
  'another process answers for this bot: fetch updates with one process only, or set PUBLIC_URL for all of them';

export interface PollingOptions {
  /** Patient enough for a long poll. */
  readonly api: Api;
  readonly handle: (update: Update) => Promise<void>;
  readonly log: Log;
}

/**
 * Fetches updates one batch after the other. Customers are served side by side, each of them in order. A batch is only
 * acknowledged, by asking for the one after it, when all of its turns are saved; what failed comes again.
 */
export function startPolling({ api, handle, log }: PollingOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let offset = 0;
  let failures = 0;
  let contestedAt = Number.NEGATIVE_INFINITY;
  /** Of the batch that is asked for again: done already. */
  let done = new Set<number>();

  const running = (async () => {
    while (!signal.aborted) {
      const before = offset;
      try {
        const options = { offset, timeout: LONG_POLL_SECONDS, allowed_updates: ALLOWED_UPDATES };
        await take(await api.getUpdates(options, signal as never));
      } catch (error) {
        if (!signal.aborted) report(error);
        failures++;
      }
      if (offset !== before) failures = 0;
      if (failures > 0) await wait();
    }
  })();

  return {
    /** Resolves once the updates under way are done, and Telegram knows it. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
      if (offset > 0) await api.getUpdates({ offset, limit: 1, timeout: 0 }).catch(() => {});
    },
  };

  async function take(updates: readonly Update[]): Promise<void> {
    const failed: number[] = [];
    await Promise.all(
      Map.groupBy(updates, userOf)
        .values()
        .map(async (own) => {
          for (const update of own) {
            if (done.has(update.update_id)) continue;
            try {
              await handle(update);
              done.add(update.update_id);
            } catch (error) {
              log.error({ channel: 'telegram', ...thrown(error) }, 'turn lost');
              failed.push(update.update_id);
              // What the customer did after it must not come before it.
              break;
            }
          }
        }),
    );
    if (failed.length > 0 && failures < TRIES_MAX) {
      offset = Math.min(...failed);
      failures++;
      return;
    }
    failures = 0;
    done = new Set();
    offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
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

  function wait(): Promise<unknown> {
    const ms = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? 0;
    return sleep(ms, undefined, { signal }).catch(() => {});
  }
}

function userOf(update: Update): number {
  const { message, edited_message: edited, callback_query: pressed, my_chat_member: member } = update;
  return (message ?? edited ?? pressed ?? member)?.from?.id ?? 0;
}
