import { expect, test } from 'vitest';
import { listPage, shortChoices } from '../../src/screen/lists.ts';
import { LRI, NBSP, PDI } from '../../src/screen/marks.ts';

const glued = (text: string) => text.replaceAll(' ', NBSP);

test.each<readonly [what: string, label: string, short: string]>([
  ['a label that fits', 'Solde', 'Solde'],
  ['one of twenty characters', 'Payer un commerçant.', 'Payer un commerçant.'],
  ['a longer one, which ends behind a word', 'Fermer mon portefeuille', 'Fermer mon…'],
  ['an Arabic one', 'إلغاء ربط هذه المحادثة', 'إلغاء ربط هذه…'],
  ['one long word', 'Anticonstitutionnellement', 'Anticonstitutionnel…'],
  [
    'an amount at the cut, which is not parted',
    `Envoyer encore ${glued('1 000 000,00 DH')}`,
    'Envoyer encore…',
  ],
  ['an amount that is the label', glued('1 000 000,00 DH'), '1 000 000,00 DH'],
  ['a long number, by its end', '007780000123456789012396', '…89012396'],
  ['marks that nobody sees', `${LRI}0612345678${PDI}`, '0612345678'],
])('%s', (_, label, short) => {
  const [choice] = shortChoices([label]);
  expect(choice?.label).toBe(short);
  if (short.includes('…')) expect(choice?.detail).toBe(label.replaceAll(NBSP, ' '));
  else expect(choice?.detail).toBeUndefined();
});

test('labels that begin alike are told apart by their places', () => {
  const labels = ['Réseaux sociaux illimités, 7 jours', 'Réseaux sociaux illimités, 30 jours', 'Autre'];
  expect(shortChoices(labels).map(({ label }) => label)).toEqual([
    'Réseaux sociaux…',
    '2 Réseaux sociaux…',
    'Autre',
  ]);
});

test.each([
  [0, 10, 0, [0]],
  [9, 10, 1, [9]],
  [10, 10, 0, [10]],
  [10, 10, 1, [7, 3]],
  [15, 10, 0, [8, 7]],
  [15, 10, 3, [5, 5, 5]],
])('%i choices in %i rows with %i ways to move are pages of %j', (choices, rows, moves, sizes) => {
  const { pages } = listPage(choices, { rows, moves }, 0);
  const all = Array.from({ length: pages }, (_, page) => listPage(choices, { rows, moves }, page));
  expect(all.map(({ from, to }) => to - from)).toEqual(sizes);
  expect(listPage(choices, { rows, moves }, pages)).toEqual(all[0]);
});

test('a list without room for a choice is a mistake of ours', () => {
  expect(() => listPage(9, { rows: 5, moves: 3 }, 0)).toThrow(RangeError);
});
