import { expect, onTestFinished, test } from 'vitest';
import { leased } from '../../src/conversation/lease.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { newDirectory } from '../kit/new-directory.ts';

/** Two processes on one store, and its time. */
async function two() {
  const store = await openSqliteStore({ directory: newDirectory() });
  onTestFinished(() => store.close());
  const clock = { now: Date.now() };
  const process = () => leased(store, 'a bind', () => clock.now);
  return { clock, one: process(), other: process() };
}
const NEVER = new AbortController().signal;

test('one process holds it, and the other waits until it is given', async () => {
  const { one, other } = await two();
  await one.wait(NEVER);
  const stopping = new AbortController();
  const waits = other.wait(stopping.signal);
  stopping.abort();
  await expect(waits).rejects.toThrow('abort');
  await one.give();
  expect(one.lost().aborted).toBe(true);
  await other.wait(NEVER);
  expect(other.lost().aborted).toBe(false);
  await other.give();
});

test('a process that has died leaves it when its time is over', async () => {
  const { clock, one, other } = await two();
  await one.wait(NEVER);
  clock.now += 15_000;
  await other.wait(NEVER);
  expect(other.lost().aborted).toBe(false);
  // The one that comes back does not take it from the other.
  await one.give();
  const stopping = new AbortController();
  const waits = one.wait(stopping.signal);
  stopping.abort();
  await expect(waits).rejects.toThrow('abort');
  await other.give();
});
