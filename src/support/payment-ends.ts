import type { Address } from '../conversation/incoming.ts';
import type { TurnRecord } from '../conversation/record/record.ts';

/** The results of the payments of one kind. */
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
 * Counts how payments end, by the messages of their customers. It remembers open and ended payments for at most so many
 * customers. The customer who was notified last is forgotten last.
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
        // A refusal on the conversation's own screen has no reference: its payment was never open.
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

/** The end of a payment, from the name of a sentence. Undefined where the sentence says nothing of it. */
function endOf(name: string): End | undefined {
  // Each way to pay names the sentences of its success so (`done` in `src/payments/payment.ts`).
  if (name.startsWith('done')) return 'completed';
  return FAILURES.has(name) ? 'failed' : undefined;
}
