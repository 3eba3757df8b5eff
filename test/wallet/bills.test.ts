import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { centimes } from '../../src/wallet/money.ts';
import { type Ask, asked, error, FATIMA, ok, refused, sent, unknown } from './answering.ts';
import { ORDER, PASSWORD } from './bill-order.ts';

const of = { creditorId: '1001', receivableId: '01' };
const UNPAID_OF = { from: FATIMA, ...of, values: ORDER.values };
const creditors: Ask = (wallet) => wallet.creditors();
const receivables: Ask = (wallet) => wallet.receivables('1001');
const form: Ask = (wallet) => wallet.billForm(of);
const unpaid: Ask = (wallet) => wallet.unpaidBills(UNPAID_OF);
const preview: Ask = (wallet) => wallet.previewBill(ORDER);
const pay: Ask = (wallet) => wallet.payBill(ORDER, { requestId: 'r-1' });
const status: Ask = (wallet) => wallet.billStatus(ORDER.reference);
const history: Ask = (wallet) => wallet.billPayments(FATIMA);
const UNREADABLE = unknown('unreadable');
const PHONE = '%2B212600000001';

const filled = [
  { nomChamp: 'contrat', valChamp: '77001234' },
  { nomChamp: 'motDePasse', valChamp: PASSWORD },
  { nomChamp: 'oui', valChamp: 'O' },
];
const bill = {
  creancierId: '1001',
  creanceId: '01',
  refTxNetwork: '202611200001',
  totalPayment: true,
  listeArticleSelectionnes: [
    {
      idArticle: '1',
      prixTTC: 120.5,
      typeArticle: 0,
      dateFacture: '31/10/2026',
      description: 'Facture 10/2026',
    },
    { idArticle: '2', prixTTC: 3, typeArticle: 1, dateFacture: '', description: 'Frais' },
  ],
  creancierVals: filled,
  globalParams: ORDER.params,
};
test.each<[string, Ask, string, unknown]>([
  ['creditors', creditors, 'GET /api/bills/creanciers', undefined],
  ['receivables', receivables, 'GET /api/bills/creances?creancierId=1001', undefined],
  ['a form', form, 'GET /api/bills/form?creancierId=1001&creanceId=01', undefined],
  [
    'what was filled in',
    unpaid,
    `POST /api/bills/impayes?phoneNumber=${PHONE}&creancierId=1001&creanceId=01`,
    { creancierVals: filled },
  ],
  ['a preview', preview, `POST /api/bills/preview?phoneNumber=${PHONE}`, bill],
  ['a payment', pay, `POST /api/bills/confirm?phoneNumber=${PHONE}`, bill],
  [
    'a payment of some',
    (wallet) => wallet.payBill({ ...ORDER, all: false, items: ORDER.items.slice(0, 1) }, { requestId: 'r' }),
    `POST /api/bills/confirm?phoneNumber=${PHONE}`,
    {
      ...bill,
      totalPayment: false,
      listeArticleSelectionnes: bill.listeArticleSelectionnes.slice(0, 1),
    },
  ],
  ['a status', status, 'GET /api/bills/reference/status?reference=202611200001', undefined],
  ['a history', history, `GET /api/bills/history?phoneNumber=${PHONE}`, undefined],
  [
    'a page of it',
    (wallet) => wallet.billPayments(FATIMA, { page: 2, pageSize: 3 }),
    `GET /api/bills/history?phoneNumber=${PHONE}&pageNumber=2&pageSize=3`,
    undefined,
  ],
])('sent: %s', async (_, ask, line, body) => {
  expect(await sent(ask)).toEqual({ line, body });
});

/** The whole answer of each call that carries a code, were that code 000. */
const ANSWERS: readonly [string, Ask, object, unknown][] = [
  ['creditors', creditors, { nbreCreancier: 0, listeCreanciers: [] }, []],
  ['receivables', receivables, { nbreCreance: 0, listeCreance: [] }, []],
  ['a form', form, { nbreParams: 0, creancierParams: [], refTxNetwork: '1' }, []],
  [
    'unpaid bills',
    unpaid,
    { refTxNetwork: '202611200001' },
    { reference: '202611200001', items: [], shown: [], params: [] },
  ],
  ['a preview', preview, { feesAmount: 2 }, { fees: 2_00, total: 125_50, openLoop: false }],
];
describe.each(ANSWERS)('the word of the network inside a 200: %s', (_, ask, rest, value) => {
  test.each<[unknown, unknown]>([
    ['000', ok(value)],
    ['104', refused('bill104', 'Désolé')],
    ['107', refused('bill107', 'Désolé')],
    ['109', refused('bill109', 'Désolé')],
    [107, refused('bill107', 'Désolé')],
    ['301', unknown('bill301')],
    ['908', unknown('bill908')],
    ['909', unknown('bill909')],
    ['910', unknown('bill910')],
    ['999', unknown('bill999')],
    ['0', unknown('billUnreadable')],
    ['', unknown('billUnreadable')],
    ['a long sentence', unknown('billUnreadable')],
    [{}, UNREADABLE],
  ])('%o', async (codeRetour, answer) => {
    expect((await asked(200, { codeRetour, msg: 'Désolé', ...rest }, ask)).answer).toEqual(answer);
  });

  test('nothing, half an answer, an envelope', async () => {
    const whole = { codeRetour: '000', ...rest };
    for (const body of ['', '<html>', JSON.stringify(whole).slice(0, -1), [whole], 'null']) {
      expect((await asked(200, body, ask)).answer).toEqual(UNREADABLE);
    }
    expect((await asked(204, '', ask)).answer).toEqual(UNREADABLE);
  });
});

describe('a payment', () => {
  const FACTS = { settlement: 'R-77', authorisation: 'A-12', stampNumber: '0042', stampText: 'Timbre' };
  const receipt = {
    msg: 'Désolé',
    refTxNetwork: ORDER.reference,
    codeAutorisation: 'A-12',
    refReglement: 'R-77',
    montantTotalTTC: 123.5,
    codeDevise: 'MAD',
    params: [
      { nomChamp: 'numCRC', valeurChamp: '0042' },
      { nomChamp: 'texteCRC', valeurChamp: 'Timbre' },
      { nomChamp: 'NUMCRC', valeurChamp: 'not this one' },
      { nomChamp: 'other', valeurChamp: 'x' },
    ],
  };
  test.each<[unknown, unknown]>([
    ['000', ok({ isFinal: true, facts: FACTS })],
    ['301', ok({ isFinal: true, facts: FACTS })],
    ['908', ok({ facts: FACTS })],
    ['909', ok({ facts: FACTS })],
    ['910', ok({ facts: FACTS })],
    [910, ok({ facts: FACTS })],
    ['104', refused('bill104', 'Désolé')],
    ['107', refused('bill107', 'Désolé')],
    ['109', refused('bill109', 'Désolé')],
    ['911', unknown('bill911')],
    ['0', unknown('billUnreadable')],
    ['', unknown('billUnreadable')],
    [null, UNREADABLE],
    [undefined, UNREADABLE],
    [true, UNREADABLE],
  ])('%o', async (codeRetour, answer) => {
    const { answer: said, requests } = await asked(200, { codeRetour, ...receipt }, pay);
    expect(said).toEqual(answer);
    expect(requests).toHaveLength(1);
  });

  test.each<[string, object, unknown]>([
    ['nothing more', {}, { isFinal: true }],
    [
      'nulls and empty words',
      { refReglement: null, codeAutorisation: '', params: [{ nomChamp: 'numCRC', valeurChamp: ' ' }] },
      { isFinal: true },
    ],
    ['a settlement alone', { refReglement: 'R-1' }, { isFinal: true, facts: { settlement: 'R-1' } }],
    [
      'params that are none',
      { refReglement: 'R-1', params: 'x' },
      { isFinal: true, facts: { settlement: 'R-1' } },
    ],
    ['a total in words', { montantTotalTTC: 'beaucoup' }, { isFinal: true }],
  ])('facts: %s', async (_, more, value) => {
    expect((await asked(200, { codeRetour: '000', ...more }, pay)).answer).toEqual(ok(value));
  });

  test('in an envelope, where there is none: unknown', async () => {
    expect((await asked(200, { data: { codeRetour: '000' } }, pay)).answer).toEqual(UNREADABLE);
  });
});

test.each<[string, object, unknown]>([
  ['no code', { type: 25, feesAmount: 3.5 }, ok({ fees: 3_50, total: 127_00, openLoop: false })],
  ['a total', { totalAmount: 130 }, ok({ fees: 0, total: 130_00, openLoop: false })],
  ['nothing', {}, ok({ fees: 0, total: 123_50, openLoop: false })],
  ['a fee in words', { feesAmount: '3' }, UNREADABLE],
])('a preview with %s', async (_, body, answer) => {
  expect((await asked(200, body, preview)).answer).toEqual(answer);
});

test.each<[string, Ask, object, unknown]>([
  [
    'creditors',
    creditors,
    {
      listeCreanciers: [
        {
          codeCreancier: '1001',
          nomCreancier: 'Eau (test)',
          descriptionCreancier: 'SRM',
          logoPath: '/l.png',
        },
        { codeCreancier: 1002, nomCreancier: 'Taxe (test)', logoPath: '//evil.test/l.png', siteWeb: null },
      ],
    },
    [
      { id: '1001', name: 'Eau (test)', description: 'SRM', logo: '/l.png' },
      { id: '1002', name: 'Taxe (test)' },
    ],
  ],
  ['no list at all', creditors, {}, []],
  ['null for a list', receivables, { listeCreance: null }, []],
  [
    'receivables',
    receivables,
    { listeCreance: [{ codeCreance: '01', nomCreance: 'Factures' }] },
    [{ id: '01', name: 'Factures' }],
  ],
])('read: %s', async (_, ask, body, value) => {
  expect((await asked(200, { codeRetour: '000', ...body }, ask)).answer).toEqual(ok(value));
});

test.each<[string, Ask, object]>([
  ['a creditor without a name', creditors, { listeCreanciers: [{ codeCreancier: '1001' }] }],
  ['a list that is none', receivables, { listeCreance: {} }],
  ['a field without a type', form, { creancierParams: [{ nomChamp: 'x' }] }],
  [
    'an item whose price is a word',
    unpaid,
    { refTxNetwork: '1', impayesParams: [{ idArticle: '1', prixTTC: 'dix', typeArticle: 0 }] },
  ],
  [
    'an item without a price',
    unpaid,
    { refTxNetwork: '1', impayesParams: [{ idArticle: '1', typeArticle: 0 }] },
  ],
  ['items without a reference', unpaid, { impayesParams: [{ idArticle: '1', prixTTC: 1, typeArticle: 0 }] }],
])('unreadable: %s', async (_, ask, body) => {
  expect((await asked(200, { codeRetour: '000', ...body }, ask)).answer).toEqual(UNREADABLE);
});

test('unpaid bills have amounts in centimes, labelled fields for the screen, and unchanged parameters', async () => {
  const params = [
    ...ORDER.params,
    { libelle: 'Adresse', nomChamp: 'adresse', valeurChamp: '1, rue du Test' },
    { libelle: 'Police', nomChamp: 'police', valeurChamp: 12 },
    { libelle: 'Sans valeur', nomChamp: 'vide', valeurChamp: ' ' },
    { libelle: null, nomChamp: 'rejoue', valeurChamp: 'true' },
    { libelle: ' ', nomChamp: 'isAnnul', valeurChamp: 'false' },
  ];
  const item = { idArticle: 1, description: 'Facture', dateFacture: '31/10/2026' };
  const { answer } = await asked(
    200,
    {
      codeRetour: '000',
      refTxNetwork: '202611200001',
      globalParams: params,
      impayesParams: [
        { ...item, prixTTC: '120,50', typeArticle: '0' },
        { ...item, idArticle: '2', prixTTC: 3, typeArticle: 3, description: null, dateFacture: null },
      ],
    },
    unpaid,
  );
  expect(answer).toEqual(
    ok({
      reference: '202611200001',
      items: [
        { id: '1', description: 'Facture', date: '31/10/2026', amount: centimes(120_50), type: 0 },
        { id: '2', description: '', date: '', amount: centimes(3_00), type: 3 },
      ],
      shown: [
        // Anybody can type the number of a contract: no whole name, and no address.
        { label: 'Nom', value: 'A T.' },
        { label: 'Police', value: '12' },
      ],
      params,
    }),
  );
});

const found = { networkReference: 'N-1', executed: true, status: 'CONFIRME', chariOperationId: 12 };
test.each<[string, number, unknown, unknown]>([
  ['a payment', 200, found, ok({ status: 'CONFIRME', executed: true, operationId: 12 })],
  [
    'one without an operation',
    200,
    { networkReference: 'N-1', executed: false, status: 'AUTORISE', chariOperationId: 0 },
    ok({ status: 'AUTORISE', executed: false }),
  ],
  ['one that says little', 200, { networkReference: 'N-1' }, ok({ status: '', executed: false })],
  ['none', 204, '', ok(undefined)],
  ['none, as an empty 200', 200, '', ok(undefined)],
  ['none, as null', 200, 'null', ok(undefined)],
  ['anything', 200, {}, UNREADABLE],
  ['a refusal inside', 200, { codeRetour: '104' }, UNREADABLE],
  ['a web page', 200, '<html>', UNREADABLE],
  ['executed in words', 200, { ...found, executed: 'yes' }, UNREADABLE],
  ['404, which says that the module is not there', 404, '', refused('http404')],
  ['500', 500, '', unknown('http500')],
])('a status: %s', async (_, code, body, answer) => {
  expect((await asked(code, body, status)).answer).toEqual(answer);
});

const payment = {
  operationId: 12,
  refTxNetwork: '202611200001',
  refReglement: 'R-77',
  nomCreancier: 'Eau (test)',
  nomCreance: 'Factures',
  amount: '123.50',
  status: 'CONFIRME',
  createdAt: '2026-11-20T10:00:00',
};
test.each<[string, number, unknown, unknown]>([
  [
    'a payment',
    200,
    { collection: [payment], count: 30 },
    ok({
      entries: [
        {
          operationId: 12,
          reference: '202611200001',
          settlement: 'R-77',
          creditor: 'Eau (test)',
          receivable: 'Factures',
          amount: 123_50,
          status: 'CONFIRME',
          at: Date.parse('2026-11-20T10:00:00Z'),
        },
      ],
      count: 30,
    }),
  ],
  [
    'a bare one',
    200,
    { collection: [{ amount: 1, status: 'X', createdAt: 'soon', operationId: null }], count: 1 },
    ok({ entries: [{ creditor: '', amount: 1_00, status: 'X' }], count: 1 }),
  ],
  ['none', 204, '', ok({ entries: [], count: 0 })],
  ['a list alone', 200, [payment], UNREADABLE],
  ['an amount in words', 200, { collection: [{ ...payment, amount: 'x' }], count: 1 }, UNREADABLE],
  ['a module that is not there', 404, '', refused('http404')],
])('a history: %s', async (_, code, body, answer) => {
  expect((await asked(code, body, history)).answer).toEqual(answer);
});

describe('answers to a bill form are not repeated', () => {
  const quoting = `${PASSWORD} / 77001234 / O refused`;
  const masked = '•••• / •••• / O refused';
  test.each<[string, Ask]>([
    ['unpaid', unpaid],
    ['preview', preview],
    ['payment', pay],
  ])('%s', async (_, ask) => {
    const inside = await asked(200, { codeRetour: '109', msg: quoting }, ask);
    expect(inside.answer).toEqual(refused('bill109', masked));
    const outside = await asked(400, { ...error(10001), errorDescription: quoting }, ask);
    expect(outside.answer).toEqual(refused('10001', masked));
    const odd = await asked(200, { codeRetour: PASSWORD, msg: quoting }, ask);
    expect(inspect(odd.answer)).not.toContain(PASSWORD);
  });

  test.each([
    ['where one begins another', 'abcdefgh, abcd refused', '••••, •••• refused'],
    ['where what is said is cut', `${'x'.repeat(198)}abcdefgh`, `${'x'.repeat(198)}••`],
  ])('%s', async (_, msg, description) => {
    const values = ['abcd', 'abcdefgh'].map((value) => ({ name: value, value }));
    const ask: Ask = (wallet) => wallet.unpaidBills({ ...UNPAID_OF, values });
    const { answer } = await asked(200, { codeRetour: '109', msg }, ask);
    expect(answer).toEqual(refused('bill109', description));
  });
});
