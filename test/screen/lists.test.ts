import { expect, test } from 'vitest';
import type { Screen } from '../../machines/kit/screen.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { LABEL_CHARS_MAX, listPage, shortChoices } from '../../src/screen/lists.ts';
import { LRI, NBSP, PDI, plain } from '../../src/screen/marks.ts';
import { createRenderer } from '../../src/screen/renderer.ts';

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

test.each(LANGUAGES)('the labels that channels and the engine add are short, in %s', (language) => {
  const renderer = createRenderer();
  const added = [
    'nav.back',
    'nav.menu',
    'nav.help',
    'whatsapp.choose',
    'whatsapp.goOn',
    'whatsapp.openForm',
  ] as const;
  const talk = ['telegram.previous', 'help.continue', 'support.settled', 'support.leave'] as const;
  for (const key of [...added, ...talk]) {
    const screen: Screen = { key: 'menu.choose', expects: 'choice', choices: [{ id: key, key }] };
    const [label = ''] = renderer.shortLabels(screen, language);
    expect(plain(label).length, label).toBeLessThanOrEqual(LABEL_CHARS_MAX);
  }
});

test('a short label of its own has all of the words beside it, and no value is cut', () => {
  expect(
    shortChoices(['Fermer mon portefeuille', 'Envoyer au 06 12'], ['Fermer portefeuille', 'Au 06 12']),
  ).toEqual([
    { label: 'Fermer portefeuille', detail: 'Fermer mon portefeuille' },
    { label: 'Au 06 12', detail: 'Envoyer au 06 12' },
  ]);
});
