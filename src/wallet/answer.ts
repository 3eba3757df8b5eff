import type { Centimes } from './money.ts';

/**
 * The result of a call to the wallet. Expected failures are values, not exceptions (docs/safety.md: one table per operation):
 *
 * - `ok`: a readable success.
 * - `refused`: the wallet said no, so nothing happened. `code` is the API's `errorCode` as text (`'26001'`), or
 *   `'http401'`, `'http403'`, `'http404'` (`'http400'` from problem details) where it gave none.
 * - `unsent`: proven never to have left (unknown host, connection refused, connect timeout, TLS handshake).
 * - `unknown`: everything else (timeout, reset, 5xx, 429, 422 without code, an unreadable body). It may have happened.
 */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly description: string;
      readonly remainingAttempts?: number;
      /** Only where Wasl refuses for safety: until when (ms since 1970), and the amount that is too much. */
      readonly until?: number;
      readonly above?: Centimes;
      /** Only where the balance is too low, and its owner's PIN has just opened it: the balance. */
      readonly has?: Centimes;
      /** Only where the balance is too low: the most that the wallet may hold, where the amount is above that. */
      readonly holds?: Centimes;
    }
  | { readonly kind: 'unsent'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string };
