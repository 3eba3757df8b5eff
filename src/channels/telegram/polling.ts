import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';
import { type Log, thrown } from '../../log/thrown.ts';
import { ALLOWED_UPDATES } from './commands.ts';

/** How long Telegram holds a question that has no answer yet. It allows 50 s. */
const LONG_POLL_SECONDS = 30;
/**
 * While turns are under way, Telegram does not hold our poll, as it has an answer. We poll again as soon as a turn is
 * done, and no later than this after an answer without news. A poll takes longer than that on its way.
 */
const GLANCE_MS = 50;
/** Telegram gives no more at once, counted from the first that is not acknowledged. */
const BATCH_MAX = 100;
/** Waits after a failure: the last one is repeated. */
const BACKOFF_MS = [500, 1_000, 2_000, 5_000, 15_000, 30_000] as const;
/** An update that fails so often, over more than five minutes, is given up: no more than a batch can pass it. */
const TRIES_MAX = 15;
/** Telegram gives updates to one asker only, and to none while a webhook is set (facts B1). */
const CONFLICT = 409;

interface PollingOptions {
  /** Patient enough for a long poll. */
  readonly api: Api;
  /** @param earlier the customer's turn before, to be waited for, as it may fail and be tried again. */
  readonly handle: (update: Update, earlier: Promise<void>) => Promise<void>;
  readonly log: Log;
}

export interface Polling {
  /** Resolves once the updates under way are done, and Telegram knows it. */
  stop(): Promise<void>;
}

/**
 * Fetches updates. Customers are served side by side, each of them in order. A slow or failing one holds up nobody
 * else. Asking for the next updates acknowledges the ones before, so we ask only up to the first turn that is not saved
 * yet. Telegram then gives the rest again, and we pass over them.
 */
export function startPolling(options: PollingOptions): Polling {
  const poller = new Poller(options);
  const running = poller.run();
  return { stop: () => poller.stop(running) };
}

class Poller {
  readonly #options: PollingOptions;
  readonly #stopping = new AbortController();
  /** Taken and not saved, oldest first. They reject when they are left to the next process. */
  readonly #open = new Map<number, Promise<void>>();
  /** Saved, but not acknowledged yet. */
  readonly #done = new Set<number>();
  readonly #last = new Map<number, Promise<void>>();
  #next = 0;

  constructor(options: PollingOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      try {
        await this.#fetch(signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) break;
        this.#report(error);
        await this.#pause(backOff(++failures)).catch(() => {});
      }
    }
  }

  async stop(running: Promise<void>): Promise<void> {
    this.#stopping.abort();
    await running;
    await Promise.allSettled(this.#open.values());
    const offset = this.#acknowledged();
    if (offset > 0) await this.#options.api.getUpdates({ offset, limit: 1, timeout: 0 }).catch(() => {});
  }

  /** Asks once, takes what there is, and waits until asking again may bring something new. */
  async #fetch(signal: AbortSignal): Promise<void> {
    const offset = this.#acknowledged();
    for (const id of this.#done) if (id < offset) this.#done.delete(id);
    const timeout = this.#open.size > 0 ? 0 : LONG_POLL_SECONDS;
    const updates = await this.#options.api.getUpdates(
      { offset, limit: BATCH_MAX, timeout, allowed_updates: ALLOWED_UPDATES },
      signal as never,
    );
    for (const update of updates) this.#take(update);
    this.#next = (updates.at(-1)?.update_id ?? this.#next - 1) + 1;
    await this.#room(updates.length >= BATCH_MAX);
  }

  #acknowledged(): number {
    return this.#open.size > 0 ? Math.min(...this.#open.keys()) : this.#next;
  }

  #take(update: Update): void {
    const { update_id: id } = update;
    if (this.#open.has(id) || this.#done.has(id)) return;
    const user = userOf(update) ?? 0;
    const turn = this.#serve(update, this.#last.get(user) ?? Promise.resolve());
    this.#open.set(id, turn);
    this.#last.set(user, turn);
    turn.then(
      () => {
        this.#open.delete(id);
        this.#done.add(id);
        if (this.#last.get(user) === turn) this.#last.delete(user);
      },
      () => {},
    );
  }

  /** Until the update is done or given up, in its place among what its customer does. Rejects when we stop before. */
  async #serve(update: Update, earlier: Promise<void>): Promise<void> {
    for (let failures = 0; failures <= TRIES_MAX; ) {
      try {
        return await this.#options.handle(update, earlier);
      } catch (error) {
        this.#options.log.say('An error ended turns', { channel: 'telegram', ...thrown(error) });
        await this.#pause(backOff(++failures));
      }
    }
  }

  /** Waits until asking again may bring something new. After a full batch it cannot, before its first turn is done. */
  async #room(isFull: boolean): Promise<void> {
    if (this.#open.size === 0) return;
    const first = this.#open.get(this.#acknowledged());
    const ended = [...this.#open.values()].map((turn) => Promise.allSettled([turn]));
    await Promise.race([...ended, this.#pause(GLANCE_MS)]);
    if (isFull) await first;
  }

  #report(error: unknown): void {
    const { log } = this.#options;
    if (!(error instanceof GrammyError) || error.error_code !== CONFLICT) {
      log.say('Updates of Telegram cannot be fetched', thrown(error));
      return;
    }
    log.say('Another process fetches the updates of this bot');
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#stopping.signal, ref: false });
  }
}

function backOff(failures: number): number {
  return BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? 0;
}

/** Who has sent an update. Undefined for one of a kind that we do not ask for. */
export function userOf(update: Update): number | undefined {
  const { message, edited_message: edited, callback_query: pressed, my_chat_member: member } = update;
  return (message ?? edited ?? pressed ?? member)?.from?.id;
}
