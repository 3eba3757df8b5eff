import { FRAGMENTS, FRAGMENTS_WRITTEN } from './fragments.ts';

/*
 * How both stores keep the JSON of a document: what comes again and again in it is one or two control characters, of which JSON has
 * none of its own. So what an older release has stored plainly is read as it is, and a reader needs no more than the text. Values of
 * which documents are full have codes as well, and what is there a second time, or in the document's key, refers to the first.
 * Deflate with the same pieces as its dictionary makes a session a third shorter still, but takes four times the CPU, and bytes that
 * are no text (docs/figures.md, "The engine alone").
 */

/** The pieces in one character, which are the first of the list, begin with this one. */
const ALONE_MIN = 0x04;
/** A value that this text has had, or its key: which one, as a second character. */
const AGAIN = '\x1b';
/** A Moroccan phone number: the nine digits after its country. */
const PHONE = '\x1c';
/** Ms since 1970 in base 64. */
const MOMENT = '\x1d';
/** The bytes of a UUID in base 64. */
const UUID = '\x1e';
/** Before a character that stands for itself. */
const ITSELF = '\x1f';
/** Before the second character of all other pieces. */
const FIRSTS = '\x01\x02\x03';

/** Second characters are printable. */
const SECOND_MIN = 0x21;
const SECONDS = 0x7f - SECOND_MIN;
const ALONE = AGAIN.charCodeAt(0) - ALONE_MIN;

const COUNTRY = '+212';
const UUID_CHARS = 36;
/** How many characters follow each code. */
const LENGTHS: Readonly<Record<string, number>> = {
  [AGAIN]: 1,
  [PHONE]: 9,
  [MOMENT]: 7,
  [UUID]: 22,
  [ITSELF]: 1,
};

const CODES: readonly string[] = FRAGMENTS.map((_, i) => codeAt(i));
const CODE_OF: ReadonlyMap<string, string> = new Map(
  FRAGMENTS.slice(0, FRAGMENTS_WRITTEN).map((fragment, i) => [fragment, CODES[i] as string]),
);
/** Fragments by the last character of their code, for each that it can begin with; codes of one character are in the first table. */
const FRAGMENT_AT: readonly (readonly string[])[] = ['', ...FIRSTS].map((first) => {
  const table: string[] = [];
  for (const [i, code] of CODES.entries())
    if (code.slice(0, -1) === first) table[code.charCodeAt(first.length)] = FRAGMENTS[i] as string;
  return table;
});

/** A value, a fragment (of those that begin alike the longest), or a control character. */
const PIECES = new RegExp(
  [
    String.raw`\+212\d{9}`,
    String.raw`(?<=[:,[])1\d{12}\b`,
    String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}`,
    ...[...CODE_OF.keys()].sort((a, b) => (a < b ? 1 : -1)).map(escaped),
    String.raw`[\0-\x1f]`,
  ].join('|'),
  'g',
);

/**
 * A text as it is stored. Any text will do, and JSON becomes short.
 * @param key of its document: a number at its end need not be written again. It is needed to unpack it
 */
export function pack(text: string, key: string): string {
  const values = valuesIn(key);
  return text.replace(PIECES, (piece) => CODE_OF.get(piece) ?? packedValue(piece, values));
}

/** A text as it was before `pack`; one that was stored plainly is given as it is. */
export function unpack(packed: string, key: string): string {
  const values = valuesIn(key);
  let text = '';
  let from = 0;
  for (let i = 0; i < packed.length; i++) {
    const code = packed.charCodeAt(i);
    if (code >= 0x20) continue;
    text += packed.slice(from, i);
    const alone = FRAGMENT_AT[0]?.[code];
    if (alone !== undefined) text += alone;
    else if (code <= FIRSTS.length) text += FRAGMENT_AT[code]?.[packed.charCodeAt(++i)] ?? '';
    else {
      const kind = packed.charAt(i);
      const end = i + 1 + (LENGTHS[kind] ?? 0);
      text += unpackedValue(kind, packed.slice(i + 1, end), values);
      i = end - 1;
    }
    from = i + 1;
  }
  return from === 0 ? packed : text + packed.slice(from);
}

function codeAt(i: number): string {
  if (i < ALONE) return String.fromCharCode(ALONE_MIN + i);
  const first = FIRSTS.charAt((i - ALONE) / SECONDS);
  if (first === '') throw new RangeError('there are more fragments than codes');
  return first + String.fromCharCode(SECOND_MIN + ((i - ALONE) % SECONDS));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** The number that a key ends with: that of the customer whose document it is. */
function valuesIn(key: string): string[] {
  const at = key.length - COUNTRY.length - (LENGTHS[PHONE] ?? 0);
  return key.startsWith(COUNTRY, at) ? [key.slice(at)] : [];
}

function packedValue(value: string, values: string[]): string {
  if (value.length === 1) return ITSELF + value;
  const before = values.indexOf(value);
  if (before >= 0) return AGAIN + String.fromCharCode(SECOND_MIN + before);
  if (values.length < SECONDS) values.push(value);
  if (value.startsWith(COUNTRY)) return PHONE + value.slice(COUNTRY.length);
  if (value.length === UUID_CHARS)
    return UUID + Buffer.from(value.replaceAll('-', ''), 'hex').toString('base64url');
  return MOMENT + digitsOf(Number(value));
}

function unpackedValue(kind: string, written: string, values: string[]): string {
  if (kind === ITSELF) return written;
  if (kind === AGAIN) return values[written.charCodeAt(0) - SECOND_MIN] ?? '';
  const value =
    kind === PHONE ? COUNTRY + written : kind === UUID ? uuidOf(written) : String(numberOf(written));
  if (values.length < SECONDS) values.push(value);
  return value;
}

function uuidOf(digits: string): string {
  const hex = Buffer.from(digits, 'base64url').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const DIGIT_OF: readonly number[] = Array.from({ length: SECOND_MIN + SECONDS }, (_, code) =>
  DIGITS.indexOf(String.fromCharCode(code)),
);

/** A number below 2⁴²: bits are taken from 31 at most. */
function digitsOf(number: number): string {
  const [high, low] = [Math.floor(number / 2 ** 24), number % 2 ** 24];
  const digit = (bits: number) => DIGITS.charAt(bits & 63);
  return (
    digit(high >> 12) +
    digit(high >> 6) +
    digit(high) +
    digit(low >> 18) +
    digit(low >> 12) +
    digit(low >> 6) +
    digit(low)
  );
}

function numberOf(digits: string): number {
  let number = 0;
  for (let i = 0; i < digits.length; i++) number = number * 64 + (DIGIT_OF[digits.charCodeAt(i)] ?? 0);
  return number;
}
