/** The characters nobody sees: spaces that hold, isolates and marks of direction (Unicode UAX #9), and what hides in names. */

/** Holds a value in one piece: kept in chats, and turned into a plain space once a USSD page is cut. */
export const NBSP = '\u00a0';
/** Begins a run that reads left to right whatever surrounds it. */
export const LRI = '\u2066';
/** Begins a run that reads as its own first letter says: for names, which may be in either script. */
export const FSI = '\u2068';
/** Ends either. */
export const PDI = '\u2069';
/** Makes a line start from the right although its first word is not Arabic. */
const RLM = '\u200f';

/**
 * Around what a chat hides until it is tapped. Private-use characters, which nothing from outside can contain: names and
 * codes are cleaned of them.
 */
export const HIDE = '\ue000';
export const SHOW = '\ue001';

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u20e3/gu;

/** A text as USSD and SMS can carry it: no marks, no emoji, no spaces left behind by them. Values stay glued. */
export function withoutMarks(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(EMOJI, '')
    .replace(/\u202f/g, NBSP)
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}

/** The spaces that held values together, as plain ones. */
export function unglued(text: string): string {
  return text.replaceAll(NBSP, ' ');
}

/** Both: what a reader sees of a text, for comparing and for plain-text channels. */
export function plain(text: string): string {
  return unglued(withoutMarks(text));
}

const SPACES = /[\s\u0085]+/g;
/** Controls, direction marks, zero-width and private characters, lone surrogates, unassigned code points. */
const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
const LINK = /\b(?:[a-z][a-z\d+.-]*:\/\/|www\.)\S*/gi;
/** A dot inside a word, as in `pay.example`: chats turn it into a link. A space after it does not. */
const DOT_INSIDE = /(?<=[\p{L}\d])\.(?=\p{L}{2})/gu;

/**
 * A name or label from outside, made harmless: one line, nothing invisible, no direction overrides, no links, at most
 * `charsMax` characters. Escaping markup is the channel's work. Gives `-` when nothing is left.
 */
export function cleanName(text: string, charsMax: number): string {
  const clean = text
    .slice(0, charsMax * 8)
    .replace(SPACES, ' ')
    .replace(HIDDEN, '')
    .replace(LINK, '')
    .replace(DOT_INSIDE, '. ')
    .replace(SPACES, ' ')
    .trim();
  if (clean.length <= charsMax) return clean || '-';
  const chars = Array.from(clean);
  return chars.length <= charsMax ? clean : cut(chars, charsMax);
}

/** So many characters with the sign that more came: after a whole word, where that leaves half of them. */
function cut(chars: readonly string[], charsMax: number): string {
  const kept = chars.slice(0, charsMax - 1).join('');
  const words = chars[charsMax - 1] === ' ' ? kept : kept.replace(/\s+\S*$/, '');
  return `${(words.length >= charsMax / 2 ? words : kept).trimEnd()}…`;
}

/**
 * Words that a person of the company has written: their lines stay, and so do links to hosts that the operator has named. Everything
 * else is as harmless as a name.
 */
export function cleanWords(text: string, charsMax: number, hosts: readonly string[]): string {
  const lines = text
    .slice(0, charsMax * 8)
    .split('\n')
    .map((line) =>
      partsOf(line)
        .map((part) => (isLinkTo(part, hosts) ? part : cleanPart(part)))
        .join('')
        .replace(SPACES, ' ')
        .trim(),
    );
  const clean = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  const chars = Array.from(clean);
  return chars.length <= charsMax ? clean || '-' : cut(chars, charsMax);
}

/** The links in a text that `cleanWords` would take out. */
export function linksRemoved(text: string, hosts: readonly string[]): string[] {
  return (text.match(LINK) ?? []).filter((link) => !isLinkTo(link, hosts));
}

/** A text in its order, links by themselves. */
function partsOf(line: string): string[] {
  const links = line.match(LINK) ?? [];
  return line.split(LINK).flatMap((part, i) => [part, ...(links[i] === undefined ? [] : [links[i]])]);
}

function cleanPart(part: string): string {
  return part.replace(SPACES, ' ').replace(HIDDEN, '').replace(LINK, '').replace(DOT_INSIDE, '. ');
}

/** Only over https, and only to a host itself or one below it. */
function isLinkTo(text: string, hosts: readonly string[]): boolean {
  if (!/^https:\/\//i.test(text) || text.search(HIDDEN) >= 0 || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  const isHost = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return isHost && username === '' && password === '';
}

/** A reference or code from outside: nothing invisible, and its spaces hold. Never shortened. */
export function cleanCode(text: string): string {
  return text.replace(SPACES, ' ').replace(HIDDEN, '').trim().replaceAll(' ', NBSP) || '-';
}

/** A line that does not begin with an Arabic word: emoji and punctuation before it do not count. */
const FOREIGN_LINE = /(^|\n)(?!\n)(?![^\p{L}\p{N}\n]*\p{Script=Arabic})/gu;

/** Puts a right-to-left mark before each line that chats would otherwise set from the left (they look at its first letter). */
export function startingRight(text: string): string {
  return text.replace(FOREIGN_LINE, `$1${RLM}`);
}
