import { expect, test } from 'vitest';
import { type Ask, asked, ok } from './answering.ts';

const form: Ask = (wallet) => wallet.billForm({ creditorId: '1001', receivableId: '01' });

const field = { libelle: 'Contrat', nomChamp: 'contrat', typeChamp: 'text', contrainte: '1' };
const question = { kind: 'text', name: 'contrat', label: 'Contrat', options: [], required: true };
test.each<[string, object, unknown]>([
  ['a text', field, question],
  ['an optional one', { contrainte: '0' }, { ...question, required: false }],
  ['one that nobody says is required', { contrainte: null }, { ...question, required: false }],
  ['a requirement as a number', { contrainte: 1 }, question],
  ['a password', { typeChamp: 'password' }, { ...question, kind: 'password' }],
  ['a password in capitals', { typeChamp: 'PASSWORD ' }, { ...question, kind: 'password' }],
  ['a kind nobody knows', { typeChamp: 'date' }, question],
  ['a format', { formatChamp: 'AN' }, { ...question, format: 'AN' }],
  ['a `|` in the format of a text', { formatChamp: 'A|N' }, { ...question, format: 'A|N' }],
  [
    'a select',
    { typeChamp: 'select', formatChamp: 'Rabat| Salé ||Rabat' },
    { ...question, kind: 'select', options: ['Rabat', 'Salé'] },
  ],
  ['a select without options', { typeChamp: 'select' }, { ...question, kind: 'select' }],
  [
    'a select whose options cannot be read',
    { typeChamp: 'select', formatChamp: 'N' },
    { ...question, kind: 'select', format: 'N' },
  ],
  ['sizes', { tailleMin: 4, tailleMax: '8' }, { ...question, lengthMin: 4, lengthMax: 8 }],
  ['one size', { tailleMin: 6, tailleMax: 6 }, { ...question, lengthMin: 6, lengthMax: 6 }],
  ['sizes that say nothing', { tailleMin: 0, tailleMax: '0' }, question],
  ['no longest', { tailleMin: 4, tailleMax: 0 }, { ...question, lengthMin: 4 }],
  ['sizes that contradict each other', { tailleMin: 9, tailleMax: 8 }, question],
  ['a size below nothing', { tailleMin: -1, tailleMax: 8 }, question],
  ['sizes in words', { tailleMin: 'quatre', tailleMax: {} }, question],
  ['no label', { libelle: null }, { ...question, label: 'contrat' }],
  [
    'a label',
    { typeChamp: 'libelle', nomChamp: 'info', libelle: 'Voyez votre facture', contrainte: '1' },
    { kind: 'label', name: '', label: 'Voyez votre facture', options: [], required: false },
  ],
  ['a label without words', { typeChamp: 'libelle', libelle: ' ' }, undefined],
  ['a question without a name', { nomChamp: null }, undefined],
  ['a question whose name is blank', { nomChamp: ' ' }, undefined],
])('a field: %s', async (_, change, expected) => {
  const body = { codeRetour: '000', creancierParams: [{ ...field, ...change }] };
  expect((await asked(200, body, form)).answer).toEqual(ok(expected ? [expected] : []));
});
