import { describe, expect, test } from 'vitest';
import type { Address, Deliver, Push } from '../../src/conversation/incoming.ts';
import { paced } from '../../src/conversation/sender-pace.ts';
import type { Store } from '../../src/store/store.ts';
import { addTestChannel } from '../kit/test-channel.ts';
import { twoStores } from '../kit/two-stores.ts';
import { STORES } from '../kit/world.ts';

const PACE = { perSecond: 10, burst: 5 };
addTestChannel('slow', { pace: PACE });
addTestChannel('free');
const PUSH = {
  id: 'm',
  screen: { key: 'menu.choose', expects: 'nothing' },
  language: 'fr',
  money: false,
} as Push;

/** Two processes that deliver, on one store, with a clock that only waiting moves. */
async function processes(on: (typeof STORES)[number]) {
  const [first, second] = await twoStores(on);
  // Redis drops what is over by its own clock, so this one begins there.
  const clock = { at: Date.now() };
  const waits: number[] = [];
  const delivered: Address[] = [];
  const deliver: Deliver = async (address) => {
    delivered.push(address);
    return 'delivered';
  };
  const wait = async (ms: number) => void waits.push(ms);
  const process = (store: Store) => paced(deliver, { store, now: () => clock.at, wait });
  return { one: process(first), two: process(second), clock, waits, delivered };
}

describe.each(STORES)('the pace of a number, counted in %s', (on) => {
  test('a burst goes at once, and what follows waits for its turn, whichever process has it', async () => {
    const { one, two, waits, delivered } = await processes(on);
    for (let i = 0; i < 8; i++) await (i % 2 ? one : two)(`slow:${i}` as Address, PUSH);
    expect(delivered).toHaveLength(8);
    expect(waits).toEqual([100, 200, 300]);
  });

  test('a message that would wait too long takes no place, and is told when to come', async () => {
    const { one, two, clock, delivered } = await processes(on);
    const at = (i: number) => (i % 2 ? one : two)(`slow:${i}` as Address, PUSH);
    for (let i = 0; i < 25; i++) expect(await at(i)).toBe('delivered');
    for (let i = 0; i < 10; i++) expect(await at(i)).toEqual({ status: 'later', afterMs: 2_100 });
    expect(delivered).toHaveLength(25);
    clock.at += 2_100;
    expect(await at(1)).toBe('delivered');
  });

  test('no window of time holds more than its pace and one burst, however many are at the door', async () => {
    const { one, two, clock, waits, delivered } = await processes(on);
    const start = clock.at;
    const went: number[] = [];
    for (let i = 0; i < 120; i++) {
      clock.at = start + i * 50;
      const before = delivered.length;
      waits.length = 0;
      await (i % 2 ? one : two)(`slow:${i}` as Address, PUSH);
      if (delivered.length > before) went.push(clock.at + (waits[0] ?? 0));
    }
    went.sort((a, b) => a - b);
    for (const from of went) {
      const inOneSecond = went.filter((each) => each >= from && each < from + 1_000);
      expect(inOneSecond.length).toBeLessThanOrEqual(PACE.perSecond + PACE.burst);
    }
    expect(went.length).toBeGreaterThan(60);
  });

  test('a channel without a pace waits for nobody', async () => {
    const { one, waits, delivered } = await processes(on);
    for (let i = 0; i < 50; i++) await one('free:x' as Address, PUSH);
    expect(delivered).toHaveLength(50);
    expect(waits).toEqual([]);
  });
});
