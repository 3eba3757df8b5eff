import { type Encoding, septets } from './gsm7.ts';
import { unglued } from './marks.ts';

/** How much a USSD page holds. Which of the two applies depends on the letters of that page. */
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

/** A text and its length in septets, known once; undefined where a character is outside GSM-7. */
interface Measured {
  readonly text: string;
  readonly septets: number | undefined;
}

/** A page as it was cut, and how many choices were shown by its end, on the pages before it too. */
interface Cut extends Measured {
  readonly choices: number;
}

export function measured(text: string): Measured {
  return { text, septets: septets(text) };
}

/** A long screen before it is cut. Spaces and line ends are where it may be cut; no-break spaces are not. */
export interface Content {
  readonly body: string;
  /** Complete lines: `1 Solde`. One is only ever cut if it is longer than a page. */
  readonly choices: readonly string[];
  /** The line that leads on, on every page but the last. */
  readonly more: Way;
  /** Lines that help where there is room for them, the most useful first. They never make another page. */
  readonly hints: readonly Way[];
}

/** A line that says how to move, `98 Suite`. */
export interface Way {
  readonly words: Measured;
  /** The same in signs, `98 >`, where its words have no room: a few Arabic letters make a page of Latin names a third as long. */
  readonly signs?: Measured;
}

export interface Page {
  readonly text: string;
  /** The page shown, from 0, and how many there are. */
  readonly page: number;
  readonly pages: number;
  /** How many choices, from the first on, were shown by the end of this page. */
  readonly choices: number;
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
 * Cuts a screen into pages and gives one of them. `wanted` may be past the last: it is taken modulo their number.
 * @param known for a text that is the same for everybody, as the menu is, which was cut on every dial: nothing that a customer
 *   alone may read stays there
 */
export function cutPage(content: Content, wanted: number, limits: UssdLimits, known?: KnownPages): Page {
  const fits: Fits = ({ text, septets }) =>
    septets === undefined ? text.length <= limits.ucs2 : septets <= limits.septets;
  const cut = known ? cutOnce(content, limits, fits, known) : cutInFewest(content, fits);
  const page = ((Math.trunc(wanted) % cut.length) + cut.length) % cut.length;
  const { choices, ...asCut } = cut[page] as Cut;
  let shown: Measured = asCut;
  const isLast = page === cut.length - 1;
  for (const way of isLast ? content.hints : [wayOn(shown, content, fits), ...content.hints])
    shown = withWay(shown, way, fits) ?? shown;
  const { text, septets } = shown;
  const size: Pick<Page, 'encoding' | 'units' | 'max'> =
    septets === undefined
      ? { encoding: 'ucs2', units: text.length, max: limits.ucs2 }
      : { encoding: 'gsm7', units: septets, max: limits.septets };
  return { text, page, pages: cut.length, choices, ...size };
}

function cutOnce(content: Content, limits: UssdLimits, fits: Fits, known: KnownPages): readonly Cut[] {
  const { body, choices, more, hints } = content;
  const key = [limits.septets, limits.ucs2, more.words.text, hints[0]?.words.text, body, ...choices].join(
    '\0',
  );
  const before = known.get(key);
  if (before) return before;
  if (known.size >= KNOWN_MAX) known.clear();
  const cut = cutInFewest(content, fits);
  known.set(key, cut);
  return cut;
}

/** The line that leads on: in signs where only they leave room for the way back. */
function wayOn(page: Measured, { more, hints: [back] }: Content, fits: Fits): Way {
  const { words, signs } = more;
  if (!signs || !back) return more;
  const leavesRoom = (way: Measured) => withWay(joined(page, '\n', way), back, fits) !== undefined;
  return !leavesRoom(words) && leavesRoom(signs) ? { words: signs } : more;
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
}

function chunk(gap: string, text: string, isChoice: boolean): Chunk {
  return { gap, isChoice, ...measured(unglued(text)) };
}

/** The page with a line that says how to move, in signs where its words do not fit; undefined where neither does. */
function withWay(page: Measured, { words, signs }: Way, fits: Fits): Measured | undefined {
  const longer = joined(page, '\n', words);
  if (fits(longer)) return longer;
  const shorter = signs && joined(page, '\n', signs);
  return shorter && fits(shorter) ? shorter : undefined;
}

/**
 * Pages that lead on in words, unless signs make fewer of them; with room for the way back on each, where that makes no more of them,
 * be it that they lead on in signs.
 */
function cutInFewest(content: Content, fits: Fits): Cut[] {
  if (content.choices.length <= CHOICES_PER_PAGE_MAX) {
    const whole = measured(unglued([content.body, ...content.choices].join('\n')));
    if (fits(whole)) return [{ ...whole, choices: content.choices.length }];
  }
  const all = chunks(content);
  const { words, signs } = content.more;
  const inWords = cut(all, fits, words, 'at lines');
  const inSigns = signs ? cut(all, fits, signs, 'at lines') : inWords;
  const fewest = inSigns.length < inWords.length ? inSigns : inWords;
  const back = content.hints[0]?.signs;
  if (!back) return fewest;
  const fitsWithBack: Fits = (text) => fits(joined(text, '\n', back));
  for (const way of signs ? [words, signs] : [words]) {
    const withBack = cut(all, fitsWithBack, way, 'at lines');
    if (withBack.length <= fewest.length) return withBack;
  }
  return fewest;
}

/**
 * As few pages as there can be. `at lines`: where as few can be had by it, one ends at the end of a line, and not between the
 * words of one.
 */
function cut(all: readonly Chunk[], fits: Fits, more: Measured, where: 'at lines' | 'anywhere'): Cut[] {
  const pages: Cut[] = [];
  const fitsWithMore: Fits = (text) => fits(joined(text, '\n', more));
  const count = (from: readonly Chunk[]) => cut(from, fits, more, 'anywhere').length;
  let rest = all;
  while (rest.length > 0) {
    let { page, taken } = fill(rest, fits);
    if (taken < rest.length) ({ page, taken } = fill(rest, fitsWithMore));
    if (!page) {
      rest = [...split(rest[0] as Chunk, fitsWithMore), ...rest.slice(1)];
      continue;
    }
    const line = where === 'at lines' ? lastLineEnd(rest, taken) : taken;
    if (line < taken && count(rest.slice(line)) === count(rest.slice(taken))) {
      taken = line;
      page = fill(rest.slice(0, line), fits).page ?? page;
    }
    const choices = rest.slice(0, taken).filter(({ isChoice }) => isChoice).length;
    pages.push({ ...page, choices: (pages.at(-1)?.choices ?? 0) + choices });
    rest = rest.slice(taken);
  }
  return pages;
}

/** How many chunks of a page that ends with the `taken`th are whole lines; all of them, where not one line is whole. */
function lastLineEnd(rest: readonly Chunk[], taken: number): number {
  if (taken === rest.length) return taken;
  for (let end = taken; end > 0; end--) if (rest[end]?.gap.includes('\n')) return end;
  return taken;
}

/**
 * A word, with what it must not be parted from: a page that begins with what another one has ended by forbidding would ask for it.
 */
const WORD = /([ \n]*)((?:(?:لا|عدم) [^ \n]+ |(?:not|don't|never) )?[^ \n]+)/g;

function chunks({ body, choices }: Content): Chunk[] {
  const words = [...body.matchAll(WORD)];
  return [
    ...words.map(([, gap = '', text = '']) => chunk(gap, text, false)),
    ...choices.map((text) => chunk('\n', text, true)),
  ];
}

/** As many chunks from the front as one page takes; no page if the first is longer than one by itself. */
function fill(rest: readonly Chunk[], fits: Fits): { page: Measured | undefined; taken: number } {
  let page: Measured | undefined;
  let choices = 0;
  for (const [taken, next] of rest.entries()) {
    if (next.isChoice) choices += 1;
    const longer = page ? joined(page, next.gap, next) : next;
    if (choices > CHOICES_PER_PAGE_MAX || !fits(longer)) return { page, taken };
    page = longer;
  }
  return { page, taken: rest.length };
}

/** Cuts what is longer than a page by itself: a choice between its words, a word wherever it must be. */
function split({ gap, text, isChoice }: Chunk, fits: Fits): [Chunk, Chunk] {
  const chars = Array.from(text);
  let count = chars.length - 1;
  while (count > 1 && !fits(measured(chars.slice(0, count).join('')))) count -= 1;
  const head = chars.slice(0, count).join('');
  const space = head.lastIndexOf(' ');
  // Behind the number of a choice is no place to cut: a page would end with it alone.
  const betweenWords = isChoice && space > text.indexOf(' ');
  const at = betweenWords ? space : head.length;
  return [
    chunk(gap, text.slice(0, at), isChoice),
    chunk(betweenWords ? ' ' : '', text.slice(at).trimStart(), false),
  ];
}
