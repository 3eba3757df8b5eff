import { FRAGMENTS, FRAGMENTS_WRITTEN } from './fragments.ts';

/*
 * How a document's JSON is kept in Redis, where memory costs most. (On a disk it is left as it is: packing would save nothing there, and
 * cost each commit time.) Fragments that come again and again become one or two control characters. JSON has none of its own, so a
 * reader can tell, and reads as it is what an older release has stored plainly. Phone numbers, moments and UUIDs have codes as well; one
 * that has been in the text before, or is in the document's key, is written as a reference to that.
 * Deflate with the same pieces as its dictionary makes a session a third shorter still, but takes four times the CPU, and bytes that
 * are no text (docs/figures.md, "The engine alone").
 */

/** The pieces in one character, which are the first of the list, begin with this one. */
const ALONE_MIN = 0x04;
/** A value that this text has had, or its key: which one, as a second character. */
const AGAIN = 0x1b;
/** A Moroccan phone number: the nine digits after its country. */
const PHONE = 0x1c;
/** Ms since 1970 in base 64. */
const MOMENT = 0x1d;
/** The bytes of a UUID in base 64. */
const UUID = 0x1e;
/** Before a character that stands for itself. */
const ITSELF = 0x1f;
/** Before the second character of all other pieces. */
const FIRSTS = '\x01\x02\x03';

/** Second characters are printable. */
const SECOND_MIN = 0x21;
const SECONDS = 0x7f - SECOND_MIN;
const ALONE = AGAIN - ALONE_MIN;
/** Greater than every code. */
const PLAIN_MIN = 0x20;

const COUNTRY = '+212';
const COUNTRY_BYTES = Buffer.from(COUNTRY);
const PHONE_CHARS = 13;
const MOMENT_CHARS = 13;
const UUID_CHARS = 36;
/** Where its dashes are. The first of them tells it from most texts. */
const UUID_DASHES = [8, 13, 18, 23] as const;
/** How many characters follow each code. */
const LENGTHS: Readonly<Record<number, number>> = {
  [AGAIN]: 1,
  [PHONE]: 9,
  [MOMENT]: 7,
  [UUID]: 22,
  [ITSELF]: 1,
};

const PLUS = '+'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);
const ONE = '1'.charCodeAt(0);
const DASH = '-'.charCodeAt(0);

const CODES: readonly string[] = FRAGMENTS.map((_, i) => codeAt(i));
/** Fragments by the last character of their code, for each that it can begin with; codes of one character are in the first table. */
const FRAGMENT_AT: readonly (readonly string[])[] = ['', ...FIRSTS].map((first) => {
  const table: string[] = [];
  for (const [i, code] of CODES.entries())
    if (code.slice(0, -1) === first) table[code.charCodeAt(first.length)] = FRAGMENTS[i] as string;
  return table;
});

/** Fragments have these characters only. */
const ASCII = 128;
/** The state before any letter, in which nothing was found. */
const NONE = 0;
/**
 * What may be written, letter by letter: the state after a letter is `bases[state] + letter`, if `before` says that it comes from there.
 * A row of all letters for each state takes many times the room, which a processor's cache has not left; an expression of all
 * fragments takes twice the time.
 */
const TRIE = trieOf(FRAGMENTS.slice(0, FRAGMENTS_WRITTEN));

/** Characters. What is longer is a customer's file, sealed, of which packing would make nothing shorter. */
const PACKED_MAX = 65_536;
/** Bytes of UTF-8 in one of them, at most. */
const UTF8_MAX = 3;
/**
 * The text that is being packed, in UTF-8, behind the number that its key ends with. To look at a byte takes a fraction of what a
 * letter of a string takes, whose kind is asked for each time.
 */
const TEXT = Buffer.alloc(UTF8_MAX * (PHONE_CHARS + PACKED_MAX));
/** What it is packed into. A byte becomes two at most: one that stands for itself. */
const PACKED = Buffer.alloc(2 * TEXT.length);

/**
 * A text as it is stored. JSON becomes short; any other text of up to `PACKED_MAX` characters will do.
 * @param key of its document: a number at its end need not be written again. It is needed to unpack it
 */
export function pack(text: string, key: string): string {
  if (text.length > PACKED_MAX) return text;
  const start = TEXT.write(ownNumber(key));
  const end = start + TEXT.write(text, start);
  /** Where the values begin that it has had. */
  const values = start > 0 ? [0] : [];
  let used = 0;
  for (let i = start; i < end; ) {
    const fragment = fragmentAt(i, end);
    if (fragment !== NONE) {
      const code = TRIE.codes[fragment] as number;
      if (code >= ASCII) PACKED[used++] = code / ASCII;
      PACKED[used++] = code % ASCII;
      i += TRIE.lengths[fragment] as number;
      continue;
    }
    const chars = valueAt(i, start, end);
    if (chars === 0) PACKED[used++] = TEXT[i++] as number;
    else {
      used = putValue(i, chars, values, used);
      i += chars;
    }
  }
  return PACKED.toString('utf8', 0, used);
}

/** A text as it was before `pack`; one that was stored plainly is given as it is. */
export function unpack(packed: string, key: string): string {
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
  return from === 0 ? packed : text + packed.slice(from);
}

function codeAt(i: number): string {
  if (i < ALONE) return String.fromCharCode(ALONE_MIN + i);
  const first = FIRSTS.charAt((i - ALONE) / SECONDS);
  if (first === '') throw new RangeError('there are more fragments than codes');
  return first + String.fromCharCode(SECOND_MIN + ((i - ALONE) % SECONDS));
}

/**
 * @returns `bases` and `before` as `TRIE` says, and for each state in which a fragment ends its length and its code, of which two
 * characters are one number
 */
function trieOf(fragments: readonly string[]) {
  const lettersAfter = new Map<string, Set<number>>();
  for (const fragment of fragments)
    for (let i = 0; i < fragment.length; i++) {
      const letters = lettersAfter.get(fragment.slice(0, i)) ?? new Set();
      lettersAfter.set(fragment.slice(0, i), letters.add(fragment.charCodeAt(i)));
    }
  const size = ASCII + 2 * fragments.join('').length;
  const [bases, before] = [new Uint16Array(size), new Uint16Array(size).fill(size)];
  const [lengths, codes] = [new Uint8Array(size), new Uint16Array(size)];
  // Nothing leads back to where nothing was found.
  let firstFree = NONE + 1;
  const place = (prefix: string, state: number) => {
    const i = fragments.indexOf(prefix);
    if (i >= 0) {
      const [last = 0, first = 0] = [...(CODES[i] as string)].reverse().map((char) => char.charCodeAt(0));
      codes[state] = first * ASCII + last;
      lengths[state] = prefix.length;
    }
    const letters = [...(lettersAfter.get(prefix) ?? [])];
    if (letters.length === 0) return;
    while (before[firstFree] !== size) firstFree++;
    let base = Math.max(0, firstFree - Math.min(...letters));
    while (!letters.every((letter) => before[base + letter] === size)) base++;
    bases[state] = base;
    for (const letter of letters) before[base + letter] = state;
    for (const letter of letters) place(prefix + String.fromCharCode(letter), base + letter);
  };
  place('', NONE);
  return { bases, before, lengths, codes };
}

/** The state of the longest fragment that begins at a place of the text, or `NONE`. */
function fragmentAt(i: number, end: number): number {
  const { bases, before, lengths } = TRIE;
  let longest = NONE;
  for (let state = NONE, at = i; at < end; at++) {
    const letter = TEXT[at] as number;
    const next = (bases[state] as number) + letter;
    if (letter >= ASCII || before[next] !== state) break;
    state = next;
    if (lengths[state] !== 0) longest = state;
  }
  return longest;
}

/** The number that a key ends with: that of the customer whose document it is. */
function ownNumber(key: string): string {
  const at = key.length - PHONE_CHARS;
  return key.startsWith(COUNTRY, at) ? key.slice(at) : '';
}

/** What stands before a whole number in JSON, and behind it. */
const BEFORE_NUMBER = Buffer.from(':,[');
const AFTER_NUMBER = Buffer.from(',}]');

/** The values of digits of base 16, in small letters, and of base 64, by their bytes. */
const HEX_OF = valuesOf('0123456789abcdef');
const DIGITS = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const DIGIT_OF = valuesOf(DIGITS.toString());
const NO_DIGIT = 255;

function valuesOf(digits: string): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => digits.indexOf(String.fromCharCode(byte)));
}

/**
 * How long the value is that begins at a place of the text; 0 where none does. Whole numbers of JSON are moments, and digits in a string are
 * left as they are.
 */
function valueAt(i: number, start: number, end: number): number {
  const first = TEXT[i] as number;
  if (first === PLUS) return isPhone(i, end) ? PHONE_CHARS : 0;
  if (first === ONE && hasDigits(i, i + MOMENT_CHARS, end)) {
    const behind = i + MOMENT_CHARS;
    const isNumber = i > start && behind < end && BEFORE_NUMBER.includes(TEXT[i - 1] as number);
    return isNumber && AFTER_NUMBER.includes(TEXT[behind] as number) ? MOMENT_CHARS : 0;
  }
  if (first < PLAIN_MIN) return 1;
  // Of most letters no more is looked at than whether a dash is behind eight of them.
  return TEXT[i + UUID_DASHES[0]] === DASH && isUuid(i, end) ? UUID_CHARS : 0;
}

function isPhone(i: number, end: number): boolean {
  for (let k = 0; k < COUNTRY.length; k++) if (TEXT[i + k] !== COUNTRY_BYTES[k]) return false;
  return hasDigits(i + COUNTRY.length, i + PHONE_CHARS, end);
}

function isUuid(at: number, end: number): boolean {
  if (at + UUID_CHARS > end) return false;
  let digits = 0;
  for (let i = at; i < at + UUID_CHARS; i++) if (HEX_OF[TEXT[i] as number] !== NO_DIGIT) digits++;
  const isDash = (place: number) => TEXT[at + place] === DASH;
  return digits === UUID_CHARS - UUID_DASHES.length && UUID_DASHES.every(isDash);
}

function hasDigits(from: number, to: number, end: number): boolean {
  if (to > end) return false;
  for (let i = from; i < to; i++) {
    const digit = (TEXT[i] as number) - ZERO;
    if (digit < 0 || digit > 9) return false;
  }
  return true;
}

/**
 * Puts the code of a value, and what says which value it is.
 * @returns where that ends
 */
function putValue(i: number, chars: number, values: number[], at: number): number {
  if (chars === 1) return putPair(ITSELF, TEXT[i] as number, at);
  for (let k = 0; k < values.length; k++)
    if (isSame(values[k] as number, i, chars)) return putPair(AGAIN, SECOND_MIN + k, at);
  if (values.length < SECONDS) values.push(i);
  if (chars === UUID_CHARS) return putUuid(i, at);
  return TEXT[i] === PLUS ? putPhone(i, at) : putMoment(i, at);
}

/** From behind: moments begin with the same digits. A value is the beginning of no longer one. */
function isSame(one: number, other: number, chars: number): boolean {
  for (let k = chars - 1; k >= 0; k--) if (TEXT[one + k] !== TEXT[other + k]) return false;
  return true;
}

function putPair(code: number, second: number, at: number): number {
  PACKED[at] = code;
  PACKED[at + 1] = second;
  return at + 2;
}

function putPhone(i: number, at: number): number {
  PACKED[at++] = PHONE;
  for (let k = i + COUNTRY.length; k < i + PHONE_CHARS; k++) PACKED[at++] = TEXT[k] as number;
  return at;
}

/** Below 2⁴²: bits are taken from 31 at most. */
function putMoment(i: number, at: number): number {
  let moment = 0;
  for (let k = i; k < i + MOMENT_CHARS; k++) moment = moment * 10 + (TEXT[k] as number) - ZERO;
  const [high, low] = [Math.floor(moment / 2 ** 24), moment % 2 ** 24];
  PACKED[at++] = MOMENT;
  for (let bits = 12; bits >= 0; bits -= 6) PACKED[at++] = DIGITS[(high >> bits) & 63] as number;
  for (let bits = 18; bits >= 0; bits -= 6) PACKED[at++] = DIGITS[(low >> bits) & 63] as number;
  return at;
}

/** Of its 128 bits the last digit has two. */
function putUuid(i: number, at: number): number {
  PACKED[at++] = UUID;
  let [number, bits] = [0, 0];
  for (let k = i; k < i + UUID_CHARS; k++) {
    const letter = TEXT[k] as number;
    if (letter === DASH) continue;
    number = ((number & 63) << 4) | (HEX_OF[letter] as number);
    bits += 4;
    if (bits < 6) continue;
    bits -= 6;
    PACKED[at++] = DIGITS[(number >> bits) & 63] as number;
  }
  PACKED[at++] = DIGITS[(number << 4) & 63] as number;
  return at;
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
  let number = 0;
  for (let i = 0; i < digits.length; i++) number = number * 64 + (DIGIT_OF[digits.charCodeAt(i)] ?? 0);
  return number;
}
