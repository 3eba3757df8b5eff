import { describe, expect, test } from 'vitest';
import { NAME_WORDS_MAX, wordsOfName, wordsSearched } from '../../src/wallet/name-words.ts';

describe('a name is found', () => {
  test.each([
    [
      'Fatima Zahra El Amrani',
      ['fatima', 'AMRANI', 'el amrani', 'Elamrani', 'zahra fatima', 'El-Amrani Fatima'],
    ],
    ['FATIMA-ZAHRA ELAMRANI', ['Fatima Zahra', 'el amrani', 'amrani']],
    ['Mohammed Ben Ali', ['mohamed', 'Benali', 'ben ali', 'ali']],
    ['M’hamed Aït Ouazzou', ["M'HAMED", 'mhamed', 'Ait Ouazou', 'ouazzou']],
    ['Abd El Karim', ['Abdelkarim', 'abd el-karim', 'karim']],
    ['فاطمة الزهراء العمراني', ['فاطمه', 'الزهرا', 'عمراني', 'العمرانى', 'فَاطِمَة', 'ﻓﺎﻃﻤﺔ']],
    ['أحمد بن عبد الله', ['احمد', 'إحمد', 'بن عبد الله', 'عبدالله', 'الله']],
    ['Ａｍｉｎａ Berrada', ['amina', 'BERADA']],
  ])('%s, as it is written by others', (name, searches) => {
    const words = wordsOfName(name);
    for (const search of searches) {
      const asked = wordsSearched(search);
      expect(asked.length, search).toBeGreaterThan(0);
      expect(
        asked.filter((word) => !words.includes(word)),
        search,
      ).toEqual([]);
    }
  });

  test.each([
    ['Fatima Zahra El Amrani', ['Fatma', 'fatim', 'Amran', 'zahra el idrissi', 'فاطمة']],
    ['Benali', ['ali']],
    ['Elise', ['ise']],
  ])('%s, and by nothing else', (name, searches) => {
    const words = wordsOfName(name);
    for (const search of searches)
      expect(
        wordsSearched(search).every((word) => words.includes(word)),
        search,
      ).toBe(false);
  });
});

test.each([
  '',
  '  ',
  'A. B.',
  '0612345678',
  'c-2345678',
  '4242 4242 4242 4242',
  '<>&"',
  '٠٦١٢',
  '\u202e\u0000',
  'fatima 06',
])('no name: "%s"', (text) => expect(wordsSearched(text)).toEqual([]));

test('very long ones are cut: nobody is kept waiting by a name', () => {
  const long = Array.from({ length: 10_000 }, (_, i) => `n${String.fromCodePoint(97 + (i % 26))}`).join(
    ' el ',
  );
  expect(wordsSearched(long).length).toBeLessThanOrEqual(NAME_WORDS_MAX);
  expect(wordsOfName(long).length).toBeLessThanOrEqual(2 * NAME_WORDS_MAX);
  expect(wordsOfName('el '.repeat(10_000)).length).toBeLessThanOrEqual(2 * NAME_WORDS_MAX);
});
