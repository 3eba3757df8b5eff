import { expect, test } from 'vitest';
import type { ErrorName } from '../../../src/wallet/contract/errors.ts';
import {
  call,
  errorOf,
  FATIMA,
  HAMZA_LOCKED_FOR_NOW,
  NOBODY,
  newcomer,
  sandbox,
  wallet,
  YOUSSEF,
} from '../kit.ts';
import { ask, filled, ORANGE, orderFor, REDAL, SCHOOL, TAX } from './bill-kit.ts';

const CONTRACT = '1234567';

type Values = { nomChamp: string; valChamp: string }[];
const student = (code: string, name: string, born?: string): Values => [
  { nomChamp: 'codeEleve', valChamp: code },
  { nomChamp: 'nomEleve', valChamp: name },
  ...(born === undefined ? [] : [{ nomChamp: 'dateNaissance', valChamp: born }]),
];
test.each<[string, Values, string | ErrorName]>([
  ['all that is required', student('AB12', 'El Amrani'), '000'],
  ['what is optional too', student('AB12', 'Zoé O’Brien', '29/02/2024'), '000'],
  ['an empty optional value', student('AB12', 'Amal', ''), '000'],
  ['nothing', [], '109'],
  ['one required field missing', student('AB12', 'Amal').slice(0, 1), '109'],
  ['one required field empty', student('', 'Amal'), '109'],
  ['too short', student('AB1', 'Amal'), '109'],
  ['too long', student('AB123456789', 'Amal'), '109'],
  ['a sign in letters and digits', student('AB-12', 'Amal'), '109'],
  ['digits in letters', student('AB12', 'Amal 2'), '109'],
  ['a day that is none', student('AB12', 'Amal', '31/02/2015'), '109'],
  ['another way to write a day', student('AB12', 'Amal', '2015-02-28'), '109'],
  ['a field of no form', [...student('AB12', 'Amal'), { nomChamp: 'x', valChamp: '1' }], 'parameterInvalid'],
  ['a field twice', [...student('AB12', 'Amal'), ...student('AB13', 'Amal')], 'parameterInvalid'],
])('a form with %s', async (_, creancierVals, expected) => {
  const said = await ask(sandbox(), 'listUnpaid', { phoneNumber: FATIMA, ...SCHOOL, creancierVals });
  if (/^\d/.test(expected)) expect(said).toMatchObject({ status: 200, body: { codeRetour: expected } });
  else expect(said).toMatchObject(errorOf(expected as ErrorName));
});

test('a label must not be sent, and a choice must be one of the options', async () => {
  const unpaid = (given: object) => call(wallet, 'listUnpaid', { phoneNumber: FATIMA, ...given });
  const labelled = [...filled(REDAL, CONTRACT), { nomChamp: 'info', valChamp: 'x' }];
  expect(await unpaid({ ...REDAL, creancierVals: labelled })).toMatchObject(errorOf('parameterInvalid'));
  const works = { creancierId: '1001', creanceId: '02' };
  const chosen = [filled(works, CONTRACT)[0], { nomChamp: 'typeClient', valChamp: 'Commune' }];
  expect((await unpaid({ ...works, creancierVals: chosen })).body).toMatchObject({ codeRetour: '109' });
});

type Change = (all: Awaited<ReturnType<typeof orderFor>>) => object;
const first =
  (change: object): Change =>
  ({ listeArticleSelectionnes: [item, ...others] }) => ({
    listeArticleSelectionnes: [{ ...item, ...change }, ...others],
  });
test.each<[string, Change, ErrorName]>([
  ['an unknown customer', () => ({ phoneNumber: NOBODY }), 'customerNotFound'],
  ['a national number', () => ({ phoneNumber: '0600000001' }), 'phoneInvalid'],
  ['a temporarily locked customer', () => ({ phoneNumber: HAMZA_LOCKED_FOR_NOW }), 'lockedTemporarily'],
  ['no reference', () => ({ refTxNetwork: undefined }), 'missingParameters'],
  ['no items', () => ({ listeArticleSelectionnes: undefined }), 'missingParameters'],
  ['no values', () => ({ creancierVals: undefined }), 'missingParameters'],
  ['no params', () => ({ globalParams: undefined }), 'missingParameters'],
  ['an item without its amount', first({ prixTTC: undefined }), 'missingParameters'],
  ['a total in words', () => ({ totalPayment: 'yes' }), 'parameterInvalid'],
  ['another’s reference', () => ({ phoneNumber: YOUSSEF }), 'billChanged'],
  ['a reference of nobody', () => ({ refTxNetwork: '123456789012' }), 'billChanged'],
  ['another receivable', () => ({ ...ORANGE, creancierVals: filled(ORANGE, '0612345678') }), 'billChanged'],
  ['another contract', () => ({ creancierVals: filled(TAX, 'ART99999') }), 'billChanged'],
  ['an empty selection', () => ({ listeArticleSelectionnes: [] }), 'billChanged'],
  ['a centime less', first({ prixTTC: 0.01 }), 'billChanged'],
  ['an item of another type', first({ typeArticle: 2 }), 'billChanged'],
  ['an item that is none', first({ idArticle: 'X' }), 'billChanged'],
  [
    'an item twice',
    ({ listeArticleSelectionnes: items }) => ({ listeArticleSelectionnes: [...items, items[0]] }),
    'billChanged',
  ],
  [
    'a total that is a part',
    ({ listeArticleSelectionnes: [, ...rest] }) => ({ listeArticleSelectionnes: rest }),
    'billChanged',
  ],
  ['a part that is the total', () => ({ totalPayment: false }), 'billChanged'],
  [
    'the stamp left out',
    ({ listeArticleSelectionnes: items }) => ({
      totalPayment: false,
      listeArticleSelectionnes: items.slice(0, -1),
    }),
    'billChanged',
  ],
  ['no technical params', () => ({ globalParams: [] }), 'billChanged'],
  [
    'another technical param',
    ({ globalParams: [param, ...others] }) => ({ globalParams: [{ ...param, valeurChamp: '9' }, ...others] }),
    'billChanged',
  ],
])('refused by preview and confirmation alike: %s', async (_, change, error) => {
  const all = await orderFor(wallet, TAX, 'ART7788');
  const before = wallet.checkLedger();
  const given = { ...all, ...change(all) };
  for (const name of ['previewBill', 'executeBill'] as const)
    expect(await ask(wallet, name, given)).toMatchObject(errorOf(error));
  expect(wallet.checkLedger()).toEqual(before);
});

test('the balance must cover the fees too', async () => {
  const { total } = await orderFor(wallet, ORANGE, '0612345678');
  for (const [phone, dirhams, isEnough] of [
    ['+212611111111', total + 1.99, false],
    ['+212611111112', total + 2, true],
  ] as const) {
    wallet.addCustomer(newcomer(phone, dirhams));
    const said = await ask(wallet, 'executeBill', await orderFor(wallet, ORANGE, '0612345678', phone));
    if (isEnough) expect(said.body.codeRetour).toBe('000');
    else expect(said).toMatchObject(errorOf('insufficientFunds'));
  }
});
