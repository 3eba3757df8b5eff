import type { Context, ErrorHandler } from 'hono';

/** Node's codes for a request whose sender left before all of it had come. */
const GONE = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']);

/**
 * Answers for routes that throw: 500 without a word about why, which goes to the log. A sender that leaves in the middle of
 * its own request is nobody's fault here: it is counted by `onCutOff` and is no error.
 */
export function failed(onError: (error: unknown) => void, onCutOff: (method: string) => void): ErrorHandler {
  return (error, c) => {
    if (isCutOff(error, c)) onCutOff(c.req.method);
    else onError(error);
    return c.text('internal error\n', 500);
  };
}

function isCutOff(error: Error & { readonly code?: unknown }, c: Context): boolean {
  return c.req.raw.signal.aborted && typeof error.code === 'string' && GONE.has(error.code);
}
