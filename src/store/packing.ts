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
const AGAINS = Array.from({ length: SECONDS }, (_, k) => AGAIN + String.fromCharCode(SECOND_MIN + k));
/** Greater than every code. */
const PLAIN_MIN = 0x20;

const COUNTRY = '+212';
const PHONE_CHARS = 13;
const MOMENT_CHARS = 13;
const UUID_CHARS = 36;
const UUID_FIRST_DASH = 8;
/** How many characters follow each code. */
const LENGTHS: Readonly<Record<string, number>> = {
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
/** The state in which nothing was found. */
const NONE = 0;
/**
 * What may be written, letter by letter: `next[state * ASCII + letter]` is the state after a letter, 0 where no fragment goes on so,
 * and `codes[state]` what stands for a fragment that ends there. An expression of all of them takes twice the time.
 */
const TRIE = trieOf(FRAGMENTS.slice(0, FRAGMENTS_WRITTEN));
/** How long the fragment is that ends in a state. */
const LENGTH_OF: readonly number[] = TRIE.fragments.map((fragment) => fragment.length);

/**
 * A text as it is stored. Any text will do, and JSON becomes short.
 * @param key of its document: a number at its end need not be written again. It is needed to unpack it
 */
export function pack(text: string, key: string): string {
  let values: string[] | undefined;
  let packed = '';
  let from = 0;
  for (let i = 0; i < text.length; ) {
    const fragment = fragmentAt(text, i);
    const chars = LENGTH_OF[fragment] || valueAt(text, i);
    if (chars === 0) {
      i++;
      continue;
    }
    if (fragment === NONE) values ??= valuesIn(key);
    const code = values && fragment === NONE ? packedValue(text, i, chars, values) : TRIE.codes[fragment];
    packed += text.slice(from, i) + code;
    i += chars;
    from = i;
  }
  return packed + text.slice(from);
}

/** A text as it was before `pack`; one that was stored plainly is given as it is. */
export function unpack(packed: string, key: string): string {
  const values = valuesIn(key);
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

function trieOf(fragments: readonly string[]) {
  const next = new Uint16Array((1 + fragments.join('').length) * ASCII);
  const ended: string[] = [''];
  const codes: string[] = [''];
  for (const [i, fragment] of fragments.entries()) {
    let state = NONE;
    for (const letter of fragment) {
      const at = state * ASCII + letter.charCodeAt(0);
      if (!next[at]) {
        next[at] = codes.push('') - 1;
        ended.push('');
      }
      state = next[at] as number;
    }
    codes[state] = CODES[i] as string;
    ended[state] = fragment;
  }
  return { next: next.slice(0, codes.length * ASCII), codes, fragments: ended };
}

/** The state of the longest fragment that begins at a place of a text, or `NONE`. */
function fragmentAt(text: string, i: number): number {
  const { next } = TRIE;
  let longest = NONE;
  for (let state = NONE, at = i; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    state = letter < ASCII ? (next[state * ASCII + letter] as number) : NONE;
    if (state === NONE) break;
    if (LENGTH_OF[state] !== 0) longest = state;
  }
  return longest;
}

/** The number that a key ends with: that of the customer whose document it is. */
function valuesIn(key: string): string[] {
  const at = key.length - PHONE_CHARS;
  return key.startsWith(COUNTRY, at) ? [key.slice(at)] : [];
}

/** What stands around a whole number in JSON. */
const BEFORE_NUMBER: ReadonlySet<string | undefined> = new Set([':', ',', '[']);
const AFTER_NUMBER: ReadonlySet<string | undefined> = new Set([',', '}', ']']);

const UUID_IS = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/**
 * How long the value is that begins at a place of a text; 0 where none does. Whole numbers of JSON are moments, and digits in a string are
 * left as they are.
 */
function valueAt(text: string, i: number): number {
  const first = text.charCodeAt(i);
  if (first === PLUS)
    return text.startsWith(COUNTRY, i) && hasDigits(text, i + COUNTRY.length, i + PHONE_CHARS)
      ? PHONE_CHARS
      : 0;
  if (first === ONE && hasDigits(text, i, i + MOMENT_CHARS))
    return BEFORE_NUMBER.has(text[i - 1]) && AFTER_NUMBER.has(text[i + MOMENT_CHARS]) ? MOMENT_CHARS : 0;
  if (first < PLAIN_MIN) return 1;
  // Of most letters no more is looked at than whether a dash is behind eight of them.
  const mayBeUuid = i + UUID_CHARS <= text.length && text.charCodeAt(i + UUID_FIRST_DASH) === DASH;
  return mayBeUuid && UUID_IS.test(text.slice(i, i + UUID_CHARS)) ? UUID_CHARS : 0;
}

function hasDigits(text: string, from: number, to: number): boolean {
  if (to > text.length) return false;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return false;
  }
  return true;
}

function packedValue(text: string, i: number, chars: number, values: string[]): string {
  if (chars === 1) return ITSELF + text.charAt(i);
  for (let k = 0; k < values.length; k++)
    if (values[k]?.length === chars && text.startsWith(values[k] as string, i)) return AGAINS[k] as string;
  const value = text.slice(i, i + chars);
  if (values.length < SECONDS) values.push(value);
  if (chars === UUID_CHARS) return UUID + Buffer.from(hexOf(value), 'hex').toString('base64url');
  return text.charCodeAt(i) === PLUS ? PHONE + value.slice(COUNTRY.length) : MOMENT + digitsOf(Number(value));
}

function unpackedValue(kind: string, written: string, values: string[]): string {
  if (kind === ITSELF) return written;
  if (kind === AGAIN) return values[written.charCodeAt(0) - SECOND_MIN] ?? '';
  const value =
    kind === PHONE ? COUNTRY + written : kind === UUID ? uuidOf(written) : String(numberOf(written));
  if (values.length < SECONDS) values.push(value);
  return value;
}

function hexOf(uuid: string): string {
  return uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24);
}

function uuidOf(digits: string): string {
  const hex = Buffer.from(digits, 'base64url').toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const DIGIT_OF: readonly number[] = Array.from({ length: SECOND_MIN + SECONDS }, (_, code) =>
  DIGITS.indexOf(String.fromCharCode(code)),
);

/** A number below 2⁴²: bits are taken from 31 at most. */
function digitsOf(number: number): string {
  const [high, low] = [Math.floor(number / 2 ** 24), number % 2 ** 24];
  const digit = (bits: number) => DIGITS.charCodeAt(bits & 63);
  return String.fromCharCode(
    digit(high >> 12),
    digit(high >> 6),
    digit(high),
    digit(low >> 18),
    digit(low >> 12),
    digit(low >> 6),
    digit(low),
  );
}

function numberOf(digits: string): number {
  let number = 0;
  for (let i = 0; i < digits.length; i++) number = number * 64 + (DIGIT_OF[digits.charCodeAt(i)] ?? 0);
  return number;
}
