import { describe, expect, test } from 'vitest';
import { type Bubble, falseInHistory } from './truth-history.ts';

const LEDGER = {
  opening: 10_000,
  operations: [
    { id: 23, change: -2_100 },
    { id: 24, change: 1_600 },
  ],
};
const sent = '✅ Envoi de 21,00 DH au 06 00 00 00 02 effectué.\nRéférence : 23';
const came = '✅ Vous avez reçu 16,00 DH du 06 00 00 00 02.\nRéférence : 24';
const asks = 'Envoi de 21,00 DH au 06 00 00 00 02. Tapez votre code PIN pour confirmer.';
const before = 'Votre solde au 20/11/2026 14:05 : 100,00 DH';
const between = 'Votre solde au 20/11/2026 14:06 : 79,00 DH';
const down =
  'Le service ne répond pas pour le moment. Si vous venez de payer, ne payez pas une seconde fois.';
const IN_ARABIC = {
  sent: '✅ تم إرسال \u206621,00\u2069 درهم إلى \u206606 00 00 00 02\u2069.\nالمرجع: \u206623\u2069',
  came: '✅ توصلتم بمبلغ \u206616,00\u2069 درهم.\nالمرجع: \u206624\u2069',
  between: 'رصيدكم بتاريخ \u206620/11/2026 14:06\u2069: \u206679,00\u2069 درهم',
  timeless: 'رصيدكم: \u206679,00\u2069 درهم',
  down: 'الخدمة لا تستجيب حاليا.',
};
const IN_ENGLISH = {
  sent: '✅ MAD 21.00 sent to 06 00 00 00 02.\nReference: 23',
  came: '✅ You received MAD 16.00.\nReference: 24',
  between: 'Your balance on 20/11/2026 14:06: MAD 79.00',
  timeless: 'Your balance: MAD 79.00',
  down: 'The service is not responding at the moment.',
};
/** With the spaces that pages have. */
const page = (...texts: string[]): Bubble[] =>
  texts.map((text) => ({ text: text.replace(/ (?=:|DH)/g, '\u00a0'), isMine: false }));

test.each<[string, Bubble[]]>([
  ['nothing but a question', page(asks)],
  ['questions, and payments sent and received, in order', page(before, asks, sent, between, came)],
  ['payments that were told in the other order', page(came, sent)],
  ['a balance with a payment that is told below it', page(between, sent, came)],
  ['a balance that is protected', page(sent, 'Protégé par votre code PIN', came)],
  ['any text of the customer', [{ text: down, isMine: true }, ...page(sent, came)]],
  ['an operation of an unknown wallet', page(sent.replace('23', '99'), came)],
])('T10, the history: accepts %s', (_, bubbles) => {
  expect(falseInHistory(bubbles, LEDGER)).toEqual([]);
});

test.each<[string, Bubble[], string]>([
  ['an outcome that stands twice', page(sent, came, sent), 'operation 23 is told twice'],
  ['an outcome that stands twice in a row', page(sent, sent), 'operation 23 is told twice'],
  ['money received twice, from two tabs', page(came, came), 'operation 24 is told twice'],
  ['an old balance below newer money', page(sent, came, between), 'stands below what it has not in it'],
  ['a balance without its time', page(before.replace(' au 20/11/2026 14:05', ''), sent), 'of when it is'],
  ['an outage where there is none', page(sent, down), 'nothing is wrong'],
])('T10, the history: finds %s', (_, bubbles, why) => {
  expect(falseInHistory(bubbles, LEDGER).join('\n')).toContain(why);
});

test('T10, the history: finds a text that a reload has moved below a newer one', () => {
  const [before, after] = [page(sent, came), page(came, sent)];
  expect(falseInHistory(before, LEDGER, before)).toEqual([]);
  expect(falseInHistory(after, LEDGER, before)).toEqual(['operation 23 has moved below a newer one']);
});

describe.each([
  ['Arabic', IN_ARABIC],
  ['English', IN_ENGLISH],
])('T10, the history in %s', (_, { sent, came, between, timeless, down }) => {
  test('accepts texts in their order', () => {
    expect(falseInHistory(page(sent, between, came), LEDGER)).toEqual([]);
  });

  test.each<[string, Bubble[], string]>([
    ['an outcome that stands twice', page(sent, came, sent), 'operation 23 is told twice'],
    ['an old balance below newer money', page(sent, came, between), 'stands below what it has not in it'],
    ['a balance without its time', page(sent, timeless), 'of when it is'],
    ['an outage where there is none', page(sent, down), 'nothing is wrong'],
  ])('finds %s', (_what, bubbles, why) => {
    expect(falseInHistory(bubbles, LEDGER).join('\n')).toContain(why);
  });
});
