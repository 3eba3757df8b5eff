import type { Screen } from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { PAYMENT_KINDS } from '../../payments/payments.ts';

/**
 * What says that a payment took nothing, and the same with its moment: later, another payment that reads the same may have
 * taken something.
 */
const WITH_MOMENT: ReadonlyMap<string, SentenceKey> = new Map([
  ...PAYMENT_KINDS.map((kind) => [`${kind}.refused`, `${kind}.refusedAt`] as const),
  ['pay.notSent', 'pay.notSentAt'],
]);

/** The moment of a message that must say it when it is read later; nothing for any other. */
export function momentFor({ key }: Screen, now: number): { readonly saidAt?: number } {
  return WITH_MOMENT.has(key) ? { saidAt: now } : {};
}

/** A screen as it is read later than it was said. */
export function saidLater(screen: Screen, saidAt: number | undefined): Screen {
  const key = WITH_MOMENT.get(screen.key);
  if (!key || saidAt === undefined) return screen;
  return { ...screen, key, values: { ...screen.values, at: { date: saidAt } } };
}
