import { CONTINUE } from '../../../machines/help.ts';
import type { LockedSays } from '../../../machines/kit/conversation.ts';
import { type Screen, SECRETS, type Sentence } from '../../../machines/kit/screen.ts';
import type { FilesWith, SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { BUSY } from '../../../machines/kit/stopped.ts';
import { isPaymentKind, type Order } from '../../payments/payments.ts';
import { abilitiesOf } from '../channel.ts';
import { type Conversation, hasTag, screenOf } from '../chart/machines.ts';
import { isGuest } from '../chart/main-conversation.ts';
import { claimOf } from '../chart/releases.ts';
import type { Language, Reply } from '../incoming.ts';
import type { Secrets } from '../secrets.ts';
import { momentOf } from './dated-sentences.ts';
import type { Outgoing, Session } from './session.ts';
import type { LoadedSession } from './sessions.ts';
import { talkScreen } from './talk.ts';

/** The process that has just committed a message delivers it itself. After this time another one takes over. */
const DELIVERY_LEASE_MS = 10_000;

/** The screens of the menu: a customer's or merchant's, and an agent's. */
export const MENUS: ReadonlySet<string> = new Set<SentenceKey>(['menu.choose', 'menu.chooseAgent']);

/** The screens, and the words above one, that tell a customer that their wallet is locked. */
const LOCKED: ReadonlySet<string> = new Set<SentenceKey>(['pin.locked', 'menu.lockedForNow', 'menu.locked']);

/** True for a screen that says, or says above its question, that the wallet is locked. */
export function saysLocked({ key, notice }: Pick<Screen, 'key' | 'notice'>): boolean {
  return LOCKED.has(key) || LOCKED.has(notice?.key ?? '');
}

/** The menu's notice of a wallet that is locked, as the customer has read it here. */
export function lockedIn({
  conversation,
  suspended,
}: Pick<Session, 'conversation' | 'suspended'>): LockedSays | undefined {
  const here = [conversation, suspended].filter((each) => each !== undefined);
  const known = here.map(({ context }) => context.locked).find((locked) => locked !== undefined);
  if (known !== undefined) return known as LockedSays;
  return here.some((each) => saysLocked(screenOf(each) ?? { key: 'nav.over' }))
    ? 'menu.lockedForNow'
    : undefined;
}

/**
 * The session at the question that a link leads to. A dial that puts a question for a card aside does not end its link: that lives until
 * it is used, replaced or given up.
 */
export function atLink(session: Session, screen: number | undefined): Session {
  const { suspended, ...rest } = session;
  const isAside = suspended?.askedOn !== undefined && suspended.askedOn === screen;
  return isAside ? { ...rest, conversation: suspended, screen: suspended.askedOn } : session;
}

export function currentScreen(session: Session): Screen {
  const { conversation, owner } = session;
  if (owner) return talkScreen(owner);
  const screen = conversation && screenOf(conversation);
  if (!screen) return { key: 'nav.over', expects: 'nothing' };
  const shown = hasAnswered(session) ? withQuestion(screen, session) : withWayBack(screen, session);
  const choices = shown.choices?.map((each) =>
    each.key === 'help.continue' ? { ...each, ...wayBack(session) } : each,
  );
  const receipt = receiptBehind(session);
  const offers = (receipt && screenOf(receipt)?.choices) ?? [];
  return { ...shown, ...(choices && { choices: [...choices, ...offers] }) };
}

/** The receipt that waits behind the menu, which makes its offers there. */
export function receiptBehind({ conversation, suspended }: Session): Conversation | undefined {
  const isAtMenu = conversation?.machine === 'menu' && conversation.ended === undefined;
  return isAtMenu && suspended?.ended && isPaymentKind(suspended.machine) ? suspended : undefined;
}

/**
 * The sentence that offers to go on: an amount that the screen names is said, as is whom it goes to. Every machine with a resumable
 * state has one (`test/sentences.test.ts`).
 */
export function offerOf(
  { machine, context }: Pick<Conversation, 'machine' | 'context'>,
  shown: Screen,
): Sentence {
  const { values = {} } = shown;
  const { kind = '' } = (context.order ?? {}) as Partial<Order>;
  const paid = isPaymentKind(machine) ? machine : values.fees && isPaymentKind(kind) && kind;
  const key: SentenceKey =
    paid && values.amount ? `${paid}.resumePayment` : `${machine as FilesWith<'resume'>}.resume`;
  return { key, ...(shown.values && { values }) };
}

/** The way back from an answer or from help names the payment that waits, or the menu. */
function wayBack({ suspended }: Session): Partial<Sentence> {
  if (!suspended || (suspended.machine === 'menu' && suspended.state === 'choosing'))
    return { key: 'help.toMenu' };
  const question = screenOf(suspended);
  // A payment that was sent, or is only looked at, is not prepared. An outcome changes no label: a chat would draw the answer below it once more.
  const isPrepared =
    question !== undefined && suspended.ended === undefined && hasTag(suspended, 'resumable');
  const { key, values } = isPrepared ? offerOf(suspended, question) : { key: '' };
  if (!key.endsWith('.resumePayment')) return {};
  return { key: key.replace('resumePayment', 'goOnWith') as SentenceKey, ...(values && { values }) };
}

/** True at the page where a payment that was just begun waits for another one. */
export function atHold({ conversation }: Session): boolean {
  return conversation?.machine === 'resume' && screenOf(conversation)?.key === BUSY;
}

/** The same payment, put aside once more: where it comes back, it waits again unless the other one is over. */
export function held(conversation: Conversation): Conversation {
  return { ...conversation, context: { ...conversation.context, notice: { key: BUSY } } };
}

export function isHeld(conversation: Conversation | undefined): boolean {
  return (conversation?.context.notice as Sentence | undefined)?.key === BUSY;
}

/** True where a guest shows its answer, and the question that was interrupted waits below it. */
export function hasAnswered(session: Session): boolean {
  return session.conversation?.ended !== undefined && isGuest(session);
}

/** A guest that leaves a choice offers the way back to the request as well. */
function withWayBack(screen: Screen, session: Session): Screen {
  const { choices = [], expects } = screen;
  if (!isGuest(session) || expects !== 'choice') return screen;
  return { ...screen, choices: [...choices, CONTINUE] };
}

/** The question with the answer above it. Earlier typing is no answer to a secret or a yes. */
function withQuestion(answer: Screen, { suspended }: Session): Screen {
  const question = suspended && screenOf(suspended);
  if (!question) return answer;
  const asksYes = question.choices?.some(({ id }) => id === 'confirm' || id === 'agree');
  if (SECRETS.has(question.expects) || asksYes || question.key === 'pin.lapsed' || isHeld(suspended))
    return { ...answer, choices: [CONTINUE], expects: 'choice' };
  return { ...question, notice: { key: answer.key, ...(answer.values && { values: answer.values }) } };
}

/** True where another screen follows by itself: a call is running, or this says that a payment's outcome is waited for. */
export function isUnderway(session: Session): boolean {
  if (session.underway) return true;
  const { key, expects } = currentScreen(session);
  return session.intent !== undefined && expects === 'nothing' && claimOf(key) === 'open';
}

/** True where the screen was asked for with the PIN, such as a balance. */
export function isPrivate({ conversation, owner }: Session): boolean {
  return !owner && conversation !== undefined && hasTag(conversation, 'private');
}

/** Identifies the reader for whom a chat shows the wallet's data. */
export function readerOf(
  { session: { wallet, linked }, address }: Pick<LoadedSession, 'session' | 'address'>,
  secrets: Pick<Secrets, 'digest'>,
): Pick<Reply, 'reader'> {
  const isChat = abilitiesOf(address).shows === 'messages';
  return isChat && wallet && linked ? { reader: secrets.digest(`reader ${address} ${wallet}`) } : {};
}

/** The language to speak: the customer's, or the one that is configured. */
export function languageOf({
  session,
  defaultLanguage,
}: Pick<LoadedSession, 'session' | 'defaultLanguage'>): Language {
  return session.language ?? defaultLanguage;
}

/** A request to show the current screen, though nobody waits for an answer. */
export interface ScreenPush {
  /** It may cost an SMS. */
  readonly money: boolean;
  /** The reply shows it: it is kept in case they do not see that. */
  readonly isShown?: boolean;
  /** It is sent all the same. */
  readonly isSent?: boolean;
}

/** The current screen as a message, for a customer to whom it is not shown by a reply. */
export function screenMessage(
  session: Session,
  { money, isShown = false, isSent = !isShown }: ScreenPush,
  now: number,
): Outgoing {
  const screen = currentScreen(session);
  // The wallet's book already says that a payment is open. So this message costs no SMS, and is not kept until it is
  // untrue.
  const saysOutcome = money && claimOf(screen.key, screen.release) !== 'open';
  return {
    id: `screen-${session.screen}`,
    screen,
    screenId: session.screen,
    money: saysOutcome,
    tries: 0,
    ...(money && session.intent !== undefined && { intent: session.intent }),
    ...(saysOutcome && session.intent !== undefined && { topic: 'outcome' as const }),
    ...momentOf(session),
    ...(isShown && { shown: true }),
    ...(isSent && { tryAt: now + DELIVERY_LEASE_MS }),
  };
}
