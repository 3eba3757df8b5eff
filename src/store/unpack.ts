import { FRAGMENTS } from './fragments.ts';

/*
 * Wasl 0.3 packed the JSON of its documents in Redis. A fragment that comes often became one or two control characters, and phone numbers, moments
 * and UUIDs had codes of their own. This release writes plain JSON and still reads the packed form. The next release drops this file and
 * `fragments.ts`.
 */

/** The first fragments have codes of one character, from this one on. */
const ALONE_MIN = 0x04;
/** The second character says which earlier value of this text, or of its key, comes again. */
const AGAIN = 0x1b;
/** A Moroccan phone number: the nine digits after its country. */
const PHONE = 0x1c;
/** Milliseconds since 1970 in base 64. */
const MOMENT = 0x1d;
/** The bytes of a UUID in base 64. */
const UUID = 0x1e;
/** Before a character that stands for itself. */
const ITSELF = 0x1f;
/** The first characters of all other fragments' codes. Their second character is printable. */
const FIRSTS = '\x01\x02\x03';
const SECOND_MIN = 0x21;
const SECONDS = 0x7f - SECOND_MIN;
const ALONE = AGAIN - ALONE_MIN;
/** Greater than every code. JSON has no characters below it. */
const PLAIN_MIN = 0x20;

const COUNTRY = '+212';
const PHONE_CHARS = 13;
/** How many characters follow each code. */
const LENGTHS: Readonly<Record<number, number>> = {
  [AGAIN]: 1,
  [PHONE]: 9,
  [MOMENT]: 7,
  [UUID]: 22,
  [ITSELF]: 1,
};
/** Fragments by the last character of their code, for each first character. The first table has the codes of one character. */
const FRAGMENT_AT: readonly (readonly string[])[] = [
  [...Array<string>(ALONE_MIN), ...FRAGMENTS.slice(0, ALONE)],
  ...[...FIRSTS].map((_, i) => [
    ...Array<string>(SECOND_MIN),
    ...FRAGMENTS.slice(ALONE + i * SECONDS, ALONE + (i + 1) * SECONDS),
  ]),
];
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes are control characters
const CODES = /[\0-\x1f]/g;

/** A text as it is stored: as it is, but for control characters, which are codes. JSON has none. */
export function plain(text: string): string {
  return text.replace(CODES, `${String.fromCharCode(ITSELF)}$&`);
}

/**
 * The JSON of a stored text, packed or plain.
 * @param key of its document. The phone number at its end is the first value that the text can refer to
 */
export function unpack(packed: string, key: string): string {
  if (packed.search(CODES) === -1) return packed;
  const own = ownNumber(key);
  const values = own ? [own] : [];
  let text = '';
  let from = 0;
  for (let i = 0; i < packed.length; i++) {
    const code = packed.charCodeAt(i);
    if (code >= PLAIN_MIN) continue;
    text += packed.slice(from, i);
    const alone = FRAGMENT_AT[0]?.[code];
    if (alone !== undefined) text += alone;
    else if (code <= FIRSTS.length) text += FRAGMENT_AT[code]?.[packed.charCodeAt(++i)] ?? '';
    else {
      const end = i + 1 + (LENGTHS[code] ?? 0);
      text += unpackedValue(code, packed.slice(i + 1, end), values);
      i = end - 1;
    }
    from = i + 1;
  }
  return text + packed.slice(from);
}

/** The number that a key ends with: that of the customer whose document it is. */
function ownNumber(key: string): string {
  const at = key.length - PHONE_CHARS;
  return key.startsWith(COUNTRY, at) ? key.slice(at) : '';
}

function unpackedValue(kind: number, written: string, values: string[]): string {
  if (kind === ITSELF) return written;
  if (kind === AGAIN) return values[written.charCodeAt(0) - SECOND_MIN] ?? '';
  const value =
    kind === PHONE ? COUNTRY + written : kind === UUID ? uuidOf(written) : String(numberOf(written));
  if (values.length < SECONDS) values.push(value);
  return value;
}

function uuidOf(digits: string): string {
  const hex = Buffer.from(digits, 'base64url').toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function numberOf(digits: string): number {
  return [...digits].reduce((number, digit) => number * 64 + Math.max(0, DIGITS.indexOf(digit)), 0);
}
