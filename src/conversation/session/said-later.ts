import type { Screen, Sentence } from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { methodOf, PAYMENT_KINDS } from '../../payments/payments.ts';
import type { Quote } from '../../payments/quote.ts';
import { claimOf } from '../chart/releases.ts';
import { type Book, listedIn } from './book.ts';
import type { Session } from './session.ts';

/**
 * What another payment makes untrue, or of which it could be read, and what is said in its place when it is read later. A
 * balance and a refusal, which has no reference, name their moment; what was given up before it was a payment has none, and
 * speaks of money no more. That cash is to be handed out is not asked for twice.
 */
const READ_LATER: ReadonlyMap<string, SentenceKey> = new Map<string, SentenceKey>([
  ...PAYMENT_KINDS.map((kind) => [`${kind}.refused`, `${kind}.refusedAt`] as const),
  ...PAYMENT_KINDS.map((kind) => [`${kind}.cancelled`, 'nav.cancelled'] as const),
  ['pay.notSent', 'pay.notSentAt'],
  ['balance.shown', 'balance.shownAt'],
  ...PAYMENT_KINDS.flatMap((kind) => {
    const { doneAt } = methodOf({ kind });
    return doneAt ? [[`${kind}.done`, doneAt] as const] : [];
  }),
]);

/** The moment of a message that must say it when it is read later; nothing for any other. */
export function momentFor({ key }: Screen, at: number): { readonly saidAt?: number } {
  return READ_LATER.has(key) ? { saidAt: at } : {};
}

/** The session with the moment of the screen that it has come to, where that must be known when it is shown again. */
export function withMoment(session: Session, screen: Screen, at: number): Session {
  return READ_LATER.has(screen.key) ? { ...session, said: { screen: session.screen, at } } : session;
}

/** The moment of the screen on show, where it is kept. */
export function momentOf({ said, screen }: Session): { readonly saidAt?: number } {
  return said?.screen === screen ? { saidAt: said.at } : {};
}

/** A screen as it is read later than it was said. */
export function saidLater(screen: Screen, saidAt: number | undefined): Screen {
  const key = READ_LATER.get(screen.key);
  if (!key || saidAt === undefined) return screen;
  return { ...screen, key, values: { ...screen.values, at: { date: saidAt } } };
}

/**
 * A screen as it is read now: `saidLater` as soon as the wallet has sent another payment since, or while one is open that would
 * read the same.
 * @param said when, and of which intent
 */
export function readNow(
  screen: Screen,
  { saidAt, intent }: { readonly saidAt?: number | undefined; readonly intent?: string | undefined },
  { entries }: Book,
): Screen {
  if (saidAt === undefined) return screen;
  const own = entries.find(({ id }) => id === intent);
  const isAnother = entries.some(
    (each) =>
      each.id !== intent &&
      (each.at > saidAt || (each.state === 'open' && own !== undefined && listedIn(each) === listedIn(own))),
  );
  return isAnother ? saidLater(screen, saidAt) : screen;
}

/**
 * The session with the question that it stands on as it is asked now: a payment just like it, without an outcome when that was
 * asked, is none any more once it is proven not to have moved anything. What the customer may choose stays where it stood.
 */
export function askedNow(session: Session, { entries }: Book): Session {
  const { conversation } = session;
  const { quote, notice, ...known } = (conversation?.context ?? {}) as { quote?: Quote; notice?: Sentence };
  if (!conversation || !quote?.alike?.some(({ open }) => open)) return session;
  const isVoid = (id: string) => entries.some((entry) => entry.id === id && entry.state === 'void');
  const alike = quote.alike.filter(({ id }) => !isVoid(id));
  if (alike.length === quote.alike.length) return session;
  const { asks: _asked, ...rest } = quote;
  const isOver = alike.length === 0 && notice !== undefined && claimOf(notice.key) === 'open';
  const context = { ...known, quote: { ...rest, alike }, ...(notice && !isOver && { notice }) };
  return { ...session, conversation: { ...conversation, context } };
}
