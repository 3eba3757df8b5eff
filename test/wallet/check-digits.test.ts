import { describe, expect, test } from 'vitest';
import { passesLuhn } from '../../src/wallet/bank-cards.ts';
import { checksumOf, readFields, writeCode } from '../../src/wallet/qr/emvco.ts';
import { hasTrueKey, keyOf, readRib } from '../../src/wallet/rib.ts';

/** The sample of the IBAN registry: `MA64 0115 1900 0001 2050 0053 4921`. */
const SAMPLE = '011519000001205000534921';
/** The 22 digits before a key, so that the key is this one. */
function accountWith(key: number): string {
  for (let last = 0; last < 97; last++) {
    const account = `0115190000012050005${String(last).padStart(3, '0')}`;
    if (Number(keyOf(account)) === key) return account;
  }
  throw new Error(`no account has the key ${key}`);
}
const keys = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const two = (key: number) => String(key).padStart(2, '0');

describe('the key of a RIB', () => {
  test('is that of the registry’s sample', () => expect(readRib(SAMPLE)).toEqual({ ok: true, rib: SAMPLE }));

  test.each(keys(1, 97))('%d is the only one of its account', (key) => {
    const account = accountWith(key);
    const taken = keys(0, 99).filter((each) => hasTrueKey(account + two(each)));
    expect(taken).toEqual([key]);
    expect(BigInt(account + two(key)) % 97n).toBe(0n);
  });

  test.each([
    ['00', 97],
    ['98', 1],
    ['99', 2],
  ])('%s leaves the remainder of %d, and is none', (alias, key) => {
    const rib = accountWith(key) + alias;
    expect(BigInt(rib) % 97n).toBe(0n);
    expect(readRib(rib)).toEqual({ ok: false, why: 'key' });
    expect(readRib(`MA64${rib}`)).toEqual({ ok: false, why: 'key' });
  });

  test('finds every wrong digit, and every two that have changed places', () => {
    for (let i = 0; i < SAMPLE.length; i++) {
      const [a = '', b = ''] = [SAMPLE[i], SAMPLE[i + 1]];
      const wrong = SAMPLE.slice(0, i) + ((Number(a) + 1) % 10) + SAMPLE.slice(i + 1);
      expect(readRib(wrong).ok, wrong).toBe(false);
      if (a === b || b === '') continue;
      const swapped = SAMPLE.slice(0, i) + b + a + SAMPLE.slice(i + 2);
      expect(readRib(swapped).ok, swapped).toBe(false);
    }
  });
});

describe('an IBAN', () => {
  /** ISO 13616: the letters as numbers, behind the rest, leave the remainder 1. */
  const isRight = (iban: string) => BigInt(`${iban.slice(4)}2210${iban.slice(2, 4)}`) % 97n === 1n;

  test.each(['MA64', 'ma64', 'MA64 ', 'Ma 64-'])('is read behind %s', (prefix) => {
    expect(readRib(prefix + SAMPLE)).toEqual({ ok: true, rib: SAMPLE });
  });

  test.each(keys(0, 99).filter((check) => check !== 64))('is none with the check digits %d', (check) => {
    expect(readRib(`MA${two(check)}${SAMPLE}`)).toEqual({ ok: false, why: 'key' });
  });

  test('has the check digits 64 with any RIB', () => {
    for (const key of keys(1, 97)) expect(isRight(`MA64${accountWith(key)}${two(key)}`)).toBe(true);
    expect(isRight(`MA63${SAMPLE}`)).toBe(false);
  });

  test.each(['FR7611519000001205000534921', `MA${SAMPLE}`.slice(0, -2), `MA6${SAMPLE}`, `MA064${SAMPLE}`])(
    '%s is none',
    (text) => expect(readRib(text).ok).toBe(false),
  );
});

test.each<[string, boolean]>([
  ['4111111111111111', true],
  ['5555555555554444', true],
  ['378282246310005', true],
  ['4111111111111112', false],
  ['1411111111111111', false],
  ['0000000000000000', false],
  ['0411111111111111', false],
  ['00004111111111111111', false],
  ['', false],
  ['4111 1111 1111 1111', false],
  ['٤١١١١١١١١١١١١١١١', false],
  ['4111111111111111.0', false],
])('Luhn’s check of %o: %s', (digits, passes) => expect(passesLuhn(digits)).toBe(passes));

test('Luhn’s check takes one last digit, and finds every wrong digit', () => {
  const ends = keys(0, 9).filter((last) => passesLuhn(`411111111111111${last}`));
  expect(ends).toEqual([1]);
  for (let i = 1; i < 16; i++) {
    const pan = '4111111111111111';
    expect(passesLuhn(`${pan.slice(0, i)}2${pan.slice(i + 1)}`)).toBe(false);
  }
});

test('a QR code takes one checksum of 65,536, in letters of any case', () => {
  const content = writeCode([['59', 'Café']]);
  const [body, right] = [content.slice(0, -4), content.slice(-4)];
  const near = keys(0, 15).map((bit) =>
    (Number.parseInt(right, 16) ^ (1 << bit)).toString(16).padStart(4, '0'),
  );
  const others = [
    '0000',
    'FFFF',
    right.slice(2) + right.slice(0, 2),
    checksumOf(body.replace('é', 'e')),
    ...near,
  ];
  for (const wrong of others) expect(readFields(body + wrong), wrong).toEqual({ ok: false, why: 'checksum' });
  for (const same of [right, right.toLowerCase()]) expect(readFields(body + same).ok).toBe(true);
  for (const odd of [right.slice(1), `0${right}`, `${right} `, `+${right.slice(1)}`])
    expect(readFields(body + odd).ok, odd).toBe(false);
});
