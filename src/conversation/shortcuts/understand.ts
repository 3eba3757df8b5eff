import type { Filled } from '../../../machines/kit/conversation.ts';
import type { Operator } from '../../wallet/contract/telco.ts';
import { hasOneScriptEach } from '../../wallet/digits.ts';
import { DIRHAM, isDirham } from '../../wallet/dirham.ts';
import { normalised, PICTURES } from '../../wallet/letters.ts';
import type { Centimes } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import { inDigits } from '../../wallet/spoken-number.ts';
import { readAmount } from '../../wallet/typed-amount.ts';
import { GUESTS } from '../chart/main-conversation.ts';
import type { Navigation } from '../incoming.ts';
import { aboutPayment } from './complaint.ts';
import { isInexact } from './inexact.ts';
import { isForLater, isNoOrder } from './not-an-order.ts';
import {
  bare,
  deedsNear,
  type Found,
  firstOf,
  fitsIn,
  type Has,
  isCarrier,
  isIn,
  isPay,
  isTooCommon,
  lengthOf,
  spelling,
  stands,
} from './phrases.ts';
import { isForOneself, joinThousands, NUMBER, PAYING, PROTECTING, SEARCHED } from './plain-text.ts';
import { asTyped, POLITELY, relativeIn, type Shortcut, soughtIn, unreadNotice } from './shortcut.ts';
import { wordsIn } from './spelling.ts';
import { isPaidInVain, troubleIn, URGENT, WRONG_DEBIT } from './trouble.ts';
import {
  ALTERNATIVES,
  AND,
  CONCEPTS,
  FAREWELLS,
  FINE,
  GREETINGS,
  LAST_ONES,
  listed,
  NEGATIONS,
  OPERATORS_NAMED,
  PERSONS,
  RELATIVES,
  THANKING,
  THANKS,
  TIMES,
  TOWARDS_SOMEBODY,
  WHOLE_OF,
  wordLists,
} from './vocabulary.ts';
import { PERIODS } from './words.ts';

/** The meaning of a line in a customer's own words. */
type Understood =
  | { readonly kind: 'wants'; readonly shortcut: Shortcut }
  | { readonly kind: 'went'; readonly to: Navigation }
  | Several
  | { readonly kind: 'courtesy'; readonly courtesy: Courtesy }
  /** The question for the fee of an amount, or of a payment. `pays`: the payment whose preview tells it. */
  | { readonly kind: 'fees'; readonly amount?: Centimes; readonly pays?: Shortcut }
  /**
   * The customer wants a payment back. `isNumber`: a number was wrong. `isReference`: a deposit or a withdrawal is to be cancelled. `about`:
   * what was said of the payment.
   */
  | {
      readonly kind: 'undoes';
      readonly isNumber: boolean;
      readonly isReference?: true;
      readonly about?: Shortcut['about'];
      /** Its amount was wrong, and its number was not. */
      readonly isAmount?: true;
      /** Only what is under way can be meant: its number or its amount shall be another one. */
      readonly isOther?: true;
      /** It is the last one: not what is under way. */
      readonly isLast?: true;
    };

/** Two things could be meant, or two were asked for, in the order of the line. */
export interface Several extends Pick<Shortcut, 'filled' | 'says'> {
  readonly kind: 'either';
  readonly meanings: readonly string[];
}

export type Courtesy = 'greets' | 'thanks' | 'fine' | 'bye';

const MOVES: ReadonlySet<string> = new Set<Navigation>(['menu', 'back', 'cancel', 'help', 'language']);
/** The number of words of a line that may stay unknown beside the understood ones. More words could mean anything. */
const UNKNOWN_WORDS_MAX = 4;
/** Marks requests to a bank that the bot does not serve: they are near to a deed, and none. */
const NOTHING = 'nothing';
/** The phrases of those who look for their money. */
const MISSING = 'missing';
/** The phrases of those who want to be sent money. */
const ASK_MONEY = 'ask-money';
/** The question for the fee of an amount. */
const FEES = 'fees';
const ADVISER = 'adviser';
/** The wish to make the last payment once more. */
const AGAIN = 'again';
/** The same of the last transfer. */
const SEND_AGAIN = 'transfer-again';
const BILLS = 'bill-payment';
const VOUCHER = 'voucher';
/** As long as the number of a contract. */
const CONTRACT = /^\d{5,}$/;
/** The phrases of customers who want a payment back, and of those whose number was wrong. */
const UNDO = 'undo';
const WRONG_NUMBER = 'wrong-number';
/** The same of a reference for cash. */
const UNDO_REFERENCE = 'undo-reference';
/** The phrases of those who want to give another number. */
const OTHER_NUMBER = 'other-number';
/** The same of an amount. */
const WRONG_AMOUNT = 'wrong-amount';
const OTHER_AMOUNT = 'other-amount';
/** `je me suis trompé` alone is about the number. */
const UNDOES = [WRONG_AMOUNT, OTHER_AMOUNT, WRONG_NUMBER, OTHER_NUMBER, UNDO, UNDO_REFERENCE];
/** Requests that a time may stand beside, and changes nothing: `mes opérations du mois`. */
const TIMED: ReadonlySet<string> = new Set(['statement', BILLS, 'balance']);
const NUMERIC = new RegExp(`^-?\\d[\\d.,]*${DIRHAM}?$`);
const COURTESIES: readonly (readonly [Courtesy, readonly (readonly string[])[]])[] = [
  ['bye', FAREWELLS],
  ['fine', FINE],
];
const SIGNS: readonly (readonly [Courtesy, RegExp])[] = [
  ['thanks', /[\u{1f64f}\u2764\u{1f970}\u{1f60d}\u{1f339}\u{1f490}]/u],
  ['greets', /\u{1f44b}/u],
  ['fine', /[\u{1f44d}\u{1f44c}\u2705\u{1f197}\u{1f642}\u{1f60a}\u{1f600}\u{1f601}\u{1f44f}\u{1f4aa}]/u],
];
/** Words that order a bill to be paid, and name none. */
const BILL_WORDS = listed([
  ...[CONCEPTS.pay, CONCEPTS.bill, CONCEPTS.owe, CONCEPTS.howMuch],
  'payment|paiement|have|my|mes|o',
]);
const BILLERS = listed([CONCEPTS.biller, CONCEPTS.school]);
const OPERATORS = listed([CONCEPTS.operator]);
const OWN_PHONE = listed([CONCEPTS.phone, 'voici|voila|رقمي|نمرتي|نمرة|nmrti|nemrti|nmra|nemra']);
const FEE_WORDS = listed([CONCEPTS.fee, CONCEPTS.cost, CONCEPTS.howMuch]);
const SERVICES = listed([CONCEPTS.service]);
/** Articles that are a word for "to" in another language. */
const ARTICLES: readonly (readonly [RegExp, string])[] = [
  [/^(?:send|sending|transfer|withdraw|deposit|load)$/, 'a'],
  [/^(?:envo|transf|retir|recharg|vir|depo|vers)/, 'l'],
];
const WHOLE = new Map(
  Object.entries(WHOLE_OF).flatMap(([deed, lines]) =>
    wordLists([lines]).map((line) => [line.join(' '), deed] as const),
  ),
);

/**
 * Reads what a customer writes in their own words: `je voudrais envoyer 200 dh à 0612345678`, `3tini rassid`, `بغيت
 * نصيفط`. Undefined where the request is not clear. Money is never guessed. An amount or a number is filled in only
 * where every word of the line was understood and it could be read in one way. A line about a payment that was made, or
 * about money for the writer, orders none.
 * @param isExact forgives no wrong key: the line may as well be a name, or a search
 */
export function understand(text: string, isExact = false): Understood | undefined {
  const line = normalised(text).replaceAll(RIGHT_ONE, ' ').replaceAll(ALL_RIGHT, 'ok');
  const numbers = line.match(NUMBER) ?? [];
  const words = inDigits(wordsIn(joinThousands(line.replaceAll(NUMBER, ' '))).filter(isNotCalled));
  const understood = meaningOf(text, words, numbers, isExact);
  if (understood?.kind === 'undoes')
    return {
      ...understood,
      ...aboutPayment(words, numbers, understood.isNumber ? 'wrongNumber' : 'undo'),
    };
  return understood?.kind === 'wants' && understood.shortcut.isUrgent === 'missing'
    ? { ...understood, shortcut: { ...understood.shortcut, ...aboutPayment(words, numbers, 'missing') } }
    : understood;
}

/** Behind `bon`: no voucher is named. */
const NO_VOUCHER = String.raw`(?!\p{L}| (?:d.?)?(?:achat|cadeau))`;
/** `le bon numéro`: the right one, and no voucher. Behind `pas` the vocabulary has some of them. */
const RIGHT_ONE =
  /(?<!\p{L}|pas )les? bons? (?=(?:operateur|numero|montant|nom|prenom|destinataire|compte|contrat|commercant|mois|pass)(?!\p{L}))/gu;
const NOT_RIGHT = new RegExp(String.raw`(?<!\p{L})pas les? bons?${NO_VOUCHER}`, 'gu');
const ALL_RIGHT = new RegExp(String.raw`(?<!\p{L})c.?est bon${NO_VOUCHER}`, 'gu');

/** `slm khoya`: whoever is greeted is nobody who is paid. */
function isNotCalled(word: string, place: number, words: readonly string[]): boolean {
  return !(RELATIVES.has(word) && [GREETINGS, THANKING].some((list) => list.has(words[place - 1] ?? '')));
}

function meaningOf(
  text: string,
  words: readonly string[],
  numbers: readonly string[],
  isExact: boolean,
): Understood | undefined {
  const said = words.filter((word) => !NUMERIC.test(word));
  const amounts = words.filter((word) => NUMERIC.test(word));
  const has = { number: numbers.length > 0, amount: amounts.length > 0 };
  const whole = has.number ? undefined : ofWholeLine(text, said, amounts);
  if (whole) return whole;
  const fits = fitsIn(said);
  const found = firstOf(said, has, fits);
  // Nothing else in a line outweighs a theft or money that is missing: not a payment that it tells of, nor a "not".
  const trouble = PROTECTING.has(found?.phrase.deed ?? '') ? undefined : troubleIn(said, fits);
  if (trouble) return urgent(trouble);
  const undo = UNDOES.find((deed) => stands(deed, said, fits));
  if (undo && !said.some((word) => ALTERNATIVES.has(word))) return undoes(undo, said);
  if (isPaidInVain(said)) return urgent('missing');
  if (!found) return barePayment(said, has) ?? amountToName(text, said, amounts, has) ?? kindWord(said, has);
  const rest = said.filter((_, place) => !found.at.includes(place));
  const others = rest.filter((word) => !isCarrier(word));
  if (others.some((word) => NEGATIONS.has(word)) || hasDenial(said, found)) return undefined;
  if (found.phrase.deed === NOTHING || (isExact && found.guessed > 0)) return undefined;
  const deed = paidBy(found.phrase.deed, numbers);
  const saysNothing = (word: string) =>
    (TIMED.has(deed) && TIMES.has(word)) || (deed === BILLS && isIn(BILL_WORDS, word));
  const unknown = others.filter((word) => !saysNothing(word));
  const other = firstOf(rest, has);
  const isChoice = said.some((word) => ALTERNATIVES.has(word) || joins(word, other));
  const parts = { found, said, numbers, amounts };
  const ofFee = isChoice ? undefined : feeBeside(deed, other, rest);
  if (ofFee) return asked(text, FEES, { ...parts, unknown: unknown.filter((word) => !ofFee.has(word)) });
  if (other && other.phrase.deed !== deed && (isChoice || !isPartOf(other, found)))
    return bothOf(text, deed, { ...parts, unknown }, other, rest);
  if (!isCertain(found, unknown, said)) return undefined;
  return asked(text, deed, { ...parts, unknown });
}

/** The meaning of a line that the vocabulary has word for word. */
function ofWholeLine(
  text: string,
  said: readonly string[],
  amounts: readonly string[],
): Understood | undefined {
  const deed = WHOLE.get(said.join(' ').replace(POLITELY, ''));
  if (deed === AGAIN || deed === SEND_AGAIN) {
    const of = deed === SEND_AGAIN ? { about: { of: 'transfer' } as const } : {};
    const shortcut = { machine: AGAIN, filled: filled([], amounts), ...of };
    return hasOneScriptEach(text) ? { kind: 'wants', shortcut } : undefined;
  }
  if (amounts.length > 0) return undefined;
  switch (deed) {
    case undefined:
      return undefined;
    case ADVISER:
      return PERSON_WISH;
    case 'trouble':
      return wants(ADVISER, {});
    case MISSING:
      return STATE_ASKED;
    default:
      return wants(deed, {});
  }
}

/** Both deeds of a line, in its order. @param rest the words beside the first one */
function bothOf(
  text: string,
  deed: string,
  { unknown, ...line }: Line,
  other: Found,
  rest: readonly string[],
): Understood | undefined {
  const { found, said } = line;
  const words = other.at.map((place) => rest[place] ?? '');
  const isFirst = said.indexOf(words[0] ?? '') > (found.at[0] ?? 0);
  const deeds = isFirst ? [deed, other.phrase.deed] : [other.phrase.deed, deed];
  const left = unknown.filter((word) => !words.includes(word) && !AND.has(word));
  const search =
    deeds.includes(BILLS) && [...billedIn(found, said), ...billedIn(other, rest), ...left].join(' ');
  const both = either(text, deeds, { ...line, unknown: left });
  return both && search ? { ...both, filled: { ...both.filled, search: asTyped(search, text) } } : both;
}

/** `frais d'une recharge de 20` asks for one thing, the fee of a payment: the words of the second phrase. */
function feeBeside(
  deed: string,
  other: Found | undefined,
  rest: readonly string[],
): ReadonlySet<string | undefined> | undefined {
  const deeds = [deed, other?.phrase.deed ?? ''];
  const isFee = deeds.includes(FEES) && deeds.some((each) => PAYING.has(each));
  return isFee ? new Set(other?.at.map((place) => rest[place])) : undefined;
}

/** A line that asks for one deed. */
interface Line {
  readonly found: Found;
  readonly unknown: readonly string[];
  readonly said: readonly string[];
  readonly numbers: readonly string[];
  readonly amounts: readonly string[];
}

function asked(text: string, deed: string, line: Line): Understood | undefined {
  const { found, unknown, said, numbers, amounts } = line;
  const hasNumbers = numbers.length > 0 || amounts.length > 0;
  if (MOVES.has(deed))
    return unknown.length > 0 || hasNumbers ? undefined : { kind: 'went', to: deed as Navigation };
  if (isPast(text, deed)) return undefined;
  if (isPaid(deed, found) && numbers.length > 0)
    return { kind: 'either', meanings: ['merchant-payment', 'transfer'], ...ordered(text, line) };
  if (PAYING.has(deed)) return payment(text, deed, line);
  // The phone of somebody else was lost.
  if (PROTECTING.has(deed) && unknown.some(relativeIn)) return undefined;
  const fixed = FIXED_MEANINGS.get(deed);
  if (fixed) return fixed;
  if (UNDOES.includes(deed)) return undoes(deed, said);
  if (deed === ADVISER && found.at.some((place) => isPerson(said[place] ?? ''))) return PERSON_WISH;
  if (deed === FEES) return feeAsked(text, line);
  return withoutOrder(text, deed, line);
}

/** The question for a fee. With an amount and a payment it is that payment's preview that tells it. */
function feeAsked(text: string, line: Line): Understood {
  const { said, numbers } = line;
  const order = line.unknown.every(isPlain) ? filled(numbers, exactly(line.amounts, said)) : {};
  const { amount } = order;
  const pays = amount !== undefined && hasOneScriptEach(text) && paidIn(text, said, numbers);
  return {
    kind: 'fees',
    ...(amount !== undefined && { amount }),
    ...(pays && { pays: { machine: pays, filled: order } }),
  };
}

/** A deed that pays nothing yet. Of all figures only the contract of a bill and the price of a voucher may stand beside it. */
function withoutOrder(
  text: string,
  deed: string,
  { found, unknown, said, numbers, amounts }: Line,
): Understood | undefined {
  const contract = deed === BILLS && numbers.length === 0 ? amounts.filter((it) => CONTRACT.test(it)) : [];
  const isRead = amounts.length === contract.length && numbers.length === 0;
  // The price of a voucher is that of a list.
  const isPrice = deed === VOUCHER && !isRead && numbers.length === 0;
  if (!isRead && !isPrice && deed !== ADVISER) return undefined;
  const asks = withoutMoney(found, [...billedIn(found, said), ...unknown, ...contract], text);
  return isPrice && asks?.kind === 'wants'
    ? { ...asks, shortcut: { ...asks.shortcut, says: 'nav.amountLater' } }
    : asks;
}

/** The payment whose fee is asked for: `frais pour envoyer 500`. */
function paidIn(text: string, said: readonly string[], numbers: readonly string[]): string | undefined {
  const deed = firstOf(
    said.filter((word) => !isIn(FEE_WORDS, word)),
    { number: numbers.length > 0, amount: true },
  )?.phrase.deed;
  return deed && PAYING.has(deed) && !isPast(text, deed) ? paidBy(deed, numbers) : undefined;
}

function urgent(isUrgent: 'theft' | 'missing'): Understood {
  return { kind: 'wants', shortcut: { machine: ADVISER, filled: {}, isUrgent } };
}

function undoes(deed: string, said: readonly string[]): Understood {
  return {
    kind: 'undoes',
    isNumber: deed === WRONG_NUMBER || deed === OTHER_NUMBER,
    ...((deed === WRONG_AMOUNT || deed === OTHER_AMOUNT) && { isAmount: true }),
    ...((deed === OTHER_NUMBER || deed === OTHER_AMOUNT) && { isOther: true }),
    ...(deed === UNDO_REFERENCE && { isReference: true }),
    ...(said.some((word) => LAST_ONES.has(word) || LAST_ONES.has(bare(word))) && { isLast: true }),
  };
}

/** The question where a payment stands. */
const STATE_ASKED: Understood = {
  kind: 'wants',
  shortcut: { machine: ADVISER, filled: {}, isUrgent: 'missing', asksState: true },
};

const PERSON_WISH: Understood = {
  kind: 'wants',
  shortcut: { machine: ADVISER, filled: {}, asksPerson: true },
};

/** Deeds that mean the same whatever else the line says. */
const FIXED_MEANINGS: ReadonlyMap<string, Understood> = new Map([
  [URGENT, urgent('theft')],
  [MISSING, STATE_ASKED],
  [WRONG_DEBIT, urgent('missing')],
  [ASK_MONEY, wants(ASK_MONEY, {})],
]);

function isPerson(word: string): boolean {
  return isIn(PERSONS, word);
}

/** A word that changes neither the amount nor the number beside it. */
function isPlain(word: string): boolean {
  return isInexact(word) || relativeIn(word) !== undefined;
}

function payment(text: string, machine: string, line: Line): Understood {
  const { filled, ...order } = ordered(text, line);
  const isOwn =
    machine === 'top-up' && line.numbers.length === 0 && isForOneself(text) && !line.said.some(relativeIn);
  // A relative who is named is not the recipient who was chosen before.
  const isNamed = line.numbers.length === 0 && !isOwn && NAMED.has(machine);
  const [payee] = isNamed ? line.said.flatMap((word) => relativeIn(word) ?? []) : [];
  const operator = machine === 'top-up' ? operatorIn(line.said) : undefined;
  const whom = {
    ...(isOwn && { isOwn }),
    ...(payee && { payee: asTyped(payee, text) }),
    ...(operator && { operator }),
  };
  const atShop = machine === MERCHANT && line.numbers.length === 0 && paidAtShop(text, line);
  return atShop || { kind: 'wants', shortcut: { machine, filled: { ...filled, ...whom }, ...order } };
}

/** Ways to pay in which a saved recipient can be named. */
const NAMED: ReadonlySet<string> = new Set(['transfer', 'top-up']);
const MERCHANT = 'merchant-payment';
const QR = listed([CONCEPTS.qr]);

/** `payer 35 à café atlas`: a merchant who is saved under this name. */
function paidAtShop(text: string, { amounts, said }: Pick<Line, 'amounts' | 'said'>): Understood | undefined {
  if (isForLater(text) || !hasOneScriptEach(text)) return undefined;
  const { amount } = filled([], exactly(amounts, said));
  if (amount === undefined) return undefined;
  const named = said.filter((word) => !isCarrier(word) && !isPay(word));
  const payee = named.some((word) => isIn(QR, word)) ? '' : asTyped(named.join(' '), text);
  return wants(MERCHANT, { amount, ...(payee && { payee }) });
}

/** `payer 35 à samira`: somebody who is called so, or a merchant. */
function amountToName(
  text: string,
  said: readonly string[],
  amounts: readonly string[],
  has: Has,
): Understood | undefined {
  const [verb = '', ...others] = said.filter((word) => !isCarrier(word));
  const isTo = said.some((word) => TOWARDS_SOMEBODY.has(word));
  const isName = others.length > 0 && others.length <= NAME_WORDS_MAX && !others.some(saysNoName);
  if (!isPay(verb) || has.number || !isTo || !isName || isForLater(text) || !hasOneScriptEach(text))
    return undefined;
  const { amount } = filled([], exactly(amounts, said));
  if (amount === undefined) return undefined;
  const whom = { amount, payee: asTyped(others.map((word) => relativeIn(word) ?? word).join(' '), text) };
  return others.some(relativeIn)
    ? { kind: 'wants', shortcut: { machine: 'transfer', filled: whom } }
    : { kind: 'either', meanings: [MERCHANT, 'transfer'], filled: whom };
}

function saysNoName(word: string): boolean {
  return NEGATIONS.has(word) || isInexact(word);
}

/** The one operator that is named. */
function operatorIn(said: readonly string[]): Operator | undefined {
  const [operator, ...more] = OPERATORS_NAMED.filter(([, names]) => said.some((word) => isIn(names, word)));
  return more.length === 0 ? operator?.[0] : undefined;
}

/** More words behind `payer` are no name. */
const NAME_WORDS_MAX = 2;

/**
 * `payer`, `bghit nkhelles`: nobody knows whom, and the customer chooses. An operator sells top-ups as well as it bills: `payer inwi`,
 * `maroc telecom`.
 */
function barePayment(said: readonly string[], has: Has): Several | undefined {
  const bearing = said.filter((each) => !isCarrier(each));
  const [word] = bearing;
  if (word === undefined || has.amount || has.number) return undefined;
  const isPaid = isPay(word);
  const named = isPaid ? bearing.slice(1) : bearing;
  const search = named.join(' ');
  if (
    named.some((each) => OPERATORS.has(each)) &&
    named.every((each) => OPERATORS.has(each) || each === COUNTRY)
  )
    return { kind: 'either', meanings: ['bill-payment', 'top-up'], filled: { search } };
  if (!isPaid || named.length > NAME_WORDS_MAX || named.some((each) => NEGATIONS.has(each))) return undefined;
  const filled = search && { search, payee: search };
  return { kind: 'either', meanings: ['bill-payment', 'merchant-payment', 'transfer'], filled: filled || {} };
}

/** Part of an operator's name. */
const COUNTRY = 'maroc';

/** The values that a line fills in, and the notice about the rest. */
function ordered(text: string, line: Line): Pick<Shortcut, 'filled' | 'says'> {
  if (isForLater(text)) return { filled: {}, says: 'nav.paysNow' };
  const filled = certain(text, line);
  return { filled, ...unreadNotice(figuresOf(line), filled) };
}

function figuresOf({ numbers, amounts }: Line): string {
  return [...numbers, ...amounts].join(' ');
}

/** No amount is exact beside a vague word. A number beside it still is. */
function exactly(amounts: readonly string[], said: readonly string[]): readonly string[] {
  return said.some(isInexact) ? [] : amounts;
}

/** A customer who writes of a past payment asks about it, and does not pay again. */
function isPast(text: string, deed: string): boolean {
  return (PAYING.has(deed) || deed === 'bill-payment') && isNoOrder(text, deed);
}

/** A customer who names a mobile number sends to a wallet, whichever word they use: `virement de 300 dh au 06…`. */
function paidBy(deed: string, numbers: readonly string[]): string {
  return deed === 'bank-transfer' && numbers.length === 1 ? 'transfer' : deed;
}

/** A deed that takes neither an amount nor a number. The rest of the line may be a search. */
function withoutMoney(
  { phrase: { deed } }: Found,
  unknown: readonly string[],
  text: string,
): Understood | undefined {
  const rest = unknown.join(' ');
  if (deed === 'takings') return takingsOf(rest);
  return wants(deed, SEARCHED.has(deed) ? soughtIn(deed, rest, text) : {});
}

/** What is billed, or who bills it, is searched for, even where it is a part of the understood words: `payer redal`, `payer l'eau`. */
function billedIn({ phrase: { deed, words }, at }: Found, said: readonly string[]): string[] {
  if (deed !== BILLS) return [];
  return words.flatMap((wanted, i) => {
    const isOfOrder = [...wanted.names].some((name) => isPay(name) || isIn(BILL_WORDS, name));
    return isOfOrder ? [] : [spelling(said[at[i] ?? 0] ?? '', wanted)];
  });
}

/** The takings of today where no days are named. Undefined where nobody can ask for the named days. */
function takingsOf(said: string): Understood | undefined {
  if (said === '') return wants('takings', {});
  const named = PERIODS.find(([, names]) =>
    names.some((name) => wordsIn(normalised(name)).join(' ') === said),
  );
  return named && wants('takings', { period: named[0] });
}

function wants(machine: string, filled: Filled): Understood {
  return { kind: 'wants', shortcut: { machine, filled } };
}

/** Of two deeds where one is a move, nobody can say which comes first. A deed that is done already is not asked for. */
function either(text: string, deeds: readonly string[], line: Line): Several | undefined {
  if (deeds.some((deed) => MOVES.has(deed))) return undefined;
  const meanings = deeds.filter((deed) => !isPast(text, deed));
  if (meanings.length === 0) return undefined;
  // Beside a payment that takes money as well, nobody can say whose amount it is.
  if (meanings.length === deeds.length && meanings.some((deed) => GUESTS.has(deed)))
    return { kind: 'either', meanings, ...ordered(text, line) };
  return { kind: 'either', meanings, filled: {}, ...amountLater(line) };
}

/** A line of two requests does not say which of them its amount is for, so it is asked for again. */
function amountLater(line: Line): Pick<Shortcut, 'says'> {
  return line.numbers.length === 0 && line.amounts.length > 0
    ? { says: 'nav.amountLater' }
    : unreadNotice(figuresOf(line), {});
}

/** Whom `payer 45 à 06…` pays is not said: a merchant, or somebody who gets money as everybody does. */
function isPaid(deed: string, { phrase: { words } }: Found): boolean {
  return deed === 'transfer' && words.length === 1 && words[0]?.names.has('pay') === true;
}

/** The figures of a line, if nothing in it stays unclear. */
function certain(text: string, { unknown, numbers, amounts, said }: Line): Filled {
  return unknown.every(isPlain) && hasOneScriptEach(text) ? filled(numbers, exactly(amounts, said)) : {};
}

/** A single word that is also part of another deed's phrase says nothing of its own: the `account` of `close account`. */
function isPartOf(other: Found, found: Found): boolean {
  return lengthOf(other.phrase) < Math.floor(lengthOf(found.phrase));
}

/** A phrase that begins the line, or has more than one word, may stand beside unknown words. A guessed phrase may not. */
function isCertain(
  { phrase, at, guessed }: Found,
  unknown: readonly string[],
  said: readonly string[],
): boolean {
  if (unknown.length === 0) return true;
  if (phrase.words.every(isTooCommon)) return false;
  if (guessed > 0 || unknown.length > UNKNOWN_WORDS_MAX) return false;
  if (hasOtherObject({ phrase, at, guessed }, said)) return false;
  const isFirst = said.slice(0, at[0]).every((word) => isCarrier(word));
  return phrase.words.length > 1 || isFirst;
}

/**
 * One word alone beside words that nobody knows asks for nothing that is known: `envoyer un colis`, `balance ta musique`, `وقف
 * الطاكسي`. Behind `à`, `to` or `ل` stands a person who is paid, and behind `facture` the name to look for.
 */
function hasOtherObject({ phrase, at }: Found, said: readonly string[]): boolean {
  const [place = 0] = at;
  const verb = said[place] ?? '';
  const { deed } = phrase;
  if (lengthOf(phrase) >= 2) return false;
  if (SEARCHED.has(deed)) return BILLERS.has(verb) || SERVICES.has(bare(verb));
  if (!PAYING.has(deed)) return true;
  const behind = said
    .slice(place + 1)
    .filter((word) => !ARTICLES.some(([of, it]) => it === word && of.test(verb)));
  const next = behind.find((word) => TOWARDS_SOMEBODY.has(word) || !isCarrier(word));
  const isWhom = next === undefined || TOWARDS_SOMEBODY.has(next) || relativeIn(next) !== undefined;
  return !isWhom && !isInexact(next) && !/^ل(?!ا)/.test(next);
}

function filled(numbers: readonly string[], amounts: readonly string[]): Filled {
  if (numbers.length > 1) return {};
  const to = readPhone(numbers[0] ?? '');
  const amount = amounts.length === 1 ? readAmount(amounts[0] as string) : undefined;
  return { ...(to && { to }), ...(amount?.ok && { amount: amount.centimes }) };
}

function kindWord(said: readonly string[], has: Has): Understood | undefined {
  const courtesy = has.amount || has.number ? undefined : courtesyIn(said);
  return courtesy && { kind: 'courtesy', courtesy };
}

function courtesyIn(said: readonly string[]): Courtesy | undefined {
  if (said.length === 0) return undefined;
  const plainly = said.filter((word) => !GREETINGS.has(word) || said.length === 1);
  const named = COURTESIES.find(([, lists]) =>
    lists.some((list) => [said, plainly].some((line) => isSameLine(list, line))),
  );
  if (named) return named[0];
  const isThanks = said.some((word) => THANKING.has(word));
  const isKind = (word: string) => THANKS.has(word) || isCarrier(word) || (isThanks && RELATIVES.has(word));
  if (!said.every(isKind)) return undefined;
  if (isThanks) return 'thanks';
  return said.some((word) => isIn(GREETINGS, word)) ? 'greets' : undefined;
}

/**
 * The deeds that a line which was not understood may mean, the nearest first. They are only for a question: nobody can tell from them what
 * the customer wants.
 */
export function nearest(text: string): readonly string[] {
  const line = normalised(text).replaceAll(NUMBER, ' ').replaceAll(RIGHT_ONE, ' ').replaceAll(NOT_RIGHT, ' ');
  const said = inDigits(wordsIn(line));
  return deedsNear(said.filter((word) => !NUMERIC.test(word) && !isCarrier(word)));
}

/**
 * The one mobile number of a line of words: `mon numéro est le 06…`, `plutôt 06…`, `رقمي 06…`. What is denied is none.
 * @param isOwn nor is a number of somebody else
 */
export function numberAlone(text: string, isOwn = false): string | undefined {
  const line = normalised(text);
  const [number, ...more] = line.match(NUMBER) ?? [];
  const rest = line.replaceAll(NUMBER, ' ');
  const others = wordsIn(rest);
  const isAlone = more.length === 0 && /^[\p{L}\s'’.,:!?،؟]*$/u.test(rest) && !others.some(saysOtherwise);
  const isMine = !isOwn || others.every((word) => isCarrier(word) || isIn(OWN_PHONE, word));
  return isAlone && isMine ? number : undefined;
}

/** The one amount of a line that says nothing else: `100 dh svp`, `la somme de 100 dh`, `disons cent`. */
export function amountAlone(text: string): string | undefined {
  const words = inDigits(wordsIn(joinThousands(normalised(text))));
  const [amount, ...more] = words.filter((word) => NUMERIC.test(word));
  const others = words.filter((word) => !NUMERIC.test(word));
  const isAlone = more.length === 0 && !others.some(saysOtherwise) && others.every(isBesideAmount);
  return isAlone && hasOneScriptEach(text) ? amount : undefined;
}

/** `ma femme` denies nothing: in Darija another word does as well. */
function saysOtherwise(word: string): boolean {
  if (word === 'ma') return false;
  return isDenied(word) || NEGATIONS.has(word) || ALTERNATIVES.has(word) || isInexact(word);
}

function isBesideAmount(word: string): boolean {
  return isCarrier(word) || isDirham(word) || THANKS.has(word) || isIn(BESIDE_AMOUNT, word);
}

const BESIDE_AMOUNT = listed([
  'disons|mettons|plutot|montant|seulement|say|amount|make|rather|only|مبلغ|خليها|غير',
]);

/** The courtesy of a line of pictures alone: `👍`, `🙏`. */
export function courtesyOfSigns(text: string): Courtesy | undefined {
  if (text.replaceAll(PICTURES, '').trim() !== '') return undefined;
  return SIGNS.find(([, signs]) => signs.test(text))?.[0];
}

function isSameLine(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i]);
}

/** `ما بغيتش`, `ma bghitch`, `tsiftch`: the verb itself says that it is not wanted. */
function isDenied(word: string): boolean {
  return (
    /^(?:ma|m)?(?:bghi?|t?sift|nkhell?e?s|rid).*ch$/.test(word) ||
    /^ma[^aeiou].{2,}ch$/.test(word) ||
    /^(?:ما)?(?:بغيت|تصيفط|نصيفط|تخلص)ش$/.test(word) ||
    /^ما.{3,}ش$/.test(word)
  );
}

function hasDenial(said: readonly string[], { at }: Found): boolean {
  return said.some(
    (word, place) => !at.includes(place) && (isDenied(word) || isDeniedBehind(said[place - 1], word)),
  );
}

/** `ما بقاش`, `ma bqach` in two words. */
function isDeniedBehind(before: string | undefined, word: string): boolean {
  return (before === 'ما' || before === 'ma') && /.(?:ش|ch)$/.test(word);
}

/** `recharger et payer`, `نشارجي ونخلص` ask for two things. */
function joins(word: string, other: Found | undefined): boolean {
  if (!other || other.guessed > 0) return false;
  return AND.has(word) || /^و[\u0600-\u06ff]{3}/.test(word);
}
