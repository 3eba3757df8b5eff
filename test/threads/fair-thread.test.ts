import { expect, test } from 'vitest';
import { createFairThread } from '../../src/threads/fair-thread.ts';

const PROGRAM = new URL('./program.ts', import.meta.url);
const BYTES = { fine: 7, broken: 0, endless: 255, waiting: 254 } as const;

/** By the clock of these tests each start of a thread takes a second, and nothing else takes any time. */
function thread({ jobMaxMs = 60_000, waitingMax = 20, callerMaxMs = 60_000 } = {}) {
  let seconds = 0;
  const ends: string[] = [];
  const inThread = createFairThread<number>({
    get program() {
      seconds++;
      return PROGRAM;
    },
    ...{ jobMaxMs, waitingMax, callerMaxMs, now: () => seconds * 1_000 },
  });
  return {
    ends,
    passes: (more: number) => {
      seconds += more;
    },
    run: async (caller: string, kind: keyof typeof BYTES = 'fine') => {
      const done = await inThread(new Uint8Array([BYTES[kind]]), caller);
      ends.push(done === 'busy' ? `${caller} is turned away` : caller);
      return done;
    },
  };
}

test.each([
  ['a result', 'fine', { result: 7 }],
  ['no result', 'broken', 'failed'],
] as const)('a job with %s is told so', async (_, kind, expected) => {
  expect(await thread().run('a', kind)).toEqual(expected);
});

test('a job that computes without an end is ended, and the next one runs', async () => {
  const { run } = thread({ jobMaxMs: 3_000 });
  const first = run('a', 'endless');
  expect([await first, await run('b', 'broken')]).toEqual(['tooSlow', 'failed']);
});

test('a job on a busy machine is not ended while it waits for the processor', async () => {
  expect(await thread({ jobMaxMs: 1_000 }).run('a', 'waiting')).toEqual({ result: 254 });
});

test('the caller who has used the least is next, in any order of arrival', async () => {
  const { run, ends } = thread();
  await Promise.all([run('a'), run('a'), run('a'), run('b'), run('c')]);
  expect(ends).toEqual(['a', 'b', 'c', 'a', 'a']);
});

test('in a full queue the caller with the most gives up a place, and nobody else', async () => {
  const { run, ends } = thread({ waitingMax: 3 });
  await Promise.all([run('a'), run('a'), run('a'), run('a'), run('b'), run('c')]);
  expect(ends.filter((end) => end.endsWith('away'))).toEqual(['a is turned away', 'a is turned away']);
  expect(ends.filter((end) => !end.endsWith('away')).sort()).toEqual(['a', 'a', 'b', 'c']);
});

test('only a caller who has used a minute’s budget is refused until the next minute', async () => {
  const { run, passes } = thread({ callerMaxMs: 2_000 });
  expect([await run('a'), await run('a'), await run('a')]).toEqual([{ result: 7 }, { result: 7 }, 'busy']);
  expect(await run('b')).toEqual({ result: 7 });
  passes(60);
  expect(await run('a')).toEqual({ result: 7 });
});
