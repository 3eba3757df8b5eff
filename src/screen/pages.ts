import { type Encoding, septets } from './gsm7.ts';
import { unglued } from './marks.ts';

/** The room of a USSD page. The letters of that page decide which of the two limits applies. */
export interface UssdLimits {
  readonly septets: number;
  readonly ucs2: number;
}

/** A careful budget: some networks carry less than the 160 octets of the standard (facts A6). */
export const USSD_LIMITS: UssdLimits = { septets: 160, ucs2: 70 };
/** 160 octets (3GPP TS 24.080, `maxUSSD-StringLength`) hold this and never more. */
const USSD_CAPS: UssdLimits = { septets: 182, ucs2: 80 };
/** A smaller page could not hold a word and the line that leads to the next page. */
const USSD_FLOORS: UssdLimits = { septets: 40, ucs2: 35 };

/** So that one digit is enough to choose (navigation is the same everywhere). */
const CHOICES_PER_PAGE_MAX = 9;

/** A text and its length in septets, computed once. Undefined where a character is outside GSM-7. */
export interface Measured {
  readonly text: string;
  readonly septets: number | undefined;
}

/** A page as it was cut, what it is made of, and how many choices were shown by its end, on the pages before it too. */
interface Cut extends Measured {
  readonly chunks: () => readonly Chunk[];
  readonly choices: number;
}

export function measured(text: string): Measured {
  return { text, septets: septets(text) };
}

/** A long screen before it is cut. A cut may fall on a space or a line end, and never on a no-break space. */
export interface Content {
  readonly body: string;
  /** Complete lines: `1 Solde`. One is only ever cut if it is longer than a page. */
  readonly choices: readonly string[];
  /** A text behind the choices: a question that is answered before does not wait for it. */
  readonly behind?: string;
  /** So many choices from the first on, a yes and a no, stand on one page, with the sentence that asks for them. */
  readonly answers?: number;
  /** A choice alone is the answer: the last line of the body, such as the name of a menu, stands on the page of the first choice. */
  readonly isList?: true;
  /**
   * The last line of the body asks for a PIN, and so many lines, with it, name what the PIN confirms. They stand on one page where they
   * have room there, else the question stands below the line above it.
   */
  readonly asksPin?: number;
  /** The line that leads on, `98 Suite`, on every page but the last. */
  readonly more: Measured;
  /** The line that leads on to the question, `1 Continuer`. Absent: `more` does. */
  readonly goOn?: Measured;
  /** Lines that help where there is room for them, the most useful first. They never make another page. */
  readonly hints: readonly Measured[];
  /** By which lines of the body all messages were said, and then what the screen says itself. */
  readonly news?: readonly [messages: number, screen: number];
  /** A line above these pages, from 1 on, in their order: it moves what follows down, and nothing before it. In few words where only so the page asks. */
  readonly above?: { readonly line: string; readonly brief: string; readonly pages: readonly number[] };
}

export interface Page {
  readonly text: string;
  /** The same page for a gateway that writes choices in its own way: what is said above them, and their lines (`1 Solde`). */
  readonly parts: () => { readonly body: string; readonly choices: readonly string[] };
  /** True where the page ends within a sentence, or within a line that is none. */
  readonly endsInside: () => boolean;
  /** The page shown, from 0, and how many there are. */
  readonly page: number;
  readonly pages: number;
  /** How many choices, from the first on, were shown by the end of this page. */
  readonly choices: number;
  /** True once all that stands above the choices was shown. What stands behind them need not be. */
  readonly asked: boolean;
  /** True where one page has all that a PIN confirms, with its question (`Content.asksPin`). */
  readonly confirmsWhole: boolean;
  /** How much of `Content.news` was shown whole by the end of this page: nothing, the messages, or also what the screen says. */
  readonly told: 0 | 1 | 2;
  readonly encoding: Encoding;
  /** The length of the text in septets (`gsm7`) or UTF-16 code units (`ucs2`), and the most it could be. */
  readonly units: number;
  readonly max: number;
}

/** Limits as a gateway is configured for, held under what USSD can carry at all. Throws for a page too small to use. */
export function checkedLimits({ septets, ucs2 }: UssdLimits): UssdLimits {
  if (!(septets >= USSD_FLOORS.septets && ucs2 >= USSD_FLOORS.ucs2)) {
    throw new RangeError(`a USSD page of ${septets} septets or ${ucs2} UCS-2 characters is too small`);
  }
  return { septets: Math.min(septets, USSD_CAPS.septets), ucs2: Math.min(ucs2, USSD_CAPS.ucs2) };
}

/** Pages that were cut once, of texts that are the same for everybody, by what they were cut from. */
export type KnownPages = Map<string, readonly Cut[]>;
/** More texts than there are without a value. */
const KNOWN_MAX = 1_000;

/**
 * Cuts a screen into pages and gives one of them. `wanted` may be past the last page: it is taken modulo their number.
 * @param known a cache for texts that are the same for every customer, such as the menu. It must never get a text that
 *   only one
 *   customer may read
 */
export function cutPage(content: Content, wanted: number, limits: UssdLimits, known?: KnownPages): Page {
  const fits: Fits = ({ text, septets }) =>
    septets === undefined ? text.length <= limits.ucs2 : septets <= limits.septets;
  const whole = known ? cutOnce(content, limits, fits, known) : cutInFewest(content, fits);
  const cut = content.above ? withLines(whole, content, fits) : whole;
  const page = ((Math.trunc(wanted) % cut.length) + cut.length) % cut.length;
  const { choices, chunks: all, ...asCut } = cut[page] as Cut;
  let shown: Measured = asCut;
  const isLast = page === cut.length - 1;
  const later = cut.slice(page + 1).flatMap((each) => each.chunks());
  const asked = later.every(isBelowQuestion);
  const onward =
    !asked && content.goOn && fits(joined(shown, '\n', content.goOn)) ? content.goOn : content.more;
  for (const way of isLast ? content.hints : [onward, ...content.hints]) {
    const longer = joined(shown, '\n', way);
    if (fits(longer)) shown = longer;
  }
  const { text, septets } = shown;
  const size: Pick<Page, 'encoding' | 'units' | 'max'> =
    septets === undefined
      ? { encoding: 'ucs2', units: text.length, max: limits.ucs2 }
      : { encoding: 'gsm7', units: septets, max: limits.septets };
  const endsInside = () => endsWithin(all().at(-1), cut[page + 1]?.chunks()[0]);
  const told = toldBefore(later, content.news);
  const { length: pages } = cut;
  const confirmsWhole = isConfirmedWhole(cut);
  return {
    ...{ text, parts: () => partsOf(all()), endsInside, page, pages, choices, asked, confirmsWhole, told },
    ...size,
  };
}

function toldBefore(
  later: readonly Chunk[],
  [messages, screen]: readonly [number, number] = [0, 0],
): Page['told'] {
  const next = Math.min(...later.map(({ line }) => line));
  if (next < messages) return 0;
  return next < screen ? 1 : 2;
}

/** True between two words of one sentence, or of one choice. */
function endsWithin(last: Chunk | undefined, next: Chunk | undefined): boolean {
  return !!last && !!next && !next.gap.includes('\n') && !ENDS[0]?.(last.text, next.text);
}

function partsOf(chunks: readonly Chunk[]): ReturnType<Page['parts']> {
  const body = chunks.filter(({ isChoice }) => !isChoice).map(({ gap, text }) => gap + text);
  return {
    body: body.join('').trim(),
    choices: chunks.filter(({ isChoice }) => isChoice).map(({ text }) => text),
  };
}

function cutOnce(content: Content, limits: UssdLimits, fits: Fits, known: KnownPages): readonly Cut[] {
  const { body, choices, behind, more, hints } = content;
  const key = [limits.septets, limits.ucs2, more.text, hints[0]?.text, body, behind, ...choices].join('\0');
  const before = known.get(key);
  if (before) return before;
  if (known.size >= KNOWN_MAX) known.clear();
  const cut = cutInFewest(content, fits);
  known.set(key, cut);
  return cut;
}

/** The pages with a line above some of them: those before it stay as they were read. */
function withLines(whole: readonly Cut[], content: Content, fits: Fits): readonly Cut[] {
  const { above } = content;
  let pages = whole;
  for (const at of above?.pages ?? []) {
    const [next, ...rest] = pages.slice(at).flatMap(({ chunks }) => chunks());
    if (!above || !next) break;
    const read = pages.slice(0, at);
    // Where the line alone was a page, it is said already: another one would come before every page that it fills.
    if (read.at(-1)?.text === unglued(above.line)) continue;
    const below = (line: string) => {
      const all = [{ ...chunk('', line, false), leads: true } as const, { ...next, gap: '\n' }, ...rest];
      const cutBelow = cut(all, fits, content, 'at lines', read.at(-1));
      return { cutBelow, asks: asksOn(cutBelow[0], all) };
    };
    const [whole, brief] = [below(above.line), below(above.brief)];
    pages = [...read, ...(brief.asks && !whole.asks ? brief : whole).cutBelow];
  }
  return pages;
}

type Fits = (measured: Measured) => boolean;

/** Measuring again what is already measured would cost more than everything else here. The gap is plain ASCII. */
function joined(before: Measured, gap: string, after: Measured): Measured {
  const known = before.septets !== undefined && after.septets !== undefined;
  return {
    text: before.text + gap + after.text,
    septets: known ? before.septets + gap.length + after.septets : undefined,
  };
}

/** A word or a choice, and what separates it from the one before. */
interface Chunk extends Measured {
  readonly gap: string;
  readonly isChoice: boolean;
  /** It is of `Content.behind`. */
  readonly isBehind?: true;
  /** It begins a page: a question without choices stays the last line of its own. */
  readonly begins?: true;
  /** It is one of `Content.answers`. */
  readonly isAnswer?: true;
  /** It is the first choice of a list (`Content.isList`), or begins the question for a PIN. */
  readonly isHeaded?: true;
  /** It is of a text that asks for a PIN, whose lines stay whole. */
  readonly ofPin?: 'before' | 'first' | 'rest';
  /** The line of the body that it is of. */
  readonly line: number;
  /** It says that something follows: a page ends behind it only where nothing else fits. */
  readonly leads?: true;
}

function chunk(gap: string, text: string, isChoice: boolean, line = Number.POSITIVE_INFINITY): Chunk {
  return { gap, isChoice, line, ...measured(unglued(text)) };
}

/**
 * The fewest possible pages. Each has room for the way back, unless that makes more pages, parts a question from its first page, or
 * takes the only choice off that. A page behind the question for a PIN that has all details and choices has them in this order: a detail
 * below a choice would be read as a part of it.
 */
function cutInFewest(content: Content, fits: Fits): Cut[] {
  if (content.choices.length <= CHOICES_PER_PAGE_MAX) {
    const whole = measured(unglued(textOf(content)));
    // Most screens are one page, and its words are not asked for.
    if (fits(whole)) return [{ ...whole, chunks: () => chunks(content), choices: content.choices.length }];
  }
  const all = chunks(content);
  const { hints } = content;
  const fewest = cut(all, fits, content, 'at lines');
  const back = hints[0];
  if (!back) return fewest;
  const withBack = cut(all, (text) => fits(joined(text, '\n', back)), content, 'at lines');
  const isParted = all.length > 1 && asksOn(fewest[0], all) && !asksOn(withBack[0], all);
  const isFewer = (withBack[0]?.choices ?? 0) < (fewest[0]?.choices ?? 0);
  const isUnnamed = isConfirmedWhole(fewest) && !isConfirmedWhole(withBack);
  const pages = withBack.length <= fewest.length && !isParted && !isFewer && !isUnnamed ? withBack : fewest;
  if (content.asksPin === undefined || pages[0]?.choices !== 0) return pages;
  const below = cut(chunks(content, 'choices last'), fits, content, 'at lines');
  return below.length === 2 ? below : pages;
}

/** True where what a PIN confirms begins on the page of its question, and for pages that ask for none. */
function isConfirmedWhole(pages: readonly Cut[]): boolean {
  if (pages.length === 1) return true;
  const begin = pages.findIndex(({ chunks }) => chunks().some(({ ofPin }) => ofPin === 'first'));
  return (
    begin < 0 ||
    pages
      .slice(begin + 1)
      .every(({ chunks }) => chunks().every((each) => each.leads || isBelowQuestion(each)))
  );
}

/** True for a page that holds all that is said above the choices. */
function asksOn(first: Cut | undefined, all: readonly Chunk[]): boolean {
  const next = first && all[first.chunks().length];
  return first !== undefined && (next === undefined || isBelowQuestion(next));
}

function isBelowQuestion({ isChoice, isBehind }: Chunk): boolean {
  return isChoice || isBehind === true;
}

/** A screen can be choices alone. */
function textOf({ body, choices, behind }: Content): string {
  return [...(body === '' ? [] : [body]), ...choices, ...(behind ? [behind] : [])].join('\n');
}

/** The fewest possible pages. `at lines`: prefers a line end to a gap between words where that makes no more pages. */
function cut(
  all: readonly Chunk[],
  fits: Fits,
  onward: Pick<Content, 'more' | 'goOn'>,
  where: 'at lines' | 'anywhere',
  { choices: before }: Pick<Cut, 'choices'> = { choices: 0 },
): Cut[] {
  const pages: Cut[] = [];
  const { more, goOn = more } = onward;
  const fitsWithMore: Fits = (text) => fits(joined(text, '\n', more));
  const fitsWithGoOn: Fits = (text) => fits(joined(text, '\n', goOn));
  // By the number of chunks that are left: each end of them is counted once.
  const counts = new Map<number, number>();
  const count = (from: readonly Chunk[]): number => {
    if (from.length === 0) return 0;
    const known = counts.get(from.length);
    if (known !== undefined) return known;
    const { page, taken } = next(from);
    const found = page ? 1 + count(from.slice(taken)) : cut(from, fits, onward, 'anywhere').length;
    counts.set(from.length, found);
    return found;
  };
  const next = (from: readonly Chunk[]) => {
    const last = fill(from, fits);
    if (last.taken === from.length) return last;
    const filled = fill(from, fitsWithMore);
    const isAsked = goOn === more || from.slice(filled.taken).every(isBelowQuestion);
    const short = isAsked ? filled : fill(from, fitsWithGoOn);
    // A line stays whole above the shorter way to lead on.
    const isParted = ({ taken }: typeof short) => endsWithin(from[taken - 1], from[taken]);
    return isParted(short) && !isParted(filled) ? filled : short;
  };
  const by = { fits, fitsWithMore, count };
  let rest = all;
  while (rest.length > 0) {
    let { page, taken } = next(rest);
    if (!page) {
      rest = [...split(rest[0] as Chunk, fitsWithMore), ...rest.slice(1)];
      counts.clear();
      continue;
    }
    if (where === 'at lines') {
      const least = count(rest.slice(taken));
      taken = bestEnds(rest, taken).find((at) => count(rest.slice(at)) === least) ?? taken;
      for (const keptAt of KEPT) taken = endBefore(keptAt(rest, taken), rest, taken, by) ?? taken;
      page = fill(rest.slice(0, taken), fits).page ?? page;
    }
    const on = rest.slice(0, taken);
    const choices = (pages.at(-1)?.choices ?? before) + on.filter(({ isChoice }) => isChoice).length;
    pages.push({ ...page, chunks: () => on, choices });
    rest = rest.slice(taken);
  }
  return pages;
}

/** Chunks that one page keeps together: from the first of `begins` that it can, up to `end`. */
interface Kept {
  readonly begins: readonly number[];
  readonly end: number;
  /** They are parted where keeping them would cost a page. */
  readonly ifFree?: true;
}

/** The groups that a page keeps together. Each may end the page sooner than the one before it. */
const KEPT: readonly ((rest: readonly Chunk[], taken: number) => Kept | undefined)[] = [
  sentenceAt,
  confirmedByPin,
  answersWithQuestion,
  headingOf,
];

/**
 * Where a page must end so that chunks stay together that it would part at `taken`. Undefined where it parts none, or the next page has
 * no room for them.
 */
function endBefore(
  { begins, end, ifFree }: Kept = { begins: [], end: 0 },
  rest: readonly Chunk[],
  taken: number,
  by: {
    readonly fits: Fits;
    readonly fitsWithMore: Fits;
    readonly count: (from: readonly Chunk[]) => number;
  },
): number | undefined {
  const room = end < rest.length ? by.fitsWithMore : by.fits;
  return begins.find(
    (at) =>
      at > (rest[0]?.leads ? 1 : 0) &&
      at < taken &&
      taken < end &&
      fill(rest.slice(at, end), room).taken === end - at &&
      (!ifFree || by.count(rest.slice(at)) === by.count(rest.slice(taken))),
  );
}

/** A sentence or a line that would be parted between two words. The end of a clause parts none. */
function sentenceAt(rest: readonly Chunk[], taken: number): Kept | undefined {
  const isWithin = (at: number) => endsWithin(rest[at - 1], rest[at]);
  const isClause = !rest[taken]?.ofPin && ENDS[1]?.(rest[taken - 1]?.text ?? '', rest[taken]?.text ?? '');
  if (!isWithin(taken) || isClause) return undefined;
  let [begin, end] = [taken, taken];
  while (isWithin(begin)) begin -= 1;
  while (isWithin(end)) end += 1;
  return { begins: [begin], end };
}

/** All that a PIN confirms, with its question. */
function confirmedByPin(rest: readonly Chunk[]): Kept {
  const begin = rest.findIndex(({ ofPin }) => ofPin === 'first');
  return { begins: [begin], end: rest.findLastIndex((each) => !isBelowQuestion(each)) + 1 };
}

/** A yes and a no, with the sentence that they answer, else without it. */
function answersWithQuestion(rest: readonly Chunk[]): Kept {
  const first = rest.findIndex(({ isAnswer }) => isAnswer);
  let sentence = first - 1;
  while (sentence > 0 && endsWithin(rest[sentence - 1], rest[sentence])) sentence -= 1;
  return {
    begins: [sentence, first],
    end: rest.findLastIndex(({ isAnswer }) => isAnswer) + 1,
    ifFree: true,
  };
}

/** The line above a list, with its first choice, and the line above the question for a PIN. */
function headingOf(rest: readonly Chunk[], taken: number): Kept | undefined {
  if (!rest[taken]?.isHeaded) return undefined;
  const heading = rest.findLastIndex(({ gap }, i) => i < taken && gap.includes('\n'));
  return { begins: [heading], end: taken + 1, ifFree: true };
}

/**
 * Ends of a sentence, and of a clause, between a word and the next one. The word can be a value with blanks in it
 * (`200 DH.`).
 */
const ENDS: readonly ((word: string, next: string) => boolean)[] = [
  (word) => /[.؟?!؛…]$/.test(word),
  (word, next) => /[،,;)»]$/.test(word) || /^[(«]/.test(next),
];

/**
 * How many chunks a page may end behind that could hold `taken`, the best place first: the end of a line, of a sentence, of a
 * clause. A last page of one word or choice is given more.
 */
function bestEnds(rest: readonly Chunk[], taken: number): number[] {
  if (taken === rest.length) return [taken];
  const least = rest[0]?.leads ? 2 : 1;
  const last = rest.at(-1);
  // A chunk of several words, such as “do not” and its verb, is enough for a page.
  const isAlone = taken === rest.length - 1 && (last?.isChoice || !last?.text.includes(' '));
  const all = Array.from({ length: taken - least + 1 }, (_, i) => taken - i);
  // A question keeps a choice beside it, or its yes and no, and stays whole above the only choice that has no room there.
  const isBelow = !rest[taken - 2]?.isChoice || rest[taken - 1]?.isAnswer;
  const isLastChoice = isAlone && last?.isChoice && isBelow;
  const places = isLastChoice ? [] : all.filter((at) => !isAlone || at < taken);
  const lines = places.filter((at) => rest[at]?.gap.includes('\n'));
  // Behind a line that announces the next one, a page would end with a heading.
  const closed = lines.filter((at) => !rest[at - 1]?.text.endsWith(':'));
  const others = ENDS.flatMap((end) =>
    places.filter((at) => at > taken / 3 && end(rest[at - 1]?.text ?? '', rest[at]?.text ?? '')),
  );
  return [
    ...closed.slice(0, 1),
    ...lines.slice(0, 1),
    ...others,
    ...(isAlone ? places.slice(1, 2) : []),
    taken,
  ];
}

/**
 * A word, with what it must not be parted from: a page that begins with what another one has ended by forbidding would ask for it.
 */
const WORD = /([ \n]*)((?:(?:و?لا|عدم) [^ \n]+ |(?:not|don't|never) )?[^ \n]+)/g;

function chunks(
  { body, choices, behind = '', answers = 0, isList, asksPin }: Content,
  order?: 'choices last',
): Chunk[] {
  const from = asksPin === undefined ? Number.POSITIVE_INFINITY : body.split('\n').length - asksPin;
  let line = 0;
  const words = wordsOf(body).map(([gap, text], i): Chunk => {
    const isNext = gap.includes('\n');
    line += gap.split('\n').length - 1;
    const ofPin = line < from ? 'before' : line === from && (isNext || i === 0) ? 'first' : 'rest';
    return { ...chunk(gap, text, false, line), ...(asksPin !== undefined && { ofPin }) };
  });
  const question = words.findLastIndex(({ gap }) => gap.includes('\n'));
  if (asksPin !== undefined && question > 0)
    words[question] = { ...(words[question] as Chunk), isHeaded: true };
  const details = wordsOf(behind).map(([gap, text], i): Chunk => {
    const begins = i === 0 && !isList && choices.length === 0 && ({ begins: true } as const);
    return { ...chunk(i === 0 ? '\n' : gap, text, false), isBehind: true, ...begins };
  });
  const asked = (i: number) => ({
    ...(i < answers && ({ isAnswer: true } as const)),
    ...(i === 0 && isList && { isHeaded: isList }),
  });
  const chosen = choices.map((text, i) => ({ ...chunk('\n', text, true), ...asked(i) }));
  return order ? [...words, ...details, ...chosen] : [...words, ...chosen, ...details];
}

function wordsOf(text: string): [gap: string, word: string][] {
  return [...text.matchAll(WORD)].map(([, gap = '', word = '']) => [gap, word]);
}

/** As many chunks from the front as one page takes. No page if the first chunk alone is too long. */
function fill(rest: readonly Chunk[], fits: Fits): { page: Measured | undefined; taken: number } {
  let page: Measured | undefined;
  let choices = 0;
  for (const [taken, next] of rest.entries()) {
    if (next.isChoice) choices += 1;
    const longer = page ? joined(page, next.gap, next) : next;
    if (choices > CHOICES_PER_PAGE_MAX || (page && next.begins) || !fits(longer)) return { page, taken };
    page = longer;
  }
  return { page, taken: rest.length };
}

/** Cuts what is longer than a page by itself: a choice between its words, a word wherever it must be. */
function split({ gap, text, isChoice, isBehind, line }: Chunk, fits: Fits): [Chunk, Chunk] {
  const chars = Array.from(text);
  let count = chars.length - 1;
  while (count > 1 && !fits(measured(chars.slice(0, count).join('')))) count -= 1;
  const head = chars.slice(0, count).join('');
  const space = head.lastIndexOf(' ');
  // Behind the number of a choice is no place to cut: a page would end with it alone.
  const betweenWords = isChoice && space > text.indexOf(' ');
  const at = betweenWords ? space : head.length;
  const rest = betweenWords ? ' ' : '';
  return [
    { ...chunk(gap, text.slice(0, at), isChoice, line), ...(isBehind && { isBehind }) },
    { ...chunk(rest, text.slice(at).trimStart(), false, line), ...(isBehind && { isBehind }) },
  ];
}
