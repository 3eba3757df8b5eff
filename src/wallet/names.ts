/** Names, words and codes that others have written, made harmless for whoever reads them or is handed them. */

const SPACES = /[\s\u0085]+/g;
/** Controls, direction marks, zero-width and private characters, lone surrogates, unassigned code points. */
const HIDDEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
const LINK = /\b(?:[a-z][a-z\d+.-]*:\/\/|www\.)\S*/gi;
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
  const clean = inOneShape(text.slice(0, charsMax * 8))
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

/** True for a name that `cleanName` would leave as it is, or for none: what somebody gives us to hand on is refused and not mended. */
export function isClean(text: string): boolean {
  return text === '' || cleanName(text, text.length) === text;
}

/** With one shape for each letter and sign that a link can be made of. */
function inOneShape(text: string): string {
  return text.replace(OTHER_SHAPES, (sign) => sign.normalize('NFKC').replace('\u3002', '.'));
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
  const lines = inOneShape(text.slice(0, charsMax * 8))
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

/** The links in a text that `cleanWords` would take out, and hosts with a path, which it would break. */
export function linksRemoved(text: string, hosts: readonly string[]): string[] {
  return (inOneShape(text).match(ADDRESS) ?? []).filter((link) => !isLinkTo(link, hosts));
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
  return text.replace(SPACES, ' ').replace(HIDDEN, '').trim().replaceAll(' ', '\u00a0') || '-';
}
