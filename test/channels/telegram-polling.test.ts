import { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startPolling } from '../../src/channels/telegram/polling.ts';
import { type BotApi, startBotApi } from './bot-api/server.ts';
import { until } from './bot-api/stage.ts';
import { fakeLog } from './fakes.ts';

/** The turns of the fetched updates, without a bot. Each one waits until the test lets it go or fail. */
function attendant() {
  const begun: string[] = [];
  const ended: string[] = [];
  const held = new Map<string, PromiseWithResolvers<void>>();
  const failures = new Map<string, number>();
  return {
    begun,
    ended,
    holds(text: string) {
      const turn = Promise.withResolvers<void>();
      held.set(text, turn);
      return turn;
    },
    fails(text: string, times = Number.POSITIVE_INFINITY) {
      failures.set(text, times);
    },
    async handle(update: Update, earlier: Promise<void> | undefined): Promise<void> {
      const text = update.message?.text ?? '';
      await earlier;
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
  let turns: ReturnType<typeof attendant>;
  let polling: ReturnType<typeof startPolling>;
  const log = fakeLog();
  const poll = (handle = turns.handle) =>
    startPolling({ api: new Api(api.token, { apiRoot: api.url }), handle, log: log.log });
  const says = (id: number, text: string) =>
    void api.updates.add({ message: { message_id: 1, date: 1, chat: { id }, from: { id }, text } }, `${id}`);
  const offsets = () =>
    api.calls.filter(({ method }) => method === 'getUpdates').map(({ payload }) => Number(payload.offset));

  beforeEach(async () => {
    api = await startBotApi();
    turns = attendant();
    polling = poll();
  });
  afterEach(async () => {
    await polling.stop();
    await api.close();
    expect(log.lines.join()).not.toContain('canary');
  });

  test('one customer whose turn takes its time holds up nobody, and keeps their own order', async () => {
    const slow = turns.holds('a1');
    says(1, 'a1');
    await until(() => turns.begun.includes('a1'), 'it is under way');
    says(1, 'a2');
    says(2, 'b1');
    says(2, 'b2');
    await until(() => turns.ended.length === 2, 'the other one is answered');
    expect(turns.begun).toEqual(['a1', 'b1', 'b2']);
    slow.resolve();
    await until(() => api.updates.pending === 0, 'all is acknowledged');
    expect(turns.ended).toEqual(['b1', 'b2', 'a1', 'a2']);
  });

  test('a failing turn holds up no other customer, and keeps the order of its own', async () => {
    turns.fails('a1');
    says(1, 'a1');
    says(1, 'a2');
    says(2, 'b1');
    await until(() => turns.ended.includes('b1'), 'the other one is answered');
    expect(turns.ended).toEqual(['b1']);
    says(2, 'b2');
    await until(() => turns.begun.filter((text) => text === 'a1').length > 1, 'it is tried again');
    turns.fails('a1', 0);
    await until(() => turns.ended.includes('a2'), 'it went well at last');
    const [last, ...before] = turns.begun.filter((text) => text.startsWith('a')).toReversed();
    expect([last, ...new Set(before)]).toEqual(['a2', 'a1']);
    await until(() => api.updates.pending === 0, 'all is acknowledged');
    expect(turns.ended.toSorted()).toEqual(['a1', 'a2', 'b1', 'b2']);
  });

  test('nothing is acknowledged that is not done: a process that dies leaves it to the next', async () => {
    const slow = turns.holds('a1');
    says(2, 'b1');
    says(1, 'a1');
    says(2, 'b2');
    await until(() => turns.ended.length === 2, 'the other one is answered');
    const asked = offsets().length;
    await until(() => offsets().length > asked + 1, 'it has asked again');
    expect(Math.max(...offsets())).toBe(2);
    expect(api.updates.pending).toBe(2);
    const next = attendant();
    const another = poll(next.handle);
    await until(() => next.ended.includes('a1'), 'the next one has it');
    slow.resolve();
    await another.stop();
  });

  test('more than Telegram gives at once: none is lost, and none comes twice', async () => {
    turns.fails('0', 1);
    for (let i = 0; i < 250; i++) says(i, String(i));
    await until(() => api.updates.pending === 0, 'all is acknowledged');
    // As many as Telegram gives from the one that failed, and the others after it went well.
    expect(turns.ended.indexOf('0')).toBe(99);
    expect(turns.begun).toHaveLength(251);
    expect(new Set(turns.ended).size).toBe(250);
  });

  test('a batch of which one comes twice is not taken for more', async () => {
    api.updates.twice();
    const slow = turns.holds('a1');
    says(1, 'a1');
    says(2, 'b1');
    await until(() => turns.ended.includes('b1'), 'the other one is answered');
    slow.resolve();
    await until(() => api.updates.pending === 0, 'all is acknowledged');
    expect(turns.begun.toSorted()).toEqual(['a1', 'b1']);
  });

  test('a process that stops during a failing turn leaves it and its followers, and acknowledges the rest', async () => {
    turns.fails('a1');
    says(2, 'b1');
    says(1, 'a1');
    says(1, 'a2');
    await until(() => turns.begun.includes('a1') && turns.ended.includes('b1'), 'it has failed');
    await polling.stop();
    expect(turns.ended).toEqual(['b1']);
    expect(api.updates.pending).toBe(2);
  });
});
