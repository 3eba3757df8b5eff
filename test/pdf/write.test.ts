import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isActivePdf } from '../../src/pdf/active.ts';
import { pdf } from '../../src/pdf/write.ts';
import { PDF_TO_TEXT } from '../kit/needs.ts';
import { glyphsIn } from './pdf-text.ts';

const valueGlyphs = (value: string) => glyphsIn(pdf('T', [['N', value]])).filter(({ x }) => x >= 297.5);
const drawnAs = (value: string) =>
  valueGlyphs(value)
    .map(({ text }) => text)
    .join('');

test.each([
  ['é and ç', 'Reçu payé', 'Reçu payé'],
  ['Œ and €', 'Œuvre 12,50 €', 'Œuvre 12,50 €'],
  ['brackets and backslashes', 'a (b) \\ c', 'a (b) \\ c'],
  ['thousands between narrow spaces', '1\u202f250,50', '1 250,50'],
  ['Arabic letters, from right to left', 'سلمى', 'ىملس'],
  ['a French word among Arabic ones', 'مقهى Café رقم', 'مقر Café ىهقم'],
  ['an Arabic word among French ones', 'Bon سلمى payé', 'Bon ىملس payé'],
  ['a number among Arabic words', 'رقم 125 درهم', 'مهرد 125 مقر'],
  ['what the font has not', '中 ☕', '? ?'],
])('a receipt draws %s', (_, value, seen) => {
  expect(drawnAs(value)).toBe(seen);
});

test('Arabic letters join: one letter has another shape at the beginning, in the middle and at the end', () => {
  const shapes = valueGlyphs('ههه').map(({ glyph }) => glyph);
  expect(new Set(shapes).size).toBe(3);
  expect(valueGlyphs('لا'), 'two letters that are one sign').toHaveLength(1);
});

test('a receipt is only pages', () => expect(isActivePdf(pdf('Reçu', [['Œ', 'مقهى']]))).toBe(false));

test('other programs read a receipt, and its Arabic words in their order', () => {
  const rows = ['Œuvre 12,50 €', 'سلمى', 'مقهى أطلس'];
  const input = pdf(
    'Reçu de paiement',
    rows.map((row) => ['Nom', row]),
  );
  const read = execFileSync(PDF_TO_TEXT, ['-layout', '-', '-'], { input, encoding: 'utf8' });
  // Poppler adds marks of direction.
  const lines = read
    .replace(/[\u202a-\u202e]/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim());
  expect(lines.filter(Boolean)).toEqual(['Reçu de paiement', ...rows.map((row) => `Nom ${row}`)]);
});
