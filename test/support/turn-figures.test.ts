import { expect, test } from 'vitest';
import type { NameIn } from '../../machines/kit/sentence-key.ts';
import { MACHINES } from '../../src/conversation/chart/machines.ts';
import { chartOf } from '../../src/conversation/desk/chart-of.ts';
import { BETWEEN } from '../../src/conversation/record/purpose.ts';
import type { TurnRecord } from '../../src/conversation/record/record.ts';
import type { CallOutcome } from '../../src/conversation/record/turn-event.ts';
import { rowOf } from '../../src/records/rows.ts';
import { ARRIVES, PASSAGES } from '../../src/support/arrivals.ts';
import { conversationsIn, failuresIn, isIn, statesIn, timesIn } from '../../src/support/figures.ts';
import { called, TIME, turns, went } from './records.ts';

/** What turns count for, as the recorder counts them. */
function after(...records: readonly Partial<TurnRecord>[]) {
  return turns(...records).flatMap(
    (record, i) => rowOf(1, { id: `${i + 1}`, record: JSON.stringify(record) }).tallies ?? [],
  );
}

/** Started, completed, dropped, by machine. */
function figures(tallies: ReturnType<typeof after>) {
  return Object.fromEntries(
    conversationsIn(tallies, chartOf).map(({ machine, started, completed, dropped }) => [
      machine,
      [started, completed, dropped],
    ]),
  );
}

const MENU = { to: 'menu.choosing' };
/** A message about a transfer, on the customer's screen or beside it. */
const told = (name: NameIn<'transfer'>) => ({ key: `transfer.${name}`, expects: 'nothing' }) as const;
const DONE = { to: 'transfer.settled', screen: told('done') };

test.each<[string, Partial<TurnRecord>[], Record<string, number[]>]>([
  ['under way', [MENU, { to: 'transfer.askingAmount' }], { transfer: [1, 0, 0] }],
  ['money is sent, then the menu', [{ to: 'transfer.askingPin' }, DONE, MENU], { transfer: [1, 1, 0] }],
  [
    'its outcome comes while they wait',
    [{ to: 'transfer.askingPin' }, { to: 'transfer.processing' }, DONE],
    { transfer: [1, 1, 0] },
  ],
  [
    'gone to the menu',
    [{ to: 'transfer.askingPin' }, { ...MENU, event: went('menu') }],
    { transfer: [1, 0, 1] },
  ],
  ['cancelled', [{ to: 'transfer.confirming' }, { to: 'transfer.cancelled' }, MENU], { transfer: [1, 0, 1] }],
  ['away for too long', [{ to: 'transfer.askingPin' }, { to: '', event: TIME }], { transfer: [1, 0, 1] }],
  [
    'help in between is no end',
    [{ to: 'transfer.askingPin' }, { to: 'help.helping' }, { to: 'transfer.askingPin' }, DONE],
    { transfer: [1, 1, 0] },
  ],
  ['twice', [{ to: 'balance.shown' }, MENU, { to: 'balance.shown' }], { balance: [2, 2, 0] }],
  [
    'one that ends by leading on',
    [
      { to: 'linking.askingCode' },
      { ...MENU, event: { kind: 'call', effect: 'checkLinkCode', end: 'answered' } },
    ],
    { linking: [1, 1, 0] },
  ],
  [
    'one that would have, left',
    [{ to: 'linking.askingCode' }, { ...MENU, event: went('menu') }],
    { linking: [1, 0, 1] },
  ],
])('the end of a conversation: %s', (_name, records, expected) => {
  expect(figures(after(...records))).toEqual(expected);
});

test('each state counts its visits, the customers who left there, and the time of those who went on', () => {
  const tallies = after(
    { to: 'transfer.askingRecipient' },
    { to: 'transfer.askingAmount', stayedMs: 900 },
    { ...MENU, event: went('menu'), stayedMs: 60_000 },
  );
  const [first, second] = statesIn(tallies, 'transfer', chartOf('transfer'));
  expect(first).toEqual({ state: 'askingRecipient', visits: 1, dropped: 0, averageMs: 900 });
  expect(second).toEqual({ state: 'askingAmount', visits: 1, dropped: 1 });
});

test('figures by channel and language', () => {
  const tallies = after(
    { to: 'balance.shown' },
    { address: 'web:1', language: 'ar', from: '', to: 'balance.shown' },
  );
  const started = (slice: Parameters<typeof isIn>[0]) =>
    conversationsIn(tallies.filter(isIn(slice)), chartOf).map((each) => each.started);
  expect([
    started({}),
    started({ channel: 'web' }),
    started({ language: 'fr' }),
    started({ channel: 'web', language: 'fr' }),
  ]).toEqual([[2], [1], [1], []]);
});

test('failed calls by code, and delays of webhooks', () => {
  const ran = (outcome: CallOutcome) => ({ ran: [called('preview', outcome)] });
  const refused = { kind: 'refused', code: '20005' } as const;
  const tallies = after(
    ran(refused),
    ran({ kind: 'ok' }),
    ran({ kind: 'refused', code: '26001' }),
    ran(refused),
    ran({ kind: 'unknown' }),
    ran({ kind: 'refused', code: 'a text of a stranger, which is no code' }),
    { ran: [called('preview', { kind: 'of a later release' } as never), null as never] },
    { lagMs: 2_000 },
    { lagMs: 1e300 },
    { lagMs: 'soon' as never },
  );
  expect(failuresIn(tallies)).toEqual([
    { call: 'preview', outcome: 'refused 20005', count: 2 },
    { call: 'preview', outcome: 'refused 26001', count: 1 },
    { call: 'preview', outcome: 'unknown', count: 1 },
    { call: 'preview', outcome: 'refused', count: 1 },
  ]);
  const [lag] = timesIn(tallies, 'lagged');
  expect([lag?.count, lag?.within.get('10'), lag?.within.get('')]).toEqual([2, 1, 1]);
});

test('every machine has known ends, and each of its named states exists', () => {
  const known = [...Object.keys(ARRIVES), ...PASSAGES, ...BETWEEN];
  expect(known.sort()).toEqual(Object.keys(MACHINES).sort());
  const wrong = Object.entries(ARRIVES).flatMap(([machine, states]) =>
    states === 'ends' ? [] : states.filter((state) => !MACHINES[machine]?.states[state]),
  );
  expect(wrong).toEqual([]);
});
