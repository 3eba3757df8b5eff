import { beforeEach, describe, expect, test } from 'vitest';
import type { NameIn } from '../../machines/kit/sentence-key.ts';
import { MACHINES } from '../../src/conversation/chart/machines.ts';
import type { Address } from '../../src/conversation/incoming.ts';
import { BETWEEN } from '../../src/conversation/record/purpose.ts';
import type { TurnRecord } from '../../src/conversation/record/record.ts';
import type { CallOutcome } from '../../src/conversation/record/turn-event.ts';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { ARRIVES, PASSAGES } from '../../src/support/arrivals.ts';
import { createHistogram } from '../../src/support/histogram.ts';
import { createStats } from '../../src/support/stats.ts';
import { theWorld } from '../kit/world.ts';
import { called, TIME, turn, turns, went } from './records.ts';

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
  ['under way before the first record', [{ from: 'transfer.askingPin', ...DONE }], { transfer: [0, 1, 0] }],
])('the end of a conversation: %s', (_name, records, expected) => {
  expect(figures(after(...records))).toEqual(expected);
});

test.each<[string, Partial<TurnRecord>[], number[]]>([
  ['on its way', [], [0, 0, 1]],
  ['done, as the screen says', [DONE], [1, 0, 0]],
  ['done, told in the menu', [MENU, { ...MENU, said: [told('done')] }], [1, 0, 0]],
  ['failed', [{ ...DONE, screen: told('failed') }, MENU], [0, 1, 0]],
  ['the money came back', [MENU, { ...MENU, said: [told('reversed')] }], [0, 1, 0]],
  ['for a person', [{ ...DONE, screen: told('human') }], [0, 0, 1]],
  [
    'for a person, who has settled it',
    [{ ...DONE, screen: told('human') }, MENU, { ...MENU, said: [told('failed')] }],
    [0, 1, 0],
  ],
  [
    'refused, as a late answer says',
    [MENU, { ...MENU, said: [{ key: 'transfer.refused', values: { reference: { code: '3B174C73' } } }] }],
    [0, 1, 0],
  ],
  ['beside another one that was refused at once', [{ ...MENU, said: [told('refused')] }], [0, 0, 1]],
  ['told twice', [DONE, MENU, { ...MENU, said: [told('failed')] }], [1, 0, 0]],
  ['another conversation’s', [MENU, { ...MENU, said: [{ key: 'voucher.done' }] }], [0, 0, 1]],
])('a payment that is sent, %s: succeeded, failed, not known yet', (_name, records, expected) => {
  const stats = after({ to: 'transfer.askingPin' }, { to: 'transfer.processing' }, ...records);
  const [transfer] = stats.funnels({});
  expect([transfer?.completed, transfer?.failed, transfer?.unknown]).toEqual(expected);
  expect(transfer?.dropped).toBe(0);
});

test('two payments of one customer, the first settled after the second was sent', () => {
  const again = [{ to: 'transfer.askingPin' }, { to: 'transfer.processing' }];
  const stats = after(
    ...again,
    MENU,
    ...again,
    { to: 'transfer.processing', said: [told('failed')] },
    { ...DONE, said: [] },
  );
  expect(stats.funnels({})[0]).toMatchObject({ started: 2, completed: 1, failed: 1, unknown: 0, dropped: 0 });
});

describe('figures of real conversations', () => {
  // A payment is open for longer than a machine stands still.
  const world = theWorld({ settings: { settleAfterMs: 5_000 } });

  // Around noon: figures begin again at midnight.
  beforeEach(() => {
    const hour = new Date(world.clock.now()).getUTCHours();
    world.clock.ahead += ((36 - hour) % 24) * 3_600_000;
  });

  const figuresOf = async (address: Address) => {
    const stats = createStats();
    for (const record of (await world.engine.desk.turns(address, 200)).reverse()) stats.add(record);
    return stats.funnels({}).find(({ machine }) => machine === 'transfer');
  };

  test.each([
    ['0655000000', 'transfer.done', { completed: 1, failed: 0 }],
    [MAGIC.failsLater, 'transfer.failed', { completed: 0, failed: 1 }],
  ])('a transfer to %s: %s', async (to, key, figures) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says(to).says('100').enters();
    const figuresNow = () => figuresOf(fatima.address);
    expect(await figuresNow()).toMatchObject({ started: 1, completed: 0, failed: 0, unknown: 1 });
    await world.passes(60_000);
    await fatima.hears(key);
    expect(await figuresNow()).toMatchObject({ started: 1, ...figures, unknown: 0, dropped: 0 });
  });

  test('looking at an outcome again does not count for an open payment', async () => {
    const youssef = world.customer();
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says(MAGIC.staysOpen).says('10').enters();
    await world.passes(200_000);
    await fatima.goes('menu').chooses('transfer').says(youssef.phone).says('20').enters();
    await world.passes(7_000);
    const figures = { completed: 1, unknown: 1, failed: 0 };
    expect(await figuresOf(fatima.address)).toMatchObject(figures);
    await fatima.opens().goes('help').goes('back');
    expect(await figuresOf(fatima.address)).toMatchObject(figures);
  });

  test('a payment that was reversed is no success', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().chooses('transfer').says(MAGIC.reversal).says('10').enters();
    await world.passes(7_000);
    expect(await figuresOf(fatima.address)).toMatchObject({ completed: 1, failed: 0, unknown: 0 });
    await world.passes(20_000);
    expect(await figuresOf(fatima.address)).toMatchObject({ completed: 0, failed: 1, unknown: 0 });
  });
});

test('each state counts its visits, the customers who left there and the time spent', () => {
  const stats = after(
    { to: 'transfer.askingRecipient' },
    { to: 'transfer.askingAmount' },
    { ...MENU, event: went('menu') },
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

test('figures by channel and language', () => {
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

test('failed calls by code, and delays of webhooks', () => {
  const ran = (outcome: CallOutcome) => ({ ran: [called('preview', outcome)] });
  const refused = { kind: 'refused', code: '20005' } as const;
  const other = { kind: 'refused', code: '26001' } as const;
  const unknown = { kind: 'unknown' } as const;
  const stats = after(ran(refused), ran({ kind: 'ok' }), ran(other), ran(refused), ran(unknown), {
    lagMs: 2_000,
  });
  expect(stats.failures()).toEqual([
    { effect: 'preview', outcome: refused, count: 2 },
    { effect: 'preview', outcome: other, count: 1 },
    { effect: 'preview', outcome: unknown, count: 1 },
  ]);
  expect(stats.webhookLag().count).toBe(1);
});

test('a turn of the day before changes nothing once the new day has begun', () => {
  const stats = createStats();
  const [yesterday, today] = ['2026-11-30T20:00:00Z', '2026-12-01T08:00:00Z'].map((at) => Date.parse(at));
  for (const at of [today, yesterday, today])
    stats.add(turn({ at: at ?? 0, address: `web:${at}`, to: 'balance.shown' }));
  expect(figures(stats)).toEqual({ balance: [1, 1, 0] });
  expect(stats.since).toBe(today);
});

test('a new day in Morocco begins from nothing', () => {
  const stats = createStats();
  stats.add(turn({ at: Date.parse('2026-11-20T22:30:00Z'), to: 'balance.shown' }));
  stats.add(turn({ at: Date.parse('2026-11-21T01:30:00Z'), address: 'web:1', to: 'balance.shown' }));
  expect(figures(stats)).toEqual({ balance: [1, 1, 0] });
});

test('every machine has known ends, and each of its named states exists', () => {
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
