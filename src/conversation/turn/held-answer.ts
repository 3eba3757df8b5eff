import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Secrets } from '../secrets.ts';

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
