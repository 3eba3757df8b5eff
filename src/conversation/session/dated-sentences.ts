import type { Screen, Sentence } from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { methodOf, PAYMENT_KINDS } from '../../payments/payments.ts';
import type { Quote } from '../../payments/quote.ts';
import { claimOf } from '../chart/releases.ts';
import { type Book, type Entry, listedIn } from './book.ts';
import type { Session } from './session.ts';

/**
 * Sentences that another payment makes untrue, or that could be read as said of another payment. Each has the one that
 * replaces it when it is read later. A balance, and a refusal, which has no reference, name their moment. A payment
 * that was given up before it was sent has no moment, so its sentence no longer speaks of money. A sentence that asks
 * an agent to hand out cash does not ask it again.
 */
const READ_LATER: ReadonlyMap<string, SentenceKey> = new Map<string, SentenceKey>([
  ...PAYMENT_KINDS.map((kind) => [`${kind}.refused`, `${kind}.refusedAt`] as const),
  ...PAYMENT_KINDS.map((kind) => [`${kind}.cancelled`, 'nav.cancelled'] as const),
  ...PAYMENT_KINDS.map((kind) => [`${kind}.notSent`, `${kind}.notSentAt`] as const),
  ['balance.shown', 'balance.shownAt'],
  ['balance.empty', 'balance.shownAt'],
  ['balance.emptyOpen', 'balance.shownAt'],
  ['upgrade.room', 'upgrade.roomAt'],
  ['principal-float.shown', 'principal-float.shownAt'],
  ['pay.short', 'pay.shortAt'],
  ['pay.shortOf', 'pay.shortAt'],
  ['profile.shown', 'profile.shownHighest'],
  ['cash-in.askAmountLeft', 'cash-in.askAmount'],
  ['card-cash-in.askAmountLeft', 'card-cash-in.askAmount'],
  ...PAYMENT_KINDS.flatMap((kind) => {
    const { doneAt } = methodOf({ kind }).said;
    return doneAt ? [[`${kind}.done`, doneAt] as const] : [];
  }),
]);

/** The moment of a message that must say it when it is read later. Empty for any other message. */
export function momentFor({ key }: Screen, at: number): { readonly saidAt?: number } {
  return READ_LATER.has(key) ? { saidAt: at } : {};
}

/** The session with the moment of the screen that it has come to, where that must be known when it is shown again. */
export function withMoment(session: Session, screen: Screen, at: number): Session {
  return READ_LATER.has(screen.key) || isNoticed(screen)
    ? { ...session, said: { screen: session.screen, at } }
    : session;
}

export function momentOf({ said, screen }: Session): { readonly saidAt?: number } {
  return said?.screen === screen ? { saidAt: said.at } : {};
}

/** A screen as it is read later than it was said. */
export function saidLater(screen: Screen, saidAt: number | undefined): Screen {
  if (saidAt === undefined) return screen;
  if (screen.notice && isNoticed(screen)) return { ...screen, notice: dated(screen.notice, saidAt) };
  return dated(screen, saidAt);
}

function dated<Said extends Sentence>(sentence: Said, at: number): Said {
  const key = READ_LATER.get(sentence.key);
  return key ? { ...sentence, key, values: { ...sentence.values, at: { date: at } } } : sentence;
}

interface Said {
  readonly saidAt?: number | undefined;
  readonly intent?: string | undefined;
  readonly isAgain?: boolean | undefined;
}

const NOT_SENT = /\.notSent$/;

/** Sentences that incoming money makes untrue as well. The book has only outgoing payments. */
const CHANGES_WITHOUT_US: ReadonlySet<string> = new Set<SentenceKey>([
  'balance.shown',
  'balance.empty',
  'balance.emptyOpen',
  'upgrade.room',
  'principal-float.shown',
  'pay.short',
  'pay.shortOf',
  'profile.shown',
  'cash-in.askAmountLeft',
  'card-cash-in.askAmountLeft',
]);

/** An answer such as a balance stands above the question that was interrupted. */
function isNoticed({ notice }: Screen): boolean {
  return notice !== undefined && CHANGES_WITHOUT_US.has(notice.key);
}

/**
 * A screen as it is read now: `saidLater` as soon as the wallet has sent another payment since, or while one is open that would
 * read the same. A balance that is shown again always says of when it is.
 */
export function readNow(screen: Screen, { saidAt, intent, isAgain }: Said, { entries }: Book): Screen {
  if (saidAt === undefined) return screen;
  if (isAgain && (CHANGES_WITHOUT_US.has(screen.key) || isNoticed(screen))) return saidLater(screen, saidAt);
  const own = entries.find(({ id }) => id === intent);
  // It may speak of what was no payment yet, so that it reads the same as any other one.
  const readsAs = (each: Entry) =>
    NOT_SENT.test(screen.key) || (own !== undefined && listedIn(each) === listedIn(own));
  const isAnother = entries.some(
    (each) => each.id !== intent && (each.at > saidAt || (each.state === 'open' && readsAs(each))),
  );
  return isAnother ? saidLater(screen, saidAt) : screen;
}

/**
 * The session with its current question as it is asked now. The question may name a look-alike payment that had no
 * outcome when it was asked. Once that payment is proven not to have moved anything, the question drops it. Once it is
 * made, the question says so. The choices stay in their places.
 */
export function askedNow(session: Session, { entries }: Book): Session {
  const { conversation } = session;
  const { quote, notice, ...known } = (conversation?.context ?? {}) as { quote?: Quote; notice?: Sentence };
  if (!conversation || !quote?.alike?.some(({ open }) => open)) return session;
  const isNow = (id: string, state: Entry['state']) =>
    entries.some((entry) => entry.id === id && entry.state === state);
  const left = quote.alike.filter(({ id }) => !isNow(id, 'void'));
  const alike = left.map(({ open, ...each }) => (open && !isNow(each.id, 'done') ? { ...each, open } : each));
  const { asks: _asked, ...rest } = quote;
  const isOver = alike.length === 0 && notice !== undefined && claimOf(notice.key) === 'open';
  const context = { ...known, quote: { ...rest, alike }, ...(notice && !isOver && { notice }) };
  return { ...session, conversation: { ...conversation, context } };
}
