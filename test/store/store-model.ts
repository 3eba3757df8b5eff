import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Commit,
  type Doc,
  type Due,
  type Partition,
  SAME,
  type Store,
  type Write,
} from '../../src/store/store.ts';
import type { OpenStore } from './store-contract.ts';

/** 40 random lives of 50 steps each. */
const LIVES = 40;
const STEPS = 50;
const TURNS_MAX = 8;

interface ModelDoc extends Doc {
  dueAt: number | null;
}

type Step =
  | { do: 'commit'; partition: Partition; writes: readonly ModelWrite[]; turn: string | undefined }
  | { do: 'read'; partition: Partition; keys: readonly string[] }
  | { do: 'due'; after: number; leaseMs: number }
  | { do: 'turns'; partition: Partition; limit: number };

/** A write whose version is told by how far it is from the true one. */
interface ModelWrite {
  readonly key: string;
  readonly off: number;
  readonly value: string | null;
  readonly dueIn: number | null | typeof SAME | undefined;
  readonly keep: 'long' | 'past' | undefined;
}

const partitions = fc.constantFrom(0, 17, 255);
const keys = fc.constantFrom('a', 'b', 'ussd:+212612345678', '{x}', 'é|');
const writes = fc.record({
  key: keys,
  off: fc.oneof(
    { weight: 8, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -2, max: 2 }) },
  ),
  value: fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 5, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  ),
  dueIn: fc.option(fc.oneof(fc.constant(null), fc.constant(SAME), fc.integer({ min: -50, max: 200 })), {
    nil: undefined,
  }),
  keep: fc.constantFrom(undefined, undefined, 'long' as const, 'long' as const, 'past' as const),
});
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      partition: partitions,
      writes: fc.uniqueArray(writes, { selector: ({ key }) => key, maxLength: 4 }),
      turn: fc.option(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), { nil: undefined }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      partition: partitions,
      keys: fc.array(keys, { maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('due' as const),
      after: fc.integer({ min: 0, max: 60 }),
      leaseMs: fc.integer({ min: 1, max: 100 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('turns' as const),
      partition: partitions,
      limit: fc.integer({ min: 0, max: 12 }),
    }),
  },
);

/** The store as a reader of its interface would write it in a minute. */
function makeModel() {
  const docs = new Map<string, ModelDoc>();
  const turnsOf = new Map<Partition, string[]>();
  const at = (partition: Partition, key: string) => `${partition} ${key}`;
  return {
    version: (partition: Partition, key: string) => docs.get(at(partition, key))?.version ?? 0,
    read: (partition: Partition, keys: readonly string[]) =>
      keys.map((key) => {
        const doc = docs.get(at(partition, key));
        return doc && { value: doc.value, version: doc.version };
      }),
    commit(partition: Partition, { writes, turn }: Commit): boolean {
      if (writes.some(({ key, version }) => version !== this.version(partition, key))) return false;
      for (const { key, version, value, dueAt = null, keepUntil = Number.POSITIVE_INFINITY } of writes) {
        if (value === null || keepUntil <= Date.now()) docs.delete(at(partition, key));
        else {
          const due = dueAt === SAME ? (docs.get(at(partition, key))?.dueAt ?? null) : dueAt;
          docs.set(at(partition, key), { value, version: version + 1, dueAt: due });
        }
      }
      if (turn !== undefined)
        turnsOf.set(partition, [turn, ...(turnsOf.get(partition) ?? [])].slice(0, TURNS_MAX));
      return true;
    },
    due(now: number, leaseMs: number): Due[] {
      const found = [...docs].filter(([, { dueAt }]) => dueAt !== null && dueAt <= now);
      const due = found.map(([name, doc]) => {
        const [partition, ...key] = name.split(' ');
        return { partition: Number(partition), key: key.join(' '), dueAt: Number(doc.dueAt) };
      });
      for (const [, doc] of found) doc.dueAt = now + leaseMs;
      due.sort(
        (a, b) => a.partition - b.partition || a.dueAt - b.dueAt || Buffer.compare(bytes(a), bytes(b)),
      );
      return due.map(({ partition, key }) => ({ partition, key }));
    },
    turns: (partition: Partition, limit: number) => (turnsOf.get(partition) ?? []).slice(0, limit),
  };
}

const bytes = ({ key }: { key: string }) => Buffer.from(key);

/** Random steps on a store and on the model give the same answers. */
export function testAgainstModel(name: string, open: OpenStore): void {
  test(`${name}: ${LIVES * STEPS} random operations give what the model gives`, async () => {
    const lives = fc.array(steps, { minLength: STEPS, maxLength: STEPS });
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        const store = await open({ turnsMax: TURNS_MAX });
        try {
          await live(store, life);
        } finally {
          await store.close();
        }
      }),
      { numRuns: LIVES },
    );
  });
}

async function live(store: Store, life: readonly Step[]): Promise<void> {
  const model = makeModel();
  let now = 1_000_000;
  for (const step of life) {
    if (step.do === 'read') {
      expect(await store.read(step.partition, step.keys)).toEqual(model.read(step.partition, step.keys));
    } else if (step.do === 'turns') {
      const entries = await store.turns(step.partition, step.limit);
      expect(entries.map(({ record }) => record)).toEqual(model.turns(step.partition, step.limit));
    } else if (step.do === 'due') {
      now += step.after;
      // The order of the partitions is the driver's own.
      const due = (await store.due(now, 1_000, step.leaseMs)).sort((a, b) => a.partition - b.partition);
      expect(due).toEqual(model.due(now, step.leaseMs));
    } else {
      const { partition, turn } = step;
      const writes = step.writes.map((it) => toWrite(it, model.version(partition, it.key), now));
      const commit = turn === undefined ? { writes } : { writes, turn };
      expect(await store.commit(partition, commit)).toBe(model.commit(partition, commit));
    }
  }
}

function toWrite({ key, off, value, dueIn, keep }: ModelWrite, version: number, now: number): Write {
  return {
    key,
    version: Math.max(0, version + off),
    value,
    ...(dueIn !== undefined && { dueAt: typeof dueIn === 'number' ? now + dueIn : dueIn }),
    ...(keep && { keepUntil: Date.now() + (keep === 'long' ? 3_600_000 : -1) }),
  };
}
