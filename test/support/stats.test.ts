import { expect, test } from 'vitest';
import { MACHINES } from '../../src/conversation/machines.ts';
import type { TurnRecord } from '../../src/conversation/record.ts';
import { createHistogram } from '../../src/support/histogram.ts';
import { ARRIVES, BETWEEN, createStats, PASSAGES } from '../../src/support/stats.ts';
import { turn, turns } from './records.ts';

function after(...records: readonly Partial<TurnRecord>[]) {
  const stats = createStats();
  for (const record of turns(...records)) stats.add(record);
  return stats;
}

/** Started, completed, dropped, by machine. */
function figures(stats: ReturnType<typeof createStats>) {
  return Object.fromEntries(
    stats
      .funnels({})
      .map(({ machine, started, completed, dropped }) => [machine, [started, completed, dropped]]),
  );
}

const MENU = { to: 'menu.choosing' };

test.each<[string, Partial<TurnRecord>[], Record<string, number[]>]>([
  ['under way', [MENU, { to: 'transfer.askingAmount' }], { transfer: [1, 0, 0] }],
  [
    'money is sent, then the menu',
    [{ to: 'transfer.askingPin' }, { to: 'transfer.settled' }, MENU],
    { transfer: [1, 1, 0] },
  ],
  [
    'its outcome comes while they wait',
    [{ to: 'transfer.askingPin' }, { to: 'transfer.processing' }, { to: 'transfer.settled' }],
    { transfer: [1, 1, 0] },
  ],
  [
    'gone to the menu',
    [{ to: 'transfer.askingPin' }, { ...MENU, event: 'went menu' }],
    { transfer: [1, 0, 1] },
  ],
  ['cancelled', [{ to: 'transfer.confirming' }, { to: 'transfer.cancelled' }, MENU], { transfer: [1, 0, 1] }],
  ['away for too long', [{ to: 'transfer.askingPin' }, { to: '', event: 'time' }], { transfer: [1, 0, 1] }],
  [
    'help in between is no end',
    [
      { to: 'transfer.askingPin' },
      { to: 'help.helping' },
      { to: 'transfer.askingPin' },
      { to: 'transfer.settled' },
    ],
    { transfer: [1, 1, 0] },
  ],
  ['twice', [{ to: 'balance.shown' }, MENU, { to: 'balance.shown' }], { balance: [2, 2, 0] }],
  [
    'one that ends by leading on',
    [{ to: 'linking.askingCode' }, { ...MENU, event: 'checkLinkCode' }],
    { linking: [1, 1, 0] },
  ],
  [
    'one that would have, left',
    [{ to: 'linking.askingCode' }, { ...MENU, event: 'went menu' }],
    { linking: [1, 0, 1] },
  ],
  [
    'under way before the first record',
    [{ from: 'transfer.askingPin', to: 'transfer.settled' }],
    { transfer: [0, 1, 0] },
  ],
])('what becomes of a conversation: %s', (_name, records, expected) => {
  expect(figures(after(...records))).toEqual(expected);
});

test('each state says how often it was reached, where it was left for good, and for how long customers stood there', () => {
  const stats = after(
    { to: 'transfer.askingRecipient' },
    { to: 'transfer.askingAmount' },
    { ...MENU, event: 'went menu' },
  );
  const [transfer] = stats.funnels({});
  expect(transfer?.states).toMatchObject([
    { place: 'transfer.askingRecipient', visits: 1, dropped: 0 },
    { place: 'transfer.askingAmount', visits: 1, dropped: 1 },
  ]);
  const [median] = transfer?.states.map(({ medianMs = 0 }) => medianMs) ?? [];
  expect(median).toBeGreaterThan(850);
  expect(median).toBeLessThan(1_150);
  expect(stats.recent('transfer.askingAmount')).toEqual([turn().address]);
});

test('by channel and language', () => {
  const stats = after(
    { to: 'balance.shown' },
    { address: 'web:1', language: 'ar', from: '', to: 'balance.shown' },
  );
  const started = (slice: Parameters<typeof stats.funnels>[0]) =>
    stats.funnels(slice).map((each) => each.started);
  expect([
    started({}),
    started({ channel: 'web' }),
    started({ language: 'fr' }),
    started({ channel: 'web', language: 'fr' }),
  ]).toEqual([[2], [1], [1], []]);
});

test('calls that failed, by their code; how long webhooks took', () => {
  const ran = (came: string) => ({ ran: [{ src: 'pay', ref: 'r', ms: 1, came }] });
  const stats = after(ran('refused 20005'), ran('ok'), ran('refused 20005'), ran('unknown'), {
    lagMs: 2_000,
  });
  expect(stats.failures()).toEqual([
    { src: 'pay', came: 'refused 20005', count: 2 },
    { src: 'pay', came: 'unknown', count: 1 },
  ]);
  expect(stats.webhookLag().count).toBe(1);
});

test('a new day in Morocco begins from nothing', () => {
  const stats = createStats();
  stats.add(turn({ at: Date.parse('2026-11-20T22:30:00Z'), to: 'balance.shown' }));
  stats.add(turn({ at: Date.parse('2026-11-21T01:30:00Z'), address: 'web:1', to: 'balance.shown' }));
  expect(figures(stats)).toEqual({ balance: [1, 1, 0] });
});

test('it is known of every machine what it leads to, and every state named for it exists', () => {
  const known = [...Object.keys(ARRIVES), ...PASSAGES, ...BETWEEN];
  expect(known.sort()).toEqual(Object.keys(MACHINES).sort());
  const wrong = Object.entries(ARRIVES).flatMap(([machine, states]) =>
    states === 'ends' ? [] : states.filter((state) => !MACHINES[machine]?.states[state]),
  );
  expect(wrong).toEqual([]);
});

test.each([1, 7, 1_000, 60_000, 3_600_000])('a median of %d ms is read to a tenth', (ms) => {
  const times = createHistogram();
  for (const each of [ms / 3, ms, ms * 3]) times.add(each);
  expect(Math.abs((times.quantile(0.5) ?? 0) - ms)).toBeLessThanOrEqual(Math.max(1, ms / 10));
});
