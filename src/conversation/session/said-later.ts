import type { Screen } from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { PAYMENT_KINDS } from '../../payments/payments.ts';
import type { Book } from './book.ts';
import type { Session } from './session.ts';

/**
 * What says of one payment that it took nothing, without a reference to tell it by, and what is said in its place when it is
 * read later: another payment that reads the same may have taken something. A refusal names its moment; what was given up
 * before it was a payment has none, and speaks of money no more.
 */
const READ_LATER: ReadonlyMap<string, SentenceKey> = new Map<string, SentenceKey>([
  ...PAYMENT_KINDS.map((kind) => [`${kind}.refused`, `${kind}.refusedAt`] as const),
  ...PAYMENT_KINDS.map((kind) => [`${kind}.cancelled`, 'nav.cancelled'] as const),
  ['pay.notSent', 'pay.notSentAt'],
]);

/** The moment of a message that must say it when it is read later; nothing for any other. */
export function momentFor({ key }: Screen, at: number): { readonly saidAt?: number } {
  return READ_LATER.has(key) ? { saidAt: at } : {};
}

/** The session with the moment of the screen that it has come to, where that must be known when it is shown again. */
export function withMoment(session: Session, screen: Screen, at: number): Session {
  return READ_LATER.has(screen.key) ? { ...session, said: { screen: session.screen, at } } : session;
}

/** A screen as it is read later than it was said. */
export function saidLater(screen: Screen, saidAt: number | undefined): Screen {
  const key = READ_LATER.get(screen.key);
  if (!key || saidAt === undefined) return screen;
  return { ...screen, key, values: { ...screen.values, at: { date: saidAt } } };
}

/** A screen as it is read now: `saidLater` as soon as the wallet has sent another payment since. */
export function readNow(screen: Screen, saidAt: number | undefined, { entries }: Book): Screen {
  const isLater = saidAt !== undefined && entries.some(({ at }) => at > saidAt);
  return isLater ? saidLater(screen, saidAt) : screen;
}
