import { hash } from 'node:crypto';
import type { Screen, Sentence } from '../../../machines/kit/screen.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import { codec, isObject } from '../../store/codec.ts';
import { type Centimes, centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { abilitiesOf, hasWindow } from '../channel.ts';
import type { Conversation } from '../chart/machines.ts';
import { OWN_RELEASE } from '../chart/releases.ts';
import type { Address, Incoming, Language, ProviderStatus, Push, ShownScreen } from '../incoming.ts';
import type { SealedKeypad } from './keypad.ts';
import type { About } from './state-of.ts';

/** A conversation that nobody continues ends after this time. */
export const CONVERSATION_IDLE_MS = 30 * 60_000;
/** A session that nobody uses is forgotten after this long. */
const SESSION_KEPT_MS = 90 * 24 * 3_600_000;
/** The same of a stranger's: anybody makes as many of them as they like. */
const STRANGER_KEPT_MS = 24 * 3_600_000;
/** After this a chat is asked for the PIN again: number or phone may have changed hands. */
export const LINK_IDLE_MS = 30 * 24 * 3_600_000;
/** How many inputs a session remembers, to know a redelivered one. */
const SEEN_MAX = 6;
/** The number of messages that wait for an address. `leastOf` decides which message is dropped above it. */
const OUTBOX_MAX = 20;

/** A guarded or money effect under way: claimed by a commit, its answer still to come. */
export interface Underway {
  /** XState's id of the call. */
  readonly id: string;
  readonly src: string;
  /** Our own id of it, new for every run: the call's `C-Request-Id` and, for money, the intent. */
  readonly ref: string;
  readonly by: string;
  /** When another process may say that the answer is lost. */
  readonly until: number;
}

/** The support agent who has taken a conversation over. The bot waits for as long as the lease lasts. */
export interface Owner {
  readonly id: string;
  /** As the customer reads it. */
  readonly name: string;
  /** When the bot was paused, in ms since 1970. */
  readonly since: number;
  /** When the bot goes on by itself, unless the lease is renewed. */
  readonly until: number;
  /**
   * The agent's last message as a digest, and its time in ms since 1970. The same message is not sent twice
   * (`SAME_WORDS_MS`). Absent: nothing since the customer has written.
   */
  readonly sent?: { readonly digest: string; readonly at: number };
}

/** How far a message is on its way from one link to the next (`next-link.ts`). */
interface OnItsWay {
  /** When it goes to the next link, in ms since 1970, unless its customer has it before. */
  readonly moveAt?: number;
  /** It has gone to the next link, and is a reminder here. */
  readonly moved?: true;
  /** It has come to the number from a chat that could not deliver it. */
  readonly standsIn?: true;
  /** The language of that chat, where the number has chosen none. */
  readonly spoken?: Language;
  /** A template was tried, as the chat's window was closed. */
  readonly byTemplate?: true;
  /** The wallet's chats have it, too, and the number has waited for them. */
  readonly spread?: true;
}

interface Seen {
  /**
   * Shown on a dial, or by the very page that it is about. It is dropped with the customer's next answer, so a repeated
   * dial or a second page shows it too.
   */
  readonly shown?: true;
  /** The page that showed it was answered: no dial shows it again. */
  readonly read?: true;
  /** It was said before, by SMS or where nobody knows whether it was seen. Its repetition tells the customer so. */
  readonly told?: true;
}

/** Something to say to the customer, kept until the channel has taken it. */
export interface Outgoing
  extends Omit<Push, 'language' | 'isSecret' | 'keypad' | 'form' | 'view'>,
    OnItsWay,
    Seen {
  /** The time of the next try, in ms since 1970. Absent while the message is held for the customer to fetch. */
  readonly tryAt?: number;
  readonly tries: number;
  /** When it was to be delivered at first, in ms since 1970, once a try has failed: `tryAt` has moved since. */
  readonly dueAt?: number;
  /** Values of its screen that are secret, by name: opened at the moment of delivery. */
  readonly sealed?: Readonly<Record<string, Sealed>>;
  /** The screen whose form it leads to: its address is made at the moment of delivery, and only while that screen is on show. */
  readonly linksTo?: number;
  /** The kind of the sealed values. Absent: a voucher's code. */
  readonly sealedAs?: 'link';
  /** The payment that it is about: a newer message about it takes its place. */
  readonly intent?: string;
  /** The state of the wallet that it is about: once that has gone, it is not said any more. */
  readonly about?: About;
  /** When it was said first, in ms since 1970, where it must say so if it is read later (`dated-sentences.ts`). */
  readonly saidAt?: number;
  /** The words of a support agent: on USSD they wait for the next dial. */
  readonly byAgent?: true;
  /** It is about money received: how often, and how much in all. More than once where earlier messages were dropped. */
  readonly received?: { readonly times: number; readonly total: Centimes };
  /** The id that its provider gave it, when it was last accepted. */
  readonly sentAs?: string;
  /** The id that a provider gave the SMS with it. Absent once the provider has reported on that SMS. */
  readonly smsAs?: string;
  /** It cannot be sent again by itself, and is with the customer's next message. */
  readonly waits?: true;
}

/** A conversation of another address of the customer's, which this one offers to resume. */
export interface Offered {
  readonly from: Address;
  readonly screen: number;
}

/** The notices that a page showed beside the screen `screen`, in the turn that ended `at`. See `lastShown`. */
export interface PageNotices {
  readonly at: number;
  readonly screen: number;
  /** How many inputs the gateway's session had brought. */
  readonly inputs: number;
  /** Said above the screen once: its pages are counted with it. */
  readonly notice?: Sentence;
  /** As in `Screen`. */
  readonly tooEarly?: readonly number[];
  /**
   * How many of the screen's choices were shown by the end of the page, whether there are more pages, and whether those hold nothing but choices.
   * Also how many payments are named first, and which messages were shown whole (`Page.told`).
   */
  readonly pages?: {
    readonly choices: number;
    readonly more?: true;
    readonly asked?: true;
    readonly first?: number;
    readonly told?: 0 | 1 | 2;
  };
  /** The content of a screen that was read to its end (`contentOf`): the same again need not be. */
  readonly read?: string;
}

/** A PIN that has opened the balance: when, in ms since 1970, and of which wallet. The PIN itself is kept nowhere. */
interface PinForBalance {
  readonly at: number;
  readonly wallet: Msisdn;
}

/** For this time the PIN of the balance opens the statement as well. */
const VIEW_MS = 120_000;

/** True while the PIN of the balance, typed in this contact, opens the statement (docs/safety.md: a PIN for the balance). */
export function mayView({ viewed, wallet }: Session, now: number): boolean {
  return viewed !== undefined && viewed.wallet === wallet && now >= viewed.at && now - viewed.at < VIEW_MS;
}

interface Reach {
  /** The proof of the number, where the address is another one. Ask `numberOf`. */
  readonly provenBy?: 'contact' | 'code';
  /** When they last wrote, in ms since 1970, where the channel counts a window from it (`canPush`). */
  readonly heard?: number;
  /** When all that the person was sent is paid off by the pace of one pair, in ms since 1970 (`pairPace`). */
  readonly busyUntil?: number;
  /** The last messages with a topic that the customer has got here, by their names: no other link says them again. */
  readonly had?: readonly string[];
  /** The provider's reports on messages whose acceptance we have not heard of yet, the oldest first. */
  readonly early?: readonly { readonly of: string; readonly status: ProviderStatus }[];
}

interface LastAnswers {
  /** The last one was given where a PIN is asked for: the next four digits may be that PIN once more. */
  readonly afterPin?: true;
  /** Answers in a row that meant nothing on the same screen: after a few, the customer is stuck. */
  readonly misses?: number;
  /** The screen has changed since the customer saw one, and the next input may still answer the one before (`talk.ts`). */
  readonly unseen?: true;
}

export interface RequestKnown {
  /** The customer has asked for a person: when, in ms since 1970, and the case that it is. Absent once it is dealt with. */
  readonly asked?: { readonly at: number; readonly case: string };
  /** An adviser has dealt with this case: how it was is asked once, when nothing else is. */
  readonly rates?: { readonly case: string; readonly at: number };
}

/** One customer at one address. Plain JSON. Names are short because there are millions of them. */
export interface Session extends LastAnswers, Reach, RequestKnown {
  readonly language?: Language;
  /** The proven number: all of this session lives in that wallet's partition. */
  readonly wallet?: Msisdn;
  /** The wallet is the customer's own, proven by SIM or PIN. */
  readonly linked?: boolean;
  readonly consent?: { readonly version: string; readonly at: number };
  /** The gateway's session (USSD). */
  readonly dialog?: string;
  readonly seen: readonly string[];
  /** Counts up whenever another screen is shown. */
  readonly screen: number;
  readonly page: number;
  readonly shown?: PageNotices;
  /** The screen on which a dial or an opened chat began: payments that are open are named on it. */
  readonly contact?: number;
  /** When a screen was first shown that must say so after another payment (`dated-sentences.ts`). */
  readonly said?: { readonly screen: number; readonly at: number };
  readonly conversation?: Conversation;
  /** The lists that have led to this conversation, the first one first: one step back from its first question is the last one. */
  readonly via?: readonly string[];
  /** The conversation that help, the language choice or the offer to resume has interrupted. */
  readonly suspended?: Conversation;
  /** The address where `suspended` was begun, and its screen there: it stays there until it goes on here. */
  readonly offered?: Offered;
  /** The offer that the customer did not want to resume here. It is not made again. */
  readonly declined?: Offered;
  readonly underway?: Underway;
  /** The intent that the conversation has sent, whose outcome it waits for. */
  readonly intent?: string;
  readonly outbox?: readonly Outgoing[];
  /** When the channel takes messages for this chat again, in ms since 1970: Telegram's 429 holds back the whole chat. */
  readonly retryAt?: number;
  /** Entries of the menu and the account that the wallet has said are not enabled: left out until the next visit. */
  readonly without?: readonly string[];
  readonly viewed?: PinForBalance;
  /**
   * The conversation was given up before anything was sent. The customer is told when they resume it. `elsewhere`: it goes on at
   * another address.
   */
  readonly expired?: true | 'elsewhere';
  /** The channel's note to itself (`Conversations.screenShown`). */
  readonly view?: string;
  /** Earlier screens that showed a reference for cash, by its id, the last one first. */
  readonly gone?: readonly (ShownScreen & { readonly about: string })[];
  readonly keypad?: SealedKeypad;
  /** An agent talks to the customer, and the conversation is paused. */
  readonly owner?: Owner;
  /** A case about the customer is put off: their next word brings it back. */
  readonly snoozed?: true;
  /** When the customer was last here. */
  readonly at: number;
}

/** Checked by hand, and only the fields of every session, as each turn reads one. */
export const sessionCodec = codec<Session>(
  'session',
  (value) =>
    isObject(value) &&
    Array.isArray(value.seen) &&
    typeof value.screen === 'number' &&
    typeof value.page === 'number' &&
    typeof value.at === 'number' &&
    (value.outbox === undefined || Array.isArray(value.outbox)),
);

/** The notices of the last page. Undefined where a process of another release has shown a page since. */
export function lastShown({ shown, at }: Pick<Session, 'shown' | 'at'>): PageNotices | undefined {
  return shown?.at === at ? shown : undefined;
}

/** A digest of a screen's question, without the notice above it. */
export function contentOf({ key, values, choices }: Screen): string {
  return hash('sha1', JSON.stringify([key, values, choices]), 'base64url');
}

/**
 * Until when a session is kept, in ms since 1970. A stranger has proven no number yet. A person who talks to them, or has
 * written, makes them one who is waited for.
 */
export function keptUntil({ at, wallet, owner, outbox = [] }: Session): number {
  const isStranger = wallet === undefined && !owner && !outbox.some(({ byAgent }) => byAgent);
  return at + (isStranger ? STRANGER_KEPT_MS : SESSION_KEPT_MS);
}

export function newSession(now: number): Session {
  return { seen: [], screen: 0, page: 0, at: now };
}

/** Nobody waits for the end of an idle conversation: it may come so much later, and most turns leave it where it is. */
const IDLE_STEP_MS = 60_000;
/** The same of an answer whose process has died. */
const LOST_STEP_MS = 1_000;

/** The time when a process must look at this session again, in ms since 1970. Undefined: not before the customer does. */
export function nextDue(session: Session): number | undefined {
  let due = Number.POSITIVE_INFINITY;
  // While an agent talks to the customer, the conversation's timers are paused.
  if (session.owner) due = session.owner.until;
  else {
    if (session.conversation || session.suspended)
      due = roundUp(session.at + CONVERSATION_IDLE_MS, IDLE_STEP_MS);
    for (const conversation of [session.conversation, session.suspended]) {
      for (const timer in conversation?.timers) due = Math.min(due, conversation.timers[timer] ?? due);
    }
  }
  if (session.underway) due = Math.min(due, roundUp(session.underway.until, LOST_STEP_MS));
  due = Math.min(due, nextDelivery(session) ?? due);
  for (const { moveAt } of session.outbox ?? []) due = Math.min(due, moveAt ?? due);
  return due === Number.POSITIVE_INFINITY ? undefined : due;
}

function roundUp(at: number, step: number): number {
  return Math.ceil(at / step) * step;
}

/** Messages to deliver, in order, without those that wait for a fetch or were replaced by a screen. */
export function deliverable(session: Session): Outgoing[] {
  return (session.outbox ?? []).filter((message) => isDeliverable(message, session));
}

function isDeliverable(message: Outgoing, session: Session): boolean {
  return message.tryAt !== undefined && !isOvertaken(message, session);
}

/** True while the call that moves money is running. */
export function isSending({ underway, intent }: Session): boolean {
  return underway !== undefined && underway.ref === intent;
}

/** True where a message about money has not been shown in the chat yet. */
export function hasMoneyMessage(session: Session): boolean {
  return session.outbox?.some((each) => each.money && isDeliverable(each, session)) === true;
}

/** A screen that another one has replaced says nothing any more, unless it is about money. */
export function isOvertaken({ screenId, money }: Outgoing, session: Session): boolean {
  return screenId !== undefined && screenId !== session.screen && !money;
}

/** When the next message can go, in ms since 1970: the first one, as they go in order, and not before the chat is open. */
function nextDelivery(session: Session): number | undefined {
  const first = session.outbox?.find((message) => isDeliverable(message, session));
  return first?.tryAt === undefined ? undefined : Math.max(first.tryAt, session.retryAt ?? 0);
}

/** Knows this input again when it is brought a second time. */
export function remember(session: Session, { id }: Pick<Incoming, 'id'>): Session {
  return { ...session, seen: [...session.seen, id].slice(-SEEN_MAX) };
}

/** An input by the names that its session knows it or its dialog by: one key may be replacing another. */
export function asNamedIn<Named extends Pick<Incoming, 'id' | 'dialog' | 'formerly'>>(
  { seen, dialog }: Session,
  incoming: Named,
): Named {
  const isKnown = (names: Pick<Incoming, 'id' | 'dialog'>) =>
    seen.includes(names.id) || (names.dialog !== undefined && names.dialog === dialog);
  const known = isKnown(incoming) ? undefined : incoming.formerly?.find(isKnown);
  return known ? { ...incoming, ...known } : incoming;
}

/** After an input the channel's window is open: messages that have waited for it can go. */
export function withOpenWindow(session: Session, address: Address, now: number): Session {
  const opens = hasWindow(address);
  const answered = withOneMore(session, address, now);
  const outbox = session.outbox?.map((message) => {
    const { waits = opens, ...rest } = message;
    return waits && !isAccepted(message) ? { tryAt: now, ...rest } : message;
  });
  return { ...answered, ...(opens && { heard: now }), ...(outbox && { outbox }) };
}

/** The session once its person is sent one more message, where the channel limits those. It costs no commit of its own. */
export function withOneMore(session: Session, address: Address, now: number): Session {
  const { pairPace } = abilitiesOf(address);
  if (!pairPace) return session;
  return { ...session, busyUntil: Math.max(session.busyUntil ?? 0, now) + pairPace.everyMs };
}

/**
 * How long a message that nobody has asked for waits, in ms, so that its person does not get too many: a token bucket in the
 * session, for all processes. A reply never waits, and counts. A screen counts as one message.
 */
export function pairWaitMs({ busyUntil = 0 }: Session, address: Address, now: number): number {
  const { pairPace } = abilitiesOf(address);
  if (!pairPace) return 0;
  const { everyMs, burst } = pairPace;
  const waitMs = busyUntil - now - (burst - 1) * everyMs;
  // Many quick answers, or a clock far ahead, silence nobody for longer than a burst takes.
  return Math.min(burst * everyMs, Math.max(0, waitMs));
}

/** True for a message that its provider has, and of which nothing more is known yet. */
export function isAccepted({ sentAs, tryAt, waits }: Outgoing): boolean {
  return sentAs !== undefined && tryAt === undefined && !waits;
}

/** The session with each of its messages replaced by what is left of it. */
export function withOutbox(session: Session, each: (message: Outgoing) => Outgoing[]): Session {
  const { outbox = [], ...rest } = session;
  const left = outbox.flatMap(each);
  return left.length > 0 ? { ...rest, outbox: left } : rest;
}

/** False when one more message would push out another one that its customer does not have yet. */
export function hasRoom({ outbox = [] }: Session): boolean {
  return outbox.filter((message) => !isAccepted(message)).length < OUTBOX_MAX;
}

/**
 * The session with one more message, which names the release that says it: another one may deliver it. Earlier news of
 * the same payment that its customer has not read is not true any more.
 */
export function enqueue(session: Session, message: Outgoing): Session {
  const screen = { release: OWN_RELEASE, ...message.screen };
  const isOver = ({ intent }: Outgoing) => intent !== undefined && intent === message.intent;
  const outbox = [...(session.outbox ?? []).filter((each) => !isOver(each)), { ...message, screen }];
  if (outbox.length <= OUTBOX_MAX) return { ...session, outbox };
  const at = leastOf(outbox);
  return { ...session, outbox: counted(outbox.toSpliced(at, 1), outbox[at]) };
}

/**
 * The message to drop first: one that was accepted. Then the oldest of an agent's words. Without any, one that is not about money. Then one about
 * money received, which the next such message counts. Then one that can be said again, as a voucher's code cannot.
 */
function leastOf(outbox: readonly Outgoing[]): number {
  const is: readonly ((each: Outgoing) => boolean)[] = [
    isAccepted,
    ({ byAgent }) => byAgent === true,
    ({ money }) => !money,
    ({ received }) => received !== undefined,
    ({ sealed }) => !sealed,
  ];
  return is.map((may) => outbox.findIndex(may)).find((at) => at >= 0) ?? 0;
}

/** The messages that are left. A dropped one about received money is counted by the next of its kind. */
function counted(left: readonly Outgoing[], gone: Outgoing | undefined): readonly Outgoing[] {
  const { received } = gone ?? {};
  if (!received || gone?.shown) return left;
  const at = left.findIndex((message) => message.received && !message.shown);
  return left.map((message, i) => {
    if (i !== at || !message.received) return message;
    const times = message.received.times + received.times;
    return { ...message, received: { times, total: centimes(message.received.total + received.total) } };
  });
}
