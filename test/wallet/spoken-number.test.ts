import { describe, expect, test } from 'vitest';
import { inDigits } from '../../src/wallet/spoken-number.ts';
import { readAmount } from '../../src/wallet/typed-amount.ts';

/** Amounts as people say them, in whole dirhams. */
const SAID: readonly (readonly [text: string, dirhams: number])[] = [
  ['deux cents', 200],
  ['Deux cents dirhams', 200],
  ['deux-cent-cinquante dh', 250],
  ['cent', 100],
  ['mille', 1000],
  ['mille cinq cents', 1500],
  ['mille deux cent trente', 1230],
  ['vingt et un', 21],
  ['soixante-dix', 70],
  ['soixante et onze', 71],
  ['soixante dix sept', 77],
  ['quatre vingt', 80],
  ['quatre-vingts dirhams', 80],
  ['quatre vingt dix', 90],
  ['quatre-vingt-dix-neuf', 99],
  ['quatre cent vingt', 420],
  ['dix sept', 17],
  ['dix', 10],
  ['cinq dirhams', 5],
  ['2 mille', 2000],
  ['deux mille vingt', 2020],
  ['trois cent quatre vingt dix huit mille', 398_000],
  ['two hundred', 200],
  ['a hundred dirhams', 100],
  ['a thousand', 1000],
  ['two hundred and fifty', 250],
  ['one thousand two hundred', 1200],
  ['fifty', 50],
  ['twenty-five', 25],
  ['nineteen', 19],
  ['مائة درهم', 100],
  ['مئة', 100],
  ['مئتان', 200],
  ['مائتي درهم', 200],
  ['مائة وخمسون', 150],
  ['ثلاثمائة وخمسة وعشرين', 325],
  ['خمسة عشر درهم', 15],
  ['ألف درهم', 1000],
  ['ألفين درهم', 2000],
  ['ثلاثة آلاف درهم', 3000],
  ['ألف ومئتين درهم', 1200],
  ['خمسون', 50],
  ['مية درهم', 100],
  ['ميتين', 200],
  ['ميا وخمسين', 150],
  ['تلتمية درهم', 300],
  ['خمسمية', 500],
  ['عشرين درهم', 20],
  ['ربعين', 40],
  ['خمسطاش', 15],
  ['mya', 100],
  ['mya drhem', 100],
  ['mia w khamsin dh', 150],
  ['miya o 3echrin', 120],
  ['mitin', 200],
  ['mitayn drhem', 200],
  ['teltmya', 300],
  ['khemsmya', 500],
  ['khamsin dirham', 50],
  ['3achrin', 20],
  ['rb3in', 40],
  ['alf dirham', 1000],
  ['alfin dh', 2000],
  ['tlata alaf dh', 3000],
  ['khamsa w 3echrin', 25],
  ['tmanin', 80],
];

/** No amount can be read from these, and the customer is asked again. */
const UNREAD: readonly string[] = [
  'deux cents francs',
  'mille centimes',
  'deux cents euros',
  'environ deux cents',
  'deux ou trois cents',
  'vingt trente',
  'cent et deux cents',
  'deux cents trois cents',
  'une centaine',
  'un million',
  'cent pour cent',
  'fifty cents',
  'some hundred',
  'hundreds',
  'two fifty',
  'two or three hundred',
  'a',
  'and',
  'et',
  'مية ريال',
  'ألف ريال',
  'شي مية',
  'حوالي مئة',
  'مليون',
  'و',
  'mya ryal',
  'alf frank',
  'chi mya',
  'mya wla mitin',
  'w',
  'mya w',
  'cent et',
  'cinq mille mille',
  '5 cents',
];

describe('amounts in words', () => {
  test.each(SAID)('%s is %d dirhams', (text, dirhams) => {
    expect(readAmount(text)).toEqual({ ok: true, centimes: dirhams * 100 });
  });

  test.each(UNREAD)('%s is no exact amount of dirhams', (text) => {
    expect(readAmount(text)).toEqual({ ok: false, why: 'notAnAmount' });
  });
});

describe('numbers in a line', () => {
  test.each([
    ['envoyer deux cents dirhams à maman', 'envoyer 200 dirhams à maman'],
    ['send fifty to Ali', 'send 50 to Ali'],
    ['صيفط مية درهم لعلي', 'صيفط 100 درهم لعلي'],
    ['sift mitin l khouya', 'sift 200 l khouya'],
    // Small numbers are articles and more, unless the currency stands behind them.
    ['faire un virement', 'faire un virement'],
    ['envoyer cinq dh', 'envoyer 5 dh'],
    ['one of them', 'one of them'],
    ['un téléphone neuf', 'un téléphone neuf'],
    // Thousands of Arabic are often francs.
    ['sift alf l Ali', 'sift alf l Ali'],
    ['صيفط عشر آلاف', 'صيفط عشر آلاف'],
    ['صيفط ألف درهم', 'صيفط 1000 درهم'],
    ['envoyer mille à Ali', 'envoyer 1000 à Ali'],
  ])('%s is read as %s', (line, expected) => {
    expect(inDigits(line.split(' ')).join(' ')).toBe(expected);
  });
});
