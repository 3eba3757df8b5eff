import { describe, expect, test } from 'vitest';
import { oneTimeCodeIn, referenceIn } from '../../src/wallet/sent-codes.ts';

describe('a one-time code', () => {
  test.each([
    '458630',
    '458-630',
    '458 630',
    ' 458‑630 ',
    '458–630',
    '\u2066458-630\u2069',
    '٤٥٨-٦٣٠',
    'Wasl : votre code de confirmation est 458-630. Ne le donnez à personne.',
    'رمز التأكيد الخاص بكم هو \u2068458-630\u2069. لا تعطوه لأحد.',
    'Code 458-630\n@wasl.ma #458630',
    'Votre code est le 458630, valable 5 min. Service client 0522 00 00 00',
    'Le code du 20/11/2026 à 14:05 : 458-630',
  ])('is read in %j', (text) => {
    expect(oneTimeCodeIn(text)).toBe('458-630');
  });

  test.each([
    '',
    '4586',
    '45863',
    '4586301',
    '458-6301',
    'abc-def',
    '458/630',
    '06 12 345 678',
    '0612345678',
    '458-630 ou 458-631',
    '4586 3012 3456 7890',
    'Menu',
  ])('is not read in %j', (text) => {
    expect(oneTimeCodeIn(text)).toBeUndefined();
  });
});

describe('the number of a reference', () => {
  test.each([
    ['215500000005', '215500000005'],
    ['2155 0000 0005', '215500000005'],
    ['Wasl : retrait de 300,00 DH. Référence : 215500000005. Montrez-la au guichet.', '215500000005'],
    ['٢١٥٥٠٠٠٠٠٠٠٥', '215500000005'],
    // No number alone: the wallet says whether there is such a one.
    ['ABC-21550000', 'ABC-21550000'],
    ['1234', '1234'],
    ['21550000 21550001 ou 936100000001', '21550000 21550001 ou 936100000001'],
  ])('in %j is %j', (text, number) => {
    expect(referenceIn(text)).toBe(number);
  });
});
