import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { createWriter } from '../../src/screen/values.ts';
import { AMOUNT_MAX_CENTIMES, centimes } from '../../src/wallet/money.ts';
import { readPhone } from '../../src/wallet/phone.ts';
import { readAmount } from '../../src/wallet/typed-amount.ts';
import { humanReadings } from './amounts-readings.ts';
import { report } from './town/oracle.ts';

const LONG = process.env.LONG === '1';
const FUZZED = LONG ? 1_000_000 : 100_000;
const SEED = Number(process.env.SEED ?? (LONG ? Date.now() % 1_000_000_000 : 20_261_120));

const VALUES = [
  1, 5, 10, 50, 99, 100, 101, 150, 999, 1_000, 1_050, 9_999, 10_000, 12_345, 20_000, 50_050, 99_999, 100_000,
  100_001, 120_000, 120_050, 123_456, 150_000, 999_999, 1_000_000, 1_234_500, 1_234_567, 9_999_999,
  10_000_000, 12_345_678, 99_999_999, 100_000_000,
];

const arabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
const persian = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x6f0 + Number(digit)));
const inThousands = (whole: string, mark: string) => whole.replace(/\B(?=(\d{3})+$)/g, mark);

/** A value as people write it: each name is a habit. Undefined where a habit does not apply. */
const HABITS: Readonly<Record<string, (whole: string, fraction: string) => string | undefined>> = {
  plain: (whole, fraction) => (fraction === '00' ? whole : undefined),
  'with a comma': (whole, fraction) => `${whole},${fraction}`,
  'with a point': (whole, fraction) => `${whole}.${fraction}`,
  'one decimal': (whole, fraction) => (fraction.endsWith('0') ? `${whole},${fraction[0]}` : undefined),
  'spaces and a comma': (whole, fraction) => `${inThousands(whole, ' ')},${fraction}`,
  'spaces and a point': (whole, fraction) => `${inThousands(whole, ' ')}.${fraction}`,
  'no-break spaces': (whole, fraction) => `${inThousands(whole, '\u00a0')},${fraction}`,
  'narrow no-break spaces': (whole, fraction) => `${inThousands(whole, '\u202f')},${fraction}`,
  'spaces, no decimals': (whole, fraction) => (fraction === '00' ? inThousands(whole, ' ') : undefined),
  'points and a comma': (whole, fraction) => `${inThousands(whole, '.')},${fraction}`,
  'commas and a point': (whole, fraction) => `${inThousands(whole, ',')}.${fraction}`,
  'Arabic digits': (whole, fraction) => arabic(`${whole}٫${fraction}`),
  'Arabic digits and marks': (whole, fraction) => arabic(`${inThousands(whole, '٬')}٫${fraction}`),
  'Arabic digits, plain': (whole, fraction) => (fraction === '00' ? arabic(whole) : undefined),
  apostrophes: (whole, fraction) => `${inThousands(whole, '’')},${fraction}`,
  'a dash for no decimals': (whole, fraction) => (fraction === '00' ? `${whole},-` : undefined),
  'Persian digits': (whole, fraction) => persian(`${whole}٫${fraction}`),
};

/** Characters that keyboards, pages and copying put around and between digits. */
const DRESSES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => ` ${text} `,
  (text) => `${text} DH`,
  (text) => `${text}dh`,
  (text) => `${text} dhs.`,
  (text) => `MAD ${text}`,
  (text) => `${text}\u00a0درهم`,
  (text) => `${text} Dirhams`,
  (text) => `${text} د.م.`,
  (text) => `د.م. ${text}`,
  (text) => `${text} DHS !`,
  (text) => `drhem ${text}`,
  (text) => `${text} dirhams marocains`,
  (text) => `\u2066${text}\u2069`,
  (text) => `\u200f${text}\u200e`,
  (text) => [...text].join('\u200b'),
  (text) => `\ufeff${text}\n`,
];

const TABLE = VALUES.flatMap((value) =>
  Object.entries(HABITS).flatMap(([habit, write]) => {
    const written = write(String(Math.floor(value / 100)), String(value % 100).padStart(2, '0'));
    return written === undefined ? [] : DRESSES.map((dress) => ({ habit, value, text: dress(written) }));
  }),
);

describe('T6: amounts', () => {
  test('the table holds what it should', () => {
    report('T6 amounts', { table: TABLE.length, refused: REFUSED.length, fuzzed: FUZZED, seed: SEED });
    expect(TABLE.length).toBeGreaterThanOrEqual(2_000);
  });

  test.each(Object.keys(HABITS))('are read as they are written: %s', (habit) => {
    const wrong = TABLE.filter((row) => row.habit === habit).flatMap(({ value, text }) => {
      const reading = readAmount(text);
      return reading.ok && reading.centimes === value
        ? []
        : [`${JSON.stringify(text)} is ${JSON.stringify(reading)}`];
    });
    expect(wrong).toEqual([]);
  });

  test.each(LANGUAGES)('are read as Wasl itself writes them, in %s', (language) => {
    for (const medium of ['chat', 'ussd', 'sms'] as const) {
      const write = createWriter(language, medium);
      for (const value of VALUES) {
        expect(readAmount(write({ money: centimes(value) }))).toEqual({ ok: true, centimes: value });
      }
    }
  });
});

const REFUSED: readonly (readonly [text: string, why: string])[] = [
  ...[
    '1.500',
    '1,500',
    '12.345',
    '12,345',
    '999.999',
    '123,000',
    '1.000',
    `${arabic('1')}٫${arabic('500')}`,
  ].map((text) => [text, 'ambiguous'] as const),
  ...['1.505050', '1200.505', '0.001', '0,500', '1 200,505', '12345.678'].map(
    (text) => [text, 'tooPrecise'] as const,
  ),
  ...['0', '00', '0,00', '0.0', arabic('0'), '000,00', '0 DH'].map((text) => [text, 'zero'] as const),
  ...['1000000,01', '1000001', '9999999', '10 000 000', '99999999999999999999', `${'9'.repeat(30)},99`].map(
    (text) => [text, 'tooLarge'] as const,
  ),
  ...[
    '',
    ' ',
    'DH',
    '-5',
    '+5',
    '−5',
    '1e5',
    '0x10',
    '1/2',
    '½',
    '٪5',
    '5%',
    '€5',
    '$5',
    '5 €',
    '200 DH 300',
    '1,2,3',
    '1.2.3',
    '1..5',
    '1,,5',
    ',5',
    '.5',
    '5,',
    '5.',
    '1 20',
    '12 34',
    '1 2000',
    '1  2 3',
    '12 345 6',
    '1.200.30',
    '1,200,30',
    '1.200,',
    '1,200.',
    '1.20,300',
    '1 200.300,50',
    '1_200',
    '1;200',
    '1:30',
    '200-300',
    '2*100',
    '#100',
    '１２',
    '１２３',
    '²',
    '①',
    '१२३',
    '一二',
    'IV',
    '12٣',
    '١2',
    '۱٢',
    '12٫٣',
    `${arabic('12')}.5`.replace('5', '۵'),
    '1\u202e23',
    '\u202e321',
    '\u202d123\u202c',
    '12\u00005',
    '12\u001b5',
    '12a',
    'a12',
    '1O0',
    'l00',
    '1 000 00',
    '1٬20',
    '١٬٢٠',
    '12،50',
    '1،200',
  ].map((text) => [text, 'notAnAmount'] as const),
];

describe('T6: what is no amount, or could be two', () => {
  test.each(REFUSED)('%j: %s', (text, why) => {
    expect(readAmount(text)).toEqual({ ok: false, why });
  });
});

const MARKS = [
  ' ',
  ' ',
  '.',
  ',',
  '\u00a0',
  '\u202f',
  '٫',
  '٬',
  '،',
  "'",
  '-',
  '+',
  'e',
  '\u200b',
  '\u200f',
  '\u202e',
  '\u2066',
  '\u0000',
];
const anyDigits = fc.constantFrom(...'00112233456789', ...'٠١٢٥٩', ...'۰۱۵');
const anything = fc
  .array(fc.oneof({ weight: 6, arbitrary: anyDigits }, { weight: 2, arbitrary: fc.constantFrom(...MARKS) }), {
    maxLength: 14,
  })
  .map((chars) => chars.join(''));
const nearlyRight = fc
  .tuple(fc.constantFrom(...TABLE), fc.nat(20), fc.constantFrom(...MARKS, ...'05', '٥', '۵', 'x'))
  .map(([{ text }, at, put]) => text.slice(0, at) + put + text.slice(at));
const runs = { numRuns: FUZZED / 2, seed: SEED } as const;

/** Only what nobody can see or misread is taken away before the second opinion is asked. */
function seen(text: string): string {
  return text
    .replace(/[\u200b\u200e\u200f\u2066\u2069\ufeff]/g, '')
    .replace(/٫/g, ',')
    .replace(/[٬\u00a0\u202f\n]/g, ' ')
    .replace(/(?<=[0-9٠-٩۰-۹])['’](?=[0-9٠-٩۰-۹])/g, ' ')
    .replace(/^\s*(?:mad|dhs?|drhm|d[ie]?r[ae]?h[ae]?ms?|درهم|د\.?م|د\. ?م)\.?\s*(?=[0-9٠-٩۰-۹])/gi, '')
    .replace(/\s*(?:dhs?|mad|d[ie]?r[ae]?h[ae]?ms?(?: +marocains?)?|درهم|د\. ?م)\s*[.,!?؟،]*\s*$/gi, '')
    .replace(/[.,]-\s*$|\s*[!?؟]+\s*$/, '')
    .replace(/ +/g, ' ')
    .trim();
}

function scriptsIn(text: string): number {
  return [/[0-9]/, /[٠-٩]/, /[۰-۹]/].filter((digits) => digits.test(text)).length;
}

function neverWrong(text: string): void {
  const reading = readAmount(text);
  // Numbers in words have a table of their own (`spoken-number.test.ts`).
  if (!reading.ok || !/\p{Nd}/u.test(text)) return;
  expect(humanReadings(seen(text)), JSON.stringify(text)).toEqual([reading.centimes]);
  expect(scriptsIn(text), JSON.stringify(text)).toBe(1);
  expect(text).not.toMatch(/[\u202d\u202e]/);
  expect(reading.centimes).toBeGreaterThan(0);
  expect(reading.centimes).toBeLessThanOrEqual(AMOUNT_MAX_CENTIMES);
}

describe(`T6: fuzzed (seed ${SEED})`, () => {
  test('whatever is read can be read in no other way', () => {
    fc.assert(fc.property(anything, neverWrong), runs);
  });

  test('the same for what was nearly right', () => {
    fc.assert(fc.property(nearlyRight, neverWrong), runs);
  });

  test('any text at all is read or refused, and never breaks anything', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), neverWrong), {
      ...runs,
      numRuns: 20_000,
    });
  });

  test('every amount comes back from every habit of writing it', () => {
    const habits = fc.constantFrom(...Object.values(HABITS));
    const values = fc.integer({ min: 1, max: AMOUNT_MAX_CENTIMES });
    fc.assert(
      fc.property(values, habits, fc.constantFrom(...DRESSES), (value, habit, dress) => {
        const written = habit(String(Math.floor(value / 100)), String(value % 100).padStart(2, '0'));
        if (written !== undefined) expect(readAmount(dress(written))).toEqual({ ok: true, centimes: value });
      }),
      { ...runs, numRuns: 20_000 },
    );
  });
});

describe('the second opinion', () => {
  test.each<[string, readonly number[]]>([
    ['1200', [120_000]],
    ['1.500', [150_000, 150]],
    ['1,500', [150_000, 150]],
    ['1 500', [150_000]],
    ['1 500,5', [150_050]],
    ['1.234,50', [123_450]],
    ['1.234.567', [123_456_700]],
    ['1,2,3', []],
    ['12 34', []],
    ['abc', []],
    ['', []],
  ])('%j can be read as %j', (text, readings) => {
    expect(humanReadings(text).toSorted()).toEqual([...readings].toSorted());
  });
});

describe('numbers of phones', () => {
  test.each([
    ['061234٥٦٧٨', undefined],
    ['\u202e0612345678', undefined],
    ['\u202d0612345678\u202c', undefined],
    ['\u2066٠٦ ١٢ ٣٤ ٥٦ ٧٨\u2069', '+212612345678'],
    ['06\u200b12345678', '+212612345678'],
  ])('%j is %j', (text, phone) => {
    expect(readPhone(text)).toBe(phone);
  });
});
