import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { positionOf } from '../../src/store/turn-id.ts';
import type { OpenStore } from './store-contract.ts';

const LIMIT = 20;
/** So many turns that each process has looked at the limit several times. */
const MANY = 400;

/** How every driver of `Store` gives its turns to the records, and what becomes of them there. */
export function describeRecording(name: string, open: OpenStore): void {
  describe(`${name} lets its turns be recorded`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open({ turnsMax: LIMIT, recorded: true });
    });
    afterEach(() => store.close());
    const says = (turn: string, payment?: string) =>
      store.commit(17, {
        writes: payment ? [{ key: `intent:${payment}`, version: 0, value: '{}' }] : [],
        turn,
      });
    const later = async (id?: string, limit = 1_000) => (await store.turnsAfter(17, id, limit)).entries;
    const textsIn = (entries: readonly { readonly record: string }[]) => entries.map(({ record }) => record);

    test('they are read in order from the cursor, with their payments', async () => {
      for (const turn of ['a', 'b', 'c']) await says(turn, turn === 'b' ? 'one' : undefined);
      await store.commit(17, {
        writes: ['intent:two', 'intent:three', 'session:x'].map((key) => ({ key, version: 0, value: '{}' })),
        turn: 'd',
      });
      const all = await later();
      expect(textsIn(all)).toEqual(['a', 'b', 'c', 'd']);
      expect(all.map(({ payments }) => payments)).toEqual([undefined, ['one'], undefined, ['two', 'three']]);
      expect(textsIn(await later(all[1]?.id))).toEqual(['c', 'd']);
      expect(textsIn(await later(all[1]?.id, 1))).toEqual(['c']);
      expect(await later(all[3]?.id)).toEqual([]);
      expect(textsIn(await store.turns(17, 2))).toEqual(['d', 'c']);
    });

    test('a stream names its end', async () => {
      expect(await store.turnsAfter(17, undefined, 5)).toEqual({ entries: [], length: 0, lost: 0 });
      await says('a');
      await says('b');
      const [first, last] = await later();
      const { entries: _, ...state } = await store.turnsAfter(17, first?.id, 0);
      expect(state).toEqual({ length: 2, last: last?.id, lost: 0 });
      await store.recorded(17, first?.id ?? '');
      expect((await store.turnsAfter(17, undefined, 0)).recordedTo).toBe(first?.id);
    });

    test('recorded turns are deleted up to the cursor, and no further', async () => {
      for (let i = 0; i < 5; i++) await says(`${i}`);
      const all = await later();
      await store.recorded(17, all[4]?.id ?? '', all[3]?.id);
      expect(textsIn(await later())).toEqual(['3', '4']);
      await says('5');
      const next = (await later(all[4]?.id))[0];
      expect(next?.record).toBe('5');
      expect(positionOf(next?.id ?? '')).toBeGreaterThan(positionOf(all[4]?.id ?? ''));
    });

    test('at the limit the oldest turns are lost and counted, but no turn of a payment', async () => {
      for (let i = 0; i < MANY; i++) await says(`${i}`, i % 10 === 0 ? `${i}` : undefined);
      await expect
        .poll(async () => (await store.turnsAfter(17, undefined, 0)).lost)
        .toBeGreaterThan(MANY / 2);
      const { entries, lost } = await store.turnsAfter(17, undefined, MANY);
      const paid = entries.filter(({ payments }) => payments);
      expect(textsIn(paid)).toEqual(Array.from({ length: MANY / 10 }, (_, i) => `${i * 10}`));
      expect(entries.length + lost).toBe(MANY);
      expect(entries.length).toBeLessThan(MANY / 2);
      const positions = entries.map(({ id }) => positionOf(id));
      expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? -1 : 1)));
      // From any of them on: those that were put aside are not met twice, nor forgotten.
      expect(textsIn(await later(entries[3]?.id))).toEqual(textsIn(entries.slice(4)));
      expect(
        textsIn(await store.turns(17, MANY))
          .reverse()
          .slice(-LIMIT),
      ).toEqual(textsIn(entries.slice(-LIMIT)));
      await store.recorded(17, entries.at(-1)?.id ?? '', entries.at(-1)?.id);
      expect(textsIn(await later())).toEqual([`${MANY - 1}`]);
    });

    test('a recorded turn that goes at the limit is not lost', async () => {
      for (let i = 0; i < MANY; i++) {
        await says(`${i}`);
        const last = (await later()).at(-1);
        await store.recorded(17, last?.id ?? '');
      }
      await expect.poll(async () => (await later()).length).toBeLessThan(MANY / 2);
      expect((await store.turnsAfter(17, undefined, 0)).lost).toBe(0);
    });

    test('an erased turn is gone, and its id is not used again', async () => {
      for (const turn of ['a', 'b', 'c']) await says(turn);
      const ids = (await later()).map(({ id }) => id);
      await store.eraseTurns(17, [ids[0] ?? '', ids[2] ?? '']);
      await store.eraseTurns(17, []);
      expect(textsIn(await later()).filter(Boolean)).toEqual(['b']);
      await says('d');
      expect(positionOf((await later()).at(-1)?.id ?? '')).toBeGreaterThan(positionOf(ids[2] ?? ''));
    });
  });
}
