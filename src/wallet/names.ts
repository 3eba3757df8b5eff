import { INVISIBLE } from './invisible.ts';

/** Makes names, words and codes of others harmless for the people who read them. */

const SPACES = /[\s\u0085]+/g;
/**
 * Of the invisible signs, the ones that keyboards, telephones and spreadsheets leave around what they copy. Those that turn what is read into
 * something else (overrides), and controls, nobody writes into a name.
 */
const LEFT_MARKS = /[\u00ad\u061c\u200b-\u200f\u202a-\u202c\u2060\u2066-\u2069\ufeff]/g;
/** No scheme is longer: without an end each word of a long text would be read to the text's end. */
const LINK = /\b(?:[a-z][a-z\d+.-]{0,30}:\/\/|www\.)\S*/gi;
/**
 * Other shapes of a letter, a digit or a sign: wide, small, circled, mathematical, and the dots that parts of a host may have between
 * them (UTS #46). Browsers and chats read `evil\u3002example` as `evil.example`. Other characters with a compatible form
 * (ligatures of Arabic, fractions, the ellipsis) are in no address, and stay as they were written.
 */
const OTHER_SHAPES = /[\u2024\u24b6-\u24e9\u3002\ufe52-\ufe6b\uff01-\uff5e\uff61\u{1d400}-\u{1d7ff}]/gu;
/** A link, or a host with a path: chats would turn it into one. */
const ADDRESS = new RegExp(
  `${LINK.source}|(?<![\\p{L}\\d-]|[\\p{L}\\d-]\\.)(?:[\\p{L}\\d-]+\\.)+\\p{L}{2,}/\\S*`,
  'giu',
);
/** A dot inside a word, as in `pay.example`: chats turn it into a link. A space after it does not. */
const DOT_INSIDE = /(?<=[\p{L}\d])\.(?=\p{L}{2})/gu;

/**
 * A name or label from outside, made harmless: one line, nothing invisible, no direction overrides, no links, at most
 * `charsMax` characters. Escaping markup is the channel's work. Gives `-` when nothing is left.
 */
export function cleanName(text: string, charsMax: number): string {
  const clean = seen(text.slice(0, charsMax * 8))
    .replace(LINK, '')
    .replace(DOT_INSIDE, '. ')
    .replace(SPACES, ' ')
    .trim();
  if (clean.length <= charsMax) return clean || '-';
  const chars = Array.from(clean);
  return chars.length <= charsMax ? clean : cut(chars, charsMax);
}

/**
 * A text that somebody gives us to hand on: in one line, without the invisible marks that copying leaves in it. Undefined:
 * it is longer than `charsMax`, or more would have to be taken out of it (a link, controls, letters of another shape). Such
 * a text is refused and not mended. A dot inside it stays ("M.Alami"): where it is shown, `cleanName` keeps it from becoming
 * a link.
 */
export function handedOn(text: string, charsMax: number): string | undefined {
  const plain = text.normalize('NFC').replace(LEFT_MARKS, '').replace(SPACES, ' ').trim();
  if (plain.length > charsMax || plain.search(INVISIBLE) >= 0 || inOneShape(plain) !== plain)
    return undefined;
  return linksRemoved(plain, []).length === 0 ? plain : undefined;
}

/** With one shape for each letter and sign that a link can be made of. */
function inOneShape(text: string): string {
  return text.replace(OTHER_SHAPES, (sign) => sign.normalize('NFKC').replace('\u3002', '.'));
}

/** One line as a reader sees it: an invisible sign hides no link, and breaks none of ours. */
function seen(line: string): string {
  return inOneShape(line).replace(SPACES, ' ').replace(INVISIBLE, '');
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
      partsOf(seen(line))
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

/** The links in a text that `cleanWords` would take out, and hosts with a path, which it would break. */
export function linksRemoved(text: string, hosts: readonly string[]): string[] {
  const links = text.split('\n').flatMap((line) => seen(line).match(ADDRESS) ?? []);
  return links.filter((link) => !isLinkTo(link, hosts));
}

/** A text in its order, links by themselves. */
function partsOf(line: string): string[] {
  const links = line.match(LINK) ?? [];
  return line.split(LINK).flatMap((part, i) => [part, ...(links[i] === undefined ? [] : [links[i]])]);
}

function cleanPart(part: string): string {
  return part.replace(LINK, '').replace(DOT_INSIDE, '. ');
}

/** Only over https, and only to a host itself or one below it. */
function isLinkTo(text: string, hosts: readonly string[]): boolean {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  const isHost = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return isHost && username === '' && password === '';
}

/** A reference or code from outside: nothing invisible, and its spaces hold. Never shortened. */
export function cleanCode(text: string): string {
  return text.replace(SPACES, ' ').replace(INVISIBLE, '').trim().replaceAll(' ', '\u00a0') || '-';
}
