import { type Screen, SECRETS } from '../../../machines/kit/screen.ts';
import { latinDigits } from '../../wallet/digits.ts';
import { DIRHAM } from '../../wallet/dirham.ts';
import { abilitiesOf, canPush } from '../channel.ts';
import { type Conversation, screenOf } from '../chart/machines.ts';
import type { Address, Incoming, Input } from '../incoming.ts';
import { choiceOf, typedChoice } from './choice.ts';
import type { Owner, Session } from './session.ts';

/** How long an agent who does nothing keeps a conversation to themselves. */
export const OWNER_LEASE_MS = 5 * 60_000;
/**
 * An agent's same message within this time, before the customer has answered, is one act that was sent twice. The cause
 * is a double press, a second tab, or a repeated request.
 */
export const SAME_WORDS_MS = 60_000;
/** The longest message of an agent, and the longest part that is kept of a customer's message. */
export const TALK_MAX_CHARS = 1_000;

/** The screen while a person talks to the customer. */
export function talkScreen({ name }: Owner): Screen {
  return {
    key: 'support.talking',
    values: { agent: { name } },
    expects: 'field',
    takesFiles: true,
    numbersChoices: true,
    choices: [
      { id: 'settled', key: 'support.settled' },
      { id: 'leave', key: 'support.leave' },
    ],
  };
}

/** An input while a person talks: words or a file for them, the wish to leave, a page, or none of these. */
export function interpret(owner: Owner, raw: Input, address: Address): Interpretation {
  switch (raw.type) {
    case 'said':
      return numbered(owner, raw.text.trim(), address) ?? 'words';
    case 'chose':
    case 'picked':
      return CHOSEN[choiceOf(raw, talkScreen(owner)) ?? ''] ?? 'nothing';
    case 'went':
      return WENT[raw.to] ?? 'nothing';
    case 'photo':
      return 'file';
    default:
      return 'nothing';
  }
}
type Interpretation = 'words' | 'file' | 'leaves' | 'toMenu' | 'isSettled' | 'more' | 'nothing';
const WENT: Readonly<Record<string, Interpretation>> = {
  menu: 'toMenu',
  back: 'leaves',
  cancel: 'leaves',
  more: 'more',
};
const CHOSEN: Readonly<Record<string, Interpretation>> = { leave: 'leaves', settled: 'isSettled' };

/** On pages choices have numbers, and no other way to be chosen. */
function numbered(owner: Owner, text: string, address: Address): Interpretation | undefined {
  if (abilitiesOf(address).shows !== 'pages') return undefined;
  return CHOSEN[typedChoice(latinDigits(text), talkScreen(owner))?.id ?? ''];
}

/** The customer has written to the person: that person's next message is an answer, even in the same words. */
export function withCustomerReply(session: Session): Session {
  if (!session.owner?.sent) return session;
  const { sent: _before, ...owner } = session.owner;
  return { ...session, owner };
}

/**
 * A session whose screen an agent has changed. Where nothing can be pushed, the customer does not see it before they
 * type. Where a secret was asked for, the next input may be that secret.
 */
export function changed(session: Session, address: Address, now: number): Session {
  const paused = session.conversation && screenOf(session.conversation);
  const asksSecret = paused !== undefined && SECRETS.has(paused.expects);
  return asksSecret || !canPush(address, session, now) ? { ...session, unseen: true } : session;
}

/**
 * True where an input answers a screen that the customer no longer sees. They are shown the present one, and the input
 * does not count. A request for the menu counts wherever it is made, except while a person talks to the customer.
 */
export function isBlind(
  { unseen, owner }: Session,
  { screenId, dialog }: Incoming,
  raw: Input | undefined,
): boolean {
  if (!owner && raw?.type === 'went' && raw.to === 'menu') return false;
  return unseen === true && screenId === undefined && (dialog !== undefined || raw?.type === 'said');
}

/** The conversation with its timers as much later as it was paused. */
export function later(conversation: Conversation, pausedMs: number): Conversation {
  const { timers } = conversation;
  if (!timers) return conversation;
  const moved = Object.entries(timers).map(([name, at]) => [name, at + pausedMs] as const);
  return { ...conversation, timers: Object.fromEntries(moved) };
}

/** Separators between digits or groups that belong together: short, and neither letter nor digit. */
const JOINED = String.raw`[^\p{L}\d]{1,3}`;
/** Matches a code in one word. `GROUPS` matches one in groups of the same length. */
const WORD = /[A-Za-z\d]+(?:[-‐‑–—_]+[A-Za-z\d]+)*/g;
const GROUPS = new RegExp(
  [3, 4, 5, 6]
    .map((size) => `[A-Za-z\\d]{${size}}(?:${JOINED}[A-Za-z\\d]{${size}})+`)
    .map((groups) => `(?<![\\p{L}\\d])${groups}(?![\\p{L}\\d])`)
    .join('|'),
  'gu',
);
/** Shorter ones are words and amounts. */
const CODE_MIN_CHARS = 8;
const AMOUNT = /^\d+(?:dhs?|mad|dirhams?)$/i;
/** Numbers that are kept: our own reference, which customers are asked to give to an agent, and a phone number. */
const REFERENCE = String.raw`(?<![\p{L}\d])(?=\d*[A-Fa-f])[\dA-Fa-f]{8}(?![\p{L}\d])`;
const PHONE = String.raw`(?:(?:\+|00)212[ .-]?0?|0)[5-7](?:[ .-]?\d){8}(?![ .-]?\d)`;
/** The name that agents use for a case. */
const CASE = String.raw`(?<![\p{L}\d])c-[\da-z]{7}(?![\p{L}\d])`;
const REFERENCE_WORDS = `(?:r[ée]f(?:[ée]rence)?s?|op[ée]rations?|transactions?|re[çc]us?|receipts?|(?:ال)?مرجع|(?:ال)?عملية)`;
/** An amount as Wasl prints it: `1 500,00`. */
const CENTIMES = String.raw`\d{1,3}(?:[ .\u00a0\u202f]?\d{3})*[.,]\d{2}`;
/** As long as a PIN or a code, and said to be a reference, or money. */
const SAID_WHAT = String.raw`(?<=${REFERENCE_WORDS}(?:[^\p{L}\d]{1,3}(?:n|no|num[ée]ro|number|رقم))?[^\p{L}\d]{1,3})(?:\d{6}|\d{4})(?!${JOINED}?\d|\d)|(?<!\d${JOINED}|\d)(?:${CENTIMES}|\d{6}|\d{4})(?=[ \u00a0\u202f]?${DIRHAM}(?!\p{L}))`;
/** A creditor's reference of a payment, as a receipt says it. A withdrawal's may look alike, so it has to be said to be one. */
const RECEIPT = String.raw`(?<![A-Za-z\d])R\d{12}`;
const IS_RECEIPT = new RegExp(`^${RECEIPT}$`);
const SAYS_RECEIPT = new RegExp(String.raw`${REFERENCE_WORDS}(?!\p{L})[^\d\n]{0,30}$`, 'iu');
/** Beside such a word a long number may be the reference of a withdrawal, which is worth its amount. */
const WITHDRAWAL = /retrait|retir[eé]|withdr[ae]w|cash.?out|سحب/iu;
const WITHDRAWAL_MIN_DIGITS = 9;
const NUMBERS = new RegExp(
  String.raw`(?<kept>${REFERENCE}|${PHONE}|${CASE}|${SAID_WHAT})|\d(?:(?:${JOINED})?\d)*`,
  'giu',
);
const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])[./-](?:0?[1-9]|1[0-2])[./-](?:19|20)\d\d`;
/** A day or a month, by whose digits nobody signs in. */
const DATE = new RegExp(
  [
    DAY,
    String.raw`(?:0?[1-9]|1[0-2])[./-](?:19|20)\d\d`,
    String.raw`(?:19|20)\d\d[./-](?:0?[1-9]|1[0-2])(?:[./-](?:0?[1-9]|[12]\d|3[01]))?`,
    // A month and a year as cards have them end in more than 12.
    String.raw`(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|1[0-2])`,
  ]
    .map((date) => `^${date}$`)
    .join('|'),
);
/** A time of day, a day with its year, or the reference of a receipt: numbers on either side of it are none of its own. */
const APART = new RegExp(String.raw`(?<!\d[.:/]?)(${DAY}|(?:[01]?\d|2[0-3]):[0-5]\d|${RECEIPT})(?![.:/]?\d)`);
/** Said to be a secret: then it is one of any length up to a phone number's. */
const NAMED = new RegExp(
  String.raw`(?<name>(?:pins?|cvv2?|cvc2?|csc|cryptogramme|otp|codes?|passe|password|passcode|secret|رمزي|الرمز|السري|كود|القن)(?:[^\p{L}\d]{1,3}(?:est|était|is|was|هو))?[^\p{L}\d*#?]{0,3})\d(?:[^\p{L}\d]?\d){2,7}(?!${JOINED}\d|\d)`,
  'giu',
);
const MASK = '••••';

/**
 * The words of a customer and a person, as they may be stored. It leaves out numbers that are as long as a PIN, a
 * one-time code or a card's number, and numbers that are said to be a secret, or may be a withdrawal's. It also leaves
 * out everything that looks like a voucher's code, though some of it was harmless.
 */
export function withoutSecrets(text: string): string {
  const isWithdrawal = WITHDRAWAL.test(text);
  return latinDigits(text.slice(0, TALK_MAX_CHARS))
    .replace(GROUPS, (groups) => (isGroupedCode(groups) ? MASK : groups))
    .replace(WORD, (word, at: number, all: string) => {
      const isReceipt = IS_RECEIPT.test(word) && !isWithdrawal && SAYS_RECEIPT.test(all.slice(0, at));
      return isMixed(word) && !AMOUNT.test(word) && !isReference(word) && !isReceipt ? MASK : word;
    })
    .split(APART)
    .map((part, i) => (i % 2 === 1 ? part : withoutNumbers(part, isWithdrawal)))
    .join('')
    .replace(NAMED, `$<name>${MASK}`);
}

function withoutNumbers(text: string, isWithdrawal: boolean): string {
  return text.replace(NUMBERS, (number, kept?: string) => {
    // Another number next to it hides no PIN: `1234, 2 fois`.
    if (DATE.test(number)) return number;
    const parts = number.split(/[^\d./-]+/);
    // Two of them, old and new, may be written as one: `9173/8264`.
    const groups = parts.flatMap((part) => (DATE.test(part) ? [] : part.split(/[./-]/)));
    const lengths = [number, ...parts, ...groups].map((part) => part.replace(/\D/g, '').length);
    const isSecret = lengths.some((length) => length === 4 || length === 6 || length >= 13);
    const isWorthMoney = isWithdrawal && groups.some(({ length }) => length >= WITHDRAWAL_MIN_DIGITS);
    return kept === undefined && (isSecret || isWorthMoney) ? MASK : number;
  });
}

/** Letters and digits, as no word and no amount has them. */
function isMixed(text: string): boolean {
  const { length } = text.replace(/[^A-Za-z\d]/g, '');
  return length >= CODE_MIN_CHARS && /[A-Za-z]/.test(text) && /\d/.test(text);
}

/** An amount behind a word is as long as it now and then: a code has both in one group, or is all in capitals. */
function isGroupedCode(text: string): boolean {
  const isCapitals = !/[a-z]/.test(text);
  if (isMixed(text))
    return isCapitals || text.split(/[^A-Za-z\d]+/).some((group) => /\d[A-Za-z]|[A-Za-z]\d/.test(group));
  return isCapitals && /^[A-Z]+(?:[-‐‑–—][A-Z]+)+$/.test(text) && text.length > CODE_MIN_CHARS;
}

function isReference(word: string): boolean {
  return /^(?:[\dA-F]{8}|c-[\da-z]{7})$/i.test(word);
}
