import { monthsIn } from '../../../../machines/kit/months.ts';
import { CARDS, type Expected, FILES, type Screen, SECRETS } from '../../../../machines/kit/screen.ts';
import { rowsIn } from '../../../../machines/kit/several.ts';
import { isWords } from '../../../../machines/kit/typed.ts';
import { latinDigits } from '../../../wallet/digits.ts';
import { normalised } from '../../../wallet/letters.ts';
import { nationalNumber, readPhone } from '../../../wallet/phone.ts';
import { oneTimeCodeIn, referenceIn } from '../../../wallet/sent-codes.ts';
import { readAmount } from '../../../wallet/typed-amount.ts';
import { abilitiesOf } from '../../channel.ts';
import type { Input, Language, Navigation } from '../../incoming.ts';
import { choiceOf, typedChoice } from '../../session/choice.ts';
import { MENUS } from '../../session/current-screen.ts';
import { GIVES_PAYOUTS, shortcutOfQr } from '../../shortcuts/shortcut.ts';
import { amountAlone, numberAlone } from '../../shortcuts/understand.ts';
import { answer, choose, type InputMeaning, type ReadingEnv, unclear } from './input-meaning.ts';
import { behindNo, type Labelled, labelled, nearlyLabelled, saidToGoOn } from './typed-label.ts';
import { FREE_TEXT, HAS_LETTER, LAPSED, requestIn, TEXT_MAX_CHARS } from './typed-request.ts';
import { FOUR_DIGITS, holdsCardNumber, isLatePin, secretIn } from './typed-secret.ts';
import { asksToConfirm, MORE } from './unread-pages.ts';
import { isWeakPin } from './weak-pin.ts';

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
/** Numbers with something between them. */
const SEVERAL = /^\d{1,2}\s*[^\d\s]|^\d{1,2}\s+\S/;
/** One or two digits where choices have numbers: a wrong number, and no choice, amount or sentence. */
export const WRONG_NUMBER = /^\d{1,2}$/;
const LANGUAGE_NAMES: ReadonlyMap<string, Language> = new Map(
  Object.entries({
    fr: ['francais', 'en francais', 'french', 'الفرنسية', 'فرنسية', 'بالفرنسية'],
    ar: ['arabe', 'en arabe', 'arabic', 'العربية', 'عربية', 'بالعربية', 'l3arbiya', 'bl3arbiya'],
    en: ['anglais', 'en anglais', 'english', 'in english', 'الانجليزية', 'انجليزية', 'بالانجليزية'],
  }).flatMap(([language, names]) => names.map((name) => [normalised(name), language as Language] as const)),
);

/** The way of an input that leads somewhere whatever is asked: a press of navigation, or a typed command. */
export function navigationOf(input: Input | undefined): Navigation | undefined {
  if (input?.type === 'went') return input.to;
  return input?.type === 'said' ? COMMANDS.get(input.text.trim().toLowerCase()) : undefined;
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
  const shortcut = givesTable ? GIVES_PAYOUTS : shortcutOfQr(qr);
  return shortcut
    ? { kind: 'wants', shortcut }
    : { kind: 'unclear', notice: screen.filesLater ?? { key: table ? 'nav.noFile' : 'nav.noQr' } };
}

/** A photo is read later: the customer has to finish the open question first. */
export const PHOTO_LATER = { kind: 'unclear', notice: { key: 'nav.photoLater' } } as const;

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
  const shown = choices.slice(0, env.onPage?.choices ?? 0);
  const onPage = expects === 'pin' ? shown.filter(({ digit }) => digit !== undefined) : shown;
  const named = hasButtons ? screen : { ...screen, choices: onPage };
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
  return takesSeveral && (SEVERAL.test(digits) || rowsIn(text) || monthsIn(text))
    ? answer(digits, at)
    : undefined;
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
  const beside = screen.expects === 'pin' ? besidePin(text, screen, env) : undefined;
  if (beside) return beside;
  if (screen.expects === 'otp' && isWords(text) && resendsSms(screen)) return unclear('linking.codeComes');
  if (SECRETS.has(screen.expects)) return secretInput(text, screen, env);
  // A PIN that comes too late is not taken, but its customer goes on: it is asked for again.
  if (screen.key === LAPSED && pin(digits) !== undefined) return choose('continue', at);
  const isOnPage = abilitiesOf(env.address).shows === 'pages' && !env.inDial;
  if (isOnPage && screen.expects === 'amount' && KEYS.has(digits)) return unclear('nav.isKey');
  if (digits === HELP && (screen.expects === 'choice' || screen.expects === 'search'))
    return { kind: 'went', to: 'help' };
  const figure = figureBeside(text, digits, screen, at);
  if (figure) return figure;
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
  return answer(figureIn(text, screen) ?? text, at);
}

/** The number or the amount that is asked for, out of a sentence around it. */
function figureIn(text: string, { expects, asksOwn }: Screen): string | undefined {
  if (!HAS_LETTER.test(text)) return undefined;
  if (expects === 'phone' || expects === 'account') return numberAlone(text, asksOwn);
  return expects === 'amount' && !readAmount(text).ok ? amountAlone(text) : undefined;
}

/** The answer that a screen takes beside its choices: an amount, a phone number, the answer itself, or a number for the person who reads it. */
function figureBeside(
  text: string,
  digits: string,
  { takesAmount, takesText, takesPhone, takesWords }: Screen,
  at: number,
): InputMeaning | undefined {
  if (takesAmount && FOUR_DIGITS.test(digits)) return unclear('nav.pinOrAmount');
  if (takesAmount && !ONE_DIGIT.test(digits) && readAmount(text).ok) return answer(text, at);
  if (takesPhone && readPhone(text)) return answer(text, at);
  const isText = !WRONG_NUMBER.test(digits) && !FOUR_DIGITS.test(digits) && saidToGoOn(text) === undefined;
  if (takesText && isText) return answer(text, at);
  if (takesWords !== 'more') return undefined;
  if (LOOKS_SECRET.test(digits)) return unclear('help.digitsAlone');
  return SOME_NUMBER.test(digits) ? answer(text, at) : undefined;
}

/**
 * A no leads back from a PIN. Words behind it give the payment up, unless they are a request (`non, envoie à maman`) or another number, which
 * takes the place of the one on show. Other words are no mistyped PIN: nothing is done, and the customer reads so. On a page above the question
 * a yes leads on, and anything else reads that page again.
 */
function besidePin(text: string, screen: Screen, env: ReadingEnv): InputMeaning | undefined {
  const goesOn = saidToGoOn(text);
  if (goesOn === false) return { kind: 'went', to: 'back' };
  const behind = behindNo(text);
  const instead = (behind && requestIn(behind, screen, env)) ?? renumberedBy(behind ?? text, screen, env);
  if (instead) return instead;
  if (behind !== undefined) return { kind: 'went', to: 'cancel' };
  if (env.onPage?.asksLater) return goesOn ? { kind: 'went', to: 'more' } : unclear('pin.asksLater');
  const mayHoldPin = /(?<!\d)\d{4}(?!\d)/.test(latinDigits(text));
  return HAS_LETTER.test(text) && !mayHoldPin ? unclear('pin.noPin') : undefined;
}

/** The one number of a text, where somebody is paid by a number. The warning before the question has to be read first. */
function renumberedBy(text: string, { values }: Screen, { onPage }: ReadingEnv): InputMeaning | undefined {
  const isPaidByNumber = (values?.to ?? values?.merchant) !== undefined;
  const to = isPaidByNumber && !onPage?.asksLater ? readPhone(numberAlone(text) ?? '') : undefined;
  return to && { kind: 'renumbers', keepsAmount: true, to };
}

/** True where another SMS can be asked for: nothing else than that it has not come is said in words there. */
function resendsSms({ choices = [] }: Screen): boolean {
  return choices.some(({ key }) => key.endsWith('.resend'));
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
