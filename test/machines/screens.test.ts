import { describe, expect, test } from 'vitest';
import { goesOnByOne, numbersOf } from '../../machines/kit/choice-numbers.ts';
import { problem } from '../../machines/kit/problem.ts';
import type { ReadName } from '../../machines/kit/reading.ts';
import { FILES, type Screen, type Sentence, type StateMeta, type Values } from '../../machines/kit/screen.ts';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { type Conversation, MACHINES } from '../../src/conversation/chart/machines.ts';
import { READINGS } from '../../src/conversation/chart/readings.ts';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { typedChoice } from '../../src/conversation/session/choice.ts';
import { offerOf } from '../../src/conversation/session/current-screen.ts';
import { readInput } from '../../src/conversation/turn/read/read-input.ts';
import { type Labelled, labelled, nearlyLabelled } from '../../src/conversation/turn/read/typed-label.ts';
import { methodOf, type Order, PAYMENT_KINDS } from '../../src/payments/payments.ts';
import type { Ask, Quote } from '../../src/payments/quote.ts';
import { receipt } from '../../src/payments/receipt.ts';
import { measure } from '../../src/screen/gsm7.ts';
import { sentences } from '../../src/screen/locales.ts';
import { type Page, USSD_LIMITS } from '../../src/screen/pages.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { ERROR_CODES, SAFETY_CODES } from '../../src/wallet/contract/errors.ts';
import { CARD_SERVICES } from '../../src/wallet/issued-cards.ts';
import { AMOUNT_MAX_CENTIMES, centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import type { Rib } from '../../src/wallet/rib.ts';
import { fitsTelegram } from '../channels/bot-api/fits.ts';
import { filesIn, readText } from '../kit/tree.ts';
import { fitsShortLists } from '../screen/fits-short-lists.ts';
import { readsRight } from '../screen/reads-right.ts';
import { LABEL as BILL_LABEL, BILL_VALUES, NAME as BILLER, billContexts } from './bill-screens.ts';

/** The longest values there can be: an amount of a million, a name of 40 characters, a reference of 12 digits. */
const WALLET = msisdn('0611223344');
const TO = msisdn('0687654321');
const AMOUNT = AMOUNT_MAX_CENTIMES;
const FEES = centimes(9_999_99);
const NAME = 'Maximilienne-Constance de la Tour-Dubois';
const REFERENCE = '123456789012';
const AT = Date.UTC(2026, 10, 30, 23, 59);
const LAST_PAYMENT = {
  called: { key: 'transfer.called', values: { amount: { money: AMOUNT }, to: { phone: TO } } },
  reference: REFERENCE,
};

const order = { kind: 'transfer', from: WALLET, to: TO, amount: AMOUNT } as const;
const quote = { fees: FEES, total: centimes(AMOUNT + FEES), openLoop: false, at: AT, alike: [] };
/** With all that the wallet can have, and with a name only. */
const SAVED = Array.from({ length: 10 }, (_, id) => ({
  id,
  name: NAME,
  phoneNumber: TO as string,
  ...(id % 2 === 0 && { rib: '007780000123456789012396' }),
}));
const paying = { wallet: WALLET, to: TO, chosen: SAVED[0], order, quote, reference: REFERENCE };
const alike = { id: REFERENCE, at: AT };

/** Longer than a name may be shown: such labels come from operators and shops. */
const LABEL = 'Réseaux sociaux illimités et 3 h d’appels, 30 jours';
const ARABIC_LABEL = 'شبكات اجتماعية غير محدودة و3 ساعات مكالمات، 30 يوما';
const OUTCOMES = ['succeeded', 'refused', 'failed', 'reversed', 'notFound', 'human', 'double'] as const;
/** The second operation, which the receipt of a double names beside its own. */
const SECOND = { second: REFERENCE };
const ASKS: readonly (readonly Ask[])[] = [['newRecipient'], ['unusual'], ['newRecipient', 'unusual']];
/** The payee is questioned only when the question can name them. */
const isAsked = (order: Order, asks: readonly Ask[]) =>
  !asks.includes('newRecipient') || methodOf(order).payee?.asked?.(order) !== undefined;
/** One order in every way that makes a difference to the screens of its payment. */
const paid = (known: { readonly order: Order; readonly quote: Quote }) => [
  known,
  { ...known, held: { key: 'problem.newPin', values: { until: { date: AT }, amount: { money: AMOUNT } } } },
  ...ASKS.filter((asks) => isAsked(known.order, asks)).map((asks) => ({
    ...known,
    quote: { ...known.quote, asks },
  })),
  { ...known, quote: { ...known.quote, alike: [alike] } },
  { ...known, quote: { ...known.quote, alike: [{ ...alike, open: true }] } },
  ...OUTCOMES.map((outcome) => ({ ...known, outcome, ...(outcome === 'double' && { facts: SECOND }) })),
  { ...known, outcome: 'double' as const, facts: { ...SECOND, alike: 'yes' } },
];
const product = { code: 1, name: LABEL, arName: ARABIC_LABEL };
const toppingUp = {
  ...paying,
  amount: AMOUNT,
  order: { kind: 'top-up', from: WALLET, to: TO, amount: AMOUNT, operator: 1, product },
  recent: [TO, msisdn('0612345678'), msisdn('0712345678')].map((to) => ({ to, operator: 1 as const })),
  products: Array.from({ length: 40 }, (_, code) => ({ ...product, code })),
  history: [0, 1, 2, 3, 4, 5].map((status) => ({
    id: status,
    at: AT,
    amount: AMOUNT,
    operator: status,
    to: status === 5 ? '+33612345678' : TO,
    status,
  })),
} as const;
const SAVED_CARD = { id: 1, last4: '4242', scheme: 'MASTERCARD' };
const CARD_DEPOSIT = {
  wallet: WALLET,
  order: { kind: 'card-cash-in', from: WALLET, amount: AMOUNT },
  quote,
  limit: AMOUNT,
  left: AMOUNT,
  reference: REFERENCE,
} as const;
const brand = { id: 1, name: NAME, description: LABEL, picture: '/brand.svg', validDays: 365 };
const article = { sku: 'A-1', providerId: 41, brandId: 1, name: LABEL, price: AMOUNT };
const buying = {
  ...paying,
  page: 1,
  brand,
  article,
  brands: { page: 1, size: 20, hasMore: true, entries: Array.from({ length: 20 }, () => brand) },
  articles: { page: 1, size: 20, hasMore: true, entries: Array.from({ length: 20 }, () => article) },
  order: {
    kind: 'voucher',
    from: WALLET,
    to: TO,
    beneficiary: NAME,
    brand: NAME,
    article: { sku: 'A-1', providerId: 41, name: LABEL },
    amount: AMOUNT,
  },
} as const;

const RIB = '007780000123456789012396' as Rib;
/** With a bank that is named and a reason, without, and as it is rebuilt. */
const BANKING = [{ holder: NAME, bank: NAME.slice(0, 25), reason: LABEL.slice(0, 35) }, { holder: NAME }].map(
  (more) => ({
    wallet: WALLET,
    reference: REFERENCE,
    quote,
    rib: RIB,
    ...more,
    order: { kind: 'bank-transfer', from: WALLET, rib: RIB, amount: AMOUNT, ...more } as Order & {
      kind: 'bank-transfer';
    },
  }),
);

/** By number, and by codes that say all of themselves, less, and nothing. */
const MERCHANTS = [
  { to: TO },
  { qr: { content: 'x', name: NAME, city: LABEL } },
  { qr: { content: 'x', name: NAME, arName: ARABIC_LABEL } },
  { qr: { content: 'x' } },
].map((merchant) => ({
  wallet: WALLET,
  reference: REFERENCE,
  quote,
  ...merchant,
  order: { kind: 'merchant-payment', from: WALLET, amount: AMOUNT, ...merchant } as Order,
}));

/** References with everything that is said of them, and with nothing. */
/** The highest that is said. */
const LIMIT = centimes(20_000_00);
const BILL_REFERENCE = 'BILLREF-123456789012';
const POINTS =
  'Tabac Central, 12, rue des Orangers, Casablanca ; Téléboutique Amal, 3, avenue Hassan II, Rabat';
const CASH = [
  { way: 'agents', hints: {} },
  { way: 'agents', hints: { hours: 3, sms: true }, fees: centimes(5_00) },
  { way: 'bill-network', hints: { hours: 48, points: POINTS, sms: true } },
].map(({ way, hints, ...priced }) => {
  const reference = { id: 'x', kind: 'cash-out', way, amount: AMOUNT, at: AT, state: 'open' };
  const given = { ...reference, number: { hidden: REFERENCE } };
  return {
    ...priced,
    wallet: WALLET,
    amount: AMOUNT,
    desk: { ways: [], open: [], hints, limit: AMOUNT },
    hints,
    given,
    listed: [given],
  };
});

/** Operations of every type, and one that nobody knows: in and out, in every status, with people and with accounts. */
const OPERATIONS = [1, 2].map((direction) =>
  [3, 9, 10, 23, 25, 1, 2, 5, 24, 7, 12, 99].map((type, i) => ({
    id: i + 1,
    type,
    status: (i % 5) + 1,
    direction,
    amount: AMOUNT,
    fees: FEES,
    total: centimes(AMOUNT + FEES),
    at: AT,
    sender: type === 3 ? TO : RIB,
    receiver: type === 3 ? TO : '12',
    ...(i % 2 === 0 && { reference: REFERENCE }),
  })),
);

const CARD_STATES = ['issued', 'active', 'blocked', 'suspended', 'expired', 'cancelled', 'unknown'] as const;
const CARDS = CARD_STATES.flatMap((state, i) =>
  ([undefined, 'preparing', 'producing', 'ready', 'delivered'] as const).map((delivery) => ({
    id: i,
    state,
    last4: '8189',
    ...(delivery && { delivery }),
    services: { allowAtm: true, allowOnline: false, allowPos: true, contactlessEnabled: false },
  })),
);
const CARD_CHANGES = [
  undefined,
  ...(['activate', 'block', 'suspend', 'reactivate', 'cancel'] as const).map((action) => ({ action })),
  ...CARD_SERVICES.flatMap((service) => [true, false].map((isOn) => ({ service, isOn }))),
];
const PROGRAMS = [
  ...(['physical', 'virtual', 'digital'] as const).map((kind, id) => ({ id, name: LABEL, kind })),
  { id: 3 },
];
const APPLICATIONS = (['pending', 'accepted', 'rejected', 'unknown'] as const).map((state, id) => ({
  id,
  programId: id,
  state,
  ...(state === 'rejected' && { reason: `${LABEL}, ${NAME}` }),
}));
const cardsOf = (known: { readonly change?: object | undefined; readonly [name: string]: unknown }) => ({
  wallet: WALLET,
  cards: CARDS.slice(0, 5),
  applications: APPLICATIONS,
  programs: PROGRAMS,
  application: 2,
  page: 2,
  transactions: [true, false, true, false, true].map((declined) => ({
    amount: AMOUNT,
    at: AT,
    declined,
    ...(declined && { merchant: LABEL }),
  })),
  ...known,
});
const CARD_CONTEXTS = [
  ...CARDS.map((card) => cardsOf({ card, change: { action: 'block' } })),
  ...CARD_CHANGES.map((change) => cardsOf({ card: CARDS[0], change })),
  cardsOf({ card: { ...CARDS[0], last4: undefined }, change: undefined, transactions: [], isLast: true }),
  cardsOf({ card: CARDS[0], cards: [], application: 0, change: { action: 'suspend' } }),
];
/** Payments that a merchant has received: from a number, and from who has none. */
const PAYMENTS = Array.from({ length: 8 }, (_, i) => ({
  ...{ id: i + 1, type: 5, status: 2, direction: 1, amount: AMOUNT, fees: FEES },
  ...{ total: AMOUNT, at: AT, sender: i % 2 === 0 ? TO : RIB, receiver: WALLET },
}));
const refunding = {
  ...paying,
  page: 1,
  original: { id: 1, amount: AMOUNT, at: AT, payer: TO },
  order: {
    kind: 'merchant-refund',
    from: WALLET,
    to: TO,
    amount: AMOUNT,
    original: { id: 1, amount: AMOUNT, at: AT },
  },
} as const;

/** Executions of an agent, for a known customer and for an unknown one. */
const executing = (kind: 'agent-cash-in' | 'agent-cash-out') => {
  const number = kind === 'agent-cash-in' ? { code: REFERENCE } : { sealed: 'sealed' };
  const found = { kind, number, amount: AMOUNT, status: 1, madeAt: AT };
  const order = { kind, from: WALLET, code: 'RA-2001', amount: AMOUNT, number, madeAt: AT };
  const known = { wallet: WALLET, code: 'RA-2001', customer: TO, quote, reference: REFERENCE, found };
  return [order, { ...order, customer: TO }].map((each) => ({ ...known, order: each as Order }));
};
const CHECKED = (['cash-in', 'cash-out'] as const).flatMap((kind) =>
  [1, 2, 3].map((status) => ({
    wallet: WALLET,
    found: {
      kind,
      number: { code: '' },
      amount: AMOUNT,
      status,
      madeAt: AT,
      ...(status > 1 && { customer: TO }),
    },
  })),
);
const DAYS = (['wallet', 'wasl'] as const).map((by) => ({
  wallet: WALLET,
  page: 2,
  day: {
    ...{ since: AT, by, isLast: false },
    deposits: { count: 480, total: AMOUNT },
    withdrawals: { count: 480, total: AMOUNT },
    page: (['done', 'open', 'notDone'] as const).flatMap((state) =>
      (['cash-in', 'cash-out'] as const).map((kind) => ({
        kind,
        amount: AMOUNT,
        at: AT,
        state,
        customer: TO,
      })),
    ),
  },
}));
const CARD_PAYMENT = {
  ...{ id: 'a', operationId: 42, orderId: 'O1', trackId: 'T1', amount: AMOUNT, at: AT },
} as const;
/** Of every kind that a merchant's card payments know, and of both lists. */
const CARD_ORDERS = (['card-capture', 'card-reverse', 'card-refund'] as const).map((kind) => ({
  wallet: WALLET,
  reference: REFERENCE,
  quote,
  page: 2,
  what: kind === 'card-refund' ? 'captured' : 'reserved',
  entries: Array.from({ length: 20 }, () => ({ ...CARD_PAYMENT, state: 'reserved' })),
  chosen: { ...CARD_PAYMENT, state: 'reserved' },
  order: { kind, from: WALLET, amount: AMOUNT, payment: CARD_PAYMENT } as Order,
}));

/** Results of reads that need only the wallet, in every combination that changes a screen. */
const READ: { readonly [Name in ReadName]?: readonly unknown[] } = {
  readBalance: [AMOUNT, 0],
  readProfile: [
    { fullName: NAME, phone: WALLET, level: 1 },
    { fullName: NAME, phone: WALLET, level: 4, rib: RIB },
  ],
};
/** From the float of the principal agent. */
const b2b = {
  ...toppingUp,
  code: 'PA-1001',
  order: { ...toppingUp.order, kind: 'b2b-top-up', code: 'PA-1001' } as const,
};
const RETAIL = Array.from({ length: 8 }, (_, i) => ({
  ...{ code: `RA-200${i}`, name: NAME, phone: TO, person: NAME, address: LABEL },
}));
/** The principal agent's retail agents: one of each field to change, and one to open. */
const MANAGING = (['name', 'phone', 'address'] as const).map((field) => ({
  ...{ wallet: WALLET, page: 2, agents: RETAIL, isLast: false, chosen: RETAIL[0], field, opened: RETAIL[0] },
  fresh: { phone: TO, name: NAME, firstName: NAME, lastName: NAME, cin: 'AB123456', address: LABEL },
}));

/** A payment that was stopped, as the last screen of a thaw offers it. */
const STOPPED = {
  next: 'transfer',
  filled: {},
  called: { key: 'transfer.goOnWith', values: { amount: { money: AMOUNT }, to: { phone: TO } } },
};

/** All facts that the machines can know, in every combination that changes their screens. */
const OWN_CONTEXTS: Readonly<Record<string, readonly object[]>> = {
  ...Object.fromEntries(
    READINGS.map(({ id, reads }) => [id, (READ[reads] ?? []).map((value) => ({ wallet: WALLET, value }))]),
  ),
  account: [{}, { canUnlink: true, isMerchant: true }],
  sales: [{}],
  services: [{}],
  shopping: [{}],
  balance: [{ wallet: WALLET, balance: AMOUNT, deposit: AMOUNT }],
  beneficiaries: [
    { wallet: WALLET, to: TO, name: NAME, saved: SAVED, from: 0, chosen: SAVED[0] },
    { wallet: WALLET, rib: RIB, name: NAME, saved: [], chosen: SAVED[1] },
  ],
  agent: [{ wallet: WALLET, became: { code: 'RA-2001', name: NAME } }],
  'agent-account': [{}],
  principal: [{}],
  'principal-agents': [...MANAGING, { ...MANAGING[0], agents: [], isLast: true, page: 1 }],
  payouts: (['checking', 'ready', 'running', 'stopped', 'done', 'withdrawn'] as const).flatMap((state) => {
    const why = state === 'stopped' ? (['float', 'frozen', 'notAllowed', 'wallet'] as const) : [undefined];
    const entry = {
      id: 'f',
      fileName: LABEL,
      at: AT,
      state,
      count: 1_000,
      // A digit less is another amount.
      sum: centimes(12_345_678),
      refused: 480,
      fees: AMOUNT,
    };
    const more = { payable: { count: 520, sum: centimes(12_345_678) }, next: 999 };
    return why.flatMap((each) => {
      const chosen = { ...entry, ...more, ...(each && { why: each }) };
      const known = { wallet: WALLET, float: AMOUNT, files: Array.from({ length: 8 }, () => chosen) };
      return [
        { ...known, chosen },
        { ...known, files: [], takesFiles: true, chosen: { ...chosen, notBy: 'giver' } },
        { ...known, takesFiles: true, chosen: { ...chosen, notBy: 'named' } },
      ];
    });
  }),
  'principal-float': [
    {
      wallet: WALLET,
      account: { code: 'PA-1001', balance: AMOUNT },
      given: { reference: `BILLREF-${REFERENCE}`, amount: AMOUNT, status: 1, madeAt: AT },
    },
  ],
  'agent-cash-in': executing('agent-cash-in').flatMap(paid),
  'agent-cash-out': executing('agent-cash-out').flatMap(paid),
  'agent-check': CHECKED,
  'agent-day': [...DAYS, { ...DAYS[0], page: 1, day: { ...DAYS[0]?.day, page: [], isLast: true } }],
  'agent-record': [
    { code: 'RA-2001', record: { code: 'RA-2001', name: NAME, person: NAME, address: LABEL } },
  ],
  'bank-transfer': [
    { ...BANKING[0], saved: SAVED, isAll: false, chosen: SAVED[0] },
    ...BANKING.flatMap(paid),
    ...BANKING.map((each) => ({ ...each, isChat: true })),
    ...BANKING.map((each) => ({ ...each, order: { ...each.order, holder: undefined } })),
  ],
  'bill-payment': billContexts(WALLET, { amount: AMOUNT, fees: FEES, outcomes: OUTCOMES }),
  'card-order': PROGRAMS.flatMap((program) => [
    cardsOf({ program }),
    cardsOf({ program, applications: [{ id: 1, programId: program.id, state: 'pending' }] }),
  ]),
  // Every state with the change that it is about. A state without a question names the payments.
  cards: CARD_CONTEXTS.map((context) => ({ ...context, change: context.change ?? { action: 'cancel' } })),
  cash: [{}],
  'cash-in': CASH.map((known) => ({
    left: AMOUNT,
    ...known,
    given: { ...known.given, kind: 'cash-in', number: { code: BILL_REFERENCE } },
  })),
  'cash-out': CASH,
  closing: [{ wallet: WALLET }],
  consent: [{}],
  'card-cash-in': [
    CARD_DEPOSIT,
    { ...CARD_DEPOSIT, order: { ...CARD_DEPOSIT.order, card: SAVED_CARD } },
  ].flatMap((each) => [...paid(each), { ...each, cards: Array.from({ length: 5 }, () => SAVED_CARD) }]),
  'card-payment': [true, false].map((isChat) => ({
    wallet: WALLET,
    amount: AMOUNT,
    isChat,
    given: { link: `https://wallet.example.ma/form/pay/${'0'.repeat(36)}`, amount: AMOUNT, fees: FEES },
  })),
  'card-payments': CARD_ORDERS.flatMap(paid),
  documents: (['IDENTITY_CARD', 'REPRESENTATIVES'] as const).flatMap((document) =>
    (['company', 'professional', 'association'] as const).map((client) => ({
      wallet: WALLET,
      client,
      document,
      sent: [{ document: 'BANK_PROOF', at: AT }],
    })),
  ),
  freeze: [
    { frozen: { at: AT }, withdrawals: [] },
    { frozen: { at: AT }, withdrawals: [AMOUNT, AMOUNT], isWithoutCards: true },
    { frozen: { at: AT, bySupport: true }, withdrawals: [] },
    { stopped: STOPPED, frozen: { at: AT }, withdrawals: [] },
  ].map((known) => ({ wallet: WALLET, thawed: { until: AT, above: AMOUNT }, ...known })),
  help: [
    ...[{}, { advisers: true, mayFreeze: true, mayHaveCards: true }, { since: AT, case: 'c-4k7m2qd' }],
    { advisers: true, offer: { why: 'undo' } },
    { advisers: true, offer: { why: 'undo' }, payment: LAST_PAYMENT },
    { advisers: true, mayFreeze: true, offer: { why: 'missing' }, notice: { key: 'help.noLast' } },
    { advisers: true, offer: { why: 'missing', of: 'incoming' }, notice: { key: 'help.received' } },
    { advisers: true, offer: { why: 'unmatched', meanings: ['statement'] } },
  ],
  language: [{}],
  linking: [{ phone: WALLET }],
  'lost-card': CARD_CONTEXTS.map((context) => ({
    ...context,
    change: context.change ?? { action: 'block' },
  })),
  menu: [
    { wallet: WALLET, linked: true },
    { wallet: WALLET, linked: true, isMerchant: true },
  ],
  'merchant-payment': MERCHANTS.flatMap((each) => [
    ...paid(each),
    { ...each, quote: { ...quote, recipientName: NAME } },
  ]),
  'merchant-refund': [
    ...paid(refunding),
    { ...refunding, page: 2, payments: PAYMENTS },
    { ...refunding, page: 1, isLast: true, payments: [] },
  ],
  onboarding: [{ wallet: WALLET, status: 0, firstName: NAME, lastName: NAME, cin: 'AB12345678' }],
  'pin-change': [{ wallet: WALLET }],
  'pin-reset': [{ wallet: WALLET }],
  profile: [1, 2, 3, 4, 7].flatMap((level) => [
    { wallet: WALLET, profile: { fullName: NAME, phone: WALLET, level, balance: 0 } },
    { wallet: WALLET, profile: { fullName: NAME, phone: WALLET, level, rib: RIB, balance: 0 } },
  ]),
  rating: [{ case: 'c-2345678', isClosed: false }, { isClosed: true }],
  receipt: [{ payment: 'x' }],
  'receive-payment': [{ wallet: WALLET }, { wallet: WALLET, amount: AMOUNT, code: 'x' }],
  references: (['asked', 'open', 'executed', 'expired', 'reversed', 'lost'] as const).flatMap((state) =>
    CASH.map((known) => ({
      ...known,
      listed: Array.from({ length: 5 }, (_, i) => ({
        ...known.given,
        state,
        number: i % 2 === 0 ? { code: BILL_REFERENCE } : known.given.number,
      })),
      hasVouchers: true,
      given: { ...known.given, state },
    })),
  ),
  'voucher-codes': [
    {
      wallet: WALLET,
      vouchers: Array.from({ length: 50 }, (_, id) => ({
        id: String(id),
        brand: NAME,
        article: LABEL,
        at: AT,
      })),
      chosen: { id: '1', brand: NAME, article: LABEL, at: AT },
      code: 'sealed',
    },
  ],
  'saved-cards': [{ wallet: WALLET, card: SAVED_CARD, cards: Array.from({ length: 9 }, () => SAVED_CARD) }],
  statement: [
    ...OPERATIONS.flatMap((operations) =>
      operations.map(({ id }) => ({ wallet: WALLET, filter: 'all', page: 2, operations, chosen: id })),
    ),
    { wallet: WALLET, filter: 'payments', page: 1, isLast: true, operations: OPERATIONS[0], chosen: 1 },
    { wallet: WALLET, filter: 'transfers', page: 2, isLast: true, operations: [], chosen: 1 },
  ],
  takings: (['today', 'yesterday', 'week'] as const).flatMap((period) => [
    ...[
      { count: 480, total: AMOUNT, givenBack: AMOUNT },
      { count: 0, total: 0, givenBack: 0 },
      { count: 0, total: 0, givenBack: 0, moreThan: 500 },
    ].map((takings) => ({ wallet: WALLET, period, page: 2, payments: PAYMENTS, chosen: 1, takings })),
    {
      ...{ wallet: WALLET, period, page: 1, isLast: true, payments: PAYMENTS.slice(1), chosen: 2 },
      takings: { count: 1, total: AMOUNT, givenBack: AMOUNT },
    },
  ]),
  'b2b-top-up': [...paid(b2b), { ...b2b, order: { ...b2b.order, product: undefined }, products: [] }],
  'top-up': [
    ...paid(toppingUp),
    { ...toppingUp, order: { ...toppingUp.order, product: undefined }, products: [] },
    ...[quote, { ...quote, alike: [alike] }].map((each) => ({
      ...toppingUp,
      quote: each,
      asLast: { to: TO, operator: 1 },
    })),
  ],
  transfer: [
    { ...paying, saved: SAVED, isAll: false, chosen: SAVED[0] },
    { ...paying, isChat: true, isAll: true, saved: [], outcome: 'succeeded', chosen: SAVED[0] },
    { ...paying, quote: { ...quote, openLoop: true } },
    { ...paying, quote: { ...quote, recipientName: NAME } },
    { ...paying, quote: { ...quote, alike: [alike] } },
    { ...paying, quote: { ...quote, alike: [{ ...alike, open: true }] } },
    ...OUTCOMES.map((outcome) => ({ ...paying, outcome, facts: SECOND })),
  ],
  upgrade: [1, 2, 3, 4].flatMap((level) =>
    [true, false].map((identifies) => ({
      wallet: WALLET,
      level,
      identifies,
      advisers: true,
      balance: centimes(99_999_99),
    })),
  ),
  'link-chat': [{ wallet: WALLET, code: 'sealed' }],
  unlink: [{ wallet: WALLET }],
  unlocking: [{ wallet: WALLET }],
  voucher: [
    ...paid(buying),
    { ...buying, facts: { codeSent: 'yes' }, outcome: 'succeeded' },
    { ...buying, brand: { id: 1, name: NAME } },
  ],
};
/** Ways to pay without a row above. A row is needed only where the machine or its order knows more than this. */
const ORDINARY = PAYMENT_KINDS.filter((kind) => kind in MACHINES && !(kind in OWN_CONTEXTS)).map(
  (kind) => [kind, { ...paying, order: { ...order, kind } as Order }] as const,
);
const BEGUN: typeof OWN_CONTEXTS = {
  ...OWN_CONTEXTS,
  ...Object.fromEntries(ORDINARY.map(([kind, known]) => [kind, paid(known)])),
};
/** Every screen at which a request can be left, with the offer to go on from there. */
const OFFERS = Object.entries(BEGUN).flatMap(([machine, known]) =>
  Object.values(MACHINES[machine]?.states ?? {})
    .filter(({ tags, meta }) => tags.includes('resumable') && meta !== undefined)
    .flatMap(({ key, meta }) =>
      known.map((context) => {
        const screen = (meta as StateMeta<unknown>).screen(context);
        const begun = { machine, context: context as Conversation['context'] };
        return { name: `${machine}.${key}`, screen, broken: offerOf(begun, screen) };
      }),
    ),
);
const CONTEXTS: typeof OWN_CONTEXTS = { ...BEGUN, resume: [...OFFERS, { broken: { key: 'pay.busy' } }] };

/** As long as the operator's facts usually get. */
const renderer = createRenderer(undefined, {
  supportPhone: '+212 801 000 000',
  terms: 'https://wallet.example.ma/conditions',
  ussdCode: '*123#',
  topUpAmounts: '5, 10, 20, 30, 50, 100, 200',
  coolDownHours: '24',
});
const SCREENS = screensOf(CONTEXTS);
const HELD = [
  { id: 'amend', key: 'pay.otherAmount' },
  { id: 'cancel', key: 'pay.cancel' },
] as const;
/** What a page says first of a PIN that was not right, however short it has to be. */
const WRONG_PIN: Readonly<Record<Language, RegExp>> = {
  fr: /^Code PIN incorrect/,
  ar: /^(?:الرمز السري خاطئ|رمز سري خاطئ|رمز خطأ|خطأ(?=\. آخر محاولة))[.،]/,
  en: /^Wrong PIN/,
};
/** What a page says of an answer that is none of its choices, in all of the words or in few. */
const WRONG_ANSWER: Readonly<Record<Language, RegExp>> = {
  fr: /^(?:Choisissez dans la liste|Cette réponse ne convient pas ici)\.$|^(?:Choisissez :|Choix \?)$/m,
  ar: /^(?:اختاروا رقما|جواب غير مناسب)\.$|^(?:عفوا|أي)؟$/m,
  en: /^(?:Please choose from the list|That answer does not fit here)\.$|^(?:Choose one:|Which\?)$/m,
};
/** On USSD: a chat that is linked or unlocked is no handset. */
const usually = <O extends Order>(known: { readonly order: O }) => ({
  order: { ...known.order, amount: centimes(2_000_00) },
  quote: { ...quote, fees: centimes(5_00), total: centimes(2_005_00) },
});
/** The longest operator, and no pass: the name of one can be longer than a page. */
const { product: _pass, ...CLASSIC_TOP_UP } = toppingUp.order;
const USUAL = { ...paying, ...usually(paying) };
const PROMPTS = screensOf({
  ...Object.fromEntries(READINGS.map(({ id }) => [id, CONTEXTS[id] ?? []])),
  ...Object.fromEntries(ORDINARY.map(([kind, known]) => [kind, [{ ...known, ...usually(known) }]])),
  'agent-cash-in': executing('agent-cash-in').map((each) => ({ ...each, ...usually(each) })),
  'agent-cash-out': executing('agent-cash-out').map((each) => ({ ...each, ...usually(each) })),
  'agent-day': DAYS,
  balance: [{ wallet: WALLET, balance: AMOUNT, deposit: AMOUNT }],
  'bill-payment': billContexts(WALLET, {
    amount: 2_000_00,
    fees: 5_00,
    outcomes: [],
    name: 'Amendis Tanger',
  }).slice(6),
  'card-cash-in': [{ ...CARD_DEPOSIT, ...usually(CARD_DEPOSIT) }],
  'card-payments': CARD_ORDERS.map((each) => ({ ...each, ...usually(each) })),
  'saved-cards': CONTEXTS['saved-cards'] ?? [],
  'voucher-codes': CONTEXTS['voucher-codes'] ?? [],
  'card-order': CONTEXTS['card-order'] ?? [],
  cards: CONTEXTS.cards ?? [],
  'cash-out': CASH.map((known) => ({
    ...known,
    amount: centimes(2_000_00),
    given: { ...known.given, amount: centimes(2_000_00) },
  })),
  closing: CONTEXTS.closing ?? [],
  'lost-card': CONTEXTS['lost-card'] ?? [],
  onboarding: CONTEXTS.onboarding ?? [],
  'pin-change': CONTEXTS['pin-change'] ?? [],
  // By number: what a code says comes with a photo, and so from a chat.
  'bank-transfer': BANKING.slice(1).map((each) => ({ ...each, ...usually(each) })),
  'merchant-payment': MERCHANTS.slice(0, 1).map((each) => ({ ...each, ...usually(each) })),
  'merchant-refund': [{ ...refunding, ...usually(refunding) }],
  'pin-reset': CONTEXTS['pin-reset'] ?? [],
  takings: CONTEXTS.takings ?? [],
  'top-up': [{ ...toppingUp, ...usually({ order: CLASSIC_TOP_UP }) }],
  transfer: [USUAL, { ...USUAL, quote: { ...USUAL.quote, openLoop: true } }],
  upgrade: CONTEXTS.upgrade ?? [],
  voucher: [TO, WALLET].map((to) => ({
    ...buying,
    order: { ...buying.order, to, brand: 'Kitab Plus', amount: centimes(200_00) },
    quote: { ...quote, fees: centimes(5_00), total: centimes(205_00) },
  })),
}).filter(
  ([, { expects, choices }]) =>
    expects === 'pin' || (['newPin', 'otp', 'phone'].includes(expects) && !choices),
);

/** Every screen of the machines that know this, each once. */
function screensOf(contexts: Readonly<Record<string, readonly object[]>>): [string, Screen][] {
  const screens = Object.entries(contexts).flatMap(([machine, known]) =>
    Object.values(MACHINES[machine]?.states ?? {})
      .filter(({ meta }) => meta !== undefined)
      .flatMap((state) =>
        known.map((context): [string, Screen] => [
          `${machine}.${state.key}`,
          (state.meta as StateMeta<unknown>).screen(context),
        ]),
      ),
  );
  const once = new Map(screens.map((each) => [JSON.stringify(each), each]));
  return [...once.values()];
}

/** What the longest values are for most customers. */
const USUALLY: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  ...([
    [AMOUNT, 2_000_00],
    [FEES, 5_00],
    [AMOUNT + FEES, 2_005_00],
    [99_999_99, 850_00],
  ] as const),
  ...([
    [NAME, 'Salma Idrissi'],
    [NAME.slice(0, 25), 'Attijari'],
    [LABEL.slice(0, 35), 'Loyer'],
  ] as const),
  ...([
    [LABEL, 'Carte Zellige'],
    [ARABIC_LABEL, 'باقة 30 يوما'],
    [`${LABEL}, ${NAME}`, 'Incomplet'],
  ] as const),
  ...([
    [POINTS, 'Tabac Central, Casablanca'],
    [BILL_LABEL, 'Contrat'],
    [BILLER, 'Redal'],
  ] as const),
]);
const usual = <T>(said: T): T =>
  JSON.parse(JSON.stringify(said), (_, value) => {
    const known = USUALLY.get(value);
    // A text of several parts can name the biller and the label as well.
    const isText = known === undefined && typeof value === 'string';
    return isText ? value.replaceAll(BILL_LABEL, 'Contrat').replaceAll(BILLER, 'Redal') : (known ?? value);
  });
const USUAL_SCREENS = SCREENS.map(([name, screen]): [string, Screen] => [name, usual(screen)]);

/** Their conversations are served in chats only. */
const IN_CHATS = /^(?:b2b-top-up|documents|link|payouts|principal|unlink|unlocking)/;
/** The payments whose fee only a PIN shows. An article has its price in its name. */
const COSTS = PAYMENT_KINDS.flatMap((kind) =>
  (CONTEXTS[kind] ?? []).flatMap((known): [string, Screen][] => {
    const { meta } = MACHINES[kind]?.states.askingPin ?? {};
    const screen = (meta as StateMeta<unknown> | undefined)?.screen({ ...known, quote: undefined });
    if (screen?.key !== 'pay.askCost' || IN_CHATS.test(kind)) return [];
    return [[kind, usual(JSON.parse(JSON.stringify(screen).replaceAll(LABEL, 'Souk Frais 50 DH (test)')))]];
  }),
);
/** On USSD, where a card is typed on a page of its own. A PIN has a test of its own. */
function isTyped(name: string, expects: Screen['expects']): boolean {
  const isElsewhere = /^(?:card|cvv)$/.test(expects) || FILES.has(expects) || IN_CHATS.test(name);
  return !isElsewhere && !['choice', 'nothing', 'pin'].includes(expects);
}
/** What a machine says of an answer to its questions of this kind. */
const OF_ANSWERS: Readonly<Record<string, RegExp>> = {
  amount: /^amount\./,
  field: /^(?:bank-transfer\.notAReason|bill-payment\.(?:.+Only|emptyAnswer|tooShort|tooLong|digits.+))$/,
  account:
    /^(?:mobile\.notANumber|transfer\.toYourself|bank-transfer\.(?:notARib|wrongKey)|problem\.(?:90013|90102))$/,
  phone:
    /^(?:mobile\.(?:notANumber|noName)|merchant-payment\.(?:toYourself|otherMoney)|problem\.(?:90013|90026))$/,
  name: /\.(?:notAName|notAHolder)$/,
  nationalId: /\.(?:notACin|noCin)$/,
  otp: /\.(?:codeFormat|codeComes|wrongCode)$|^problem\.90003$/,
  // The weak one is told when it is chosen, and not when it is repeated.
  newPin: /^pin\.(?:format|differ)$/,
  reference: /\.(?:notThat|noSuch|used|byReferenceOnly)$/,
  search: /\.noMatch$/,
};
function isMistake(key: string, machine: string, expects: Screen['expects']): boolean {
  if (key === 'nav.notUnderstood' || key === 'nav.tooLong') return true;
  const isOwn = /^(?:amount|mobile|pin|problem)\./.test(key) || key.startsWith(`${machine}.`);
  return isOwn && OF_ANSWERS[expects]?.test(key) === true;
}

const cutPages = new WeakMap<Screen, Map<Language, readonly Page[]>>();
/** All USSD pages of a screen. Several tests look at them: they are cut once. */
function pagesOf(screen: Screen, language: Language): readonly Page[] {
  const known = cutPages.get(screen) ?? new Map<Language, readonly Page[]>();
  cutPages.set(screen, known);
  const cut = known.get(language) ?? allPages(screen, language);
  known.set(language, cut);
  return cut;
}

function allPages(screen: Screen, language: Language): readonly Page[] {
  const first = renderer.ussd(screen, language, 0);
  const later = Array.from({ length: first.pages - 1 }, (_, i) => renderer.ussd(screen, language, i + 1));
  return [first, ...later];
}

/** Sentences that can stand above a screen, with their values. */
const SAID: readonly string[] = [
  ...PAYMENT_KINDS,
  'amount',
  'card-payments',
  'cash-in',
  'cash-out',
  'closing',
  'pin-change',
  'pin-reset',
  'linking',
  'nav',
  'onboarding',
  'pay',
  'pin',
  'problem',
  'unlink',
  'unlocking',
];
const VALUES: Values = {
  ...BILL_VALUES,
  amount: { money: AMOUNT },
  until: { date: AT },
  why: { say: 'pay.newThaw' },
  payee: { phone: TO },
  fees: { money: FEES },
  total: { money: centimes(AMOUNT + FEES) },
  to: { phone: TO },
  phone: { phone: WALLET },
  firstName: { name: NAME },
  name: { name: NAME },
  recipientName: { name: NAME },
  recipient: { say: 'pay.newElsewhere' },
  cin: { code: 'AB12345678' },
  code: { code: '90010' },
  count: { count: 2 },
  alikeAt: { date: AT },
  reference: { code: REFERENCE },
  second: { code: REFERENCE },
  payment: { lines: [{ key: 'transfer.called', values: { amount: { money: AMOUNT }, to: { phone: TO } } }] },
  operator: { name: 'Maroc Telecom' },
  product: { name: LABEL, arName: ARABIC_LABEL },
  pass: { lines: [{ key: 'top-up.pass', values: { product: { text: LABEL, arText: ARABIC_LABEL } } }] },
  day: { day: AT },
  deed: { say: 'menu.bill-payment' },
  state: { say: 'top-up.otherState' },
  brand: { name: NAME },
  shop: { name: NAME },
  article: { name: LABEL },
  beneficiary: { name: NAME },
  description: { name: LABEL },
  price: { money: AMOUNT },
  sum: { money: AMOUNT },
  added: { money: AMOUNT },
  validity: { lines: [{ key: 'voucher.validFor', values: { count: { count: 365 } } }] },
  card: { code: 'MASTERCARD •••• 4242' },
  link: { code: `https://wallet.example.ma/form/ussd.card.${'x'.repeat(74)}` },
  merchant: { phone: TO },
  city: { name: NAME },
  account: { account: RIB },
  end: { code: RIB.slice(-4) },
  bank: { name: NAME },
  reason: { name: LABEL },
  holder: { name: NAME },
  at: { date: AT },
  limit: { money: LIMIT },
  points: { text: POINTS },
  more: { lines: [{ key: 'cash-in.toCounter' }] },
  left: { money: AMOUNT },
  paid: { money: AMOUNT },
  reserved: { money: AMOUNT },
  paidAt: { date: AT },
  from: { masked: TO },
};
const SENTENCES: Sentence[] = [...new Set(sentences('fr').keys().map(withoutVariant))]
  .filter((key) => SAID.includes(key.split('.')[0] ?? ''))
  .map((key) => ({ key: key as SentenceKey, values: VALUES }));
const ABOUT_AN_AMOUNT = SENTENCES.filter(
  ({ key }) =>
    /^(amount|problem)\.|^nav\.(tooLong|notUnderstood|stale)$/.test(key) &&
    // A waiting payment has a screen of its own.
    !Object.keys(SAFETY_CODES).includes(key.replace('problem.', '')),
);

test('every machine is here', () => {
  expect(Object.keys(CONTEXTS).sort()).toEqual(Object.keys(MACHINES).sort());
});

/** Every word in quotes that a machine is made of: the ids of what stands in a menu, or on a screen, for ever. */
const WRITTEN = new Set([
  ...CARD_SERVICES,
  ...filesIn(['machines']).flatMap((file) =>
    [...readText(file).matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word),
  ),
]);

test('choices from data are marked as changing, and a dial chooses none by its digit', () => {
  const chosen = SCREENS.flatMap(([name, { choices = [] }]) =>
    choices.map((choice) => ({ name, ...choice })),
  );
  const isOfData = (id: string) => /^\d+$/.test(id) || !WRITTEN.has(id);
  const unmarked = chosen.filter((each) => isOfData(each.id) && !each.listed && !each.varies && !each.digit);
  expect([...new Set(unmarked.map(({ name, id, key }) => `${name}: ${key} ${id}`))]).toEqual([]);
});

/** The moves that chats show below a question, as people write them. */
const MOVES = {
  menu: ['menu', 'Menu', 'القائمة'],
  back: ['retour', 'Back', 'رجوع'],
  cancel: ['annuler', 'Cancel', 'إلغاء'],
} as const;

test.each(['web:x', 'ussd:+212611223344'] as const)(
  'every question takes menu, back and cancel in words, in every language: %s',
  (address) => {
    const secrets = createSecrets('a key of the tests');
    const labelsOf = renderer.labels;
    const env = {
      address,
      now: AT,
      secrets,
      labelsOf,
      isFrozen: false,
      isLocked: false,
      principal: () => undefined,
      mayLeave: false,
      hasRequest: true,
    };
    const wrong: string[] = [];
    for (const [name, screen] of SCREENS) {
      // A password may be any word.
      if (screen.expects === 'password') continue;
      for (const [to, words] of Object.entries(MOVES))
        for (const text of words) {
          const meaning = readInput({ type: 'said', text }, screen, env);
          const isOwn = meaning.kind === 'event' && meaning.event.type === 'chose';
          if (!isOwn && !(meaning.kind === 'went' && meaning.to === to)) wrong.push(`${name}: ${text}`);
        }
    }
    expect(wrong).toEqual([]);
  },
);

test('every payment asks for its PIN here', () => {
  const asked = PROMPTS.map(([, { key }]) => key.split('.')[0]);
  // A payer by link is no customer here and has no PIN. A principal agent is served in chats only.
  expect(PAYMENT_KINDS.filter((kind) => !asked.includes(kind))).toEqual([
    'b2b-top-up',
    'card-payment',
    'float-card',
    'payout',
    'payout-transfer',
  ]);
});

describe.each(LANGUAGES)('pages on USSD, in %s', (language) => {
  test('no page ends inside a sentence or a line, with usual values', () => {
    const parted = new Set<string>();
    for (const [name, screen] of USUAL_SCREENS.filter(([name]) => !IN_CHATS.test(name)))
      for (const { text, endsInside } of pagesOf(screen, language))
        if (endsInside()) parted.add(`${name}: ${text}`);
    // A sentence that is longer than a page has to be written shorter.
    expect([...parted]).toEqual([]);
  });

  test('a first page has a choice where one has room, and a yes and its no come together, with usual values', () => {
    const wrong: string[] = [];
    for (const [name, screen] of USUAL_SCREENS) {
      const all = pagesOf(screen, language);
      const [first, next] = all;
      if (screen.expects !== 'choice' || !first || !next) continue;
      const [choice] = next.parts().choices;
      const more = renderer.ussd({ key: 'nav.more', expects: 'nothing' }, language, 0).text;
      const { encoding, units } = measure([first.parts().body, choice, `98 ${more}`].join('\n'));
      const hasRoom = units <= (encoding === 'ucs2' ? USSD_LIMITS.ucs2 : USSD_LIMITS.septets);
      const isAskedBefore = first.choices === 0 && next.parts().body === '';
      const parts = all.filter(({ parts }) => parts().choices.some((line) => /^[12] /.test(line)));
      const isYesNo = screen.choices?.some(({ id }) => ['confirm', 'agree', 'yes'].includes(id));
      if (isYesNo ? parts.length > 1 : isAskedBefore && hasRoom) wrong.push(`${name}: ${first.text}`);
    }
    expect(wrong).toEqual([]);
  });
});

/** First pages with neither a choice, nor the question, nor the digit that leads on to it. */
// Lists of text, below which there are ways to move, and terms whose address is read before the yes.
const LATIN_LATER = ['agent-day.listing', 'cards.listingTransactions', 'consent.asking'];
const ASKS_LATER: Readonly<Record<Language, readonly string[]>> = {
  fr: LATIN_LATER,
  en: LATIN_LATER,
  ar: [
    'agent-day.listing',
    'cards.listingTransactions',
    // The name of a merchant fills a page with the amount.
    'merchant-payment.confirming',
    // In a chat alone it offers a reason.
    'bank-transfer.confirming',
    // The name of a holder or a merchant fills a page with the payment that waits.
    'bank-transfer.lapsed',
    'merchant-payment.lapsed',
  ],
};
test.each(LANGUAGES)('a first page asks, but for these, with usual values, in %s', (language) => {
  const later = USUAL_SCREENS.filter(([name, screen]) => {
    const [first, next] = pagesOf(screen, language);
    const isQuestion = screen.expects !== 'nothing' && !IN_CHATS.test(name);
    const leadsOn = goesOnByOne(screen) && !first?.asked;
    const hasAnswer = screen.expects === 'choice' ? first?.choices : first?.asked || leadsOn;
    return isQuestion && next && !hasAnswer;
  });
  expect([...new Set(later.map(([name]) => name))].sort()).toEqual([...ASKS_LATER[language]].sort());
});

test.each(LANGUAGES)('an amount that was given is named by the offer to go on, in %s', (language) => {
  const unnamed = new Set<string>();
  for (const { name, screen, broken } of OFFERS.filter(({ name }) => !IS_LISTED.test(name))) {
    const { amount } = usual(screen).values ?? {};
    if (!amount || !('money' in amount)) continue;
    const { text } = renderer.ussd({ ...usual(broken), expects: 'choice' }, language, 0);
    const dirhams = `${Math.floor(amount.money / 100)}`;
    if (!text.replace(/[^\d]/g, '').includes(dirhams)) unnamed.add(`${name}: ${text}`);
  }
  expect([...unnamed]).toEqual([]);
});
/** Its amount is that of a payment that was made before, and no order yet. */
const IS_LISTED = /^card-payments\.(?:deciding|choosingPart|askingAmount)/;

/** Their answers leave a screen, as the keys 0 and 00 do. */
const LEAVING = new Set(['cancel', 'menu', 'leave', 'keep', 'list', 'disagree', 'decline']);
/** Lists so long that no way back is named there, and a menu that is only so long in chats. */
const FULL: readonly SentenceKey[] = ['saved-cards.choose', 'cards.none', 'account.choose'];
/** Their page is filled by rows of data: one of these makes room for the word about the answer. */
const LATIN_LISTS = ['card-payments.chooseCaptured', 'card-payments.chooseReserved', 'merchant-refund.list'];
const FULL_LISTS: Readonly<Record<Language, readonly string[]>> = {
  fr: [...LATIN_LISTS, 'cards.list'],
  en: [
    ...LATIN_LISTS,
    'bill-payment.selectWith',
    'voucher-codes.choose',
    'voucher.chooseArticle',
    'voucher.chooseBrand',
  ],
  ar: ['bill-payment.ask', 'bill-payment.chooseReceivable', 'bill-payment.selectNoneWith'],
};
describe.each(LANGUAGES)('ways back on USSD, in %s', (language) => {
  test('each screen that waits for an answer names one, with usual values', () => {
    const without = USUAL_SCREENS.filter(([name, { key, expects, choices = [] }]) => {
      const isOver = expects === 'nothing' && choices.length === 0;
      // The menu is home. A page of the PIN is first of all for what the PIN confirms.
      return (
        !isOver && expects !== 'pin' && !IN_CHATS.test(name) && !/^menu\./.test(key) && !FULL.includes(key)
      );
    }).filter(
      ([, screen]) =>
        !screen.choices?.some(({ id }) => LEAVING.has(id)) &&
        !pagesOf(screen, language).some(({ text }) => /\n00? \S+$/m.test(text)),
    );
    expect(without.map(([, screen]) => pagesOf(screen, language)[0]?.text)).toEqual([]);
  });
});

describe.each(LANGUAGES)('pages on USSD, with a mistake above, in %s', (language) => {
  test.each(['nav.chooseOne', 'nav.notUnderstood'] as const)(
    '%s is said, in few words or in all of them, above every question with choices',
    (key) => {
      const asked = [...SCREENS, ...USUAL_SCREENS].filter(([, { expects }]) => expects === 'choice');
      const silent = asked
        .map(([, screen]) => renderer.ussd({ ...screen, notice: { key } }, language, 0).text)
        .filter((text) => !WRONG_ANSWER[language].test(text));
      expect(silent).toEqual([]);
      expect(asked.length).toBeGreaterThan(500);
    },
  );

  test('a question that is typed stays on the page of its mistakes, or a choice does', () => {
    const away = new Set<string>();
    for (const [name, screen] of USUAL_SCREENS.filter(([name, { expects }]) => isTyped(name, expects))) {
      const [machine] = name.split('.');
      const [plainly] = pagesOf({ ...screen, notice: undefined } as unknown as Screen, language);
      for (const { key } of SENTENCES.filter((each) => isMistake(each.key, machine ?? '', screen.expects))) {
        const said = { ...screen, notice: usual({ key, values: VALUES }) };
        const { asked, choices } = renderer.ussd(said, language, 0);
        if (plainly?.asked && !asked && choices === 0) away.add(`${screen.key} below ${key}`);
      }
    }
    expect([...away]).toEqual([]);
  });

  test('a wrong PIN is called wrong, with the tries left, above its question on one page, for the usual amounts', () => {
    const parted = PROMPTS.filter(([, { expects }]) => expects === 'pin').flatMap(([name, screen]) =>
      (['pin.format', 'pin.noPin', 'pin.wrong', 'pin.wrongWithTries', 'pin.lastTry'] as const).flatMap(
        (key) => {
          const said = { ...screen, notice: { key, values: VALUES }, wasRead: true } as const;
          const { asked, text } = renderer.ussd(said, language, 0);
          const isSaid = key === 'pin.format' || key === 'pin.noPin' || WRONG_PIN[language].test(text);
          const countsTries = key !== 'pin.wrongWithTries' || /\b2\b|محاولتان|فرصتان/.test(text);
          const isNamed =
            !screen.values?.total || unnamed(screen, text, language, !name.startsWith('bill')).length === 0;
          return asked && isSaid && countsTries && isNamed ? [] : [`${name}: ${text}`];
        },
      ),
    );
    expect(parted).toEqual([]);
  });

  test('a PIN that shows a fee is asked for beside the payment, on one page, for the usual values', () => {
    const mistakes = [
      undefined,
      ...(['pin.format', 'pin.noPin', 'pin.wrong', 'pin.wrongWithTries', 'pin.lastTry'] as const),
    ];
    const parted = COSTS.flatMap(([name, screen]) =>
      mistakes.flatMap((key) => {
        const said = { ...screen, ...(key && { notice: { key, values: VALUES } }) };
        const { pages, text } = renderer.ussd(said, language, 0);
        return pages === 1 && /2.?000/.test(text) ? [] : [`${name}: ${text}`];
      }),
    );
    expect(COSTS.length).toBeGreaterThan(8);
    expect(parted).toEqual([]);
  });
});

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(SCREENS)('%s', (_, screen) => {
    isWhole(renderer.chat(screen, language).text);
    for (const { label } of renderer.chat(screen, language).choices) isWhole(label);
    fitsUssd(screen, language);
    countsWhatIsShown(screen, language);
    leadsOnFromEarly(screen, language);
    offersNothingAtTheEnd(screen, language);
    fitsTelegram(renderer, screen, language);
    fitsShortLists(renderer, screen, language);
  });

  test.each(['nav.chooseOne', 'nav.notUnderstood'] as const)(
    '%s leaves the question and its choices on their page, but for a row of a full list',
    (key) => {
      const asked = USUAL_SCREENS.filter(
        ([name, { expects }]) => !IN_CHATS.test(name) && expects === 'choice',
      );
      const moved = asked.filter(([, screen]) => {
        const [plain] = pagesOf({ ...screen, notice: undefined } as unknown as Screen, language);
        const said = renderer.ussd({ ...screen, notice: { key } }, language, 0);
        const rows = FULL_LISTS[language].includes(screen.key) ? 1 : 0;
        return said.choices < (plain?.choices ?? 0) - rows || (plain?.asked && !said.asked);
      });
      expect(moved.map(([name]) => name)).toEqual([]);
      expect(asked.length).toBeGreaterThan(500);
    },
  );

  test('a limit for now is named with its amount on the first page', () => {
    const values = { amount: { money: centimes(1_000_00) }, until: { date: AT } };
    for (const key of ['problem.newThaw', 'problem.newPin', 'problem.newLink'] as const)
      expect(renderer.ussd({ key, values, expects: 'choice', choices: HELD }, language, 0).text).toMatch(
        /1.?000(?:.|\n)*30\/11\/2026 \d\d:59/,
      );
  });

  test('no digit stands twice on a screen, and each takes the answer beside it', () => {
    const wrong: string[] = [];
    let read = 0;
    for (const [name, screen] of SCREENS) {
      const lines = pagesOf(screen, language).flatMap(({ parts }) => parts().choices);
      const digits = lines.map((line) => line.split(' ')[0] ?? '');
      if (new Set(digits).size < digits.length) wrong.push(`${name}: ${digits}`);
      // The later of two entries with one digit would stand under another one than its customers know.
      const own = (screen.choices ?? []).flatMap((each) => each.digit ?? []);
      if (new Set(own).size < own.length) wrong.push(`${name}: two entries of one digit, ${own}`);
      for (const [i, digit] of digits.entries()) {
        const choice = typedChoice(digit, screen);
        const line = choice && renderer.ussd({ ...choice, expects: 'nothing' }, language, 0).text;
        // A label that is longer than a page is cut.
        if (!line?.startsWith(lines[i]?.slice(digit.length + 1, 40) ?? ''))
          wrong.push(`${name}: ${lines[i]}`);
        read++;
      }
    }
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(500);
  });

  test.each(SCREENS.filter(([, { expects }]) => expects === 'amount'))(
    '%s is one page with any sentence above it, and 98 is an amount there',
    (_, screen) => {
      for (const notice of ABOUT_AN_AMOUNT) {
        const { pages } = renderer.ussd({ ...screen, notice }, language, 0);
        expect(pages, notice.key).toBe(1);
      }
    },
  );

  test('a typed label presses its own button, and a typing error never presses another one', () => {
    const labelsIn = renderer.labels;
    const wrong: string[] = [];
    let typed = 0;
    for (const [name, screen] of SCREENS) {
      if (screen.expects === 'password') continue;
      for (const { id, label } of renderer.chat(screen, language).choices) {
        const isIt = (meant: Labelled | undefined) =>
          meant?.kind === 'either' || (meant?.kind === 'choice' && meant.id === id);
        const text = label.toUpperCase().replaceAll(/[\u2066-\u2069]/g, '');
        typed++;
        if (/\p{L}/u.test(text) && !isIt(labelled(text, screen, labelsIn))) wrong.push(`${name}: ${text}`);
        const words = text.split(/\s/).map((word) => word.replace(/[^\p{L}\p{N}]+$/u, ''));
        const longest = words.reduce((a, b) => (b.length > a.length ? b : a), '');
        const missing = text.replace(longest, longest.slice(0, -1));
        const meant = labelled(missing, screen, labelsIn) ?? nearlyLabelled(missing, screen, labelsIn);
        if (meant && !isIt(meant)) wrong.push(`${name}: ${missing}`);
        const isListed = screen.choices?.find((choice) => choice.id === id)?.listed;
        if (meant?.kind === 'choice' && (id === 'confirm' || isListed))
          wrong.push(`${name}: guessed ${missing}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(typed).toBeGreaterThan(500);
  });
});

describe.each(LANGUAGES)('a page that asks for a PIN in %s', (language) => {
  test.each(PROMPTS)(
    '%s asks on one page for the usual amounts, so that the PIN confirms only visible text',
    (name, screen) => {
      const { pages, asked } = renderer.ussd(screen, language, 0);
      // An Arabic page has what decides. Contract, holder, operator and a name beside its number may stand behind its question.
      const mayHaveDetails = language === 'ar' && /^(?:bank|bill|top|voucher)/.test(name);
      if (!mayHaveDetails) expect(pages).toBe(1);
      // That of a gift names the person as well, and has a page before it for a long brand.
      if (screen.key !== 'voucher.askPinGift') expect(asked).toBe(true);
    },
  );

  test.each([
    { septets: 160, ucs2: 70 },
    { septets: 182, ucs2: 80 },
  ])(
    'up to the question for a PIN stand payee, amount or number of bills, fee and total, on pages of $ucs2',
    (limits) => {
      const isPaid = ([, { expects, values }]: [string, Screen]) => expects === 'pin' && values?.total;
      const prompts = [...USUAL_SCREENS.filter(([name]) => !IN_CHATS.test(name)), ...PROMPTS].filter(isPaid);
      const wrong = prompts.flatMap(([name, screen]) => {
        const page = (at: number) => renderer.ussd(screen, language, at, limits);
        let read = page(0).text;
        for (let at = 0; !page(at).asked; at++) read += `\n${page(at + 1).text}`;
        const missing = unnamed(screen, read, language, true);
        return missing.length === 0 ? [] : [`${name}: no ${missing.join()} in\n${read}`];
      });
      // The page of the question says by itself what decides: nobody remembers the one before.
      const apart = prompts.flatMap(([name, screen]) => {
        const { pages } = renderer.ussd(screen, language, 0, limits);
        const all = Array.from({ length: pages }, (_, at) => renderer.ussd(screen, language, at, limits));
        const text = all.find(({ asked }) => asked)?.text ?? '';
        // So it does for a PIN that came too early: each moves one page on.
        const tooEarly: number[] = [];
        const early = () => renderer.ussd({ ...screen, tooEarly }, language, tooEarly.length, limits);
        while (!early().asked) tooEarly.push(tooEarly.length + 1);
        return [text, early().text].flatMap((text) => {
          const missing = unnamed(screen, text, language);
          return missing.length === 0 ? [] : [`${name}: no ${missing.join()} on\n${text}`];
        });
      });
      expect(prompts.length).toBeGreaterThan(40);
      expect(wrong).toEqual([]);
      expect(apart).toEqual([]);
    },
  );
});

describe.each(LANGUAGES)('a sentence in %s', (language) => {
  test.each(SENTENCES.map((sentence) => [sentence.key, sentence] as const))(
    '%s above a screen',
    (_, notice) => {
      const screen: Screen = { key: 'menu.choose', expects: 'choice', notice };
      isWhole(renderer.chat(screen, language).text);
      fitsUssd(screen, language);
    },
  );

  const MONEY: [string, Screen][] = [
    ...[
      order,
      toppingUp.order,
      buying.order,
      ...BANKING.map((each) => each.order),
      ...MERCHANTS.map((each) => each.order),
    ].flatMap((ordered) =>
      OUTCOMES.map((outcome): [string, Screen] => [
        `${ordered.kind} ${outcome}`,
        receipt({
          order: ordered,
          quote,
          outcome,
          reference: REFERENCE,
          facts: { codeSent: 'yes', ...SECOND },
        }),
      ]),
    ),
    ...(['received.from', 'received.money', 'received.payment', 'received.paymentOnly'] as const).map(
      (key): [string, Screen] => [
        key,
        {
          key,
          values: { amount: { money: AMOUNT }, from: { phone: TO }, reference: { code: REFERENCE } },
          expects: 'nothing',
        },
      ],
    ),
    ...PAYMENT_KINDS.flatMap((kind) => [`${kind}.processing`, `${kind}.notConfirmed`] as const).map(
      (key): [string, Screen] => [key, { key, values: VALUES, expects: 'nothing' }],
    ),
  ];
  test.each(MONEY)('told by SMS: %s', (_, screen) => {
    const { text, segments } = renderer.sms(screen, language);
    isWhole(text);
    // In Arabic, of which one SMS holds 70 characters, an outcome with all that it names takes two.
    const isShort = /received/.test(screen.key) || (language !== 'ar' && /done|failed/.test(screen.key));
    expect(segments).toBeLessThanOrEqual(isShort ? 1 : 2);
    expect(text).toContain(language === 'ar' ? '1000000' : AMOUNTS[language][0]);
  });

  test.each([
    ['voucher.code', 1],
    ['voucher.codeExpired', 1],
    ['voucher.doneWithoutCode', 2],
  ] as const)('of a voucher by SMS: %s', (key, most) => {
    const code = { hidden: 'ABCD-EFGH-JKLM-NPQR' };
    const { text, segments } = renderer.sms(
      { key, values: { ...VALUES, code }, expects: 'nothing' },
      language,
    );
    isWhole(text);
    expect(segments).toBeLessThanOrEqual(most);
    if (key === 'voucher.code') expect(text).toContain(code.hidden);
  });

  test('our code by SMS', () => {
    const screen = {
      key: 'linking.codeSms',
      values: { code: { code: '123-456' } },
      expects: 'nothing',
    } as const;
    expect(renderer.sms(screen, language)).toMatchObject({
      segments: 1,
      text: expect.stringContaining('123-456'),
    });
  });

  test.each(ERROR_CODES)('the wallet says %s', (code) => {
    const answer = { kind: 'refused', code, until: AT, above: AMOUNT } as const;
    const refusal = problem(answer);
    expect(refusal?.key).toBe(`problem.${code}`);
    expect(renderer.chat({ key: 'problem.other', ...refusal, expects: 'nothing' }, language).text).not.toBe(
      '',
    );
  });
});

/** No choice counts as shown on a page before its line stands on one, and each does on the last. */
/** What a text does not say of the payment that a PIN confirms: whom it pays, fee and total, and perhaps the amount or the bills. */
function unnamed({ key, values = {} }: Screen, text: string, language: Language, isFirst = false): string[] {
  const plain = (written: string) => written.replaceAll(/\s|درهم|^\.{3}|\.{3}$/g, '');
  const isSaid = (name: string) => {
    const value = values[name];
    if (!value) return false;
    const { text: written } = renderer.sms(
      { key: 'receipt.value', values: { value }, expects: 'nothing' },
      language,
    );
    return plain(text).includes(plain(written).slice(0, 'money' in value ? undefined : 10));
  };
  const payees = ['creditor', 'to', 'merchant', 'end', 'recipientName'].filter((name) => values[name]);
  // A deposit, and what an agent does, pays nobody.
  if (payees.length === 0 || key.startsWith('agent-')) return [];
  return [
    ...(payees.some(isSaid) || text.includes('لكم') ? [] : ['payee']),
    ...(isSaid('fees') && /رسوم \d|[Ff]rais \d|[Ff]ee (?:MAD )?\d|sans frais|no Wasl fee/.test(text)
      ? []
      : ['fee']),
    ...(isSaid('total') ? [] : ['total']),
    ...(!isFirst || ['amount', 'due', 'bills', 'bill', 'pass'].some(isSaid) ? [] : ['amount']),
  ];
}

function countsWhatIsShown(screen: Screen, language: Language): void {
  const { expects, choices: all = [] } = screen;
  const offered = expects === 'pin' ? all.filter(({ digit }) => digit !== undefined) : all;
  const numbers = expects === 'amount' ? [] : numbersOf(offered);
  let shown = 0;
  for (const { text, choices, page, pages } of pagesOf(screen, language)) {
    for (const line of text.split('\n')) if (line.startsWith(`${numbers[shown]} `)) shown += 1;
    expect(choices).toBeLessThanOrEqual(shown);
    if (page === pages - 1) expect(choices).toBe(numbers.length);
  }
}

/** An answer that comes too early moves one page on, above which that is said, until there is none left. */
function leadsOnFromEarly(screen: Screen, language: Language): void {
  const line = renderer.ussd({ key: 'nav.tooEarly', expects: 'nothing' }, language, 0).text;
  const tooEarly: number[] = [];
  const at = (page: number) => renderer.ussd({ ...screen, tooEarly }, language, page);
  for (let page = 1, { pages } = at(0); page < pages; page++) {
    tooEarly.push(page);
    expect(page).toBeLessThan(100);
    const now = at(page);
    expect(now.units).toBeLessThanOrEqual(now.max);
    const isSaid = ({ text }: Page) =>
      text.startsWith(line) || (language === 'ar' && text.startsWith('اقرؤوا:'));
    expect(isSaid(now) || isSaid(at(page - 1))).toBe(true);
    ({ pages } = now);
  }
}

/** At the end of the session nothing can be dialled, and nothing is offered. */
function offersNothingAtTheEnd(screen: Screen, language: Language): void {
  const reply = { language, screenId: 1, screen, page: 0, missed: [], rests: true } as const;
  const isOffered = screen.expects === 'nothing' && (screen.choices ?? []).length > 0;
  const { pages } = pageOf(renderer, reply);
  const { text } = pageOf(renderer, { ...reply, page: pages - 1 });
  if (!isOffered) expect(text).not.toMatch(/\n(?:0|00|98|99) \S+$/m);
}

/** Every page holds what a page may, and no value that is shown is cut in two. */
function fitsUssd(screen: Screen, language: Language): void {
  const texts = pagesOf(screen, language);
  for (const { text, units, max } of texts) {
    expect(units).toBeLessThanOrEqual(max);
    isWhole(text);
    if (language === 'ar') readsRight(text);
  }
  const all = texts.map(({ text }) => text).join('\n');
  for (const written of ['0687654321', '0611223344', REFERENCE, 'AB12345678', ...AMOUNTS[language]]) {
    const shown = all.replaceAll(/\s/g, '').includes(written.replaceAll(' ', ''));
    if (shown)
      expect(
        texts.some(({ text }) => text.includes(written)),
        written,
      ).toBe(true);
  }
}

/**
 * The amount, the fees and the total as USSD writes them. Arabic names the currency once a page, so that it is optional
 * here.
 */
const AMOUNTS: Readonly<Record<Language, readonly string[]>> = {
  fr: ['1 000 000,00 DH', '9 999,99 DH', '1 009 999,99 DH'],
  ar: ['1000000 درهم', '9999,99 درهم', '1009999,99 درهم', '9999,99', '1009999,99'],
  en: ['MAD 1,000,000.00', 'MAD 9,999.99', 'MAD 1,009,999.99'],
};

function isWhole(text: string): void {
  expect(text.trim()).not.toBe('');
  expect(text).not.toMatch(/\{\{|\}\}|undefined|NaN|\[object/);
}

function withoutVariant(key: string): string {
  return key.replace(/(?:_(?:ussd|sms|short|brief))?(?:_(?:zero|one|two|few|many|other))?(?:_unset)?$/, '');
}
