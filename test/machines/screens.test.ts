import { describe, expect, test } from 'vitest';
import { problem } from '../../machines/kit/problem.ts';
import type { Screen, Sentence, StateMeta, Values } from '../../machines/kit/screen.ts';
import type { SentenceKey } from '../../machines/kit/sentence-key.ts';
import { MACHINES } from '../../src/conversation/chart/machines.ts';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { type Order, PAYMENT_KINDS } from '../../src/payments/payments.ts';
import type { Quote } from '../../src/payments/quote.ts';
import { receipt } from '../../src/payments/receipt.ts';
import { allKeys } from '../../src/screen/locales.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { ERROR_CODES } from '../../src/wallet/contract/errors.ts';
import { AMOUNT_MAX_CENTIMES, centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { fitsTelegram } from '../channels/bot-api/fits.ts';
import { BILL_VALUES, billContexts } from './bill-screens.ts';

/** The longest values there can be: an amount of a million, a name of 40 characters, a reference of 12 digits. */
const WALLET = msisdn('0611223344');
const TO = msisdn('0687654321');
const AMOUNT = AMOUNT_MAX_CENTIMES;
const FEES = centimes(9_999_99);
const NAME = 'Maximilienne-Constance de la Tour-Dubois';
const REFERENCE = '123456789012';
const AT = Date.UTC(2026, 10, 30, 23, 59);

const order = { kind: 'transfer', from: WALLET, to: TO, amount: AMOUNT } as const;
const quote = { fees: FEES, total: centimes(AMOUNT + FEES), openLoop: false, at: AT, alike: [] };
const paying = { wallet: WALLET, to: TO, order, quote, reference: REFERENCE };
const alike = { id: REFERENCE, at: AT };

/** Longer than a name may be shown: such labels come from operators and shops. */
const LABEL = 'Réseaux sociaux illimités et 3 h d’appels, 30 jours';
const ARABIC_LABEL = 'شبكات اجتماعية غير محدودة و3 ساعات مكالمات، 30 يوما';
const OUTCOMES = ['succeeded', 'refused', 'failed', 'reversed', 'notFound', 'human', 'double'] as const;
/** What the receipt of a double names beside its own operation. */
const SECOND = { second: REFERENCE };
/** One order in every way that makes a difference to the screens of its payment. */
const paid = (known: { readonly order: Order; readonly quote: Quote }) => [
  known,
  { ...known, quote: { ...known.quote, alike: [alike] } },
  { ...known, quote: { ...known.quote, alike: [{ ...alike, open: true }] } },
  ...OUTCOMES.map((outcome) => ({ ...known, outcome, ...(outcome === 'double' && { facts: SECOND }) })),
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

const RIB = '011780000012345678901234';
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

/** What the machines know at most, in all the ways that make a difference to their screens. */
const CONTEXTS: Readonly<Record<string, readonly object[]>> = {
  account: [{}, { canUnlink: true }],
  shopping: [{}],
  balance: [{ wallet: WALLET, balance: AMOUNT }],
  'bill-payment': billContexts(WALLET, { amount: AMOUNT, fees: FEES, outcomes: OUTCOMES }),
  closing: [{ wallet: WALLET }],
  consent: [{}],
  'card-cash-in': [
    CARD_DEPOSIT,
    { ...CARD_DEPOSIT, order: { ...CARD_DEPOSIT.order, card: SAVED_CARD } },
  ].flatMap((each) => [...paid(each), { ...each, cards: Array.from({ length: 5 }, () => SAVED_CARD) }]),
  cash: [{}],
  help: [{}],
  language: [{}],
  linking: [{ phone: WALLET }],
  menu: [{ wallet: WALLET, linked: true }],
  'merchant-payment': MERCHANTS.flatMap((each) => [
    ...paid(each),
    { ...each, quote: { ...quote, recipientName: NAME } },
  ]),
  onboarding: [{ wallet: WALLET, status: 0, firstName: NAME, lastName: NAME, cin: 'AB12345678' }],
  'pin-change': [{ wallet: WALLET }],
  'pin-reset': [{ wallet: WALLET }],
  profile: [1, 2, 3, 4, 7].flatMap((level) => [
    { wallet: WALLET, profile: { fullName: NAME, phone: WALLET, level } },
    { wallet: WALLET, profile: { fullName: NAME, phone: WALLET, level, rib: RIB } },
  ]),
  'receive-payment': [{ wallet: WALLET }, { wallet: WALLET, amount: AMOUNT, code: 'x' }],
  resume: Object.keys(MACHINES)
    .filter((id) => Object.values(MACHINES[id]?.states ?? {}).some(({ tags }) => tags.includes('resumable')))
    .map((machine) => ({
      broken: {
        key: `${machine}.resume`,
        values: {
          ...BILL_VALUES,
          to: { phone: TO },
          article: { name: LABEL },
          merchant: { phone: TO },
          amount: { money: AMOUNT },
        },
      },
    })),
  'saved-cards': [{ wallet: WALLET, card: SAVED_CARD, cards: Array.from({ length: 9 }, () => SAVED_CARD) }],
  statement: [
    ...OPERATIONS.flatMap((operations) =>
      operations.map(({ id }) => ({ wallet: WALLET, filter: 'all', page: 2, operations, chosen: id })),
    ),
    { wallet: WALLET, filter: 'payments', page: 1, isLast: true, operations: OPERATIONS[0], chosen: 1 },
    { wallet: WALLET, filter: 'transfers', page: 2, isLast: true, operations: [], chosen: 1 },
  ],
  'top-up': [
    ...paid(toppingUp),
    { ...toppingUp, order: { ...toppingUp.order, product: undefined }, products: [] },
  ],
  transfer: [
    paying,
    { ...paying, quote: { ...quote, openLoop: true } },
    { ...paying, quote: { ...quote, recipientName: NAME } },
    { ...paying, quote: { ...quote, alike: [alike] } },
    { ...paying, quote: { ...quote, alike: [{ ...alike, open: true }] } },
    ...OUTCOMES.map((outcome) => ({ ...paying, outcome, facts: SECOND })),
  ],
  unlink: [{ wallet: WALLET }],
  unlocking: [{ wallet: WALLET }],
  voucher: [
    ...paid(buying),
    { ...buying, facts: { codeSent: 'yes' }, outcome: 'succeeded' },
    { ...buying, brand: { id: 1, name: NAME } },
  ],
};

/** As long as the operator's facts usually get. */
const renderer = createRenderer(undefined, {
  supportPhone: '+212 801 000 000',
  terms: 'https://wallet.example.ma/conditions',
  ussdCode: '*123#',
});
const SCREENS = screensOf(CONTEXTS);
/** On USSD: a chat that is linked or unlocked is no handset. */
const usually = <O extends Order>(known: { readonly order: O }) => ({
  order: { ...known.order, amount: centimes(2_000_00) },
  quote: { ...quote, fees: centimes(5_00), total: centimes(2_005_00) },
});
const USUAL = { ...paying, ...usually(paying) };
const PROMPTS = screensOf({
  balance: [{ wallet: WALLET, balance: AMOUNT }],
  'bill-payment': billContexts(WALLET, {
    amount: 2_000_00,
    fees: 5_00,
    outcomes: [],
    name: 'Amendis Tanger',
  }).slice(6),
  'card-cash-in': [{ ...CARD_DEPOSIT, ...usually(CARD_DEPOSIT) }],
  'saved-cards': CONTEXTS['saved-cards'] ?? [],
  closing: CONTEXTS.closing ?? [],
  onboarding: CONTEXTS.onboarding ?? [],
  'pin-change': CONTEXTS['pin-change'] ?? [],
  // By number: what a code says comes with a photo, and so from a chat.
  'merchant-payment': MERCHANTS.slice(0, 1).map((each) => ({ ...each, ...usually(each) })),
  'pin-reset': CONTEXTS['pin-reset'] ?? [],
  'top-up': [{ ...toppingUp, ...usually(toppingUp) }],
  transfer: [USUAL],
  voucher: [{ ...buying, ...usually(buying) }],
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

/** What can be said above a screen, with its values. */
const SAID: readonly string[] = [
  ...PAYMENT_KINDS,
  'amount',
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
  fees: { money: FEES },
  total: { money: centimes(AMOUNT + FEES) },
  to: { phone: TO },
  phone: { phone: WALLET },
  firstName: { name: NAME },
  name: { name: NAME },
  recipientName: { name: NAME },
  cin: { code: 'AB12345678' },
  code: { code: '90010' },
  count: { count: 2 },
  alikeAt: { date: AT },
  reference: { code: REFERENCE },
  second: { code: REFERENCE },
  payment: { lines: [{ key: 'transfer.called', values: { amount: { money: AMOUNT }, to: { phone: TO } } }] },
  operator: { name: 'Maroc Telecom' },
  product: { name: LABEL, arName: ARABIC_LABEL },
  day: { day: AT },
  state: { say: 'top-up.otherState' },
  brand: { name: NAME },
  article: { name: LABEL },
  beneficiary: { name: NAME },
  description: { name: LABEL },
  price: { money: AMOUNT },
  validity: { lines: [{ key: 'voucher.validFor', values: { count: { count: 365 } } }] },
  card: { code: 'MASTERCARD •••• 4242' },
  link: { code: `https://wallet.example.ma/form/ussd.card.${'x'.repeat(74)}` },
  merchant: { phone: TO },
  city: { name: NAME },
  at: { date: AT },
};
const SENTENCES: Sentence[] = [...new Set(allKeys('fr').map(withoutVariant))]
  .filter((key) => SAID.includes(key.split('.')[0] ?? ''))
  .map((key) => ({ key: key as SentenceKey, values: VALUES }));
const ABOUT_AN_AMOUNT = SENTENCES.filter(({ key }) =>
  /^(amount|problem)\.|^nav\.(tooLong|notUnderstood|stale)$/.test(key),
);

test('every machine is here', () => {
  expect(Object.keys(CONTEXTS).sort()).toEqual(Object.keys(MACHINES).sort());
});

test('every payment asks for its PIN here', () => {
  const asked = PROMPTS.map(([name]) => name);
  expect(PAYMENT_KINDS.filter((kind) => !asked.includes(`${kind}.askingPin`))).toEqual([]);
});

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(SCREENS)('%s', (_, screen) => {
    isWhole(renderer.chat(screen, language).text);
    for (const { label } of renderer.chat(screen, language).choices) isWhole(label);
    fitsUssd(screen, language);
    fitsTelegram(renderer, screen, language);
  });

  test.each(SCREENS.filter(([, { expects }]) => expects === 'amount'))(
    '%s is one page, whatever is said above it: 98 is an amount there',
    (_, screen) => {
      for (const notice of ABOUT_AN_AMOUNT) {
        const { pages } = renderer.ussd({ ...screen, notice }, language, 0);
        expect(pages, notice.key).toBe(1);
      }
    },
  );

  test.each(PROMPTS)(
    '%s is one page for the usual amounts: nothing that a PIN confirms is on another',
    (_, screen) => {
      expect(renderer.ussd(screen, language, 0).pages).toBe(1);
    },
  );

  test.each(SENTENCES.map((sentence) => [sentence.key, sentence] as const))(
    '%s above a screen',
    (_, notice) => {
      const screen: Screen = { key: 'menu.choose', expects: 'choice', notice };
      isWhole(renderer.chat(screen, language).text);
      fitsUssd(screen, language);
    },
  );

  const MONEY: [string, Screen][] = [
    ...[order, toppingUp.order, buying.order, ...MERCHANTS.map((each) => each.order)].flatMap((ordered) =>
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
    expect(text).toContain(AMOUNTS[language][0]);
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
    const answer = { kind: 'refused', code } as const;
    const refusal = problem(answer);
    expect(refusal?.key).toBe(`problem.${code}`);
    expect(renderer.chat({ key: 'problem.other', ...refusal, expects: 'nothing' }, language).text).not.toBe(
      '',
    );
  });
});

/** Every page holds what a page may, and no value that is shown is cut in two. */
function fitsUssd(screen: Screen, language: Language): void {
  const { pages } = renderer.ussd(screen, language, 0);
  const texts = Array.from({ length: pages }, (_, page) => renderer.ussd(screen, language, page));
  for (const { text, units, max } of texts) {
    expect(units).toBeLessThanOrEqual(max);
    isWhole(text);
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

/** The amount, the fees and the total as USSD writes them. */
const AMOUNTS: Readonly<Record<Language, readonly string[]>> = {
  fr: ['1 000 000,00 DH', '9 999,99 DH', '1 009 999,99 DH'],
  ar: ['1000000,00 درهم', '9999,99 درهم', '1009999,99 درهم'],
  en: ['MAD 1,000,000.00', 'MAD 9,999.99', 'MAD 1,009,999.99'],
};

function isWhole(text: string): void {
  expect(text.trim()).not.toBe('');
  expect(text).not.toMatch(/\{\{|\}\}|undefined|NaN|\[object/);
}

function withoutVariant(key: string): string {
  return key.replace(/(?:_(?:ussd|sms))?(?:_(?:zero|one|two|few|many|other))?(?:_unset)?$/, '');
}
