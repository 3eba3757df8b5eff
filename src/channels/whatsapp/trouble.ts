import { CHANNELS } from '../../conversation/channel.ts';
import type { Log } from '../../log/thrown.ts';
import type { Trouble, Troubles } from '../trouble.ts';

const {
  pairPace: { everyMs: PAIR_MS },
} = CHANNELS.whatsapp;
/** The limits of a number and of an account are over by then. */
const THROUGHPUT_MS = 5_000;
const ACCOUNT_MS = 60_000;
/** An operator must act before the next try can succeed. */
const OURS_MS = 60_000;

/** The codes of the Cloud API (facts C3). */
const KINDS: readonly (readonly [Omit<Trouble, 'code'>, readonly number[]])[] = [
  // Meta has a fault of its own.
  [{ kind: 'later' }, [1, 2, 131000, 131016, 133004]],
  // Too much at once: of the app, the account or a flow, of the number, to one person.
  [{ kind: 'later', afterMs: ACCOUNT_MS }, [4, 80007, 131048, 131057, 132069]],
  [{ kind: 'later', afterMs: THROUGHPUT_MS }, [130429]],
  [{ kind: 'later', afterMs: PAIR_MS }, [131056]],
  // The window is closed, the person is not reachable, or has asked for silence.
  [{ kind: 'closed' }, [130472, 130497, 131021, 131026, 131047, 131049, 131050]],
  // The request is wrong: a parameter, a kind, a file, a template, a flow.
  [{ kind: 'refused' }, [100, 131008, 131009, 131051, 131052, 131053]],
  [{ kind: 'refused' }, [132000, 132001, 132005, 132007, 132012, 132015, 132016, 132068, 135000]],
  // The token, the number or the account.
  [{ kind: 'ours', afterMs: OURS_MS }, [0, 3, 10, 33, 190, 200, 368, 133010]],
  [{ kind: 'ours', afterMs: OURS_MS }, [131005, 131030, 131031, 131042, 131045]],
];
const CODES = new Map(KINDS.flatMap(([trouble, codes]) => codes.map((code) => [code, trouble] as const)));

/** The trouble of an answer with this code. One that is new to us is waited for where the server is at fault. */
export function troubleOfCode(code: number, httpStatus: number): Trouble {
  if (code > 200 && code < 300) return { kind: 'ours', afterMs: OURS_MS, code };
  return { ...(CODES.get(code) ?? { kind: httpStatus >= 500 ? 'later' : 'refused' }), code };
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

export function whatsAppTroubles(log: Log): Troubles {
  return {
    of: troubleOf,
    report({ kind, code }) {
      if (kind === 'ours') log.say('WhatsApp does not let us send', { code });
      if (kind === 'refused') log.say('WhatsApp refuses a message', { code });
    },
  };
}
