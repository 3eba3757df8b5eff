import { plain } from './marks.ts';

/** A button of a chat, and the title of a row in a list, on the channels that hold least. */
export const LABEL_CHARS_MAX = 20;
/** The line below a row's title. */
export const DETAIL_CHARS_MAX = 72;
/** So much of a number's end tells it from others. */
const NUMBER_END_CHARS = 8;

/** A choice as a short label, and all of its words as a detail where the label holds less. */
interface ShortChoice {
  readonly label: string;
  readonly detail?: string;
  /** A value from outside was too long for the label. */
  readonly isShortened?: true;
  /** Label and detail together do not hold all of its words: its channel writes them in the text above the list. */
  readonly isCut?: true;
}

/**
 * Labels for a channel whose buttons and rows are short, each different from the others. Where one is shortened, its
 * channel must show the detail too: so it uses a list there, as a button has no room for one.
 * @param wholes labels as the chat renderer gives them, where a no-break space holds a value together
 * @param labels the short ones, by their places. Absent: there are no others
 */
export function shortChoices(
  wholes: readonly string[],
  labels: readonly string[] = wholes,
): readonly ShortChoice[] {
  const used = new Set<string>();
  return wholes.map((whole, i) => {
    const own = labels[i] ?? whole;
    const short = cutAt(own, LABEL_CHARS_MAX);
    const number = `${i + 1} `;
    const label = used.has(short) ? number + cutAt(own, LABEL_CHARS_MAX - number.length) : short;
    used.add(label);
    if (label === plain(whole)) return { label };
    return { label, ...(label !== plain(own) && { isShortened: true as const }), ...detailOf(whole) };
  });
}

/** All of the words, or the last of them, because amounts and dates come last. */
function detailOf(text: string): Pick<ShortChoice, 'detail' | 'isCut'> {
  const whole = plain(text);
  if (whole.length <= DETAIL_CHARS_MAX) return { detail: whole };
  let end = '';
  for (const word of wordsOf(text).toReversed()) {
    if (`…${word} ${end}`.length > DETAIL_CHARS_MAX) break;
    end = `${word} ${end}`.trim();
  }
  return { detail: `…${end}`, isCut: true };
}

/** Plain spaces part words, and no-break spaces are inside a value. */
function wordsOf(text: string): readonly string[] {
  return text.split(/[ \n]+/).map((word) => plain(word));
}

/** A text of at most so many characters, which ends behind a word. No value is cut but a long number, of which the end is kept. */
function cutAt(text: string, max: number): string {
  const whole = plain(text);
  if (whole.length <= max) return whole;
  const [first = '', ...others] = wordsOf(text);
  if (first.length > max - 1)
    return /\d/.test(first) ? `…${first.slice(-NUMBER_END_CHARS)}` : `${first.slice(0, max - 1)}…`;
  let short = first;
  for (const word of others) {
    if (`${short} ${word}`.length > max - 1) break;
    short = `${short} ${word}`;
  }
  return `${short}…`;
}

/** A page of a list: the choices from `from` up to `to`, and how many pages there are. */
interface ListPage {
  readonly from: number;
  readonly to: number;
  /** From 0. */
  readonly page: number;
  readonly pages: number;
}

/**
 * A page of a list that holds so many rows, with its ways to move. On a list of several pages two rows are for the next
 * page and the previous one.
 * @param wanted counts from 0, and is taken modulo the number of pages
 */
export function listPage(
  choices: number,
  { rows, moves = 0 }: { readonly rows: number; readonly moves?: number },
  wanted: number,
): ListPage {
  const most = rows - moves;
  const size = choices <= most ? most : most - 2;
  if (size < 1)
    throw new RangeError(`a list of ${rows} rows has no room for choices beside ${moves} ways to move`);
  const pages = Math.max(1, Math.ceil(choices / size));
  const page = wanted % pages;
  return { from: page * size, to: Math.min(choices, (page + 1) * size), page, pages };
}
