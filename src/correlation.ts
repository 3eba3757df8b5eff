import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/*
 * One id for everything that is done because of one request, in the log and in the records of turns. Records have it beside the
 * ids of their calls (`C-Request-Id`), so that it leads from a gateway's request to the wallet's.
 */

const current = new AsyncLocalStorage<string>();
/** W3C Trace Context, "traceparent": version, trace id, id of the caller's span, flags. */
const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/;

/** The id of the current work. Undefined outside of `correlated`. */
export function correlationId(): string | undefined {
  return current.getStore();
}

/**
 * Runs work under one id: the id of the work that it is a part of, else a new one.
 * @param traceparent the header of a request that another system has begun to trace
 */
export function correlated<T>(work: () => T, traceparent?: string): T {
  if (current.getStore() !== undefined) return work();
  const traceId = traceparent === undefined ? undefined : TRACEPARENT.exec(traceparent)?.[1];
  return current.run(traceId ?? randomUUID().replaceAll('-', ''), work);
}
