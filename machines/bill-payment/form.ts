import { labelled } from '../../src/payments/bill-labels.ts';
import type { BillAnswer } from '../../src/payments/bill-payment.ts';
import { isOneScript, latinDigits } from '../../src/wallet/digits.ts';
import type { BillField } from '../../src/wallet/services.ts';
import type { Choice, Screen, Sentence, Values } from '../kit/screen.ts';
import type { SentenceKey } from '../kit/sentence-key.ts';

/** A field to fill in, and what the form says above it. */
export interface Question {
  readonly field: BillField;
  /** Shown, and never sent back. */
  readonly above: string;
}

/** The fields of a form that ask for something, in their order. A label belongs to the next of them, else to the last. */
export function questionsOf(form: readonly BillField[]): readonly Question[] {
  const fields = form.filter(({ kind }) => kind !== 'label');
  const last = fields.at(-1);
  return fields.map((field) => ({
    field,
    above: form
      .filter(({ kind }, i) => kind === 'label' && (nextField(form, i) ?? last) === field)
      .map(({ label }) => label)
      .join(' '),
  }));
}

function nextField(form: readonly BillField[], label: number): BillField | undefined {
  return form.slice(label).find(({ kind }) => kind !== 'label');
}

/** The result of reading a typed answer: the value to send, or the format that is expected. */
type Reading = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly why: Sentence };

/** The formats that we know (open question 33). The bill network checks every other one. */
const FORMATS: Readonly<
  Record<string, { read(text: string): string | undefined; readonly why: SentenceKey }>
> = {
  N: { read: digitsIn, why: 'bill-payment.digitsOnly' },
  A: {
    read: (text) => (/^\p{L}[\p{L}\p{M} '’-]*$/u.test(text) ? text : undefined),
    why: 'bill-payment.lettersOnly',
  },
  AN: {
    read: (text) => (/^[A-Za-z\d]+$/.test(text) ? text : undefined),
    why: 'bill-payment.lettersAndDigitsOnly',
  },
  D: { read: dateIn, why: 'bill-payment.dateOnly' },
};

/** Reads what was typed into a field. Digits of any script are sent as Latin ones. */
export function readAnswer({ format = '', lengthMin = 0, lengthMax }: BillField, text: string): Reading {
  const plain = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  if (plain === '') return wrong('bill-payment.emptyAnswer');
  const known = FORMATS[format.trim().toUpperCase()];
  const value = known && !isOneScript(plain) ? undefined : latinDigits(plain);
  const read = known && value !== undefined ? known.read(value) : value;
  if (read === undefined) return wrong(known?.why ?? 'bill-payment.emptyAnswer');
  const isCounted = known === FORMATS.N && lengthMin === lengthMax;
  if (isCounted && read.length !== lengthMin) return wrong('bill-payment.digitsExactly', lengthMin);
  const [short, long] = known === FORMATS.N ? DIGITS : CHARACTERS;
  if (read.length < lengthMin) return wrong(short, lengthMin);
  if (lengthMax !== undefined && read.length > lengthMax) return wrong(long, lengthMax);
  return { ok: true, value: read };
}

/** The sentences about too few, and about too many. */
const DIGITS = ['bill-payment.digitsAtLeast', 'bill-payment.digitsAtMost'] as const;
const CHARACTERS = ['bill-payment.tooShort', 'bill-payment.tooLong'] as const;

function wrong(key: SentenceKey, size?: number): Reading {
  return { ok: false, why: { key, ...(size !== undefined && { values: { size: { count: size } } }) } };
}

/** People group long numbers, and keyboards slip invisible marks in. */
function digitsIn(text: string): string | undefined {
  const bare = text.replace(/[\s\p{Cf}]/gu, '');
  return /^\d+$/.test(bare) ? bare : undefined;
}

/** `01/02/2026`, also as it is typed on a keypad: `1.2.2026`, `01-02-2026`, `01022026`. 31/02 is no date. */
function dateIn(text: string): string | undefined {
  const parts =
    /^(\d{1,2})\s?[/.*\- ]\s?(\d{1,2})\s?[/.*\- ]\s?(\d{4})$/.exec(text) ??
    /^(\d{2})(\d{2})(\d{4})$/.exec(text);
  const [day, month, year] = (parts ?? []).slice(1).map(Number) as [number?, number?, number?];
  if (day === undefined || month === undefined || year === undefined) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return `${String(day).padStart(2, '0')}/${String(month).padStart(2, '0')}/${year}`;
}

/** One of each length that a number has which moves the customer on other screens. */
const SHORT_NUMBERS = [1, 2].map((length) => '4'.repeat(length));
/** One of each length that a payment card's number has. */
const LONG_NUMBERS = [13, 14, 15, 16, 17, 18, 19].map((length) => '4'.repeat(length));
const SKIP: Choice = { id: 'skip', key: 'bill-payment.skip' };

/** An optional field is offered first, so that `1` on a keypad is never both an answer and a choice. */
export function askFor({ field, above }: Question, values: Values): Screen {
  const known = { ...values, label: labelled(field.label), ...(above && { above: labelled(above) }) };
  const key = keyOf(field, above);
  if (field.kind === 'password') return { key, values: known, expects: 'password' };
  if (field.options.length > 0) {
    const options = field.options.map(
      (option, i): Choice => ({
        id: String(i),
        key: 'bill-payment.option',
        values: { option: labelled(option) },
        varies: true,
      }),
    );
    return { key, values: known, choices: field.required ? options : [...options, SKIP], expects: 'choice' };
  }
  const takes = (typed: string) => readAnswer(field, typed).ok;
  return {
    key,
    values: known,
    expects: 'field',
    ...(SHORT_NUMBERS.some(takes) && { takesAnyNumber: true }),
    ...(LONG_NUMBERS.some(takes) && { takesLongNumber: true }),
  };
}

/** Asks whether the customer wants to fill in a field that may stay empty. */
export function offer({ field, above }: Question, values: Values): Screen {
  const key = above ? 'bill-payment.offerUnder' : 'bill-payment.offer';
  return {
    key,
    values: { ...values, label: labelled(field.label), ...(above && { above: labelled(above) }) },
    choices: [{ id: 'fill', key: 'bill-payment.fill' }, SKIP],
    expects: 'choice',
    ...(field.kind === 'text' && { takesText: true }),
  };
}

/** True for an optional field to type in: it is offered before it is asked for. */
export function isOffered({ field }: Question): boolean {
  return !field.required && field.options.length === 0;
}

/** The form with a number that was typed before it: as its first answer, where no other answer could be meant. */
export function answeredBy(
  form: readonly BillField[],
  number: string,
): { answers?: readonly BillAnswer[]; at?: number } {
  const [first, ...others] = questionsOf(form).map(({ field }) => field);
  const isSure = first?.required && first.kind === 'text' && first.options.length === 0;
  if (!first || !isSure || others.some(({ required }) => required)) return {};
  const reading = readAnswer(first, number);
  return reading.ok
    ? { answers: answered([], first.name, { name: first.name, value: reading.value }), at: 1 }
    : {};
}

function keyOf({ format, kind }: BillField, above: string): SentenceKey {
  const isDate = kind !== 'password' && format?.trim().toUpperCase() === 'D';
  if (isDate) return above ? 'bill-payment.askDateUnder' : 'bill-payment.askDate';
  return above ? 'bill-payment.askUnder' : 'bill-payment.ask';
}

/** Adds an answer. A new answer to the same question replaces the old one. */
export function answered(
  answers: readonly BillAnswer[],
  name: string,
  answer?: BillAnswer,
): readonly BillAnswer[] {
  return [...answers.filter((each) => each.name !== name), ...(answer ? [answer] : [])];
}
