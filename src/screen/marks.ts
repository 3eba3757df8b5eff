import { PICTURES } from '../wallet/letters.ts';

/** The characters nobody sees: spaces that hold, isolates and marks of direction (Unicode UAX #9), and what hides in names. */

/** Holds a value in one piece: kept in chats, and turned into a plain space once a USSD page is cut. */
export const NBSP = '\u00a0';
/** Begins a run that reads left to right in any surrounding text. */
export const LRI = '\u2066';
/** Begins a run that reads as its own first letter says: for names, which may be in either script. */
export const FSI = '\u2068';
/** Ends either. */
export const PDI = '\u2069';
/** Makes a line start from the right although its first word is not Arabic. */
export const RLM = '\u200f';

/**
 * Around what a chat hides until it is tapped. Private-use characters, which nothing from outside can contain: names and
 * codes are cleaned of them.
 */
export const HIDE = '\ue000';
export const SHOW = '\ue001';
/** Around what a chat writes bold. */
export const BOLD = '\ue002';
export const PLAIN = '\ue003';

/** A text with the first place of an amount marked as bold, where it is no part of a larger amount. */
export function emphasised(text: string, amount: string, from = 0): string {
  const at = text.indexOf(amount, from);
  if (at < 0) return text;
  const end = at + amount.length;
  if (/\d[.,\u00a0]?$/.test(text.slice(0, at))) return emphasised(text, amount, end);
  return text.slice(0, at) + BOLD + amount + PLAIN + text.slice(end);
}

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A text as USSD and SMS can carry it: no marks, no emoji, no spaces left behind by them. Values stay glued. */
export function withoutMarks(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(PICTURES, '')
    .replace(/\u202f/g, NBSP)
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}

/** A text without what turns the direction of others around it: a name can be read backwards by it. */
export function withoutOverrides(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

/** The spaces that held values together, as plain ones. */
export function unglued(text: string): string {
  return text.replaceAll(NBSP, ' ');
}

/** Both: what a reader sees of a text, for comparing and for plain-text channels. */
export function plain(text: string): string {
  return unglued(withoutMarks(text));
}

/** A line that does not begin with an Arabic word: emoji and punctuation before it do not count. */
const FOREIGN_LINE = /(^|\n)(?!\n)(?![^\p{L}\p{N}\n]*\p{Script=Arabic})/gu;

/** Puts a right-to-left mark before each line that chats would otherwise set from the left (they look at its first letter). */
export function startingRight(text: string): string {
  return text.replace(FOREIGN_LINE, `$1${RLM}`);
}
