import { Worker } from 'node:worker_threads';

/** A file of 5 MB is read in a part of a second; one that is made to be read for long takes minutes. */
const LOOK_MAX_MS = 10_000;

let last: Promise<unknown> = Promise.resolve();

/**
 * `isActivePdf` of a file that anybody may have made, in a thread of its own: one that takes too long is taken for active, and costs
 * nobody else their turn. One after the other, so that they never take more than one core.
 */
export function isActiveInThread(bytes: Uint8Array, maxMs = LOOK_MAX_MS): Promise<boolean> {
  const looking = last.then(() => looked(bytes, maxMs));
  last = looking;
  return looking;
}

/** Never rejects: what a thread cannot read is refused. */
function looked(bytes: Uint8Array, maxMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: bytes });
  const timer = setTimeout(() => resolve(true), maxMs);
  thread
    .once('message', (isActive: boolean) => resolve(isActive))
    .once('error', () => resolve(true))
    .once('exit', () => resolve(true));
  return promise.finally(() => {
    clearTimeout(timer);
    void thread.terminate();
  });
}
