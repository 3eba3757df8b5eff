import { isDeepStrictEqual } from 'node:util';
import type { Claim } from '../../../machines/kit/claims.ts';
import { CARDS, type Choice, type Screen, type Sentence, type Values } from '../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import {
  alikeName,
  isPaymentKind,
  type Order,
  PAYMENT_KINDS,
  type PaymentKind,
} from '../../payments/payments.ts';
import { abilitiesOf } from '../channel.ts';
import { hasTag } from '../chart/machines.ts';
import { isStoppedByFreeze } from '../chart/main-conversation.ts';
import { claimOf, invitesAgain } from '../chart/releases.ts';
import { LOOK_ALIKE_MS, type OpenPayment } from './book.ts';
import { currentScreen, MENUS } from './current-screen.ts';
import { askedNow, momentOf, readNow } from './dated-sentences.ts';
import type { Session } from './session.ts';
import type { LoadedSession } from './sessions.ts';

/** The number of open payments that are named one by one. The others are counted. */
const NAMED_MAX = 3;

/** Sentences, each with the one that is read in its place. */
type Replacements = { readonly [Key in SentenceKey]?: SentenceKey };

/**
 * Screens that are replaced while a payment is open, each with its replacement. They invite the customer to try again,
 * or could be read as the outcome of another payment.
 */
const WHILE_OPEN: Replacements = {
  'balance.unavailable': 'nav.down',
  'menu.unavailable': 'nav.down',
  'profile.unavailable': 'nav.down',
  'statement.unavailable': 'nav.down',
  'nav.slow': 'nav.slowOnly',
};

/**
 * These sentences offer to try a payment again, or drop one without its name. A reader may take it for the payment that
 * is open. They are replaced for as long as one is open.
 */
const WHILE_ANY_IS_OPEN: Replacements = {
  'pay.pinLost': 'pin.lost',
  'pay.again': 'pin.continue',
  'nav.cancelled': 'nav.cancelledNew',
};

/** Sentences that another payment was not made, each with its kind. A reader may take that one for the payment that is open. */
const NOT_MADE: ReadonlyMap<SentenceKey, PaymentKind> = new Map(
  PAYMENT_KINDS.flatMap((kind) => [
    [`${kind}.cancelled`, kind],
    [`${kind}.notSent`, kind],
    [`${kind}.givenUp`, kind],
  ]),
);

/** The sentences about an open payment, each with the one that also says when it was sent. */
const SENT_AT: ReadonlyMap<SentenceKey, SentenceKey> = new Map([
  ...PAYMENT_KINDS.map((kind) => [`${kind}.notConfirmed`, `${kind}.notConfirmedAt`] as const),
  ['bank-transfer.accepted', 'bank-transfer.acceptedAt'],
]);

/** Screens that speak of a payment under way, each with its replacement once no payment is open any more. */
const ONCE_NONE_IS_OPEN: Replacements = {
  'pay.busy': 'pay.free',
  'pay.stillBusy': 'pay.free',
  'pay.check': 'pin.continue',
};

/**
 * The current screen of a session, as its customer reads it. When a contact begins or ends, the payments whose outcome
 * is not known come first, or behind the answer to what was just done (docs/safety.md, "The truth"). They are read from the wallet's book alone, so no conversation
 * can forget them.
 * @param missed the messages shown with it: a payment that one of them is about is not named twice
 */
export function withOpenPayments(
  loaded: Pick<LoadedSession, 'address' | 'session' | 'open' | 'wallet' | 'isAgain'>,
  missed: readonly { readonly id: string }[] = [],
): Screen {
  const { session, wallet } = loaded;
  const said = { ...momentOf(session), intent: session.intent, isAgain: loaded.isAgain };
  const current = currentNow(loaded);
  const screen = readNow(wordsNow(current, loaded), said, wallet.value);
  const isContact = beginsContact(session) || endsContact(screen, loaded);
  const shown =
    isContact || saysAgain(current) || asksOfOpen(current)
      ? openFirst(
          screen,
          unsaid(loaded, missed),
          !beginsContact(session) && tellsWhatWasDone(session, screen),
        )
      : screen;
  if (!isFrozenMenu(loaded, screen)) return shown;
  return {
    ...shown,
    choices: withoutFrozen(shown),
    first: [...(shown.first ?? []), { key: isBySupport(loaded) ? STILL_BY_SUPPORT : STILL }],
  };
}

/** The screen of a session. A question whether to pay the same once more is brought up to date. */
function currentNow({ session, wallet }: Pick<LoadedSession, 'session' | 'wallet'>): Screen {
  const screen = currentScreen(session);
  return ASKS_OF_OPEN.test(screen.key) ? currentScreen(askedNow(session, wallet.value)) : screen;
}
const ASKS_OF_OPEN = /\.confirmUnconfirmed$/;

/** The menu leaves out payments, so its reader must know of a freeze, even of one from another chat. */
const STILL = 'freeze.still';
const STILL_BY_SUPPORT = 'freeze.stillBySupport';

/** The customer cannot undo a freeze by support agents, so no screen says that they can. */
const BY_SUPPORT: Replacements = {
  [STILL]: STILL_BY_SUPPORT,
  'freeze.resume': STILL_BY_SUPPORT,
  'freeze.thaw': 'freeze.why',
  'help.thaw': 'freeze.why',
};

/** Nothing is frozen any more. The choice to thaw would freeze now, so it leads to the menu. */
const ONCE_THAWED: Replacements = {
  ...Object.fromEntries(
    ['frozen', 'frozenBut', 'bySupport', 'stopped', 'resume'].map(
      (name) => [`freeze.${name}`, 'freeze.over'] as const,
    ),
  ),
  'freeze.thaw': 'nav.menu',
  'help.thaw': 'nav.menu',
};

function isBySupport({ wallet }: Pick<LoadedSession, 'wallet'>): boolean {
  return wallet.value.safety?.frozen?.by !== undefined;
}

function isFrozenMenu(
  { session, wallet }: Pick<LoadedSession, 'session' | 'wallet'>,
  { key }: Screen,
): boolean {
  return session.linked === true && MENUS.has(key) && wallet.value.safety?.frozen !== undefined;
}

/**
 * The menu of a chat while payments are frozen is what is left of it: nothing there prints a digit, so a button or a number counts what is
 * shown. On a page the digit of a payment still leads to the thaw.
 */
function choicesNow(
  screen: Screen,
  loaded: Pick<LoadedSession, 'address' | 'session' | 'wallet'>,
): Screen['choices'] {
  const isCounted = abilitiesOf(loaded.address).shows === 'messages' && isFrozenMenu(loaded, screen);
  return isCounted ? withoutFrozen(screen).map(({ digit: _onPages, ...choice }) => choice) : screen.choices;
}

function withoutFrozen({ choices = [] }: Screen): readonly Choice[] {
  return choices.filter(({ id }) => !isStoppedByFreeze(id));
}

/** A screen may be older than its subject: a payment has ended since, or was sent, or payments were frozen or thawed. */
export function wordsNow(
  { notice, ...screen }: Screen,
  loaded: Pick<LoadedSession, 'address' | 'open' | 'wallet' | 'session'>,
): Screen {
  const byOpen: Replacements = loaded.open.length === 0 ? ONCE_NONE_IS_OPEN : WHILE_ANY_IS_OPEN;
  const keyNow = (said: Sentence): SentenceKey => {
    const { key } = said;
    const { frozen } = loaded.wallet.value.safety ?? {};
    const byFreeze = frozen === undefined ? ONCE_THAWED[key] : frozen.by !== undefined && BY_SUPPORT[key];
    if (byFreeze) return byFreeze;
    if (key === 'pay.pinLost' && hasPaidLately(loaded)) return 'pin.lost';
    if (said === screen && IS_GIVEN_UP.test(key) && hasPaidAlike(loaded)) return 'pay.noSecond';
    return byOpen[key] ?? (IS_NOT_SENT.test(key) ? givenUp(said, loaded.open) : key);
  };
  if (isReceiptGone(screen, loaded)) return { key: 'receipt.over', expects: 'nothing' };
  const inWords = <Said extends Sentence>(said: Said): Said => {
    const key = keyNow(said);
    return key === said.key ? said : { ...said, key };
  };
  const choices = choicesNow(screen, loaded);
  return {
    ...inWords(screen),
    ...(choices && { choices: choices.map(inWords) }),
    ...(notice && !isOver(notice, loaded) && { notice: inWords(notice) }),
  };
}

/** The payment was taken back since its receipt was offered: there is no file of it. */
function isReceiptGone({ document }: Screen, { wallet }: Pick<LoadedSession, 'wallet'>): boolean {
  if (document?.kind !== 'receipt') return false;
  return wallet.value.entries.some(({ id, state }) => id === document.id && state !== 'done');
}

/** A customer may not have read yet how such a payment ended: what says that nothing was sent could be taken for it. */
function hasPaidLately({ session, wallet }: Pick<LoadedSession, 'session' | 'wallet'>): boolean {
  return wallet.value.entries.some(({ state, at }) => state === 'done' && at > session.at - LOOK_ALIKE_MS);
}

/** The same of a payment that was given up here, where one just like it was made elsewhere since it was quoted. */
function hasPaidAlike({ session, wallet }: Pick<LoadedSession, 'session' | 'wallet'>): boolean {
  const { order } = (session.conversation?.context ?? {}) as { order?: Order };
  const alike = order && isPaymentKind(order.kind) && alikeName(order);
  const { saidAt = session.at } = momentOf(session);
  return wallet.value.entries.some(
    ({ alike: name, state, at }) =>
      name === alike && state === 'done' && at < saidAt && at > saidAt - LOOK_ALIKE_MS,
  );
}

const IS_GIVEN_UP = /\.(?:notSent|cancelled)$/;
const IS_NOT_SENT = /\.(?:notSent|cancelled|givenUp)$/;

/**
 * The words for a payment that was not made while others are open: it is named as given up. One that reads like an open
 * payment is called the second one.
 */
function givenUp({ key, values = {} }: Sentence, open: readonly OpenPayment[]): SentenceKey {
  const kind = NOT_MADE.get(key);
  if (kind === undefined || open.length === 0) return key;
  // Its price is no part of its name, and may not have been asked for yet.
  const readsAs = ({ fees: _fees, total: _total, ...name }: Values = {}) =>
    Object.entries(name).every(([each, value]) => isDeepStrictEqual(values[each], value));
  const isSame = open.some(({ says }) => says.key.startsWith(`${kind}.`) && readsAs(says.values));
  return isSame ? 'pay.noSecond' : `${kind}.givenUp`;
}

/** True for a notice that another payment is under way, or that all are frozen, once that is over. */
function isOver({ key }: Sentence, { open, wallet }: Pick<LoadedSession, 'open' | 'wallet'>): boolean {
  if (key === STILL) return wallet.value.safety?.frozen === undefined;
  return open.length === 0 && Object.hasOwn(ONCE_NONE_IS_OPEN, key);
}

/** True where the customer can ask for the outcome of the open payment. */
function asksOfOpen({ choices = [] }: Screen): boolean {
  return choices.some(({ key }) => key === 'pay.check');
}

/**
 * True for a screen that tells what was paid or is being paid here, came in, was changed or was read with the PIN, and for a reference.
 * Below another payment it would be taken for the end of that one.
 */
function tellsWhatWasDone(
  { conversation, intent }: Session,
  { key, release, about, expects }: Screen,
): boolean {
  if (about !== undefined) return true;
  if (!conversation) return false;
  const claim = claimOf(key, release);
  const isPaying = claim === 'open' && intent !== undefined && expects === 'nothing';
  return isPaying || IS_DONE.has(claim) || hasTag(conversation, 'private') || hasTag(conversation, 'news');
}
const IS_DONE: ReadonlySet<string> = new Set<Claim>(['moved', 'returned', 'received']);

/** A screen below the payments that are open. One that `tells` what the customer has just done stands above them, unless it invites to do something again. */
export function openFirst(screen: Screen, open: readonly OpenPayment[], tells = false): Screen {
  if (open.length === 0) return screen;
  const named = open.slice(0, NAMED_MAX).map((payment) => openSentence(payment, open));
  const more = open.length - named.length;
  const first: Sentence[] =
    more > 0 ? [...named, { key: 'pay.moreOpen', values: { count: { count: more } } }] : named;
  const shown: Screen = { ...screen, key: WHILE_OPEN[screen.key] ?? givenUp(screen, open), first };
  const isNotMade = [shown.key, shown.notice?.key].some((key) => key && saysNotMade(key));
  if (isNotMade || saysAgain(shown)) return { ...shown, invitesAgain: true };
  return tells ? { ...shown, isAnswer: true } : shown;
}

/** Next to it, a reader must not miss that the open payment is not to be made again. */
function saysNotMade(key: SentenceKey): boolean {
  return NOT_MADE.has(key) || key === 'pay.noSecond';
}

/** The sentence for an open payment: with the time at which it was sent where another one would read the same. */
function openSentence({ id, at, says }: OpenPayment, open: readonly OpenPayment[]): Sentence {
  const words = wordsOf(says);
  const isSame = (other: OpenPayment) => other.id !== id && wordsOf(other.says) === words;
  const key = SENT_AT.get(says.key);
  return key && open.some(isSame) ? { key, values: { ...says.values, at: { date: at } } } : says;
}

/** Tells sentences apart, without moments: only the confirmation named the moment of a look-alike. */
function wordsOf({ key, values = {} }: Sentence): string {
  return JSON.stringify([key, Object.entries(values).filter(([, value]) => !('date' in value))]);
}

/** True on the first screen of a dial or of an opened chat, and wherever the menu is shown. */
function beginsContact({ contact, screen, conversation }: Session): boolean {
  return contact === screen || conversation?.machine === 'menu';
}

/** Nothing more is done here: a handset can do no more than read that the link to the form is on its way. */
export function endsContact(
  { expects }: Pick<Screen, 'expects'>,
  { address }: Pick<LoadedSession, 'address'>,
): boolean {
  return expects === 'nothing' || (CARDS.has(expects) && abilitiesOf(address).opensPages === 'sms');
}

/** A customer who is asked to try again must know which payment is under way already. */
function saysAgain({ key, notice, choices = [] }: Screen): boolean {
  return [key, notice?.key, ...choices.map((choice) => choice.key)].some(
    (each) => each && invitesAgain(each),
  );
}

/** The open payments that neither the screen itself nor a message shown with it speaks of. */
function unsaid(
  { session, open }: Pick<LoadedSession, 'session' | 'open'>,
  missed: readonly { readonly id: string }[],
): readonly OpenPayment[] {
  // The holder of an idle chat may be another person, and reads nothing of the wallet.
  if (!session.linked || open.length === 0) return [];
  const { key, release } = currentScreen(session);
  const saysItself = claimOf(key, release) !== 'nothing';
  return open.filter(
    ({ id }) => !(saysItself && id === session.intent) && !missed.some((message) => message.id.includes(id)),
  );
}
