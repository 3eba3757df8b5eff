import { describe, expect, test } from 'vitest';
import { measure, segments, septets, transliterate } from '../../src/screen/gsm7.ts';

/** TS 23.038, §6.2.1, row by row as printed there (columns 0x00 to 0x70), the escape left out. */
const TABLE_23_038 = [
  '@Δ 0¡P¿p',
  '£_!1AQaq',
  '$Φ"2BRbr',
  '¥Γ#3CScs',
  'èΛ¤4DTdt',
  'éΩ%5EUeu',
  'ùΠ&6FVfv',
  "ìΨ'7GWgw",
  'òΣ(8HXhx',
  'ÇΘ)9IYiy',
  '\nΞ*:JZjz',
  'Ø+;KÄkä',
  'øÆ,<LÖlö',
  '\ræ-=MÑmñ',
  'Åß.>NÜnü',
  'åÉ/?O§oà',
].join('');

describe('septets', () => {
  test('every character of the table costs one, and there are 127 beside the escape', () => {
    expect(TABLE_23_038).toHaveLength(127);
    for (const char of TABLE_23_038) expect([char, septets(char)]).toEqual([char, 1]);
  });

  test('nothing else in the first 65,536 code points is in the alphabet, but the ten of the extension', () => {
    const more: string[] = [];
    for (let code = 0; code < 0x10000; code++) {
      const char = String.fromCharCode(code);
      if (!TABLE_23_038.includes(char) && septets(char) !== undefined) more.push(char);
    }
    expect(more.sort()).toEqual([...'\f^{}\\[~]|€'].sort());
    for (const char of more) expect(septets(char)).toBe(2);
  });

  test.each([
    ['letters facts A6 lists inside', 'éèùàÉÇæÆöüä', 11],
    ['an empty text', '', 0],
    ['euro counts twice', '10 €', 5],
    ['a line end counts', 'a\nb', 3],
    ['brackets count twice', '[a]', 5],
  ])('%s', (_, text, count) => expect(septets(text)).toBe(count));

  test.each([
    ...'çêëâîïôûœÿÀÈÊÂÎÔÛÙŒ«»’“”…–—°•²',
    '\u00a0',
    '\u202f',
    '\u200f',
    '\u2066',
    '\u001b',
    'س',
    '✅',
  ])('%j is outside (facts A6)', (char) => {
    expect(septets(char)).toBeUndefined();
    expect(measure(`a${char}`)).toEqual({ encoding: 'ucs2', units: 1 + char.length });
  });
});

describe('transliterate', () => {
  test.each([
    ['kept: in the alphabet', 'é è ù à É Ç æ Æ ö ü ä', 'é è ù à É Ç æ Æ ö ü ä'],
    ['lower case', 'ç ê ë â î ï ô û ÿ', 'c e e a i i o u y'],
    ['upper case', 'À È Ê Ë Â Î Ï Ô Û Ù Ÿ', 'A E E E A I I O U U Y'],
    ['ligatures', 'œuvre, Œuvre', 'oeuvre, Oeuvre'],
    ['apostrophes', 'l’argent d‘un', "l'argent d'un"],
    ['quotes with their spaces', '« oui », “non”, «\u00a0si\u202f»', '"oui", "non", "si"'],
    ['dots and dashes', 'Patientez… de 1 – 2 — 3', 'Patientez... de 1 - 2 - 3'],
    ['signs', 'N° 2 • m²', 'No 2 * m2'],
    ['a letter written in two code points', 'e\u0301te\u0302', 'éte'],
    ['no-break spaces hold until the page is cut', '1\u00a0234', '1\u00a0234'],
    ['other alphabets are left alone', 'à فاطمة', 'à فاطمة'],
    ['a letter with no Latin base', 'Łódź', 'Łodz'],
  ])('%s', (_, text, written) => expect(transliterate(text)).toBe(written));
});

describe('segments', () => {
  test.each([
    ['160 septets', 'a'.repeat(160), 1],
    ['161 septets', 'a'.repeat(161), 2],
    ['306 septets', 'a'.repeat(306), 2],
    ['307 septets', 'a'.repeat(307), 3],
    ['80 euros', '€'.repeat(80), 1],
    ['an escaped character is not split over parts', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['70 Arabic letters', 'س'.repeat(70), 1],
    ['71 Arabic letters', 'س'.repeat(71), 2],
    ['135 Arabic letters', 'س'.repeat(135), 3],
    ['a surrogate pair is not split over parts', `${'س'.repeat(66)}𐤀${'س'.repeat(66)}`, 3],
    ['nothing', '', 1],
  ])('%s', (_, text, count) => expect(segments(text)).toBe(count));
});
