import type { Address } from '../conversation/incoming.ts';
import type { TurnRecord } from '../conversation/record/record.ts';

/** What has become of the payments of one kind. */
export interface PaymentCounts {
  completed: number;
  /** Nothing was moved, or it has come back. */
  failed: number;
  /** Sent, and nobody knows yet. */
  unknown: number;
}

type End = 'completed' | 'failed';

/** Sentences that say to a customer that a payment has failed (`receipt` in `src/payments/receipt.ts`). */
const FAILURES: ReadonlySet<string> = new Set(['failed', 'refused', 'reversed']);

/**
 * How payments end, by what their customers read. Both those that are open and those that have ended are remembered for at
 * most so many customers; who was notified last is forgotten last.
 */
export function createPaymentEnds(max: number) {
  const open = new Map<string, readonly PaymentCounts[]>();
  /** By the reference that the customer has read. */
  const ended = new Map<string, { readonly counts: PaymentCounts; readonly end: End }>();

  return {
    /** A conversation has sent its payment: it counts as `unknown` until its customer is notified. */
    sent(address: Address, machine: string, counts: PaymentCounts): void {
      counts.unknown++;
      const key = `${address} ${machine}`;
      put(open, key, [...(open.get(key) ?? []), counts]);
    },

    /** Reads what a customer is shown: on the screen of the conversation, or in a message wherever they are by now. */
    read({ address, screen, said = [] }: TurnRecord): void {
      for (const { key: sentence, values } of [screen, ...said]) {
        const [machine = '', name = ''] = sentence.split('.');
        const end = endOf(name);
        // What the conversation itself shows of a refusal has no reference: it was never open.
        if (!end || (name === 'refused' && !values?.reference)) continue;
        const key = `${address} ${machine}`;
        const reference = `${key} ${JSON.stringify(values?.reference)}`;
        const before = ended.get(reference);
        const counts = before?.counts ?? nextOpen(key);
        if (!counts) continue;
        // It is on show again, or has come back meanwhile: no other payment's end is known by that.
        counts[before?.end ?? 'unknown']--;
        counts[end]++;
        if (values?.reference) put(ended, reference, { counts, end });
      }
    },

    clear(): void {
      open.clear();
      ended.clear();
    },
  };

  /** Takes the oldest that is open. */
  function nextOpen(key: string): PaymentCounts | undefined {
    const [counts, ...others] = open.get(key) ?? [];
    if (others.length > 0) open.set(key, others);
    else open.delete(key);
    return counts;
  }

  function put<T>(all: Map<string, T>, key: string, value: T): void {
    all.set(key, value);
    if (all.size > max) all.delete(all.keys().next().value as string);
  }
}

/** What the name of a sentence says of a payment's end; undefined where it says nothing of it. */
function endOf(name: string): End | undefined {
  // Each way to pay names the sentences of its success so (`done` in `src/payments/payment.ts`).
  if (name.startsWith('done')) return 'completed';
  return FAILURES.has(name) ? 'failed' : undefined;
}
