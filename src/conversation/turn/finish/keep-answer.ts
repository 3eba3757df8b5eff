import { setTimeout as sleep } from 'node:timers/promises';
import type { Payment } from '../../../../machines/kit/effects.ts';
import type { Sealed } from '../../../../machines/kit/secret.ts';
import type { KeyedDoc } from '../../../store/codec.ts';
import { StoreDown } from '../../../store/store.ts';
import type { Secrets } from '../../secrets.ts';
import type { TurnDeps } from '../../turn-deps.ts';

/** How long the process that holds an answer of the wallet tries to write it down, however the store does. */
export const ANSWER_KEPT_MS = 10 * 60_000;
/** Waits between those tries; the last one is repeated. */
const ANSWER_BACKOFF_MS = [100, 300, 1_000, 2_000, 5_000] as const;

export type KeepDeps = Pick<TurnDeps, 'answeredLate' | 'answerLost' | 'stopping' | 'secrets' | 'now'>;

/**
 * Writes the wallet's answer to a payment down that no conversation waits for, for as long as it takes; at the limit it is logged, sealed.
 * @param of.docs the documents as the claim has left them
 */
export async function keepAnswer(
  deps: KeepDeps,
  { ref, docs }: { readonly ref: string; readonly docs: readonly KeyedDoc[] },
  answer: Payment,
): Promise<void> {
  const { answeredLate, answerLost, secrets, stopping, now } = deps;
  const until = now() + ANSWER_KEPT_MS;
  for (let tries = 0; !stopping.aborted && now() <= until; tries++) {
    try {
      return await answeredLate(ref, answer, { docs });
    } catch (error) {
      if (!(error instanceof StoreDown)) throw error;
      await pause(deps, tries);
    }
  }
  answerLost({ ref, sealed: sealAnswer(secrets, ref, answer, now()) });
}

/** Waits before the next try; no longer when the process ends. */
export async function pause({ stopping }: Pick<TurnDeps, 'stopping'>, tries: number): Promise<void> {
  const ms = ANSWER_BACKOFF_MS[Math.min(tries, ANSWER_BACKOFF_MS.length - 1)];
  await sleep(ms, undefined, { signal: stopping, ref: false }).catch(() => {});
}

/**
 * An answer of the wallet that the store has not taken in time, sealed for the log: it may hold a voucher's code. It opens
 * for its own payment only, and for as long as the key is known.
 */
export function sealAnswer(secrets: Secrets, payment: string, answer: unknown, now: number): Sealed {
  return secrets.seal(JSON.stringify(answer ?? null), boundTo(payment), now);
}

/** The answer as JSON; undefined where it was not sealed for this payment, or not with this key. */
export function openAnswer(secrets: Secrets, payment: string, sealed: string): string | undefined {
  return secrets.open(sealed as Sealed, boundTo(payment), Date.now(), Number.POSITIVE_INFINITY);
}

function boundTo(payment: string): string {
  return `answer ${payment}`;
}
