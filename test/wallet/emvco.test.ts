import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checksumOf, fieldsIn, readFields, writeCode, writeFields } from '../../src/wallet/qr/emvco.ts';
import { readMerchantQr } from '../../src/wallet/qr/merchant-qr.ts';

/** The example of the EMVCo specification: a merchant in Beijing who is paid in yuan, with a tip (facts E6). */
const SAMPLE =
  '00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN5914BEST TRANSPORT6007BEIJING64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***0708A60086670902ME91320016A0112233449988770708123456786304A13A';

type Field = readonly [id: string, value: string | undefined];
const FIELDS: readonly Field[] = [
  ['01', '11'],
  ['26', '0009ma.test.x0110061234567'],
  ['52', '5399'],
  ['53', '504'],
  ['58', 'MA'],
  ['59', 'Cafe Atlas'],
  ['60', 'Casablanca'],
];
/** The usual code with other fields. A field without a value is left out. */
function code(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const all = new Map<string, string | undefined>([...FIELDS, ...Object.entries(changes)]);
  return writeCode([...all].sort(([a], [b]) => a.localeCompare(b)));
}
const signed = (content: string) => content + checksumOf(content);

describe('an EMVCo code', () => {
  test('the sample of the specification', () => {
    expect(checksumOf(SAMPLE.slice(0, -4))).toBe('A13A');
    const reading = readFields(SAMPLE);
    expect(reading.ok && reading.fields.get('59')).toBe('BEST TRANSPORT');
    expect(reading.ok && fieldsIn(reading.fields.get('64') ?? '')).toEqual({
      ok: true,
      fields: new Map([
        ['00', 'ZH'],
        ['01', '最佳运输'],
        ['02', '北京'],
      ]),
    });
  });

  test.each([
    ['nothing', '', 'notEmvco'],
    ['an address', 'https://pay.test/?to=0612345678', 'notEmvco'],
    ['a network', 'WIFI:S:cafe;T:WPA;P:secret;;', 'notEmvco'],
    ['another format', signed('000202010211'), 'notEmvco'],
    ['no checksum', '000201010211', 'brokenOff'],
    ['a checksum that is not the last', `${signed('0002016304')}0102`, 'brokenOff'],
    ['a checksum that is no hexadecimal number', '0002016304XYZW', 'brokenOff'],
    ['a wrong checksum', code().replace(/.{4}$/, '0000'), 'checksum'],
    ['a letter changed', code().replace('Atlas', 'Atlos'), 'checksum'],
    ['a length that leads too far', signed('0002015999Cafe6304'), 'brokenOff'],
    ['a length that is no number', signed('00020159xxCafe6304'), 'brokenOff'],
    ['a length below zero', signed('00020159-1Cafe6304'), 'brokenOff'],
    ['an id that is no number', signed('000201ab04Cafe6304'), 'brokenOff'],
    ['a field twice', signed('0002015904Cafe5904Cafe6304'), 'repeated'],
    ['more than a code holds', signed(`00020126${'99'.padEnd(600, 'x')}6304`), 'tooLong'],
    ['only half of it', code().slice(0, 40), 'brokenOff'],
  ])('%s', (_, content, why) => {
    expect(readFields(content)).toEqual({ ok: false, why });
  });

  test('small letters in the checksum', () => {
    const content = code();
    expect(readFields(content.slice(0, -4) + content.slice(-4).toLowerCase()).ok).toBe(true);
  });

  test('lengths that count bytes, where there are letters of more than one', () => {
    const name = 'مقهى أطلس';
    const bytes = Buffer.byteLength(name);
    const reading = readFields(signed(`00020159${bytes}${name}6304`));
    expect(reading.ok && reading.fields.get('59')).toBe(name);
  });

  test('a written code is read again', () => {
    const id = fc.integer({ min: 1, max: 62 }).map((n) => String(n).padStart(2, '0'));
    const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(id, value), { selector: ([key]) => key, maxLength: 8 }),
        (fields) => {
          const reading = readFields(writeCode(fields));
          expect(reading.ok && [...reading.fields].slice(1, -1)).toEqual(fields);
        },
      ),
    );
  });

  test('any scan is read rightly or rejected, without an error', () => {
    const cut = fc.nat(200).map((at) => code().slice(0, at));
    const mangled = fc
      .tuple(fc.nat(code().length - 1), fc.string({ minLength: 1, maxLength: 3 }))
      .map(([at, text]) => code().slice(0, at) + text + code().slice(at + text.length));
    const recomputed = mangled.map((content) => signed(content.slice(0, -4)));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), cut, mangled, recomputed), (text) => {
        const reading = readMerchantQr(text);
        if (reading.ok && reading.qr.amount !== undefined) expect(reading.qr.amount).toBeGreaterThan(0);
        if (reading.ok) expect(reading.qr.content).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a merchant’s code', () => {
  const qr = { name: 'Cafe Atlas', city: 'Casablanca', merchant: '26:0009ma.test.x0110061234567' };

  test.each<[string, Readonly<Record<string, string | undefined>>, object]>([
    ['a static one', {}, {}],
    ['one that carries an amount', { '54': '45.50' }, { amount: 4550 }],
    ['without decimals', { '54': '45' }, { amount: 4500 }],
    ['with a point and nothing after it', { '54': '45.' }, { amount: 4500 }],
    ['with one decimal', { '54': '45.5' }, { amount: 4550 }],
    ['the largest', { '54': '1000000.00' }, { amount: 100_000_000 }],
    ['a centime', { '54': '0.01' }, { amount: 1 }],
    ['one that invites to a tip', { '55': '01' }, {}],
    ['one without a town', { '60': undefined }, { city: undefined }],
    [
      'one for one payment: its reference',
      {
        '01': '12',
        '62': writeFields([
          ['01', 'F-1'],
          ['05', 'R-1'],
        ]),
      },
      { reference: 'R-1' },
    ],
    ['or the bill', { '01': '12', '62': writeFields([['01', 'F-1']]) }, { reference: 'F-1' }],
    ['one for all payments has none', { '62': writeFields([['05', 'counter 3']]) }, {}],
    [
      'one that shows the number: the same as paying by it',
      {
        '26': writeFields([
          ['00', 'ma.test'],
          ['01', '+212612345678'],
        ]),
      },
      { merchant: '+212612345678' },
    ],
    ['as a card scheme would', { '26': undefined, '02': '0612345678' }, { merchant: '+212612345678' }],
    [
      'a name in French',
      {
        '64': writeFields([
          ['00', 'fr'],
          ['01', 'Café Atlas'],
          ['02', 'Fès'],
        ]),
      },
      { name: 'Café Atlas', city: 'Fès' },
    ],
    [
      'a name in Arabic',
      {
        '64': writeFields([
          ['00', 'AR'],
          ['01', 'مقهى أطلس'],
        ]),
      },
      { arName: 'مقهى أطلس' },
    ],
    ['lines and spaces in a name', { '59': ' Cafe\n  Atlas ' }, { name: 'Cafe Atlas' }],
  ])('%s', (_, changes, expected) => {
    const content = code(changes);
    const wanted = JSON.parse(JSON.stringify({ content, ...qr, ...expected }));
    expect(readMerchantQr(content)).toEqual({ ok: true, qr: wanted });
  });

  test.each<[string, Readonly<Record<string, string | undefined>>, string]>([
    ['euros', { '53': '978' }, 'currency'],
    ['no currency', { '53': undefined }, 'currency'],
    ['the letters of the dirham', { '53': 'MAD' }, 'currency'],
    ['a fee of its own', { '55': '02', '56': '5.00' }, 'fee'],
    ['a percentage of its own', { '55': '03', '57': '5' }, 'fee'],
    ['an amount of nothing', { '54': '0.00' }, 'amount'],
    ['three decimals', { '54': '1.505' }, 'amount'],
    ['a comma', { '54': '1,50' }, 'amount'],
    ['below zero', { '54': '-5' }, 'amount'],
    ['an exponent', { '54': '1e3' }, 'amount'],
    ['more than anybody pays', { '54': '1000000.01' }, 'amount'],
    ['Arabic digits', { '54': '٤٥' }, 'amount'],
    ['no account', { '26': undefined }, 'merchantless'],
    ['no name', { '59': undefined }, 'merchantless'],
    ['a name of spaces', { '59': '   ' }, 'merchantless'],
    ['broken additional data', { '62': '0199x' }, 'brokenOff'],
    ['a broken other name', { '64': '00' }, 'brokenOff'],
  ])('%s', (_, changes, why) => {
    expect(readMerchantQr(code(changes))).toEqual({ ok: false, why });
  });

  test('the sample of the specification is paid in yuan', () => {
    expect(readMerchantQr(SAMPLE)).toEqual({ ok: false, why: 'currency' });
  });
});
