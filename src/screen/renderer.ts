import { GOES_ON, goesOnByOne, numbersOf } from '../../machines/kit/choice-numbers.ts';
import type { Receipt, Screen, Sentence, Value } from '../../machines/kit/screen.ts';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import type { Language } from '../conversation/incoming.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import { type Encoding, measure, segments } from './gsm7.ts';
import { type Locales, loadLocales } from './locales.ts';
import { emphasised, RLM, unglued } from './marks.ts';
import { type OperatorFacts, pageIn, withOperatorFacts } from './operator-facts.ts';
import {
  type Content,
  checkedLimits,
  cutPage,
  type KnownPages,
  type Measured,
  measured,
  type Page,
  USSD_LIMITS,
  type UssdLimits,
} from './pages.ts';
import type { MoneyFormat } from './template.ts';
import { createWriter, type Medium } from './values.ts';

type Direction = 'ltr' | 'rtl';

/**
 * A screen in a chat: plain text with isolates and no-break spaces. Text between `HIDE` and `SHOW` is hidden until the
 * customer taps it. The channel escapes and hides.
 */
interface ChatText {
  readonly text: string;
  readonly choices: readonly { readonly id: string; readonly label: string; readonly picture?: string }[];
  readonly direction: Direction;
  /** The ways that the screen has no use for: they lead nowhere from there, or a choice leads there. */
  readonly idle: readonly Way[];
  readonly receipt?: ReceiptText;
  /** The text, with the amount that a PIN confirms between `BOLD` and `PLAIN`. Absent: nothing is bold. */
  readonly marked?: string;
  /** A page that the customer may read first. */
  readonly reads?: { readonly label: string; readonly url: string };
}

/** A receipt as a card. */
export interface ReceiptText {
  /** The part of the text that the figures of the card do not say. */
  readonly text: string;
  readonly amount: string;
  readonly rows: readonly { readonly name: keyof Receipt; readonly label: string; readonly value: string }[];
  /** The row that no text has, as a line: when it was sent. */
  readonly moment: string;
}

interface SmsText {
  readonly text: string;
  readonly encoding: Encoding;
  /** How many messages the network will charge. */
  readonly segments: number;
}

/**
 * Turns screens into text. Every method throws, naming key and language, for a sentence that does not exist or a value
 * that is missing: a customer never sees a raw key or placeholder.
 */
export interface Renderer {
  chat(screen: Screen, language: Language): ChatText;
  /** The labels of a screen's choices, in one language after the other: in chats, on small buttons and on pages. */
  labels(screen: Screen): ChatText['choices'];
  /** The labels for channels with small buttons, by their places: `_short` of a sentence, where it has one. */
  shortLabels(screen: Screen, language: Language): readonly string[];
  /**
   * One USSD page. `page` counts from 0 and is taken modulo the number of pages. `before`: missed messages, said first
   * and in order. The text above all of it (`Screen.first`) is shortened where that saves a page or puts a choice on the first one, but not on a screen
   * that invites to try again. So is a question under a notice. One for a PIN is only shortened under a mistake, and if
   * it was read (`Screen.wasRead`) or one page had all of it: what a PIN confirms was read then. A short question with
   * details (`DETAILS`) says everything: it is taken where the first page of the long one asks nothing. An
   * answer that is none of a list moves neither the question nor its choices off the page that they had.
   */
  ussd(
    screen: Screen,
    language: Language,
    page: number,
    limits?: UssdLimits,
    before?: readonly Screen[],
  ): Page;
  /** The notice and the sentence. An SMS has no choices. */
  sms(screen: Screen, language: Language): SmsText;
}

/** One that can also speak for other releases. */
interface ManyReleasesRenderer extends Renderer {
  /** From now on also speaks for another release: its own screens, and sentences that nobody here has. */
  learn(release: string, locales: Locales): void;
}

/**
 * Loads the locales (from `locales/`, or a directory of the same shape) and makes the renderer, once at start-up.
 * `facts`: the operator's facts, also for the sentences of other releases. `hosts`: the operator's own sites.
 */
export function createRenderer(
  directory?: string,
  facts: OperatorFacts = {},
  hosts: readonly string[] = [],
): ManyReleasesRenderer {
  const voicesOf = (locales: Locales) =>
    createVoices(createCatalog(withOperatorFacts(locales, facts)), hosts);
  const own = voicesOf(loadLocales(directory));
  const others = new Map<string, Voices>();
  const voice = voiceOf(own, others);
  const called = (medium: Medium, screen: Screen) => (language: Language) =>
    choicesIn(screen, voice(medium, language)(screen));
  const hints = inEveryLanguage((language) => createUssdHints(own.ussd[language]));
  const known: KnownPages = new Map();
  return {
    chat(screen, language) {
      const say = voice('chat', language)(screen);
      // The answer about fees stands above whatever is asked.
      const page = screen.notice?.key === 'nav.feesBefore' ? 'tariffs' : screen.reads;
      const url = page && pageIn(facts[page], language);
      const reads = page && url !== undefined && { reads: { label: say({ key: READS[page] }), url } };
      return { ...chatText(say, screen, language), ...reads };
    },
    labels: (screen) =>
      LABELLED.flatMap((medium) => Object.values(inEveryLanguage(called(medium, screen))).flat()),
    shortLabels: (screen, language) => called('short', screen)(language).map(({ label }) => label),
    ussd(screen, language, page, limits, before = []) {
      const own = {
        ...{ voice: voice('ussd', language), briefly: voice('brief', language) },
        ...hints[language],
      };
      const most = limits ? checkedLimits(limits) : USSD_LIMITS;
      const isKnown = before.length === 0 && isForEverybody(screen);
      const pageWith = (first: readonly string[], of = screen, by = own, at = page) =>
        cutPage(ussdContent(by, of, first, before), at, most, isKnown ? known : undefined);
      return soonestPage(screen, page, own, pageWith);
    },
    sms: (screen, language) => smsText(voice('sms', language)(screen), screen),
    learn: (release, locales) => void others.set(release, voicesOf(locales)),
  };
}

/** How a link to a page of the operator's is called. */
const READS = { terms: 'consent.readTerms', tariffs: 'nav.readTariffs' } as const;

/** The ways in which channels call their choices. */
const LABELLED = ['chat', 'short', 'ussd'] as const;

/** The sentences of one release, by medium and language. */
type Voices = Readonly<Record<Medium, Readonly<Record<Language, Say>>>>;
type VoiceOf = (medium: Medium, language: Language) => (screen: Screen) => Say;

/** The voice of a screen's release, and then those of all others. */
function voiceOf(own: Voices, others: ReadonlyMap<string, Voices>): VoiceOf {
  return (medium, language) => (screen) => {
    if (others.size === 0) return own[medium][language];
    const itsOwn = screen.release === undefined ? undefined : others.get(screen.release);
    return firstThatCan(
      [...(itsOwn ? [itsOwn] : []), own, ...others.values()].map((it) => it[medium][language]),
    );
  };
}

function createVoices(catalog: Catalog, hosts: readonly string[]): Voices {
  const on = (medium: Medium) => inEveryLanguage((language) => createVoice(catalog, language, medium, hosts));
  return {
    chat: on('chat'),
    ussd: on('ussd'),
    sms: on('sms'),
    brief: on('brief'),
    short: on('short'),
  };
}

/**
 * Says a sentence in the first voice that has it and all of its values. A screen speaks the words of its release, but
 * parts of it can come from another one. If none can say it, throws the error of the first voice.
 */
function firstThatCan(voices: readonly Say[]): Say {
  return (sentence, figures) => {
    const failures: unknown[] = [];
    for (const say of voices) {
      try {
        return say(sentence, figures);
      } catch (failure) {
        failures.push(failure);
      }
    }
    throw failures[0];
  };
}

function chatText(say: Say, screen: Screen, language: Language): ChatText {
  const text = besideOpen(screen, firstOf(screen, say), [withNotice(screen, say, '\n\n')]).join('\n\n');
  const direction = language === 'ar' ? 'rtl' : 'ltr';
  const receipt = screen.receipt && receiptText(say, screen, screen.receipt);
  const amount = screen.expects === 'pin' ? screen.values?.amount : undefined;
  return {
    ...{ text, choices: choicesIn(screen, say), direction, idle: idleWays(screen) },
    ...(receipt && { receipt }),
    // A line of its own would begin with a mark that the sentence has not.
    ...(amount && { marked: emphasised(text, written(say, amount).replace(RLM, '')) }),
  };
}

/** The rows of a receipt in their order, each with its label. */
const RECEIPT_ROWS = [
  ['to', 'receipt.to'],
  ['fees', 'receipt.fees'],
  ['total', 'receipt.total'],
  ['at', 'receipt.at'],
  ['reference', 'receipt.reference'],
] as const;

/** The card of a receipt, and the text without the lines that only repeat it. */
function receiptText(say: Say, screen: Screen, receipt: Receipt): ReceiptText {
  const figures = new Set(Object.keys(receipt));
  const text = withNotice(screen, say, '\n\n', { ask: (asked) => say(asked, figures) });
  return {
    text: besideOpen(screen, firstOf(screen, say), [text]).join('\n\n'),
    amount: written(say, receipt.amount),
    moment: say({ key: 'receipt.moment', values: { at: receipt.at } }),
    rows: RECEIPT_ROWS.flatMap(([name, key]) => {
      const value = receipt[name];
      return value ? [{ name, label: say({ key }), value: written(say, value) }] : [];
    }),
  };
}

function written(say: Say, value: Value): string {
  return say({ key: 'receipt.value', values: { value } });
}

function choicesIn({ choices = [] }: Screen, say: Say): ChatText['choices'] {
  return choices.map((choice) => ({
    id: choice.id,
    label: say(choice),
    ...(choice.picture && { picture: choice.picture }),
  }));
}

function ussdContent(
  { voice, question = voice, again, briefly, above = 0, more, goOn, hints }: UssdVoice,
  screen: Screen,
  first: readonly string[],
  before: readonly Screen[],
): Content {
  const say = voice(screen);
  const isTold = first.length + before.length > 0 || screen.notice !== undefined;
  const isAsked = !(isTold && TITLED.has(screen.key));
  const asked: Sentence = screen.isFirst ? { key: 'language.first' } : screen;
  const { asks: once, behind } = inParts(isAsked ? question(screen)(asked) : '', screen.expects, above);
  const lines = again ? inParts(again(screen)(asked), screen.expects, ALONE).asks.split('\n') : [];
  const asks = [...once.split('\n').filter((line) => !lines.includes(line)), ...lines].join('\n');
  const sentences = [...before, screen].map((each) =>
    withNotice(each, voice(each), '\n', {
      isBelow: isBelowOf(each),
      ask: each === screen ? () => asks : (asked) => question(each)(asked).replaceAll(DETAILS, '\n'),
    }),
  );
  const messages = linesOf([...(screen.isAnswer ? [] : first), ...sentences.slice(0, before.length)]);
  const { notice } = screen;
  const ofNotice = notice && !isBelowOf(screen) ? linesOf([say(notice)]) : 0;
  return {
    body: besideOpen(screen, first, sentences).filter(Boolean).join('\n'),
    news: [messages, messages + ofNotice + 1],
    choices: above === BARE && screen.expects === 'pin' ? [] : numbered(onPage(screen), say),
    ...(behind && { behind }),
    ...(isAskedYes(screen) && { answers: 2 }),
    ...(screen.expects === 'choice' && isAsked && { isList: true }),
    ...(screen.expects === 'pin' && { asksPin: confirmedLines(question(screen), screen, lines, asks) }),
    more,
    ...(goesOnByOne(screen) && { goOn }),
    hints: hints(screen),
    ...(screen.tooEarly && {
      above: {
        line: say({ key: 'nav.tooEarly' }),
        brief: briefly(screen)({ key: 'nav.tooEarly' }),
        pages: screen.tooEarly,
      },
    }),
  };
}

/** How many lines name what a PIN confirms, with its question: not those of a warning above a payment, or that are said again. */
function confirmedLines(say: Say, { values }: Screen, again: readonly string[], asks: string): number {
  if (again.length > 0) return again.length;
  return values?.payment ? linesOf([written(say, values.payment)]) + 1 : linesOf([asks]);
}

/** Their sentence is a title, which below a message would read as a part of that. */
const TITLED: ReadonlySet<string> = new Set<SentenceKey>(['menu.choose', 'help.urgent']);

/** True for a question whose first two choices are a yes and a no. */
function isAskedYes({ expects, choices = [] }: Screen): boolean {
  return expects === 'choice' && choices.slice(0, 2).some(({ id }) => YES.has(id));
}
const YES: ReadonlySet<string> = new Set(['confirm', 'agree', 'yes']);

function isBelowOf({ key, notice }: Screen): boolean {
  return WHY_AFTERWARDS.test(key) && notice?.key !== 'nav.again';
}

function linesOf(texts: readonly string[]): number {
  return texts.flatMap((text) => text.split('\n')).length;
}

/** A page of the words, long or short, that ask soonest: of the question, and of the text above all of it. */
function soonestPage(
  shown: Screen,
  page: number,
  own: UssdVoice,
  pageWith: (first: readonly string[], of?: Screen, by?: UssdVoice, at?: number) => Page,
): Page {
  const { briefly } = own;
  // Beside a payment that is open, a word about a wrong answer would be read as its end: only that it was not understood is said.
  const screen: Screen =
    shown.first && isAboutList(shown) ? { ...shown, notice: { key: 'nav.notRead' } } : shown;
  const { first, notice, invitesAgain, expects } = screen;
  // A line above a later page changes no words: the pages before it were read already.
  const { tooEarly: _later, ...asked } = screen;
  const isWhole = expects === 'pin' || (notice !== undefined && isBelowOf(screen));
  const shorter = { ...own, question: briefly, ...(isWhole && { voice: briefly }) };
  const question = withoutNotice(asked);
  const below = (above: readonly string[]) => {
    const wasRead =
      expects !== 'pin' || screen.wasRead || (isAboutPin(notice) && pageWith(above, question).pages === 1);
    const firstPage = (by: UssdVoice) => pageWith(above, asked, by, 0);
    const long = firstPage(own);
    const by = soonest(screen, own, shorter, { long, wasRead, firstPage });
    return { above, firstPage, long, by, shown: by === own ? long : firstPage(by) };
  };
  const full = below(firstOf(screen, own.voice(screen)));
  const brief = first && !invitesAgain ? below(firstOf(screen, briefly(screen))) : full;
  const {
    above,
    firstPage,
    long,
    by,
    shown: soon,
  } = isSooner(brief.shown, full.shown, screen) || (isParted(full) && !isParted(brief)) ? brief : full;
  const plain = wasShown(screen) ? soonestPage(question, 0, own, pageWith) : soon;
  const isOff = isLess(soon, plain);
  const isCut = by === own && !isOff && page === 0 && !screen.tooEarly;
  if (isCut) return long;
  const words = isOff ? inFewWords(screen, by, own, { plain, firstPage }) : by;
  const told = pageWith(above, screen, words);
  if (told.confirmsWhole || !screen.tooEarly) return told;
  // The line above takes the room of what the PIN confirms.
  const again = pageWith(above, screen, { ...words, again: briefly });
  return again.confirmsWhole ? again : told;
}

/** The words of a question that asks soonest: all of them, else short ones. */
function soonest(
  screen: Screen,
  own: UssdVoice,
  shorter: UssdVoice & Pick<Required<UssdVoice>, 'question'>,
  {
    long,
    wasRead,
    firstPage,
  }: { readonly long: Page; readonly wasRead: boolean; readonly firstPage: (by: UssdVoice) => Page },
): UssdVoice {
  const { notice, expects } = screen;
  const isRead = notice !== undefined && wasRead;
  if (!isRead && isAnswerable(long, screen)) return own;
  const details = detailsOf(shorter.question(screen)(screen));
  const shorts = isRead || details ? withFewer(shorter, details, expects === 'pin' && wasRead) : [];
  if (isRead && expects === 'pin') shorts.unshift({ ...shorter, question: own.voice });
  // The notice is said in few words only where the question alone does not make room for its answers.
  if (isRead && expects === 'choice') shorts.push({ ...shorter, voice: shorter.question });
  const sooner = shorts.filter((short) => isSooner(firstPage(short), long, screen));
  const found = sooner.find((short) => isAnswerable(firstPage(short), screen)) ?? sooner.at(-1);
  if (found || long.confirmsWhole) return found ?? own;
  const all = [...shorts, { ...own, again: shorter.question }];
  return all.find((by) => firstPage(by).confirmsWhole) ?? own;
}

/** True for the first page of fewer, or for one that has all of the question where the other one has not. */
function isSooner(one: Page, other: Page, screen: Screen): boolean {
  return one.pages < other.pages || (isAnswerable(one, screen) && !isAnswerable(other, screen));
}

/** True for a page that has all of the question, and a choice where one is the answer, or a yes and a no. */
function isAnswerable({ asked, choices }: Page, screen: Screen): boolean {
  const least = screen.expects !== 'choice' ? 0 : isAskedYes(screen) ? 2 : 1;
  return asked && choices >= least;
}

/**
 * Around the details of a sentence on pages, which nobody has to read before the answer: whose bill it is, when the payment
 * before was made. Its lines stand above the question as far as the first page has room, and the others behind the choices.
 * A sentence that ends with them has all of them there.
 */
const DETAILS = '\f';

/** The lines of its details. Undefined for a sentence without. */
function detailsOf(text: string): readonly string[] | undefined {
  const [, details] = text.split(DETAILS);
  return details?.split('\n').filter(Boolean);
}

/** The question with all of its details above it, then with one less at a time, and alone where it was read. */
function withFewer(by: UssdVoice, details: readonly string[] = [], wasRead = false): UssdVoice[] {
  const some = [...details, ''].map((_, i) => ({ ...by, above: details.length - i }));
  return wasRead ? [...some, { ...by, above: ALONE }, { ...by, above: BARE }] : some;
}
/** In place of the number of details above the question: there are none behind it either. Of what stands above them the first line is left. */
const ALONE = -1;
/** The same without the choices of a PIN. */
const BARE = -2;

/** The text above the choices, and what stands behind them. Behind the question for a PIN this is asked once more. */
function inParts(text: string, expects: Screen['expects'], above: number): { asks: string; behind: string } {
  const [all = '', , question] = text.split(DETAILS);
  const head = above < 0 && question !== undefined ? (all.split('\n')[0] ?? '') : all.trimEnd();
  const details = (above >= 0 && detailsOf(text)) || [];
  if (question === undefined) return { asks: head, behind: details.join('\n') };
  const later = details.slice(above);
  const again = later.length > 0 && expects === 'pin' ? question.split('\n').slice(-1) : [];
  return {
    asks: [head, ...details.slice(0, Math.max(above, 0)), question].filter(Boolean).join('\n'),
    behind: [...later, ...again].join('\n'),
  };
}

/** At a PIN one digit is a choice that has that digit, and at an amount none is. A customer who gives up goes back. */
function onPage({ expects, choices = [], ...screen }: Screen): Screen {
  const shown = expects === 'pin' ? choices.filter(({ digit }) => digit !== undefined) : choices;
  return { ...screen, expects, choices: expects === 'amount' ? [] : shown };
}

function numbered({ choices = [] }: Screen, say: Say): string[] {
  const numbers = numbersOf(choices);
  return choices.map((choice, i) => `${numbers[i]} ${say(choice)}`);
}

function smsText(say: Say, screen: Screen): SmsText {
  const text = unglued(withNotice(screen, say, '\n'));
  return { text, encoding: measure(text).encoding, segments: segments(text) };
}

/** The text in place of a secret that was opened for nobody. */
const CONCEALED = '****';

/**
 * Says a sentence. Throws for one that does not exist, or lacks a value.
 * @param figures names of values that stand elsewhere: a line that has no others is left out, but never the first one
 */
type Say<Key extends string = SentenceKey> = (
  sentence: Sentence<Key>,
  figures?: ReadonlySet<string>,
) => string;

function inEveryLanguage<T>(make: (language: Language) => T): Record<Language, T> {
  return { fr: make('fr'), ar: make('ar'), en: make('en') };
}

/** Says sentences in one language on one medium. */
export function createVoice<Key extends string = SentenceKey>(
  catalog: Catalog,
  language: Language,
  medium: Medium,
  hosts: readonly string[] = [],
): Say<Key> {
  const find = catalog(language, medium);
  const write = createWriter(language, medium, hosts);

  return say;

  function say({ key, values }: Sentence<string>, figures?: ReadonlySet<string>): string {
    const { literals, asked } = find(key, countIn(values));
    let text = literals[0] ?? '';
    for (const [i, { name, format }] of asked.entries()) {
      const value = values?.[name];
      if (!value) throw new Error(`sentence ${key} in language ${language} lacks its value ${name}`);
      const mark = figures && (figures.has(name) ? FIGURE : OTHER);
      const words = filled(value, format);
      // A value without words takes its line with it.
      if (words === '' && text.endsWith('\n')) text = text.slice(0, -1);
      text += (mark ?? '') + words + literals[i + 1];
    }
    return figures ? withoutFigures(text) : text;
  }

  function filled(value: Value, format: MoneyFormat | undefined): string {
    if ('say' in value) return say({ key: value.say });
    if ('sealed' in value) return CONCEALED;
    return 'lines' in value ? value.lines.map((line) => say(line)).join('\n') : write(value, format);
  }
}

/** Stand before the values of a sentence for as long as its lines are chosen. */
const FIGURE = '\ue010';
const OTHER = '\ue011';

function withoutFigures(text: string): string {
  const lines = text
    .split('\n')
    .filter((line, i) => i === 0 || !line.includes(FIGURE) || line.includes(OTHER));
  return lines.join('\n').replaceAll(FIGURE, '').replaceAll(OTHER, '');
}

/** The value named `count` decides the plural form, as everywhere in i18next. */
function countIn(values: Sentence['values']): number | undefined {
  const value = values?.count;
  return value && 'count' in value ? value.count : undefined;
}

/** Ends of a payment. On pages the reason stands behind them: the first page says what became of the money. */
const WHY_AFTERWARDS = /\.(?:refused|notSent)$/;

/** The screen's sentence between its notice and the choices. `firstOf` gives the text above them. */
function withNotice(screen: Screen, say: Say, gap: string, { isBelow = false, ask = say } = {}): string {
  const { notice, below } = screen;
  const [above, why] = isBelow ? [undefined, notice] : [notice, undefined];
  const told = (sentence: Sentence | undefined) => (sentence ? [say(sentence)] : []);
  return [...told(above), ask(screen), ...told(why), ...told(below)].filter(Boolean).join(gap);
}

/** Texts of a screen, with those about open payments above or behind them. */
function besideOpen({ isAnswer }: Screen, open: readonly string[], texts: readonly string[]): string[] {
  return isAnswer ? [...texts, ...open] : [...open, ...texts];
}

/** The texts about open payments, one each. */
function firstOf({ first = [] }: Screen, say: Say): string[] {
  return first.map((sentence) => say(sentence));
}

/** True where the first page ends within the open payments, whose end the next one would read as said of what follows. */
function isParted({ above, shown }: { readonly above: readonly string[]; readonly shown: Page }): boolean {
  return !shown.text.includes(unglued(above.join('\n')));
}

/** True for a page with less of the question or of its choices. */
function isLess(one: Page, other: Page): boolean {
  return one.choices < other.choices || (other.asked && !one.asked);
}

/**
 * The words that leave the question and its choices on the page that they have without the notice. This is said in few words, then a title
 * is left out, then the question is short, and its details stand behind it. At last one word asks which of the choices is meant. If
 * nothing makes the room, as many choices as possible stay.
 */
function inFewWords(
  screen: Screen,
  by: UssdVoice,
  own: UssdVoice,
  { plain, firstPage }: { readonly plain: Page; readonly firstPage: (by: UssdVoice) => Page },
): UssdVoice {
  const { briefly } = own;
  const isTitle = /\.(?:choose|list)$/.test(screen.key) && !/[.:?؟]/.test(own.voice(screen)(screen));
  const details = detailsOf(briefly(screen)(screen));
  const which: UssdVoice['voice'] = (of) => (sentence, figures) =>
    briefly(of)(sentence === of.notice ? { key: 'nav.which' } : sentence, figures);
  const ways = (isAboutList(screen) ? [briefly, which] : [briefly]).flatMap((voice) => [
    { ...own, voice, question: own.voice },
    ...(isTitle ? [{ ...own, voice, question: () => () => '' }] : []),
    ...withFewer({ ...own, voice, question: briefly }, details, true),
  ]);
  const pages = [by, ...ways].map((by) => ({ by, page: firstPage(by) }));
  const kept = pages.find(({ page }) => !isLess(page, plain));
  return (kept ?? pages.reduce((a, b) => (isLess(a.page, b.page) ? b : a))).by;
}

function withoutNotice({ notice: _unsaid, ...screen }: Screen): Screen {
  return screen;
}

/** It says of a list that the answer was none of it. */
function isAboutList({ notice, expects }: Screen): boolean {
  return expects === 'choice' && (notice?.key === 'nav.chooseOne' || notice?.key === 'nav.notUnderstood');
}

/** True for a page of choices that its customer has just read without the notice. */
function wasShown({ notice, expects }: Screen): boolean {
  return expects === 'choice' && notice !== undefined && OF_WHAT_WAS_SHOWN.has(notice.key);
}
const OF_WHAT_WAS_SHOWN: ReadonlySet<SentenceKey> = new Set([
  'nav.chooseOne',
  'nav.notUnderstood',
  'nav.notRead',
  'nav.pinNotAsked',
  'nav.pinOrAmount',
]);

/** A mistake at the PIN that the screen asks for. */
function isAboutPin(notice: Sentence | undefined): boolean {
  return notice?.key.startsWith('pin.') === true;
}

/** Nothing in it is filled in. */
function isForEverybody({ values, notice, below, first, choices = [] }: Screen): boolean {
  return (
    !values &&
    !notice?.values &&
    !below?.values &&
    !first &&
    choices.every((choice) => choice.values === undefined)
  );
}

interface UssdVoice extends UssdHints {
  readonly voice: (screen: Screen) => Say;
  /** Says things in few words. */
  readonly briefly: (screen: Screen) => Say;
  /** Says the screen's own sentence. Absent: `voice` does. */
  readonly question?: (screen: Screen) => Say;
  /** Says what a PIN confirms once more, in few words: below all of it, which is longer than the page of the question. */
  readonly again?: (screen: Screen) => Say;
  /** So many details stand above the question (`DETAILS`), and the others behind it. */
  readonly above?: number;
}

interface UssdHints {
  readonly more: Measured;
  /** In place of it, before a question for a PIN. */
  readonly goOn: Measured;
  /**
   * The ways to navigate, where an answer is expected. They work even where there is no room to name them (navigation
   * is the same everywhere).
   */
  hints(screen: Screen): readonly Measured[];
}

/** Labels of choices that lead to the menu. */
const LEADS_TO_MENU: ReadonlySet<string> = new Set<SentenceKey>(['nav.menu', 'resume.leave']);

export type Way = 'back' | 'menu' | 'help';

function idleWays({ key, choices = [] }: Screen): readonly Way[] {
  // The menu is home: nothing lies behind it. In a new chat that is the question for a number.
  const isHome = key.startsWith('menu.') || key === 'linking.askPhone';
  // There is no menu before there is a wallet.
  const isWithoutMenu = isHome || /^(?:consent|onboarding)\./.test(key);
  return [
    ...(isHome ? (['back'] as const) : []),
    ...(isWithoutMenu || choices.some((choice) => LEADS_TO_MENU.has(choice.key)) ? (['menu'] as const) : []),
    ...(key.startsWith('help.') || choices.some(({ id }) => id === 'help') ? (['help'] as const) : []),
  ];
}

/** The lines for moving, which are the same on every screen and so are made once. */
function createUssdHints(say: Say): UssdHints {
  const way = (digits: string, key: SentenceKey) => measured(`${digits} ${say({ key })}`);
  const ways = { back: way('0', 'nav.back'), menu: way('00', 'nav.menu'), help: way('99', 'nav.help') };

  return {
    more: way('98', 'nav.more'),
    goOn: way(GOES_ON, 'pin.continue'),
    hints(screen) {
      const { expects, choices, isFirst } = screen;
      if (isFirst) return [];
      // A last screen that offers something can be left, too.
      if (expects === 'nothing') return choices && choices.length > 0 ? [ways.menu] : [];
      const idle = idleWays(screen);
      const isList = expects === 'choice' || expects === 'search';
      const all = isList ? (['back', 'menu', 'help'] as const) : (['back', 'menu'] as const);
      return all.filter((each) => !idle.includes(each)).map((each) => ways[each]);
    },
  };
}
