import { CHANNELS } from '../../conversation/channel.ts';

/**
 * The reason why the Cloud API did not do what we asked, by its code (facts C3). `wait`: nothing was sent, and it may be tried
 * again. `closed`: this person cannot be reached here now, so another way is needed. `refused`: the request is wrong.
 * `ours`: the account is, and an operator must act. `unknown`: it may have been sent, but the answer was lost.
 */
export interface Trouble {
  readonly kind: 'wait' | 'closed' | 'refused' | 'ours' | 'unknown';
  /** When it may be tried again, where that is known. */
  readonly afterMs?: number;
  /** The code of the API. Absent: nobody answered. */
  readonly code?: number;
}

const {
  pairPace: { everyMs: PAIR_MS },
} = CHANNELS.whatsapp;
/** The limits of a number and of an account are over by then. */
const THROUGHPUT_MS = 5_000;
const ACCOUNT_MS = 60_000;

const CODES: Readonly<Record<number, Omit<Trouble, 'code'>>> = {
  // Meta has a fault of its own.
  1: { kind: 'wait' },
  2: { kind: 'wait' },
  131000: { kind: 'wait' },
  131016: { kind: 'wait' },
  131057: { kind: 'wait', afterMs: ACCOUNT_MS },
  133004: { kind: 'wait' },
  // Too much at once: of the app, of the account, of the number, to one person.
  4: { kind: 'wait', afterMs: ACCOUNT_MS },
  80007: { kind: 'wait', afterMs: ACCOUNT_MS },
  130429: { kind: 'wait', afterMs: THROUGHPUT_MS },
  131048: { kind: 'wait', afterMs: ACCOUNT_MS },
  131056: { kind: 'wait', afterMs: PAIR_MS },
  // The window is closed, the person is not reachable, or has asked for silence.
  131047: { kind: 'closed' },
  131026: { kind: 'closed' },
  131049: { kind: 'closed' },
  131050: { kind: 'closed' },
  131021: { kind: 'closed' },
  130472: { kind: 'closed' },
  130497: { kind: 'closed' },
  // The request is wrong: a parameter, a kind, a file, a template, a flow.
  100: { kind: 'refused' },
  131008: { kind: 'refused' },
  131009: { kind: 'refused' },
  131051: { kind: 'refused' },
  131052: { kind: 'refused' },
  131053: { kind: 'refused' },
  132000: { kind: 'refused' },
  132001: { kind: 'refused' },
  132005: { kind: 'refused' },
  132007: { kind: 'refused' },
  132012: { kind: 'refused' },
  132015: { kind: 'refused' },
  132016: { kind: 'refused' },
  132068: { kind: 'refused' },
  132069: { kind: 'wait', afterMs: ACCOUNT_MS },
  135000: { kind: 'refused' },
  // The token, the number or the account.
  0: { kind: 'ours' },
  3: { kind: 'ours' },
  10: { kind: 'ours' },
  33: { kind: 'ours' },
  190: { kind: 'ours' },
  200: { kind: 'ours' },
  368: { kind: 'ours' },
  131005: { kind: 'ours' },
  131030: { kind: 'ours' },
  131031: { kind: 'ours' },
  131042: { kind: 'ours' },
  131045: { kind: 'ours' },
  133010: { kind: 'ours' },
};

/** The trouble of an answer with this code. One that is new to us is waited for where the server is at fault. */
export function troubleOfCode(code: number, httpStatus: number): Trouble {
  if (code > 200 && code < 300) return { kind: 'ours', code };
  return { ...(CODES[code] ?? { kind: httpStatus >= 500 ? 'wait' : 'refused' }), code };
}

/** A call that was not done. Its message names no customer, no token and nothing that was said. */
export class CloudApiError extends Error {
  override name = 'CloudApiError';
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super(
      `the Cloud API did not do it: ${trouble.kind}${trouble.code === undefined ? '' : ` (${trouble.code})`}`,
    );
    this.trouble = trouble;
  }
}

/** The trouble of a failed call. @throws any other error: a bug of ours */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof CloudApiError) return error.trouble;
  throw error;
}
