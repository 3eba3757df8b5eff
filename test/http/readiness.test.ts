import { expect, onTestFinished, test, vi } from 'vitest';
import { createReadiness, type ReadinessCheck } from '../../src/http/readiness.ts';
import { canWrite } from '../../src/store/probe.ts';
import { type Commit, type Partition, StoreDown } from '../../src/store/store.ts';

const well = async () => true;
const unwell = async () => false;
const broken = async () => {
  throw new StoreDown('no');
};
const hung = () => new Promise<boolean>(() => {});

function check(name: string, isWell: ReadinessCheck['isWell'], isNeeded = true): ReadinessCheck {
  return { name, isNeeded, isWell };
}

test.each<[string, ReadinessCheck[], number, object]>([
  ['nothing to look at', [], 200, { status: 'ready' }],
  ['all is well', [check('store', well)], 200, { status: 'ready', store: true }],
  ['what is needed says no', [check('store', unwell)], 503, { status: 'not ready', store: false }],
  ['what is needed fails', [check('store', broken)], 503, { status: 'not ready', store: false }],
  ['what is needed does not answer', [check('store', hung)], 503, { status: 'not ready', store: false }],
  [
    'one of two says no',
    [check('store', well), check('records', unwell)],
    503,
    { status: 'not ready', store: true, records: false },
  ],
  [
    'what is only shown says no',
    [check('store', well), check('wallet', unwell, false)],
    200,
    { status: 'ready', store: true, wallet: false },
  ],
])('%s', async (_, checks, status, body) => {
  const answer = await createReadiness(checks).routes.request('/');
  expect(answer.status).toBe(status);
  expect(await answer.json()).toEqual(body);
});

test('a lost dependency is shown, and the process goes on answering', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const store = { name: 'store', isNeeded: true, isWell: unwell };
  const { routes } = createReadiness([store]);
  const seen: unknown[] = [];
  for (const isWell of [unwell, well, broken, well]) {
    store.isWell = isWell;
    const answer = await routes.request('/');
    seen.push([answer.status, ((await answer.json()) as { store: boolean }).store]);
    // The last answer is forgotten.
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(seen).toEqual([
    [503, false],
    [200, true],
    [200, false],
    [200, true],
  ]);
});

test('a process that ends says so at once, even while a part hangs', async () => {
  const { routes, drain } = createReadiness([check('store', hung)]);
  drain();
  const answer = await routes.request('/');
  expect([answer.status, await answer.json()]).toEqual([503, { status: 'draining' }]);
});

test('many questions are one look', async () => {
  let looks = 0;
  const { routes } = createReadiness([
    check('store', async () => {
      looks += 1;
      return true;
    }),
  ]);
  await Promise.all(Array.from({ length: 100 }, () => routes.request('/')));
  expect(looks).toBe(1);
});

test.each<[string, (partition: Partition) => boolean, boolean]>([
  ['all of the store takes writes', () => true, true],
  ['one node of it does', (partition) => partition === 192, true],
  ['none of it does', () => false, false],
])('the store can be written to: %s', async (_, isUp, can) => {
  const commit = async (partition: Partition, { writes }: Commit) => {
    expect(writes).toHaveLength(1);
    if (!isUp(partition)) throw new StoreDown('no');
    return true;
  };
  expect(await canWrite({ commit }, Date.now())).toBe(can);
});
