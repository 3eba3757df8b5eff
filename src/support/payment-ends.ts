import type { Address } from '../conversation/incoming.ts';
import type { TurnRecord } from '../conversation/record.ts';

/** What has become of the payments of one kind. */
export interface PaymentCounts {
  completed: number;
  /** Nothing was moved, or it has come back. */
  failed: number;
  /** Sent, and nobody knows yet. */
  unknown: number;
}

/** Sentences that tell a customer how a payment has ended (`receipt` in `machines/kit/order.ts`). */
const ENDS: Readonly<Record<string, 'completed' | 'failed'>> = {
  done: 'completed',
  doneSettled: 'completed',
  doneStamped: 'completed',
  doneWithoutCode: 'completed',
  failed: 'failed',
  reversed: 'failed',
};

/** Payments whose end is not known yet, at most so many customers' of them: who was told last is forgotten last. */
export function createPaymentEnds(max: number) {
  const open = new Map<string, readonly PaymentCounts[]>();
  const keyOf = (address: Address, machine: string) => `${address} ${machine}`;

  return {
    /** A conversation has sent its payment: it counts as `unknown` until its customer is told. */
    sent(address: Address, machine: string, counts: PaymentCounts): void {
      counts.unknown++;
      const key = keyOf(address, machine);
      open.set(key, [...(open.get(key) ?? []), counts]);
      if (open.size > max) open.delete(open.keys().next().value as string);
    },

    /** Reads what a customer is told: on the screen of the conversation, or beside wherever they are by now. */
    read({ address, screen, said = [] }: TurnRecord): void {
      for (const { key: sentence } of [screen, ...said]) {
        const [machine = '', name = ''] = sentence.split('.');
        const end = ENDS[name];
        const key = keyOf(address, machine);
        const [counts, ...others] = open.get(key) ?? [];
        if (!end || !counts) continue;
        counts.unknown--;
        counts[end]++;
        if (others.length > 0) open.set(key, others);
        else open.delete(key);
      }
    },

    clear: () => open.clear(),
  };
}
