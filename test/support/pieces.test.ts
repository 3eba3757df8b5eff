import { expect, test } from 'vitest';
import { MACHINES } from '../../src/conversation/chart/machines.ts';
import { chartOf } from '../../src/conversation/desk/chart-of.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { createDiagrams } from '../../src/support/diagram.ts';
import { createReveals, REVEALED_MS, REVEALS_PER_HOUR } from '../../src/support/reveals.ts';
import { createSessionIds } from '../../src/support/session-id.ts';
import { snoozedUntil } from '../../src/support/snooze.ts';
import { duration, took } from '../../src/support/times.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { FATIMA, YOUSSEF } from './records.ts';

const HERE = `ussd:${FATIMA}` as const;

test('a chart has the act of each state and the states after it', () => {
  const chart = chartOf('transfer');
  expect(chart).toMatchObject({ machine: 'transfer', initial: 'beginning' });
  const does = Object.fromEntries(chart?.states.map((state) => [state.name, state.does]) ?? []);
  expect(does).toMatchObject({
    beginning: 'decides',
    askingAmount: 'asks',
    paying: 'calls',
    settled: 'ends',
  });
  expect(chart?.arrows).toContainEqual({ from: 'askingAmount', to: 'previewing', on: 'said' });
  expect(chart?.arrows).toContainEqual({ from: 'authenticating', to: 'askingPin', on: 'login lost' });
  expect(chart?.arrows).toContainEqual({ from: 'processing', to: 'notConfirmed', on: 'after 10 s' });
  expect([chartOf('nothing'), chartOf('toString')]).toEqual([undefined, undefined]);
});

test.each(Object.keys(MACHINES))('%s can be drawn, without any style of its own', async (machine) => {
  const svg = await createDiagrams(chartOf).draw(machine, new Map());
  expect(svg).toMatch(/^<svg /);
  expect(svg).not.toMatch(/ style=| fill=| on[a-z]+=|<script|<title/);
  for (const state of Object.keys(MACHINES[machine]?.states ?? {})) expect(svg).toContain(`id="s_${state}"`);
});

test('the words of a diagram are in the boxes of its states, and the selected state is marked', async () => {
  const diagrams = createDiagrams(chartOf);
  const waits = (chartOf('transfer')?.states ?? []).filter(({ does }) => does === 'asks' || does === 'ends');
  const drawn = waits.map(
    ({ name }) =>
      [
        name,
        { lines: [`Étape longue ${name}`, '12 · −3 · 4'], heat: 0, isMarked: name === 'confirming' },
      ] as const,
  );
  const svg = (await diagrams.draw('transfer', new Map(drawn))) ?? '';
  expect([...svg.matchAll(/id="(\w+)" class="node asks now"/g)].map(([, id]) => id)).toEqual([
    's_confirming',
  ]);
  const texts = [...svg.matchAll(/<text[^>]* x="([-\d.]+)" y="([-\d.]+)"[^>]*>([^<]+)/g)];
  expect(texts).toHaveLength(2 * waits.length);
  const WIDE = 7;
  for (const [, x, y, text] of texts)
    for (const [, otherX, otherY, other] of texts) {
      const isSame = x === otherX && y === otherY;
      const isNear = Math.abs(Number(y) - Number(otherY)) < 12;
      const apart = ((text?.length ?? 0) + (other?.length ?? 0)) * (WIDE / 2);
      if (!isSame && isNear) expect(Math.abs(Number(x) - Number(otherX))).toBeGreaterThan(apart * 0.8);
    }
  expect(await diagrams.draw('nothing', new Map())).toBeUndefined();
});

test('the name of a session is sealed: it hides the address and cannot be forged', () => {
  const ids = createSessionIds(createSecrets('a secrets key of the tests, 32 characters'));
  const others = createSessionIds(createSecrets('another secrets key, of 32 characters'));
  const id = ids.idOf(HERE);
  expect(id).toMatch(/^[\w-]+$/);
  expect(Buffer.from(id, 'base64url').toString('latin1')).not.toContain('612345678');
  expect(ids.addressOf(id)).toBe(HERE);
  for (const wrong of [others.idOf(HERE), `${id}x`, id.slice(1), '', HERE])
    expect(ids.addressOf(wrong)).toBeUndefined();
});

test('a reveal is for one agent and one session, for five minutes, with a limit an hour', async () => {
  const directory = newDirectory('reveals');
  const store = await openSqliteStore({ directory });
  let now = Date.now();
  const reveals = createReveals(store, () => now);
  const there = `ussd:${YOUSSEF}` as const;

  expect(await reveals.reveal('nadia', HERE)).toBe(true);
  expect(await reveals.until('nadia', HERE)).toBe(now + REVEALED_MS);
  expect([await reveals.until('nadia', there), await reveals.until('omar', HERE)]).toEqual([
    undefined,
    undefined,
  ]);
  now += REVEALED_MS;
  expect(await reveals.until('nadia', HERE)).toBeUndefined();

  let granted = 0;
  while (await reveals.reveal('omar', there)) granted++;
  expect(granted).toBe(REVEALS_PER_HOUR);
  expect(await reveals.reveal('nadia', there), 'another agent has a count of their own').toBe(true);
  now += 3_600_000;
  expect(await reveals.reveal('omar', there)).toBe(true);

  await store.close();
});

test.each([
  [0, 'fr', '1 s'],
  [59_000, 'en', '59 sec'],
  [185_000, 'en', '3 min'],
  [3_900_000, 'fr', '1 h 5 min'],
  [3_900_000, 'en', '1 hr 5 min'],
  [3_900_000, 'ar', '1 س و5 د'],
  [200_000_000, 'en', '2 days'],
] as const)('%d ms in %s: %s', (ms, language, text) => {
  expect(duration(ms, language).replace(/[\u00a0\u202f]/g, ' ')).toBe(text);
});

test.each([
  [0, 'en', '1 ms'],
  [42, 'fr', '42 ms'],
  [999, 'en', '999 ms'],
  [1_000, 'en', '1 sec'],
] as const)('a duration of %d ms, in %s: %s', (ms, language, text) => {
  expect(took(ms, language).replace(/[\u00a0\u202f]/g, ' ')).toBe(text);
});

test.each<[asked: Parameters<typeof snoozedUntil>[0], until: string | undefined]>([
  [{ for: 'hour' }, '2026-11-20T18:30Z'],
  [{ for: 'hours' }, '2026-11-20T21:30Z'],
  // A Friday: nobody is there on a Saturday.
  [{ for: 'tomorrow' }, '2026-11-23T08:30Z'],
  [{ for: 'monday' }, '2026-11-23T09:00Z'],
  [{ for: 'monday', at: '' }, '2026-11-23T09:00Z'],
  [{ for: 'hour', at: '2026-11-24T15:05' }, '2026-11-24T15:05Z'],
  // Morocco was an hour ahead.
  [{ at: '2026-07-01T15:05' }, '2026-07-01T14:05Z'],
  [{ for: 'customer' }, 'customer'],
  [{ for: 'customer', at: '2026-11-24T15:05' }, '2026-11-24T15:05Z'],
  [{}, undefined],
  [{ for: 'toString' }, undefined],
  [{ for: ['hour'] }, undefined],
  [{ for: 'hour', at: 'soon' }, undefined],
  [{ at: '2026-11-31T10:00' }, undefined],
  [{ at: '2026-11-24T24:00' }, undefined],
  [{ at: '2026-11-24T10:60' }, undefined],
])('a snooze for %j', (asked, until) => {
  const weekend = [Date.parse('2026-11-21T00:00Z'), Date.parse('2026-11-23T08:30Z')] as const;
  const opensAt = (at: number) => (at >= weekend[0] && at < weekend[1] ? weekend[1] : undefined);
  const found = snoozedUntil(asked, Date.parse('2026-11-20T17:30Z'), opensAt);
  expect(found).toBe(until === 'customer' ? until : until && Date.parse(until));
});
