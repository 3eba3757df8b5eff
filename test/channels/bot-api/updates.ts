import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from './rules.ts';

export type Update = Readonly<Record<string, unknown>> & { readonly update_id: number };

/** Telegram waits 2, 4, 8 … s after the first retry. A thousandth of it is enough here. */
const RETRY_MS = 10;
const RETRY_MAX_MS = 200;
const CONNECT_MAX_MS = 60_000;
const TERMINATED =
  'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';

interface Webhook {
  readonly url: string;
  readonly secret: string;
  readonly allowed: readonly string[];
}

interface Hands {
  /** Told the call that an answer of the webhook makes, if it makes one. */
  onReply: (method: string, payload: Update) => unknown;
  /** Resolves once the bot does nothing more about a fetched update. */
  rests: (update: Update) => Promise<void>;
}

/**
 * How updates reach the bot (facts B1). By webhook, the messages of a chat wait in one line and the presses of a person
 * in another, and each update comes again until it is answered 2xx. By `getUpdates`, an update comes again until the
 * offset confirms it.
 */
export function createUpdates() {
  let webhook: Webhook | undefined;
  let next = 1;
  let isTwice = false;
  let isReordered = false;
  let pending: Update[] = [];
  const lines = new Map<string, Promise<void>>();
  const wakes = new Set<() => void>();
  let asked = 0;
  const waiting = new Map<number, () => void>();
  /** The bot's answers to the deliveries. */
  const answers: { readonly update: number; readonly status: number; readonly after: string | null }[] = [];
  let isClosed = false;
  /** Rejects once the bot can take no update any more. */
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  const hands: Hands = { onReply: () => undefined, rests: async () => {} };

  return {
    hands,
    answers,
    get webhook() {
      return webhook;
    },
    get pending() {
      return pending.length;
    },
    setWebhook(to: Webhook | undefined) {
      webhook = to;
      if (!to) return;
      for (const update of pending.splice(0)) void push(update);
    },
    /** Every update comes twice from now on. */
    twice(on = true) {
      isTwice = on;
    },
    /** The newest of what waits comes first, in polling. */
    reordered(on = true) {
      isReordered = on;
    },
    close() {
      isClosed = true;
      for (const wake of wakes) wake();
    },

    /** The bot lacks something that no repetition brings. Waiting acts fail with the error. */
    breaks(error: unknown) {
      isClosed = true;
      broken.reject(error);
    },

    /** A new update. Resolves once the bot has taken it. */
    async add(body: Readonly<Record<string, unknown>>, line: string): Promise<Update> {
      const update = { update_id: next++, ...body };
      await this.again(update, line);
      return update;
    },

    /** The same update once more. */
    async again(update: Update, line: string): Promise<void> {
      if (webhook) {
        const deliveries = isTwice
          ? [push(update, line), push(update, `${line} twice`)]
          : [push(update, line)];
        await Promise.race([Promise.all(deliveries), broken.promise]);
        return;
      }
      pending.push(update);
      const taken = new Promise<void>((resolve) => waiting.set(update.update_id, resolve));
      for (const wake of wakes) wake();
      await Promise.race([taken.then(() => hands.rests(update)), broken.promise]);
    },

    async getUpdates({ offset = 0, limit = 100, timeout = 0 }): Promise<Update[]> {
      for (const { update_id: id } of pending) if (id < offset) waiting.get(id)?.();
      pending = pending.filter(({ update_id: id }) => id >= offset);
      const mine = ++asked;
      // The newer question ends the one before it.
      for (const wake of wakes) wake();
      if (pending.length === 0 && timeout > 0 && !isClosed) {
        const woken = Promise.withResolvers<void>();
        wakes.add(woken.resolve);
        setTimeout(woken.resolve, timeout * 1_000).unref();
        await woken.promise;
        wakes.delete(woken.resolve);
        if (mine !== asked && !isClosed) throw new Refused(TERMINATED, 409);
      }
      const given = pending.slice(0, limit);
      const doubled = isTwice ? given.flatMap((update) => [update, update]) : given;
      return isReordered ? doubled.toReversed() : doubled;
    },
  };

  function push(update: Update, line = 'old'): Promise<void> {
    const done = (lines.get(line) ?? Promise.resolve()).then(() => deliver(update));
    lines.set(line, done);
    return done;
  }

  async function deliver(update: Update): Promise<void> {
    for (let tries = 0; !isClosed; tries++) {
      if (tries > 1) await sleep(Math.min(RETRY_MS * 2 ** tries, RETRY_MAX_MS));
      const answer = await post(webhook, update);
      const status = answer?.status ?? 0;
      answers.push({ update: update.update_id, status, after: answer?.headers.get('retry-after') ?? null });
      const body = await answer?.text();
      if (!answer?.ok) continue;
      if (answer.headers.get('content-type')?.startsWith('application/json')) {
        const { method, ...payload } = JSON.parse(body ?? '{}');
        hands.onReply(method, payload);
      }
      return;
    }
  }
}

/** Delivers an update once. @returns the answer, if there is one */
function post(webhook: Webhook | undefined, update: Update): Promise<Response | undefined> {
  return fetch(webhook?.url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': webhook?.secret ?? '' },
    body: JSON.stringify(update),
    signal: AbortSignal.timeout(CONNECT_MAX_MS),
  }).catch(() => undefined);
}
