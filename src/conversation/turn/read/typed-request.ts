import { type Expected, type Screen, SECRETS } from '../../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../../machines/kit/sentence-key.ts';
import { BUSY } from '../../../../machines/kit/stopped.ts';
import { isPaymentKind } from '../../../payments/payments.ts';
import { latinDigits } from '../../../wallet/digits.ts';
import { normalised } from '../../../wallet/letters.ts';
import { readAmount } from '../../../wallet/typed-amount.ts';
import { MACHINES } from '../../chart/machines.ts';
import { GUESTS } from '../../chart/main-conversation.ts';
import { MENUS, saysLocked } from '../../session/current-screen.ts';
import { PROTECTING } from '../../shortcuts/plain-text.ts';
import {
  calledIn,
  LINE_MAX_CHARS,
  namesPayee,
  readShortcut,
  readWhole,
  type Shortcut,
} from '../../shortcuts/shortcut.ts';
import { wordsIn } from '../../shortcuts/spelling.ts';
import { amountAlone, type Courtesy, courtesyOfSigns, understand } from '../../shortcuts/understand.ts';
import { shortcutOfLabel } from './entry-label.ts';
import { answer, choose, type InputMeaning, type ReadingEnv, unclear } from './input-meaning.ts';
import { YES } from './typed-label.ts';
import { FOUR_DIGITS } from './typed-secret.ts';
import { asksToConfirm } from './unread-pages.ts';

/** Far above any name or amount; what is longer is no answer, as it is no line. */
export const TEXT_MAX_CHARS = LINE_MAX_CHARS;
/** At the question whether to go on with a request that broke off, a customer who orders something else leaves it. */
const OFFERS_TO_GO_ON = /\.resume(?:Payment|Link|Amount)?$/;
/** At the question how an adviser was, a customer who orders something passes the question. */
const SURVEYS: ReadonlySet<string> = new Set<SentenceKey>(['rating.ask', 'rating.askClosed']);
/** The time of a PIN is over. */
export const LAPSED: SentenceKey = 'pin.lapsed';
/** Where a number and a PIN open the chat, or the PIN was not typed in time, and where another payment holds back one that was just begun. */
const DOORS: ReadonlySet<string> = new Set<SentenceKey>([
  'linking.askPhone',
  'unlocking.askPin',
  LAPSED,
  BUSY,
]);
export const HAS_LETTER = /\p{L}/u;
/** Wishes that nothing has to be done for: a sentence answers them. */
const ANSWERED: Readonly<Record<string, SentenceKey>> = {
  'open-wallet': 'menu.isOpen',
  'ask-money': 'menu.noRequests',
};
/** Requests that the help or the freeze answers: none of them is a conversation. `request`: how a request stands. */
const LEADING_TO_HELP: ReadonlySet<string> = new Set([
  'adviser',
  'request',
  'thaw',
  ...Object.keys(ANSWERED),
]);
/** Screens where words are an answer. */
export const FREE_TEXT: ReadonlySet<Expected> = new Set<Expected>(['name', 'field', 'search', 'password']);

/** A command works everywhere; plain words only where nothing else could be meant by them. */
export function requestIn(text: string, screen: Screen, env: ReadingEnv): InputMeaning | undefined {
  const { key, expects, takesWords } = screen;
  if (text.length > TEXT_MAX_CHARS) return undefined;
  if (text.startsWith('/')) {
    const shortcut = readShortcut(text);
    return shortcut && { kind: 'wants', shortcut };
  }
  // No vocabulary has a phrase of digits and signs alone, and most answers are such.
  if (!HAS_LETTER.test(text)) {
    const kind = FREE_TEXT.has(expects) || takesWords ? undefined : courtesyOfSigns(text);
    return kind && courtesy(kind, screen);
  }
  // A customer can ask for a freeze on every screen, unless the text is an answer.
  if (!FREE_TEXT.has(expects) && readShortcut(text)?.machine === 'freeze')
    return { kind: 'wants', shortcut: { machine: 'freeze', filled: {} } };
  if (takesWords === 'sentences') return besideHelp(text, screen, env);
  const read = takesWords === 'more' ? (orderIn(text, env) ?? besideCase(text, screen, env)) : undefined;
  if (read) return read;
  // Of what is written to a person only one word alone leads elsewhere, and a theft.
  if (takesWords && /\s/.test(text)) return isTheft(understand(text)) ? URGENT_TO_PERSON : undefined;
  // If a PIN opens the chat, a request waits for it, as if the customer had just come.
  const isAtDoor = DOORS.has(key) && !env.mayLeave;
  const isOffer = OFFERS_TO_GO_ON.test(key) || SURVEYS.has(key);
  const isAtRest = expects === 'nothing' || MENUS.has(key) || isOffer || isAtDoor;
  return isAtRest ? requestAtRest(text, screen, env) : movedBy(text, screen, env);
}

const SAID_BACK: Readonly<Record<Courtesy, SentenceKey>> = {
  greets: 'nav.greeting',
  thanks: 'nav.welcome',
  fine: 'nav.fine',
  bye: 'nav.bye',
};

/** `ok` where something is to be agreed to, or a secret is asked for, might seem to be a yes: the question answers that. */
function courtesy(kind: Courtesy, screen: Screen): InputMeaning | undefined {
  const agrees =
    screen.choices?.some(({ id }) => YES.has(id) || id === 'continue') || SECRETS.has(screen.expects);
  if (kind === 'fine' && agrees) return undefined;
  const key = kind === 'greets' && MENUS.has(screen.key) ? 'nav.hello' : SAID_BACK[kind];
  return { kind: 'courtesy', notice: { key } };
}

/** The request of a text where no question waits. */
function requestAtRest(text: string, screen: Screen, env: ReadingEnv): InputMeaning | undefined {
  const called = shortcutOfLabel(text, env.labelsOf);
  if (called) return { kind: 'wants', shortcut: called };
  const understood = asked(text);
  switch (understood?.kind) {
    case 'wants':
      return wantedBy(understood.shortcut, env);
    case 'went':
    case 'either':
    case 'fees':
      return understood;
    case 'undoes':
      return takenBack(understood);
    case 'courtesy':
      return courtesy(understood.courtesy, screen);
  }
}

/**
 * The request of a line where words are no answer. A name, a RIB, a reference, a search and a complaint are only read strictly: no
 * vocabulary knows them.
 */
function asked(text: string): Understood {
  const strict = readShortcut(text);
  const { payee, toLast, rib, search } = strict?.filled ?? {};
  const strictly = strict && ({ kind: 'wants', shortcut: strict } as const);
  const isStrict = payee ?? toLast ?? rib ?? search ?? strict?.reference ?? STRICT.has(strict?.says ?? '');
  const understood = isStrict && payee === undefined ? undefined : understand(text);
  const machine = understood?.kind === 'wants' ? understood.shortcut.machine : undefined;
  // A merchant is paid by number, however they are called. And `recharge non reçue` has words that may be a name.
  const isOrder = strict?.machine === 'top-up' ? machine === 'top-up' : machine !== 'merchant-payment';
  return isStrict && isOrder ? strictly : (understood ?? strictly);
}

/** The notices of an order that only a strict reading finds. */
const STRICT: ReadonlySet<string> = new Set<SentenceKey>([
  'nav.firstOnly',
  'mobile.unfinished',
  'mobile.unfinishedKept',
]);

/** Leads to the payment that was made, or to the references that are open. */
function takenBack({ isOther, isReference, about }: Undoes): InputMeaning | undefined {
  if (isOther) return undefined;
  return isReference
    ? { kind: 'wants', shortcut: { machine: 'references', filled: {}, says: 'references.stays' } }
    : { kind: 'went', to: 'help', why: 'undo', ...(about && { about }) };
}

const URGENT_TO_PERSON: InputMeaning = {
  ...({ kind: 'went', to: 'help', why: 'urgent', leavesWords: true } as const),
  notice: { key: 'help.noted' },
};

/** A theft of money, of a phone or of a card. */
function isTheft(understood: ReturnType<typeof understand>): boolean {
  if (understood?.kind !== 'wants') return false;
  const { machine, isUrgent } = understood.shortcut;
  return isUrgent === 'theft' || PROTECTING.has(machine);
}

/**
 * On the help a question is answered where it is understood, and a theft leads to the freeze. The rest, money that is missing and the wish
 * for a person are words for a person.
 */
function besideHelp(text: string, { key }: Screen, env: ReadingEnv): InputMeaning | undefined {
  const called = shortcutOfLabel(text, env.labelsOf);
  const understood = called ? ({ kind: 'wants', shortcut: called } as const) : understand(text);
  switch (understood?.kind) {
    case 'wants': {
      const { machine } = understood.shortcut;
      const isThere = key === 'help.urgent';
      if (isTheft(understood) && !isThere) return { kind: 'went', to: 'help', why: 'urgent' };
      // One word is no message, and asks for the person: the choice may stand on a later page.
      if (machine === 'adviser')
        return understood.shortcut.asksPerson && !/\s/.test(text)
          ? wantedBy(understood.shortcut, env)
          : undefined;
      if (LEADING_TO_HELP.has(machine)) return wantedBy(understood.shortcut, env);
      return PROTECTING.has(machine) || GUESTS.has(machine)
        ? { kind: 'wants', shortcut: { machine, filled: {} } }
        : leavesFor(understood.shortcut);
    }
    case 'went':
    case 'either':
    case 'fees':
      return understood;
    case 'courtesy':
      return { kind: 'courtesy', notice: { key: SAID_BACK[understood.courtesy] } };
  }
}

/** An order among the words for a person, who reads it as well: it pays nothing, and can be made from there. */
function orderIn(text: string, { now: at }: ReadingEnv): InputMeaning | undefined {
  const understood = asked(text);
  if (understood?.kind !== 'wants' && understood?.kind !== 'either') return undefined;
  const { meanings, filled } =
    understood.kind === 'either'
      ? understood
      : { meanings: [understood.shortcut.machine], filled: understood.shortcut.filled };
  return filled.amount !== undefined && meanings.every(isPaymentKind)
    ? { kind: 'event', event: { type: 'said', text, at, order: { meanings, filled } } }
    : undefined;
}

/** A question that is nothing but one: `mon solde`, `où en est ma réclamation`. A longer line is for the person who reads it. */
function besideCase(text: string, { choices }: Screen, env: ReadingEnv): InputMeaning | undefined {
  const { isFrozen, now: at } = env;
  if (wordsIn(text).length > QUESTION_WORDS_MAX) return undefined;
  const understood = understand(text, true);
  if (understood?.kind === 'fees') return understood;
  if (understood?.kind !== 'wants') return undefined;
  const { machine, asksState, about } = understood.shortcut;
  // The state of a payment is told, and the person reads the question as well.
  if (asksState)
    return { kind: 'went', to: 'help', why: 'missing', leavesWords: true, ...(about && { about }) };
  // A theft is the person's to read as well.
  if (PROTECTING.has(machine)) return undefined;
  if (GUESTS.has(machine)) return { kind: 'wants', shortcut: { machine, filled: {} } };
  // If nothing is frozen, it is a wallet that is locked: the person reads that.
  const isAnswered = machine === 'request' || (machine === 'thaw' && isFrozen);
  if (isAnswered) return wantedBy(understood.shortcut, env);
  const offered = ofNewPin(machine) ? choices?.find(({ id }) => ofNewPin(id)) : undefined;
  return offered && choose(offered.id, at);
}

/** To change a PIN that is locked is to choose a new one. */
function ofNewPin(machine: string): boolean {
  return machine === 'pin-reset' || machine === 'pin-change';
}

/** A longer line tells what has happened. */
const QUESTION_WORDS_MAX = 5;

function leavesFor({ machine, filled }: Shortcut): InputMeaning | undefined {
  return Object.hasOwn(MACHINES, machine) ? { kind: 'leaves', shortcut: { machine, filled } } : undefined;
}

/**
 * Where a question was asked in the middle of a request: a move, a kind word, or help for those who were robbed. Where a name is an
 * answer only a word that gives up, letter for letter, is none. If something is looked for, or a reference, an account or a number
 * is asked for, neither is a whole request in one line.
 */
function movedBy(text: string, screen: Screen, env: ReadingEnv): InputMeaning | undefined {
  const { expects } = screen;
  const isSearch = expects === 'search';
  const isFree = FREE_TEXT.has(expects);
  const mayAnswer = isFree && !env.isUnfound;
  if (expects === 'password') return undefined;
  const first = labelBeside(text, screen, env) ?? amendedBy(text, screen, env);
  if (first) return first;
  const understood = isFree ? understand(text, true) : asked(text);
  const wanted = understood?.kind === 'wants' ? understood.shortcut : undefined;
  const protects = PROTECTING.has(wanted?.machine ?? '');
  if ((wanted?.isUrgent || protects) && (!isFree || /\s/.test(text))) return helpAgainstTheft(wanted, env);
  if (isFree && !isSearch && expects !== 'name') return undefined;
  if ((isNumberAsked(expects) || isSearch) && asksForThis(text, screen)) return { kind: 'opened' };
  const beside = mayAnswer ? insteadOfName(understood, screen, env) : besideQuestion(understood, screen, env);
  if (beside) return beside;
  if (understood?.kind === 'went') return mayAnswer && understood.to !== 'cancel' ? undefined : understood;
  const whole = wholeIn(text, expects, wanted, env);
  return (
    whole ?? (wanted && env.mayLeave ? besideRequest(wanted, screen, env.now, env.isUnfound) : undefined)
  );
}

/** True for the screens that ask whether to make a payment, for its PIN, or for the kind of a top-up. */
function namesPayment(screen: Screen): boolean {
  const { expects, key } = screen;
  const isAsked =
    expects === 'pin' || asksToConfirm(screen) || key.startsWith('pay.') || key === 'top-up.chooseProduct';
  return screen.values?.amount !== undefined && isAsked;
}

/** `envoie plutôt 150`, `non c'est 100`, `actually 60`: another amount for the same payment. Four digits alone may be its PIN, and are asked for again. */
function amendedBy(text: string, screen: Screen, { hasRequest }: ReadingEnv): InputMeaning | undefined {
  if (!hasRequest || !namesPayment(screen)) return undefined;
  const rest = text.replace(INSTEAD, ' ').trim();
  if (rest === text.trim()) return undefined;
  const figure = amountAlone(rest) ?? rest;
  const typed = readAmount(figure);
  if (typed.ok) return FOUR_DIGITS.test(latinDigits(figure)) ? AMENDS : { ...AMENDS, amount: typed.centimes };
  const understood = asked(rest);
  if (understood?.kind !== 'wants') return undefined;
  const { machine, filled } = understood.shortcut;
  const { amount } = filled;
  return amount === undefined || namesPayee(filled) ? undefined : { ...AMENDS, amount, machine };
}

const AMENDS = { kind: 'amends' } as const;
const INSTEAD =
  /^(?:non|no|لا)[\s,،]+|(?<!\p{L})(?:plut[oô]t|finalement|en fait|je pr[ée]f[èe]re|je voulais|i meant|actually|instead|rather|بدلها|بدل)(?!\p{L})/giu;

/** A PIN opens these: a customer without one has to choose it first. */
const BEHIND_PIN: ReadonlySet<string> = new Set(['balance', 'statement', 'profile']);

type Understood = ReturnType<typeof understand>;
type Undoes = Extract<Understood, { kind: 'undoes' }>;

/** A saved recipient may be named where a number is asked for. */
function isNumberAsked(expects: Expected): boolean {
  return expects === 'phone' || expects === 'account';
}

/** `envoyer` at the question whom to send to, `mes factures` at that for a creditor, `continuer` and `je sais pas`: nobody is called so, and the question comes again. */
function asksForThis(text: string, { key }: Screen): boolean {
  const machine = calledIn(text);
  return (machine !== undefined && key.startsWith(`${machine}.`)) || GOES_ON.test(normalised(text.trim()));
}

const GOES_ON =
  /^(?:continuer|continue|go on|متابعه|نكمل|كمل|kemmel|nkemmel|je (?:ne )?sais (?:pas|plus)|j(?:'| )?sais pas|aucune idee|i (?:don'?t|do not) know|(?:ما ?عرفتش|لا اعرف|لا ادري)|ma ?3reftch?)$/;

/** A word that only reads or protects is nobody's name. */
function insteadOfName(
  understood: Understood,
  { expects }: Screen,
  { mayLeave }: ReadingEnv,
): InputMeaning | undefined {
  if (expects !== 'name') return undefined;
  if (understood?.kind === 'fees') return understood;
  if (understood?.kind !== 'wants' || !GUESTS.has(understood.shortcut.machine)) return undefined;
  return mayLeave
    ? { kind: 'wants', shortcut: { machine: understood.shortcut.machine, filled: {} } }
    : unclear('nav.noName');
}

/** The meaning of a text that is no answer, and no request that would leave this one. */
function besideQuestion(understood: Understood, screen: Screen, env: ReadingEnv): InputMeaning | undefined {
  const { isFrozen, mayLeave, hasRequest } = env;
  switch (understood?.kind) {
    case 'either':
      return mayLeave ? understood : undefined;
    case 'wants': {
      const { machine } = understood.shortcut;
      // If nothing is frozen any more, the screen of the freeze says so by itself.
      if (machine === 'thaw' && screen.key === 'freeze.over') return { kind: 'opened' };
      // Nor is one who reads it beside a case told of a freeze that there is not.
      if (machine === 'thaw' && screen.takesWords && !isFrozen) return undefined;
      if (LEADING_TO_HELP.has(machine)) return wantedBy(understood.shortcut, env);
      return saysLocked(screen) ? { kind: 'opened' } : undefined;
    }
    case 'fees':
      return understood;
    case 'undoes':
      // A payment that is made already is not the request under way.
      if (screen.key === 'help.several' && !understood.isLast) return { kind: 'went', to: 'cancel' };
      return understood.isLast || !hasRequest ? takenBack(understood) : changed(understood, screen);
    case 'courtesy':
      return courtesy(understood.courtesy, screen);
  }
}

/** Nothing is paid yet: the number or the amount is asked for again, or the request is given up. */
function changed({ isNumber, isAmount }: Undoes, screen: Screen): InputMeaning | undefined {
  const { expects } = screen;
  if (isNumber && isNumberAsked(expects)) return { kind: 'courtesy', notice: { key: 'mobile.again' } };
  if (isAmount && namesPayment(screen)) return AMENDS;
  if (isAmount) return expects === 'amount' ? { kind: 'opened' } : undefined;
  return isNumber ? { kind: 'renumbers', keepsAmount: expects !== 'amount' } : { kind: 'went', to: 'cancel' };
}

/** A lost card leads to its own conversation where no request is left for it. The rest leads to the help. */
function helpAgainstTheft(wanted: Shortcut | undefined, { mayLeave }: ReadingEnv): InputMeaning {
  return wanted?.machine === 'lost-card' && mayLeave
    ? { kind: 'leaves', shortcut: { machine: 'lost-card', filled: {}, isUrgent: 'theft' } }
    : {
        ...{ kind: 'went', to: 'help', why: URGENCY[wanted?.isUrgent ?? 'theft'] },
        ...(wanted?.about && { about: wanted.about }),
      };
}

const URGENCY = { theft: 'urgent', missing: 'missing' } as const;

/** An entry that was asked for by its label. A label of several words is nobody's search. */
function labelBeside(text: string, screen: Screen, env: ReadingEnv): InputMeaning | undefined {
  const isFree = FREE_TEXT.has(screen.expects) && !env.isUnfound;
  if (!env.mayLeave || (isFree && !(screen.expects === 'search' && /\s/.test(text)))) return undefined;
  const called = shortcutOfLabel(text, env.labelsOf);
  const protects = called === undefined || PROTECTING.has(called.machine);
  return protects ? undefined : besideRequest(called, screen, env.now, true);
}

/**
 * A request in the middle of another one. An amount in a sentence is the amount that is asked for. A request that only reads is
 * answered, and another payment is asked about.
 */
function besideRequest(
  { machine, filled }: Shortcut,
  screen: Screen,
  at: number,
  isSure = false,
): InputMeaning | undefined {
  // Beside a transfer it is the last recipient.
  if (machine === 'again')
    return screen.key.startsWith('transfer.')
      ? leavesFor({ machine: 'transfer', filled: { ...filled, toLast: true } })
      : undefined;
  if (screen.key.startsWith('pin-reset.') && BEHIND_PIN.has(machine))
    return { kind: 'courtesy', notice: { key: 'pin-reset.first' } };
  // Nobody looks for a biller or a brand by the words for a balance.
  const isRequest = screen.expects === 'search' && (isSure || GUESTS.has(machine));
  if (FREE_TEXT.has(screen.expects) && !isRequest) return undefined;
  const { to } = filled;
  // The same payment to another number.
  if (screen.expects === 'pin' && namesPayment(screen) && to !== undefined && filled.amount === undefined)
    return { kind: 'renumbers', keepsAmount: true, to, machine };
  if (screen.key.startsWith(`${machine}.`) && !filled.looksBack)
    return besideItself({ machine, filled }, screen, at);
  // `mon RIB` may be the account that is asked for, in words.
  if (machine === 'rib' && screen.expects === 'account') return undefined;
  if (GUESTS.has(machine)) return { kind: 'wants', shortcut: { machine, filled: {} } };
  return leavesFor({ machine, filled });
}

/** The same request once more, in the middle of itself: an amount or a number in place of the one that is on show, or the request anew. */
function besideItself({ machine, filled }: Shortcut, screen: Screen, at: number): InputMeaning | undefined {
  const isNamed = namesPayee(filled);
  const { amount, search } = filled;
  if (screen.expects === 'amount' && amount !== undefined && !isNamed)
    return answer((amount / 100).toFixed(2), at);
  // No order is a wrong PIN, an amount or a yes. Elsewhere one word for this request is none anew.
  const isOrdered = screen.expects === 'amount' || screen.expects === 'pin' || asksToConfirm(screen);
  const isNew = amount !== undefined || isNamed || (search !== undefined && screen.expects === 'choice');
  if (GUESTS.has(machine)) return { kind: 'opened' };
  return isNew || isOrdered ? leavesFor({ machine, filled }) : undefined;
}

/** A whole request in one line, where the answer asked for is none. */
function wholeIn(
  text: string,
  expects: Expected,
  wanted: Shortcut | undefined,
  env: ReadingEnv,
): InputMeaning | undefined {
  const isNumber = isNumberAsked(expects);
  if (expects !== 'search' && !isNumber && expects !== 'reference') return undefined;
  const hasAmount = wanted?.filled.amount !== undefined;
  const whole = readWhole(text) ?? (hasAmount ? wanted : undefined);
  // `mon RIB` is no account, and `100 dh` is no order: only both together are.
  if (isNumber && (readWhole(text) === undefined || !hasAmount)) return undefined;
  return whole && wantedBy(whole, env);
}

/** Words for help lead to its page, and a named person is asked for at once; nobody is frozen who asks to be thawed, and may be locked. */
function wantedBy(shortcut: Shortcut, { isFrozen, isLocked }: ReadingEnv): InputMeaning | undefined {
  if (shortcut.machine === 'thaw' && isLocked) return { kind: 'went', to: 'menu' };
  if (shortcut.machine === 'thaw')
    return isFrozen
      ? { kind: 'wants', shortcut: { machine: 'freeze', filled: { thaws: true } } }
      : { kind: 'went', to: 'help', notice: { key: 'freeze.none' } };
  if (shortcut.machine === 'again')
    return { kind: 'went', to: 'help', why: 'again', about: { ...shortcut.about, filled: shortcut.filled } };
  const key = ANSWERED[shortcut.machine];
  if (key) return { kind: 'courtesy', notice: { key } };
  if (shortcut.machine === 'request') return { kind: 'went', to: 'help', asksPerson: 'follows' };
  if (shortcut.machine === 'adviser')
    return {
      kind: 'went',
      to: 'help',
      ...(shortcut.isUrgent && { why: URGENCY[shortcut.isUrgent] }),
      ...(shortcut.about && { about: shortcut.about }),
      ...(shortcut.asksPerson && { asksPerson: true }),
    };
  return Object.hasOwn(MACHINES, shortcut.machine) ? { kind: 'wants', shortcut } : undefined;
}
