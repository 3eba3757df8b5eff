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
/** The state before any letter, in which nothing was found. */
const NONE = 0;
/**
 * What may be written, letter by letter: the state after a letter is `bases[state] + letter`, if `before` says that it comes from there.
 * A row of all letters for each state takes many times the room, which a processor's cache has not left; an expression of all
 * fragments takes twice the time.
 */
const TRIE = trieOf(FRAGMENTS.slice(0, FRAGMENTS_WRITTEN));

/** What is packed is put together here: a string of many small ones is made and then gone through once more. */
const ROOM = Buffer.alloc(4_096);
/** A code and its value take no more. */
const CODE_MAX = 1 + Math.max(...Object.values(LENGTHS));

/**
 * A text as it is stored. Any text will do, and JSON becomes short.
 * @param key of its document: a number at its end need not be written again. It is needed to unpack it
 */
export function pack(text: string, key: string): string {
  let values: string[] | undefined;
  let packed = '';
  let used = 0;
  for (let i = 0; i < text.length; ) {
    if (used > ROOM.length - CODE_MAX) {
      packed += ROOM.toString('latin1', 0, used);
      used = 0;
    }
    const fragment = fragmentAt(text, i);
    const chars = fragment === NONE ? valueAt(text, i) : (TRIE.lengths[fragment] as number);
    const letter = text.charCodeAt(i);
    if (fragment !== NONE) {
      const code = TRIE.codes[fragment] as number;
      if (code >= ASCII) ROOM[used++] = code / ASCII;
      ROOM[used++] = code % ASCII;
      i += chars;
    } else if (chars > 0) {
      values ??= valuesIn(key);
      used += ROOM.write(packedValue(text, i, chars, values), used, 'latin1');
      i += chars;
    } else if (letter < ASCII) {
      ROOM[used++] = letter;
      i++;
    } else {
      const end = endOfForeign(text, i);
      packed += ROOM.toString('latin1', 0, used) + text.slice(i, end);
      used = 0;
      i = end;
    }
  }
  return packed + ROOM.toString('latin1', 0, used);
}

/** Where letters end that are stored as they are, as those of an Arabic word. */
function endOfForeign(text: string, i: number): number {
  let end = i + 1;
  while (text.charCodeAt(end) >= ASCII) end++;
  return end;
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

/** The state of the longest fragment that begins at a place of a text, or `NONE`. */
function fragmentAt(text: string, i: number): number {
  const { bases, before, lengths } = TRIE;
  let longest = NONE;
  for (let state = NONE, at = i; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    const next = (bases[state] as number) + letter;
    if (letter >= ASCII || before[next] !== state) break;
    state = next;
    if (lengths[state] !== 0) longest = state;
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
