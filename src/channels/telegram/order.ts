import type { Update } from 'grammy/types';

const under = new Map<number, Promise<unknown>>();

/**
 * Updates that were fetched, with what each waits for: what its customer did before, which may fail and be tried again. So a
 * customer's come in their order, which those that Telegram posts do not.
 */
export const fetched = new WeakMap<Update, Promise<void>>();

/**
 * Does the work of one customer one piece after the other, in this process. Another process may still take a turn at the
 * same moment: the store's compare-and-set makes that right, this only keeps the messages in order.
 */
export function inOrder<T>(user: number, work: () => Promise<T>): Promise<T> {
  const before = under.get(user) ?? Promise.resolve();
  const done = before.then(work, work);
  under.set(user, done);
  const clear = () => {
    if (under.get(user) === done) under.delete(user);
  };
  done.then(clear, clear);
  return done;
}
