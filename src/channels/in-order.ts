import type { Address } from '../conversation/incoming.ts';

const under = new Map<string, Promise<unknown>>();

/**
 * Does the work of one customer one piece after the other, in this process. Another process may still take a turn at the
 * same moment: the store's compare-and-set makes that right, this only keeps the messages in order.
 */
export function inOrder<T>(address: Address, work: () => Promise<T>): Promise<T> {
  const before = under.get(address) ?? Promise.resolve();
  const done = before.then(work, work);
  under.set(address, done);
  const clear = () => {
    if (under.get(address) === done) under.delete(address);
  };
  done.then(clear, clear);
  return done;
}
