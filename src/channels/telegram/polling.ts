import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';
import { type Log, thrown } from '../../log/thrown.ts';
import { ALLOWED_UPDATES } from './commands.ts';

/** How long Telegram holds a question that has no answer yet. It allows 50 s. */
const LONG_POLL_SECONDS = 30;
/** Telegram gives no more at once, counted from the first that is not acknowledged. */
const BATCH_MAX = 100;
/** Waits after a failure: the last one is repeated. */
const BACKOFF_MS = [500, 1_000, 2_000, 5_000, 15_000, 30_000] as const;
/** Nobody else waits longer than this for an update that cannot be stored. */
const LOST_WAIT_MAX_MS = 2_000;
/** An update that cannot be stored so often, over more than five minutes, is given up: no more than a batch can pass it. */
const TRIES_MAX = 160;
/** Telegram gives updates to one asker only, and to none while a webhook is set (facts B1). */
const CONFLICT = 409;

interface PollingOptions {
  /** Patient enough for a long poll. */
  readonly api: Api;
  /** Resolves once the update is stored. */
  readonly take: (update: Update) => Promise<void>;
  readonly log: Log;
}

export interface Polling {
  /** Resolves once the updates that were fetched are stored. */
  stop(): Promise<void>;
}

/**
 * Fetches updates. To ask for the next ones acknowledges the ones before, so we ask up to the first that could not be
 * stored. Telegram then gives the rest again, and the inbox knows those that it has.
 */
export function startPolling(options: PollingOptions): Polling {
  const stopping = new AbortController();
  const running = poll(options, stopping.signal);
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

async function poll({ api, take, log }: PollingOptions, signal: AbortSignal): Promise<void> {
  let offset = 0;
  for (let failures = 0, tries = 0; !signal.aborted; ) {
    try {
      const question = { limit: BATCH_MAX, timeout: LONG_POLL_SECONDS, allowed_updates: ALLOWED_UPDATES };
      const updates = await api.getUpdates({ offset, ...question }, signal as never);
      const lost = await takeAll(updates, take, log);
      const isTriedAgain = lost !== undefined && tries < TRIES_MAX;
      tries = isTriedAgain ? tries + 1 : 0;
      failures = 0;
      const last = updates.at(-1)?.update_id ?? offset - 1;
      offset = isTriedAgain ? lost : (lost ?? last) + 1;
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      report(error, log);
    }
    const ms = failures > 0 ? backOff(failures) : Math.min(backOff(tries), LOST_WAIT_MAX_MS);
    if (ms > 0) await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Takes the updates of each customer in their order, and customers side by side. Gives the first id that could not be stored. */
async function takeAll(
  updates: readonly Update[],
  take: PollingOptions['take'],
  log: Log,
): Promise<number | undefined> {
  const lost: number[] = [];
  const takeOf = async (own: readonly Update[]) => {
    for (const update of own) {
      try {
        await take(update);
      } catch (error) {
        log.say('An error ended turns', { channel: 'telegram', ...thrown(error) });
        lost.push(update.update_id);
        return;
      }
    }
  };
  await Promise.all(Map.groupBy(updates, userOf).values().map(takeOf));
  return lost.length > 0 ? Math.min(...lost) : undefined;
}

function report(error: unknown, log: Log): void {
  if (error instanceof GrammyError && error.error_code === CONFLICT)
    log.say('Another process fetches the updates of this bot');
  else log.say('Updates of Telegram cannot be fetched', thrown(error));
}

function backOff(failures: number): number {
  return BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? 0;
}

/** The sender of an update. Undefined for one of a kind that we do not ask for. */
export function userOf(update: Update): number | undefined {
  const { message, edited_message: edited, callback_query: pressed, my_chat_member: member } = update;
  return (message ?? edited ?? pressed ?? member)?.from?.id;
}
