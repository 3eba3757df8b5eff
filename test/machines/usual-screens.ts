import type { Screen, StateMeta } from '../../machines/kit/screen.ts';
import { MACHINES } from '../../src/conversation/chart/machines.ts';
import type { OpenPayment } from '../../src/conversation/session/book.ts';
import { openFirst } from '../../src/conversation/session/open-first.ts';
import { centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';

/** Screens as most customers see them, for counting their pages: usual names, amounts and lists. */

const WALLET = msisdn('0611223344');
const TO = msisdn('0612345678');
const AT = Date.UTC(2026, 10, 20, 14, 5);
const REFERENCE = '123456789012';
const quote = { fees: centimes(2_00), total: centimes(202_00), openLoop: false, at: AT, alike: [] };
const alike = [{ id: REFERENCE, at: AT }];
const unconfirmed = [{ id: REFERENCE, at: AT, open: true }];

const paying = {
  wallet: WALLET,
  to: TO,
  order: { kind: 'transfer', from: WALLET, to: TO, amount: centimes(200_00) },
  quote,
  reference: REFERENCE,
};
const toppingUp = {
  ...paying,
  amount: centimes(50_00),
  order: { kind: 'top-up', from: WALLET, to: TO, amount: centimes(50_00), operator: 1 },
};
const merchant = {
  ...paying,
  order: { kind: 'merchant-payment', from: WALLET, amount: centimes(200_00), to: TO },
};

/** Type, direction and amount of the operations on one page of a statement. */
const OPERATIONS = [
  [3, 2, 200_00],
  [3, 1, 500_00],
  [10, 2, 50_00],
  [25, 2, 350_75],
  [23, 2, 100_00],
  [1, 1, 1000_00],
  [5, 2, 85_00],
  [9, 2, 1500_00],
  [2, 2, 300_00],
  [7, 1, 100_00],
] as const;
const operations = OPERATIONS.map(([type, direction, amount], i) => ({
  id: 123_456_789_012 + i,
  type,
  direction,
  status: 2,
  amount: centimes(amount),
  fees: centimes(2_00),
  total: centimes(amount + 2_00),
  at: AT,
  sender: '',
  receiver: '',
  // A person, a phone that was topped up, and a merchant have a number.
  ...([3, 5, 10].includes(type) && (direction === 1 ? { sender: TO } : { receiver: TO })),
}));

const brand = { id: 1, name: 'Kitab Plus (test)', description: 'Livres et papeterie', validDays: 180 };
const articles = [50, 100, 150, 200, 500].map((dirhams) => ({
  sku: `LIVRE-${dirhams}`,
  providerId: 41,
  brandId: 1,
  name: `Kitab Plus ${dirhams} DH (test)`,
  description: `Bon d'achat de ${dirhams} DH, valable 180 jours`,
  price: centimes(dirhams * 100),
}));
const buying = {
  ...paying,
  page: 1,
  brand,
  article: articles[1],
  articles: { page: 1, size: 20, hasMore: false, entries: articles },
  order: {
    kind: 'voucher',
    from: WALLET,
    to: TO,
    beneficiary: 'Fatima El Amrani',
    brand: brand.name,
    article: { sku: 'LIVRE-100', providerId: 41, name: articles[1]?.name },
    amount: centimes(100_00),
  },
};

const creditors = [
  ...['Maroc Telecom', 'Orange', 'inwi', 'REDAL', 'LYDEC', 'CNSS'],
  ...['DGI Vignette', 'DGI Impôts', 'TGR Taxes locales', 'Assurance Littoral'],
].map((name, i) => ({ id: String(i), name }));
const items = [
  { id: '1', type: 0, description: 'Facture 01/2026', date: '30/11/2026', amount: centimes(300_00) },
  { id: '2', type: 0, description: 'Facture 02/2026', date: '30/11/2026', amount: centimes(350_75) },
];
const billing = {
  wallet: WALLET,
  creditors,
  creditor: creditors[3],
  receivable: { id: '01', name: 'Eau et électricité' },
  form: [],
  answers: [],
  unpaid: { reference: REFERENCE, items, shown: [{ label: 'Nom', value: 'Fatima El Amrani' }], params: [] },
  chosen: [0, 1],
  order: {
    kind: 'bill-payment',
    from: WALLET,
    amount: centimes(650_75),
    creditor: creditors[3],
    receivable: { id: '01', name: 'Eau et électricité' },
    reference: REFERENCE,
    all: true,
    items,
    answers: [{ name: 'contract', value: '4711001' }],
    params: [],
  },
  quote: { ...quote, fees: centimes(0), total: centimes(650_75) },
  reference: REFERENCE,
};

/** The screen, its machine and the known facts. */
const USUAL: readonly (readonly [name: string, machine: string, state: string, context: object])[] = [
  ['menu', 'menu', 'choosing', { wallet: WALLET, linked: true }],
  ['transfer: confirmation', 'transfer', 'confirming', paying],
  ['transfer: already sent once', 'transfer', 'confirming', { ...paying, quote: { ...quote, alike } }],
  [
    'transfer: not confirmed yet',
    'transfer',
    'confirming',
    { ...paying, quote: { ...quote, alike: unconfirmed } },
  ],
  ['transfer: PIN', 'transfer', 'askingPin', paying],
  ['transfer: done', 'transfer', 'settled', { ...paying, outcome: 'succeeded' }],
  ['top-up: confirmation', 'top-up', 'confirming', toppingUp],
  ['top-up: PIN', 'top-up', 'askingPin', toppingUp],
  ['merchant: confirmation', 'merchant-payment', 'confirming', merchant],
  ['merchant: PIN', 'merchant-payment', 'askingPin', merchant],
  ['bills: ten billers', 'bill-payment', 'choosingCreditor', billing],
  ['bills: two unpaid', 'bill-payment', 'reviewing', billing],
  ['bills: confirmation', 'bill-payment', 'confirming', billing],
  ['bills: PIN', 'bill-payment', 'askingPin', billing],
  ['vouchers: five articles', 'voucher', 'choosingArticle', buying],
  ['vouchers: one article', 'voucher', 'choosingFor', buying],
  ['vouchers: confirmation', 'voucher', 'confirming', buying],
  ['vouchers: PIN of a gift', 'voucher', 'askingPin', buying],
  [
    'statement: ten operations',
    'statement',
    'listing',
    { wallet: WALLET, filter: 'all', page: 1, operations },
  ],
  [
    'statement: one operation',
    'statement',
    'showing',
    { filter: 'all', page: 1, operations, chosen: operations[0]?.id },
  ],
  ['statement: types', 'statement', 'choosingFilter', { filter: 'all', page: 1, operations }],
  [
    'profile, level 1',
    'profile',
    'shown',
    {
      profile: {
        fullName: 'Fatima Zahra El Amrani',
        phone: TO,
        level: 1,
        balance: 0,
        rib: '011780000012345678901234',
      },
    },
  ],
  ['consent', 'consent', 'asking', {}],
  ['help', 'help', 'helping', { mayFreeze: true, mayHaveCards: true }],
];

/** The lines beside a transfer with an unknown outcome. */
const BESIDE_OPEN: typeof USUAL = [
  ['menu', 'menu', 'choosing', { wallet: WALLET, linked: true }],
  ['balance', 'balance', 'shown', { wallet: WALLET, balance: centimes(1234_50) }],
  ['top-up: done', 'top-up', 'settled', { ...toppingUp, outcome: 'succeeded' }],
  ['merchant: refused', 'merchant-payment', 'settled', { ...merchant, outcome: 'refused' }],
  ['bills: done', 'bill-payment', 'settled', { ...billing, outcome: 'succeeded' }],
];
const OPEN: OpenPayment = {
  id: 'open',
  at: AT,
  says: {
    key: 'transfer.notConfirmed',
    values: { amount: { money: centimes(200_00) }, to: { phone: msisdn('0655000000') } },
  },
};

/** Their screens, by name. */
export const USUAL_SCREENS: readonly (readonly [name: string, screen: Screen])[] = [
  ...USUAL.map((row) => [row[0], screenOf(row)] as const),
  ...BESIDE_OPEN.map((row) => {
    const tells = row[1] === 'balance' || row[0].endsWith('done');
    return [
      `${row[0]}, ${tells ? 'above' : 'below'} an open payment`,
      openFirst(screenOf(row), [OPEN], tells),
    ] as const;
  }),
];

function screenOf([, machine, state, context]: (typeof USUAL)[number]): Screen {
  const meta = Object.values(MACHINES[machine]?.states ?? {}).find(({ key }) => key === state)?.meta;
  if (!meta) throw new Error(`${machine} has no screen in ${state}`);
  return (meta as StateMeta<unknown>).screen(context);
}
