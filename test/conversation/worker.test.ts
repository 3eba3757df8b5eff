import { afterEach, expect, test, vi } from 'vitest';
import { startWorker } from '../../src/conversation/worker.ts';
import { countRepeats } from '../../src/log/repeats.ts';
import type { Due } from '../../src/store/store.ts';

/** A list of due chores that end at the word of the test. */
function house() {
  const waiting: Due[] = [];
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const errors: unknown[] = [];
  const chore = (name: string) => {
    begun.push(name);
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate);
    return gate.promise;
  };
  const store = { due: async (_now: number, limit: number) => waiting.splice(0, limit) };
  const worker = startWorker(store, { chore }, { pollMs: 1, onError: (error) => errors.push(error) });
  const house = {
    worker,
    begun,
    errors,
    falls: (...names: string[]) =>
      void waiting.push(...names.map((name) => ({ partition: 0, key: `chore:${name}` }))),
    ends: (name: string) => gates.get(name)?.resolve(),
    fails: (name: string) => gates.get(name)?.reject(new Error(name)),
    async close() {
      waiting.length = 0;
      const stopping = worker.stop();
      for (const { resolve } of gates.values()) resolve();
      await stopping;
    },
  };
  open.push(house);
  return house;
}
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true), 10_000);
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`);

test('a slow chore holds back no other', async () => {
  const { falls, begun } = house();
  falls('slow');
  await until(() => begun.includes('slow'));
  falls('timer');
  await until(() => begun.includes('timer'));
});

test('the number of parallel chores is limited, and the next begins when one is done', async () => {
  const { falls, ends, begun, worker } = house();
  falls(...numbered(21));
  await until(() => begun.length >= 20);
  expect(begun).toHaveLength(20);
  ends('n7');
  await until(() => begun.length === 21);
  falls('one more');
  ends('n8');
  await until(() => begun.includes('one more'));
  for (const each of begun) ends(each);
  expect(await worker.settles()).toBe(true);
});

test('a chore that falls due again during its run is done afterwards, not at once', async () => {
  const { falls, ends, begun } = house();
  falls('same');
  await until(() => begun.length === 1);
  falls('same', 'other');
  await until(() => begun.includes('other'));
  expect(begun).toEqual(['same', 'other']);
  ends('same');
  await until(() => begun.length === 3);
  expect(begun).toEqual(['same', 'other', 'same']);
});

test('a failing chore is reported, and the rest goes on', async () => {
  const { falls, fails, begun, errors } = house();
  falls('bad');
  await until(() => begun.includes('bad'));
  fails('bad');
  falls('good');
  await until(() => begun.includes('good') && errors.length === 1);
});

test('a stop waits for running chores', async () => {
  const { falls, ends, begun, worker } = house();
  falls('slow');
  await until(() => begun.includes('slow'));
  const order: string[] = [];
  const stopped = worker.stop().then(() => order.push('stopped'));
  await new Promise((resolve) => setImmediate(resolve));
  order.push('done');
  ends('slow');
  await stopped;
  expect(order).toEqual(['done', 'stopped']);
});

test('an unavailable store is reported once, and once more when it is back, with the number of tries', async () => {
  const said: string[] = [];
  let isAway = true;
  let asked = 0;
  const due = async () => {
    asked++;
    if (isAway) throw new Error('away');
    return [];
  };
  const { say, over } = countRepeats((_, { times }, line) => said.push(`${line} ${times ?? ''}`));
  const worker = startWorker({ due }, {}, { pollMs: 1, onError: (_, line) => say(line), onBack: over });
  open.push({ close: () => worker.stop() });
  const line = 'The worker cannot ask the store for work';
  await until(() => asked >= 5);
  isAway = false;
  await until(() => said.at(-1)?.startsWith('It is over') === true);
  expect(said.filter((each) => !/ 10+$/.test(each))).toEqual([
    `${line} `,
    expect.stringMatching(/^It is over: The worker .* \d+$/),
  ]);
});
