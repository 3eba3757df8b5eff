export type { Log } from './lines.ts';

/** A code that a library or the system gives an error: a fixed word, which quotes nothing. */
const CODE = /^[A-Z][A-Z0-9_]{2,40}$/;
/** Why SQLite refuses, by its primary result code: `code` is the same for all of its errors. */
const SQLITE_CODES: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
};
/** Redis begins its refusals with one of these words. */
const REDIS_CODE =
  /^(?:OOM|MISCONF|READONLY|MASTERDOWN|LOADING|NOREPLICAS|NOAUTH|WRONGPASS|NOPERM|CLUSTERDOWN)(?= )/;
const CAUSES_MAX = 10;

/**
 * The part of a thrown error that may be logged: its name, where it was thrown, and the code of its cause. A code counts only if it is a word of a
 * closed list or looks like one. A message may quote a customer's typed text.
 */
export function thrown(error: unknown): { error: string; why?: string; at: string[] } {
  if (!(error instanceof Error)) return { error: typeof error, at: [] };
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const why = whyOf(error);
  return { error: error.name, ...(why && { why }), at: frames.slice(0, 5).map((line) => line.trim()) };
}

/** The code of the innermost cause that has one. */
function whyOf(error: Error): string | undefined {
  let why: string | undefined;
  let cause: unknown = error;
  for (let i = 0; cause instanceof Error && i < CAUSES_MAX; i++) {
    why = codeOf(cause) ?? why;
    cause = cause.cause;
  }
  return why;
}

function codeOf(error: Error & { readonly code?: unknown; readonly errcode?: unknown }): string | undefined {
  const { code, errcode, message } = error;
  if (typeof errcode === 'number') return SQLITE_CODES[errcode & 0xff];
  if (typeof code === 'string' && CODE.test(code)) return code;
  return REDIS_CODE.exec(message)?.[0];
}
