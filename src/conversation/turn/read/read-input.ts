import type { HelpOffer } from '../../../../machines/kit/conversation.ts';
import type { MachineEvent } from '../../../../machines/kit/input.ts';
import { monthsIn } from '../../../../machines/kit/months.ts';
import {
  ALL_OF_THEM,
  CARDS,
  type Expected,
  FILES,
  type Screen,
  SECRETS,
  type Sentence,
} from '../../../../machines/kit/screen.ts';
import type { SentenceKey } from '../../../../machines/kit/sentence-key.ts';
import { BUSY } from '../../../../machines/kit/stopped.ts';
import { isPaymentKind } from '../../../payments/payments.ts';
import { latinDigits } from '../../../wallet/digits.ts';
import { normalised } from '../../../wallet/letters.ts';
import type { Centimes } from '../../../wallet/money.ts';
import { nationalNumber, readPhone } from '../../../wallet/phone.ts';
import { QR_CHARS_MAX } from '../../../wallet/qr/merchant-qr.ts';
import { oneTimeCodeIn, referenceIn } from '../../../wallet/sent-codes.ts';
import { readAmount } from '../../../wallet/typed-amount.ts';
import { abilitiesOf } from '../../channel.ts';
import { MACHINES } from '../../chart/machines.ts';
import { GUESTS } from '../../chart/main-conversation.ts';
import type { Address, Input, Language, Navigation } from '../../incoming.ts';
import type { Secrets } from '../../secrets.ts';
import { choiceOf, typedChoice } from '../../session/choice.ts';
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
import {
  type Courtesy,
  courtesyOfSigns,
  numberAlone,
  type Several,
  understand,
} from '../../shortcuts/understand.ts';
import { shortcutOfLabel } from './entry-label.ts';
import { type Labelled, type LabelsOf, labelled, nearlyLabelled, saidToGoOn, YES } from './typed-label.ts';
import { FOUR_DIGITS, holdsCardNumber, isLatePin, secretIn } from './typed-secret.ts';
import { asksToConfirm, MORE, type ShownPage } from './unread-pages.ts';
import { isWeakPin } from './weak-pin.ts';

/** The meaning of an input on the screen it answers. */
export type InputMeaning =
  /** For the machine. */
  | { readonly kind: 'event'; readonly event: MachineEvent }
  | {
      readonly kind: 'went';
      readonly to: Navigation;
      readonly typed?: string;
      readonly why?: HelpOffer['why'];
      readonly about?: Shortcut['about'];
      /** `help` only: a person is asked for. `follows`: the customer asks what has become of their request. */
      readonly asksPerson?: true | 'follows';
      /** The person who was asked for reads the words, too. */
      readonly leavesWords?: true;
      readonly notice?: Sentence;
    }
  | { readonly kind: 'dialed' | 'opened' }
  /** Another conversation, asked for in one line. */
  | { readonly kind: 'wants'; readonly shortcut: Shortcut }
  /** The same in the middle of a request: the customer is asked whether to leave that. */
  | { readonly kind: 'leaves'; readonly shortcut: Shortcut }
  /** Two things asked for in one line, or one that could be two: the customer chooses. */
  | Several
  | { readonly kind: 'speaks'; readonly language: Language }
  /** The number of a request is wrong. `keepsAmount`: its amount is not what is asked for. */
  | { readonly kind: 'renumbers'; readonly keepsAmount: boolean }
  /** The question for the fee of an amount. `pays`: the payment whose preview tells it. */
  | { readonly kind: 'fees'; readonly amount?: Centimes; readonly pays?: Shortcut }
  /** A kind word: it gets one back, and answers nothing. */
  | { readonly kind: 'courtesy'; readonly notice: Sentence }
  /** No answer to a page that asks nothing yet: it comes again. */
  | { readonly kind: 'again' }
  /** Nothing the screen asked for: shown again with a word of help. */
  | { readonly kind: 'unclear'; readonly notice: Sentence };

/** Far above any name or amount; what is longer is no answer, as it is no line. */
export const TEXT_MAX_CHARS = LINE_MAX_CHARS;
/** Works in every state on every channel, whatever is asked ("navigation is the same everywhere"). */
const COMMANDS: ReadonlyMap<string, Navigation> = new Map([
  ['/start', 'menu'],
  ['/menu', 'menu'],
  ['/back', 'back'],
  ['/cancel', 'cancel'],
  ['/help', 'help'],
  ['/language', 'language'],
]);
/** On choice screens only ("navigation is the same everywhere"). */
const HELP = '99';
/** On a page these are keys: an amount is typed as `098` there. */
const KEYS: ReadonlySet<string> = new Set([MORE, HELP]);
/** As long as a PIN, a one-time code or a card's number. */
const LOOKS_SECRET = /^(\d{4}|\d{3}-?\d{3}|\d{13,})$/;
/** On a screen with choices one digit is one of them, or a slip. */
const ONE_DIGIT = /^\d$/;
/** Of two digits or more: a reference, a phone number or an amount, for the person who reads it. */
const SOME_NUMBER = /^\d[\d ,.]*\d$/;
/** At the question whether to go on with a request that broke off, a customer who orders something else leaves it. */
const OFFERS_TO_GO_ON = /\.resume(?:Payment|Link|Amount)?$/;
/** At the question how an adviser was, a customer who orders something passes the question. */
const SURVEYS: ReadonlySet<string> = new Set<SentenceKey>(['rating.ask', 'rating.askClosed']);
/** The time of a PIN is over. */
const LAPSED: SentenceKey = 'pin.lapsed';
/** Where a number and a PIN open the chat, or the PIN was not typed in time, and where another payment holds back one that was just begun. */
const DOORS: ReadonlySet<string> = new Set<SentenceKey>([
  'linking.askPhone',
  'unlocking.askPin',
  LAPSED,
  BUSY,
]);
/** Numbers with something between them, or a word for all. */
const SEVERAL = new RegExp(`^\\d{1,2}\\s*[^\\d\\s]|^\\d{1,2}\\s+\\S|${ALL_OF_THEM.source}`, 'i');
const HAS_LETTER = /\p{L}/u;
/** One or two digits where choices have numbers: a wrong number, and no choice, amount or sentence. */
export const WRONG_NUMBER = /^\d{1,2}$/;
const LANGUAGE_NAMES: ReadonlyMap<string, Language> = new Map(
  Object.entries({
    fr: ['francais', 'en francais', 'french', 'الفرنسية', 'فرنسية', 'بالفرنسية'],
    ar: ['arabe', 'en arabe', 'arabic', 'العربية', 'عربية', 'بالعربية', 'l3arbiya', 'bl3arbiya'],
    en: ['anglais', 'en anglais', 'english', 'in english', 'الانجليزية', 'انجليزية', 'بالانجليزية'],
  }).flatMap(([language, names]) => names.map((name) => [normalised(name), language as Language] as const)),
);
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
const FREE_TEXT: ReadonlySet<Expected> = new Set<Expected>(['name', 'field', 'search', 'password']);

/** The way of an input that leads somewhere whatever is asked: a press of navigation, or a typed command. */
export function navigationOf(input: Input | undefined): Navigation | undefined {
  if (input?.type === 'went') return input.to;
  return input?.type === 'said' ? COMMANDS.get(input.text.trim().toLowerCase()) : undefined;
}

/** The place and time of an input, and all else that reading it takes. */
interface ReadingEnv {
  readonly address: Address;
  readonly now: number;
  readonly secrets: Secrets;
  readonly labelsOf: LabelsOf;
  /** The page of a handset that it is typed on. */
  readonly onPage?: ShownPage | undefined;
  /** The answer before this one was given where a PIN is asked for. */
  readonly afterPin?: true;
  /** It stands in a longer dial, which was learnt. */
  readonly inDial?: 'followed' | 'last';
  /** Payments of the wallet are frozen. */
  readonly isFrozen: boolean;
  /** The customer has read here that their wallet is locked. */
  readonly isLocked: boolean;
  /** Another request may begin here, at the customer's own wallet. */
  readonly mayLeave: boolean;
  /** A request is under way that can be given up. */
  readonly hasRequest: boolean;
  /** It was looked for in the list on show, which has nothing like it: so it may be a request. */
  readonly isUnfound?: true;
  /** The code of the principal agent that the customer acts for. */
  readonly principal: () => string | undefined;
}

/** Reads an input on the screen it answers. The only place where what a customer does becomes an event. */
export function readInput(input: Input, screen: Screen, env: ReadingEnv): InputMeaning {
  const { now: at } = env;
  switch (input.type) {
    case 'went':
      return { kind: 'went', to: input.to, ...(input.typed && { typed: input.typed }) };
    case 'dialed':
    case 'opened':
      return { kind: input.type };
    case 'speaks':
      return { kind: 'speaks', language: input.language };
    case 'chose':
    case 'picked': {
      const choice = choiceOf(input, screen);
      return choice === undefined ? unclear('nav.stale') : choose(choice, at);
    }
    case 'tapped':
      // A key of no keypad: what is tapped on one is read before (`keypad.ts`).
      return unclear('nav.stale');
    case 'carded':
      return CARDS.has(screen.expects)
        ? { kind: 'event', event: { type: 'carded', at } }
        : unclear('nav.stale');
    case 'secret':
      return SECRETS.has(screen.expects)
        ? secretInput(input.secret.trim(), screen, env)
        : unclear('nav.stale');
    case 'contact':
      return input.own && screen.asksOwn
        ? { kind: 'event', event: { type: 'owned', phone: input.phone, at } }
        : readInput({ type: 'said', text: nationalNumber(input.phone) }, screen, env);
    case 'photo':
      return photographed(input, screen, env);
    case 'said':
      return said(input.text.trim(), screen, env);
  }
}

/** A QR code asks for its payment wherever nothing is about to be confirmed, and no file is asked for. */
function photographed(
  { qr, file, table }: Extract<Input, { type: 'photo' }>,
  screen: Screen,
  { now: at, principal }: ReadingEnv,
): InputMeaning {
  if (FILES.has(screen.expects))
    return { kind: 'event', event: { type: 'filed', at, ...(file !== undefined && { file }) } };
  if (SECRETS.has(screen.expects) || asksToConfirm(screen)) return PHOTO_LATER;
  const givesTable = table && principal() !== undefined;
  const shortcut = givesTable ? GIVES_PAYOUTS : shortcutOf(qr);
  return shortcut
    ? { kind: 'wants', shortcut }
    : { kind: 'unclear', notice: screen.filesLater ?? { key: table ? 'nav.noFile' : 'nav.noQr' } };
}

const GIVES_PAYOUTS: Shortcut = { machine: 'payouts', filled: { givesFile: true } };
/** A photo is read later: the customer has to finish the open question first. */
export const PHOTO_LATER = { kind: 'unclear', notice: { key: 'nav.photoLater' } } as const;

/** The request in a QR code; undefined where there is none, or more than a code for a payment holds. */
export function shortcutOf(qr: string | undefined): Shortcut | undefined {
  const isCode = qr !== undefined && qr.trim() !== '' && qr.length <= QR_CHARS_MAX;
  return isCode ? { machine: 'merchant-payment', filled: { qr } } : undefined;
}

function said(text: string, screen: Screen, env: ReadingEnv): InputMeaning {
  const { address, now: at, labelsOf } = env;
  if (holdsCardNumber(text, screen)) return unclear('nav.cardNumber');
  const command = COMMANDS.get(text.toLowerCase());
  if (command) return { kind: 'went', to: command };
  const language = languageIn(text, screen);
  if (language) return { kind: 'speaks', language };
  // The words of an SMS around its code are no answer of their own.
  if (screen.expects === 'otp' && oneTimeCodeIn(text) !== undefined) return secretInput(text, screen, env);
  // Pages are read before they are answered: what was not shown there is not called by its name, and nothing by half of it.
  const isShort = text.length <= TEXT_MAX_CHARS;
  const hasButtons = abilitiesOf(address).shows === 'messages' && isShort;
  const { choices = [], expects } = screen;
  const shown = expects === 'pin' ? 0 : (env.onPage?.choices ?? 0);
  const named = hasButtons ? screen : { ...screen, choices: choices.slice(0, shown) };
  const nearly = hasButtons ? pressedBy(nearlyLabelled(text, screen, labelsOf), at) : undefined;
  // Half a label says more than what its words would ask for elsewhere. On a menu they may ask for what lies behind another entry.
  const isRow = screen.expects === 'choice' && !MENUS.has(screen.key) && !screen.takesWords;
  const request =
    (isShort && pressedBy(labelled(text, named, labelsOf), at)) ||
    (isRow && (nearly ?? severalIn(text, screen, at))) ||
    requestIn(text, screen, env);
  if (request) return request;
  if (staysTyped(text, screen, env)) return unclear('nav.pinStays');
  const digits = latinDigits(text);
  if (digits === MORE && screen.expects !== 'amount' && !screen.takesAnyNumber)
    return { kind: 'went', to: 'more' };
  if (isForPerson(text, screen)) return answer(text, at);
  if (text.length > TEXT_MAX_CHARS) return unclear('nav.tooLong');

  const choice = typedChoice(digits, screen);
  if (choice) return choose(choice.id, at);

  if (nearly) return nearly;

  return answered(text, digits, screen, env);
}

/** Several rows of a list at once, or the months that bills in it are of: the machine says which of them it takes. */
function severalIn(text: string, { takesSeveral }: Screen, at: number): InputMeaning | undefined {
  const digits = latinDigits(text);
  return takesSeveral && (SEVERAL.test(digits) || monthsIn(text)) ? answer(digits, at) : undefined;
}

/** The language whose name alone was typed, where words are no answer of their own. The question comes again in it. */
function languageIn(text: string, { key, expects, takesWords }: Screen): Language | undefined {
  // Nobody looks for a biller or a brand by the name of a language.
  const isFree = FREE_TEXT.has(expects) && expects !== 'search';
  if (isFree || takesWords || key === 'language.choose' || !HAS_LETTER.test(text)) return undefined;
  return LANGUAGE_NAMES.get(normalised(text));
}

/** True for a PIN or a password in a chat that cannot erase it. A code for one use is worth nothing once it was taken. */
function staysTyped(text: string, screen: Screen, { address, ...env }: ReadingEnv): boolean {
  if (abilitiesOf(address).erasesTyped) return false;
  const asked = { ...screen, ...env };
  return (
    screen.expects === 'password' ||
    (secretIn({ type: 'said', text }, asked) === 'pin' && !isLatePin(text, asked))
  );
}

/** True for words that a person reads. */
function isForPerson(text: string, { takesWords }: Screen): boolean {
  return HAS_LETTER.test(text) && (takesWords === 'sentences' ? /\s/.test(text) : takesWords !== undefined);
}

/** The meaning of a text that is no choice and leads nowhere else. */
function answered(text: string, digits: string, screen: Screen, env: ReadingEnv): InputMeaning {
  const { now: at } = env;
  if (isLatePin(text, { ...screen, ...env })) return unclear('nav.pinNotAsked');
  const beside = screen.expects === 'pin' ? besidePin(text, env) : undefined;
  if (beside) return beside;
  if (SECRETS.has(screen.expects)) return secretInput(text, screen, env);
  // A PIN that comes too late is not taken, but its customer goes on: it is asked for again.
  if (screen.key === LAPSED && pin(digits) !== undefined) return choose('continue', at);
  const isOnPage = abilitiesOf(env.address).shows === 'pages' && !env.inDial;
  if (isOnPage && screen.expects === 'amount' && KEYS.has(digits)) return unclear('nav.isKey');
  if (digits === HELP && (screen.expects === 'choice' || screen.expects === 'search'))
    return { kind: 'went', to: 'help' };
  if (screen.takesAmount && FOUR_DIGITS.test(digits)) return unclear('nav.pinOrAmount');
  if (screen.takesAmount && !ONE_DIGIT.test(digits) && readAmount(text).ok) return answer(text, at);
  if (screen.takesPhone && readPhone(text)) return answer(text, at);
  if (screen.takesWords === 'more' && LOOKS_SECRET.test(digits)) return unclear('help.digitsAlone');
  if (screen.takesWords === 'more' && SOME_NUMBER.test(digits)) return answer(text, at);
  // A PIN typed a screen too late would be kept as the words that are looked for.
  if (screen.expects === 'choice' || (screen.expects === 'search' && LOOKS_SECRET.test(digits))) {
    return unclear('nav.chooseOne');
  }
  if (screen.expects === 'nothing')
    return {
      kind: 'went',
      to: 'menu',
      ...(!WRONG_NUMBER.test(digits) && { notice: { key: 'nav.chooseOne' } }),
    };
  return answer((screen.expects === 'phone' && numberAlone(text)) || text, at);
}

/** A no leads back from a PIN. On a page above its question a yes leads on, and anything else reads that page again. */
function besidePin(text: string, { onPage }: ReadingEnv): InputMeaning | undefined {
  const goesOn = saidToGoOn(text);
  if (goesOn === false) return { kind: 'went', to: 'back' };
  if (!onPage?.asksLater) return undefined;
  return goesOn ? { kind: 'went', to: 'more' } : { kind: 'again' };
}

/** A secret, sealed before anything else sees it. */
function secretInput(
  text: string,
  { expects }: Screen,
  { address, now: at, secrets }: ReadingEnv,
): InputMeaning {
  const secret = READ[expects]?.(expects === 'password' ? text : latinDigits(text));
  const sealed = secrets.seal(secret ?? '', address, at);
  const isWeak = expects === 'newPin' && secret !== undefined && isWeakPin(secret, at);
  const gave = { type: 'gave', secret: sealed, wellFormed: secret !== undefined, at } as const;
  return { kind: 'event', event: isWeak ? { ...gave, isWeak } : gave };
}

function unclear(key: SentenceKey): InputMeaning {
  return { kind: 'unclear', notice: { key } };
}

/** The text answers the question. */
function answer(text: string, at: number): InputMeaning {
  return { kind: 'event', event: { type: 'said', text, at } };
}

function choose(choice: string, at: number): InputMeaning {
  return { kind: 'event', event: { type: 'chose', choice, at } };
}

/** The meaning of the button whose label was typed. */
function pressedBy(typed: Labelled | undefined, at: number): InputMeaning | undefined {
  switch (typed?.kind) {
    case 'choice':
      return choose(typed.id, at);
    case 'way':
      return { kind: 'went', to: typed.to };
    case 'either':
      return unclear('nav.chooseOne');
  }
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

/** A command works everywhere; plain words only where nothing else could be meant by them. */
function requestIn(text: string, screen: Screen, env: ReadingEnv): InputMeaning | undefined {
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
  // Where a PIN opens the chat, a request waits for it, as if the customer had just come.
  const isAtDoor = DOORS.has(key) && !env.mayLeave;
  const isOffer = OFFERS_TO_GO_ON.test(key) || SURVEYS.has(key);
  const isAtRest = expects === 'nothing' || MENUS.has(key) || isOffer || isAtDoor;
  return isAtRest ? requestAtRest(text, screen, env) : movedBy(text, screen, env);
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
function takenBack({
  isOther,
  isReference,
  about,
}: Extract<Understood, { kind: 'undoes' }>): InputMeaning | undefined {
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

/** A question that is nothing but one: `mon solde`, `où en est ma réclamation`. What says more is for the person who reads it. */
function besideCase(text: string, { choices }: Screen, env: ReadingEnv): InputMeaning | undefined {
  const { isFrozen, now: at } = env;
  if (wordsIn(text).length > QUESTION_WORDS_MAX) return undefined;
  const understood = understand(text, true);
  if (understood?.kind === 'fees') return understood;
  if (understood?.kind !== 'wants') return undefined;
  const { machine, asksState, about } = understood.shortcut;
  // Where a payment stands is told, and the person reads the question as well.
  if (asksState)
    return { kind: 'went', to: 'help', why: 'missing', leavesWords: true, ...(about && { about }) };
  // A theft is the person's to read as well.
  if (PROTECTING.has(machine)) return undefined;
  if (GUESTS.has(machine)) return { kind: 'wants', shortcut: { machine, filled: {} } };
  // Where nothing is frozen, it is a wallet that is locked: the person reads that.
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
 * answer only a word that gives up, letter for letter, is none. Where something is looked for, or a reference, an account or a number
 * is asked for, neither is a whole request in one line.
 */
function movedBy(text: string, screen: Screen, env: ReadingEnv): InputMeaning | undefined {
  const { expects } = screen;
  const isSearch = expects === 'search';
  const isFree = FREE_TEXT.has(expects);
  const mayAnswer = isFree && !env.isUnfound;
  if (expects === 'password') return undefined;
  const called = labelBeside(text, screen, env);
  if (called) return called;
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

/** A PIN opens these: a customer without one has to choose it first. */
const BEHIND_PIN: ReadonlySet<string> = new Set(['balance', 'statement', 'profile']);

type Understood = ReturnType<typeof understand>;

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
      // Where nothing is frozen any more, the screen of the freeze says so by itself.
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
      if (understood.isLast || !hasRequest) return takenBack(understood);
      if (understood.isNumber && isNumberAsked(screen.expects))
        return { kind: 'courtesy', notice: { key: 'mobile.again' } };
      // Nothing is paid yet: the number is asked for again, or the request is given up.
      return understood.isNumber
        ? { kind: 'renumbers', keepsAmount: screen.expects !== 'amount' }
        : { kind: 'went', to: 'cancel' };
    case 'courtesy':
      return courtesy(understood.courtesy, screen);
  }
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
 * A request in the middle of another one. An amount in a sentence is the amount that is asked for. What only reads is answered, and
 * another payment is asked about.
 */
function besideRequest(
  { machine, filled }: Shortcut,
  screen: Screen,
  at: number,
  isSure = false,
): InputMeaning | undefined {
  if (screen.key.startsWith('pin-reset.') && BEHIND_PIN.has(machine))
    return { kind: 'courtesy', notice: { key: 'pin-reset.first' } };
  // Nobody looks for a biller or a brand by the words for a balance.
  const isRequest = screen.expects === 'search' && (isSure || GUESTS.has(machine));
  if (FREE_TEXT.has(screen.expects) && !isRequest) return undefined;
  if (screen.key.startsWith(`${machine}.`) && !filled.looksBack) {
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
  // `mon RIB` may be the account that is asked for, in words.
  if (machine === 'rib' && screen.expects === 'account') return undefined;
  if (GUESTS.has(machine)) return { kind: 'wants', shortcut: { machine, filled: {} } };
  return leavesFor({ machine, filled });
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

/** How each kind of secret is read; undefined where it does not look like one. */
const READ: Partial<Readonly<Record<Expected, (text: string) => string | undefined>>> = {
  pin,
  newPin: pin,
  otp: oneTimeCodeIn,
  password: (text) => text || undefined,
  // Its form is not shown in v2.3: the wallet says whether there is such a one.
  reference: (text) => (/\d{4}/.test(text) ? referenceIn(text) : undefined),
};

/** Partner API v2.3, Limits: exactly 4 digits. */
function pin(text: string): string | undefined {
  return /^\d{4}$/.test(text) ? text : undefined;
}
