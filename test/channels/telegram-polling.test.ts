import { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startPolling } from '../../src/channels/telegram/polling.ts';
import { type BotApi, startBotApi } from './bot-api/server.ts';
import { until } from './bot-api/stage.ts';
import { fakeLog } from './fakes.ts';

/** The inbox of the fetched updates. It stores each one when the test lets it, or fails. */
function keeper() {
  const begun: string[] = [];
  const ended: string[] = [];
  const held = new Map<string, PromiseWithResolvers<void>>();
  const failures = new Map<string, number>();
  return {
    begun,
    ended,
    holds(text: string) {
      const storing = Promise.withResolvers<void>();
      held.set(text, storing);
      return storing;
    },
    fails(text: string, times = Number.POSITIVE_INFINITY) {
      failures.set(text, times);
    },
    async take(update: Update): Promise<void> {
      const text = update.message?.text ?? '';
      begun.push(text);
      await held.get(text)?.promise;
      const left = failures.get(text) ?? 0;
      failures.set(text, left - 1);
      if (left > 0) throw new Error(`canary ${text}`);
      ended.push(text);
    },
  };
}

describe('fetched updates', () => {
  let api: BotApi;
  let inbox: ReturnType<typeof keeper>;
  let polling: ReturnType<typeof startPolling>;
  const log = fakeLog();
  const poll = (take = inbox.take) =>
    startPolling({ api: new Api(api.token, { apiRoot: api.url }), take, log: log.log });
  const says = (id: number, text: string) =>
    void api.updates.add({ message: { message_id: 1, date: 1, chat: { id }, from: { id }, text } }, `${id}`);
  const offsets = () =>
    api.calls.filter(({ method }) => method === 'getUpdates').map(({ payload }) => Number(payload.offset));
  /** Several updates that come at once. */
  async function saysAtOnce(...all: readonly (readonly [id: number, text: string])[]): Promise<void> {
    const gate = inbox.holds('gate');
    says(0, 'gate');
    await until(() => inbox.begun.includes('gate'), 'nothing is asked for meanwhile');
    for (const [id, text] of all) says(id, text);
    gate.resolve();
  }
  const texts = (all: readonly string[], of: string) => all.filter((text) => text.startsWith(of));

  beforeEach(async () => {
    api = await startBotApi();
    inbox = keeper();
    polling = poll();
  });
  afterEach(async () => {
    await polling.stop();
    await api.close();
    expect(log.lines.join()).not.toContain('canary');
  });

  test('customers are stored side by side, each in their own order', async () => {
    const slow = inbox.holds('a1');
    await saysAtOnce([1, 'a1'], [1, 'a2'], [2, 'b1'], [2, 'b2']);
    await until(() => inbox.ended.includes('b2'), 'the other one is stored');
    expect(texts(inbox.begun, 'a')).toEqual(['a1']);
    slow.resolve();
    await until(() => api.updates.pending === 0, 'all is acknowledged');
    expect(inbox.ended).toEqual(['gate', 'b1', 'b2', 'a1', 'a2']);
  });

  test('one that cannot be stored holds up no other customer, and keeps the order of its own', async () => {
    inbox.fails('a1');
    await saysAtOnce([1, 'a1'], [1, 'a2'], [2, 'b1']);
    await until(() => inbox.ended.includes('b1'), 'the other one is stored');
    says(2, 'b2');
    await until(() => inbox.ended.includes('b2'), 'and the next of the other one');
    expect(texts(inbox.ended, 'a')).toEqual([]);
    inbox.fails('a1', 0);
    await until(() => api.updates.pending === 0, 'all is acknowledged');
    expect(texts(inbox.ended, 'a')).toEqual(['a1', 'a2']);
    expect(new Set(inbox.ended)).toEqual(new Set(['gate', 'a1', 'a2', 'b1', 'b2']));
  });

  test('nothing is acknowledged that is not stored: a process that dies leaves it to the next', async () => {
    const slow = inbox.holds('a1');
    await saysAtOnce([2, 'b1'], [1, 'a1'], [2, 'b2']);
    await until(() => inbox.ended.includes('b2'), 'the other one is stored');
    expect(Math.max(...offsets())).toBe(2);
    expect(api.updates.pending).toBe(3);
    const next = keeper();
    const another = poll(next.take);
    await until(() => next.ended.includes('a1'), 'the next one has it');
    slow.resolve();
    await another.stop();
  });

  test('more than Telegram gives at once: none is lost', async () => {
    inbox.fails('0', 1);
    for (let i = 0; i < 250; i++) says(i, String(i));
    await until(() => api.updates.pending === 0, 'all is acknowledged');
    // As many as Telegram gives from the one that failed, and the others after it went well.
    expect(inbox.ended.indexOf('0')).toBe(99);
    expect(new Set(inbox.ended).size).toBe(250);
  });

  test('a batch of which one comes twice is not taken for more', async () => {
    api.updates.twice();
    await saysAtOnce([1, 'a1'], [2, 'b1']);
    await until(() => api.updates.pending === 0, 'all is acknowledged');
    expect(new Set(inbox.begun)).toEqual(new Set(['gate', 'a1', 'b1']));
  });

  test('a process that stops while one cannot be stored leaves it and its followers', async () => {
    inbox.fails('a1');
    await saysAtOnce([1, 'a1'], [1, 'a2'], [2, 'b1']);
    await until(() => inbox.begun.includes('a1') && inbox.ended.includes('b1'), 'it has failed');
    await polling.stop();
    expect(texts(inbox.begun, 'a2')).toEqual([]);
    expect(api.updates.pending).toBe(3);
  });
});
