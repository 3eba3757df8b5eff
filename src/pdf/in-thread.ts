import { createFairThread } from '../threads/fair-thread.ts';

/** A file of 5 MB is read in a part of a second, and one that is made to be read for long is given up by its budget before. */
const LOOK_MAX_MS = 5_000;
const WAITING_MAX = 50;
/** The share of a minute that the files of one customer or one agent may use. */
const CALLER_MAX_MS = 20_000;

/** @param caller whose file it is. `busy`: not looked at, try again later */
type LookAtPdf = (bytes: Uint8Array, caller: string) => Promise<'pages' | 'active' | 'busy'>;

/**
 * `isActivePdf` of a file that anybody may have made, in a thread of its own, one after the other. A file that takes too long, or
 * that a thread cannot read, is taken for active.
 */
export function createLookAtPdf(jobMaxMs = LOOK_MAX_MS): LookAtPdf {
  const program = new URL('./thread.ts', import.meta.url);
  const limits = { jobMaxMs, waitingMax: WAITING_MAX, callerMaxMs: CALLER_MAX_MS };
  const isActive = createFairThread<boolean>({ program, ...limits });
  return async (bytes, caller) => {
    const looked = await isActive(bytes, caller);
    if (looked === 'busy') return 'busy';
    return typeof looked === 'object' && !looked.result ? 'pages' : 'active';
  };
}

/** Customers' files never keep an adviser's waiting: each side has a queue of its own. */
export const lookAtCustomersPdf = createLookAtPdf();
export const lookAtAdvisersPdf = createLookAtPdf();
