import { createHash } from 'node:crypto';
import parse from 'csv-parse/lib/sync.js';
import type { Centimes } from '../../wallet/money.ts';
import { handedOn } from '../../wallet/names.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import { type Rib, readRib } from '../../wallet/rib.ts';
import { readAmount } from '../../wallet/typed-amount.ts';

/** The number of lines of one file, and its largest size: twice as much as that many lines can need. */
const LINES_MAX = 1_000;
export const FILE_BYTES_MAX = 500_000;
/** v2.3, "Limits": the reason of a bank transfer. The limit here for names and other reasons, too. */
const REASON_CHARS_MAX = 35;
const NAME_CHARS_MAX = 50;
const COLUMNS = 4;
const LATIN = /^[ -~A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02b8\u1e00-\u1eff]*$/;
/**
 * A word of French in Windows-1252, as French Excel saves it. Arabic Excel (Windows-1256), DOS and old Macintosh write other letters with
 * the same bytes. Words of theirs have no Latin letter beside them, mix small and capital ones, or hold a sign that is not here.
 */
const FRENCH_WORD =
  /^(?=.*[A-Za-z])(?:[A-ZÀÂÇÈÉÊÎÔŒ]?[a-zàâçèéêëîïôùûüœ]*|[A-ZÀÂÇÈÉÊËÎÏÔÙÛÜŒ]+)$|^à$|^[A-Za-z]+$/;
/** Letters, and everything that is neither in ASCII nor a sign that French keyboards write. */
const WORDS = /[^\0-@[-`{-\x7f\u00a0«»°’]+/g;
/** A no-break space parts thousands, and is a letter of DOS where it stands inside a word. */
const SPACE_IN_WORD = /\p{L}\u00a0\p{L}/u;
/** The first line that tells Excel the separator of the columns. */
const SEPARATOR_LINE = /^"?sep=([;,\t])"?[;,\t ]*(?:\r\n?|\n)/i;
/** Letters that people in Morocco are called by. A letter of another alphabet in them looks like one of theirs, and is another. */
const WORD_OF_NAME = /^(?:[A-Za-z\u00c0-\u017f\u1e00-\u1eff]+|\p{scx=Arabic}+|\p{scx=Tifinagh}+)$/u;
/** More digits than any way to write a mobile number has: a RIB was meant. */
const PHONE_DIGITS_MAX = 15;
/** The number of errors that are told of one file. A file with more shows the first ones. */
const WRONG_MAX = 20;

/** One payout: the recipient, their name, the amount and the reason. */
export interface Payout {
  readonly to: { readonly phone: Msisdn } | { readonly rib: Rib };
  readonly name: string;
  readonly amount: Centimes;
  /** The reason that the holder of an account reads. For a wallet it is only kept. */
  readonly reason: string;
}

/** An error of a file as a whole, or of a line of it. Lines count from 1, with that of the headings. */
type FileWrong = 'notText' | 'tooLarge' | 'empty' | 'tooMany' | 'quotes';
type LineWrong = 'columns' | 'account' | 'ribKey' | 'name' | 'amount' | 'reason' | 'twice';
export type Wrong = { readonly why: FileWrong } | { readonly line: number; readonly why: LineWrong };

/** A file as it came. Its own description of itself is not believed. */
export interface UploadedTable {
  readonly bytes: Uint8Array;
  readonly fileName: string;
}

export type FileReading =
  | { readonly ok: true; readonly lines: readonly Payout[] }
  | { readonly ok: false; readonly wrong: readonly Wrong[] };

/**
 * Reads a file of payouts. Its columns are number or RIB, name, amount in dirhams, and reason. Semicolons, commas or
 * tabs separate them, and a line of headings may come first. A file with one line that cannot be read with certainty is
 * refused whole.
 */
export function readPayouts(bytes: Uint8Array): FileReading {
  if (bytes.length > FILE_BYTES_MAX) return refused('tooLarge');
  const text = textIn(bytes);
  if (text === undefined) return refused('notText');
  const [separatorLine = '', separator] = SEPARATOR_LINE.exec(text) ?? [];
  const rows = rowsIn(text.slice(separatorLine.length), separator);
  if (!rows) return refused('quotes');
  const [first] = rows;
  const isHeaded = first !== undefined && !/\p{Nd}/u.test(first.join(''));
  const data = isHeaded ? rows.slice(1) : rows;
  if (data.length === 0) return refused('empty');
  if (data.length > LINES_MAX) return refused('tooMany');
  return readLines(data, 1 + (separator ? 1 : 0) + (isHeaded ? 1 : 0));
}

/** The same payouts have the same digest, however their file is written: it is how a file that was given before is known. */
export function digestOf(code: string, lines: readonly Payout[]): string {
  return createHash('sha256')
    .update(JSON.stringify([code, lines.map(nameOf)]))
    .digest('hex')
    .slice(0, 32);
}

function refused(why: FileWrong): FileReading {
  return { ok: false, wrong: [{ why }] };
}

function textIn(bytes: Uint8Array): string | undefined {
  const text = inUtf8(bytes) ?? inFrench(bytes);
  return text?.includes('\u0000') ? undefined : text;
}

function inUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined where a letter could be another one. Digits, commas and dots are the same in all those character sets. */
function inFrench(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('windows-1252').decode(bytes);
  const isFrench = (text.match(WORDS) ?? []).every((word) => FRENCH_WORD.test(word));
  return isFrench && !SPACE_IN_WORD.test(text) ? text : undefined;
}

/** @param separator the separator of the columns, where the file names it; absent: its first line shows it */
function rowsIn(text: string, separator?: string): string[][] | undefined {
  // A separator in quotes separates no columns.
  const [head = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]+/, 1);
  const delimiter = separator ?? [';', '\t'].find((each) => head.includes(each)) ?? ',';
  try {
    const rows: string[][] = parse(text, {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    // Spreadsheets keep lines that were emptied.
    return rows.filter((row) => row.some((cell) => cell !== ''));
  } catch {
    return undefined;
  }
}

function readLines(rows: readonly (readonly string[])[], from: number): FileReading {
  const wrong: Wrong[] = [];
  const lines: Payout[] = [];
  const known = new Set<string>();
  for (const [i, row] of rows.entries()) {
    const read = lineIn(row);
    const whys = 'to' in read ? (known.has(likenessOf(read)) ? (['twice'] as const) : []) : read;
    wrong.push(...whys.map((why) => ({ line: from + i, why })));
    if (!('to' in read)) continue;
    lines.push(read);
    known.add(likenessOf(read));
  }
  return wrong.length > 0 ? { ok: false, wrong: wrong.slice(0, WRONG_MAX) } : { ok: true, lines };
}

/** Lines whose names differ only in capitals, accents, spaces or signs are most likely one payment that was written twice. */
function likenessOf({ name, reason, ...line }: Payout): string {
  return nameOf({ ...line, name: lettersOf(name), reason: reason.toLowerCase() });
}

/** Letters that a reader takes for one another, beside those that only an accent tells apart. */
const SAME_LETTERS: Readonly<Record<string, string>> = {
  ...{ ى: 'ي', ی: 'ي', ک: 'ك', ـ: '' },
  ...{ ı: 'i', ł: 'l', ø: 'o', ĸ: 'k' },
};

function lettersOf(text: string): string {
  const letters = text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
  return Array.from(letters, (letter) => SAME_LETTERS[letter] ?? letter).join('');
}

function nameOf({ to, name, amount, reason }: Payout): string {
  return JSON.stringify(['phone' in to ? to.phone : to.rib, name, amount, reason]);
}

function lineIn(row: readonly string[]): Payout | readonly LineWrong[] {
  if (row.length !== COLUMNS) return ['columns'];
  const [account = '', named = '', sum = '', why = ''] = row;
  const to = accountIn(account);
  const name = nameIn(named);
  const amount = readAmount(sum);
  const reason = handedOn(why, REASON_CHARS_MAX);
  const isReason = reason !== undefined && (typeof to === 'string' || 'phone' in to || LATIN.test(reason));
  if (typeof to !== 'string' && name !== undefined && amount.ok && isReason)
    return { to, name, amount: amount.centimes, reason };
  const wrong: readonly (LineWrong | false)[] = [
    typeof to === 'string' && to,
    name === undefined && 'name',
    !amount.ok && 'amount',
    !isReason && 'reason',
  ];
  return wrong.filter((each) => each !== false);
}

function nameIn(text: string): string | undefined {
  const name = handedOn(text, NAME_CHARS_MAX);
  const isOfOneAlphabet = name?.match(/[\p{L}\p{M}]+/gu)?.every((word) => WORD_OF_NAME.test(word));
  return isOfOneAlphabet && (name?.match(/\p{L}/gu)?.length ?? 0) >= 2 ? name : undefined;
}

function accountIn(text: string): Payout['to'] | 'account' | 'ribKey' {
  if (text.replace(/\P{Nd}/gu, '').length > PHONE_DIGITS_MAX) {
    const rib = readRib(text);
    return rib.ok ? { rib: rib.rib } : rib.why === 'key' ? 'ribKey' : 'account';
  }
  const phone = readPhone(text);
  return phone ? { phone } : 'account';
}
