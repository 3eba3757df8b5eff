import { expect, test } from 'vitest';
import type { Intent, Watched } from '../../src/conversation/desk/desk.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { type WrittenAnswer, writtenFor, wrongIn } from '../../src/support/answers.ts';
import { cannedAnswers } from '../../src/support/canned.ts';
import { type Situation, suggestion } from '../../src/support/suggestions.ts';
import { FATIMA, NOW } from './records.ts';

const SESSION: Watched = {
  address: 'web:x',
  wallet: FATIMA,
  language: 'fr',
  canPush: true,
  at: NOW,
  machine: 'transfer',
  state: 'askingAmount',
  screen: { key: 'transfer.askAmount', expects: 'amount' },
  waiting: 0,
};
const payment = (state: Intent['state']) => ({ state, order: { kind: 'transfer' } }) as Intent;
const CALM: Situation = { session: SESSION, payments: [], asked: false, stuck: false };
const locked = { ...SESSION, screen: { key: 'menu.locked', expects: 'choice' } } as const;

test.each<[string, Partial<Situation>, string | undefined]>([
  ['nothing is the matter', {}, undefined],
  ['all is paid', { payments: [payment('succeeded')] }, undefined],
  ['they have asked for a person', { asked: true }, 'console.suggestAnswer'],
  [
    'one has come',
    { asked: true, session: { ...SESSION, owner: { id: 'n', name: 'N', since: 1, until: 2 } } },
    undefined,
  ],
  [
    'they have asked where nothing can be shown to them',
    { asked: true, session: { ...SESSION, canPush: false } },
    'console.suggestCall',
  ],
  ['they get no further', { stuck: true }, 'console.suggestMisses'],
  ['their wallet is locked', { stuck: true, session: locked }, 'console.suggestLocked'],
  ['a payment is open', { stuck: true, payments: [payment('unknown')] }, 'console.suggestOpenPayment'],
  [
    'a payment needs people',
    { asked: true, payments: [payment('succeeded'), payment('human')] },
    'console.suggestPayment',
  ],
])('the next step where %s', (_name, situation, key) => {
  expect(suggestion({ ...CALM, ...situation })).toBe(key);
});

test.each(LANGUAGES)(
  'canned answers are in the customer’s language, and an agent finds them by a word: %s',
  (theirs) => {
    const all = cannedAnswers(theirs, 'fr', 'Nadia', '3B174C73');
    expect(all.find(({ word }) => word === 'bonjour')?.text).toContain('Nadia');
    expect(all.find(({ word }) => word === 'paiement')?.text).toContain('3B174C73');
    for (const { text } of all)
      expect(text, 'as somebody would type it').not.toMatch(/[\u2066-\u2069\u00a0{}]/);
    expect(all.some(({ text }) => /[\u0600-\u06ff]/.test(text))).toBe(theirs === 'ar');
    const without = cannedAnswers(theirs, 'fr', 'Nadia', undefined);
    expect(without.map(({ word }) => word)).toEqual(
      all.map(({ word }) => word).filter((word) => word !== 'paiement'),
    );
  },
);

const ANSWER: WrittenAnswer = {
  id: 'abcd1234',
  words: { fr: 'agence', ar: 'وكالة', en: 'agency' },
  texts: {
    fr: 'Passez en agence avec votre CIN, demandez {{agent}}.',
    ar: 'المرجو زيارة الوكالة مع بطاقتكم، واسألوا عن {{agent}}.',
    en: 'Please come to a branch with your ID card, and ask for {{agent}}.',
  },
};
const written = (words: Partial<WrittenAnswer['words']>, texts: Partial<WrittenAnswer['texts']> = {}) => ({
  ...ANSWER,
  id: 'new00000',
  words: { fr: 'un', ar: 'واحد', en: 'one', ...words },
  texts: { ...ANSWER.texts, ...texts },
});

test.each<[what: string, answer: WrittenAnswer, wrong: string | undefined]>([
  ['as it should be', written({}), undefined],
  [
    'a link to the operator’s own site',
    written({}, { en: '{{agent}} https://wallet.example/help' }),
    undefined,
  ],
  ['an amount and a phone number', written({}, { fr: '{{agent}} : 200,00 DH au 0522 00 00 00' }), undefined],
  ['Arabic digits', written({}, { ar: '{{agent}} ٢٠٠ درهم' }), undefined],
  ['no word', written({ ar: '' }), 'answerWord'],
  ['a word with a space', written({ en: 'two words' }), 'answerWord'],
  ['a word that is no word', written({ en: '/one' }), 'answerWord'],
  ['a long word', written({ en: 'a'.repeat(21) }), 'answerWord'],
  ['no Arabic', written({}, { ar: '' }), 'answerText'],
  ['a long text', written({}, { fr: `{{agent}} ${'a'.repeat(400)}` }), 'answerText'],
  ['a value that nobody knows', written({}, { fr: '{{agent}} {{solde}}' }), 'answerValues'],
  ['a value in two languages', written({}, { ar: 'مرحبا' }), 'answerValues'],
  ['half a value', written({}, { fr: '{{agent}} {{agent' }), 'answerValues'],
  ['a host with a path', written({}, { en: '{{agent}} evil.example/x' }), 'answerLost'],
  ['one with a dot of another script', written({}, { en: '{{agent}} evil。example/x' }), 'answerLost'],
  ['a foreign link', written({}, { en: '{{agent}} https://evil.example' }), 'answerLost'],
  ['what looks like a PIN', written({}, { fr: '{{agent}} : votre code est 1234' }), 'answerLost'],
  ['the word of another one', written({ ar: 'وكالة' }), 'answerTaken'],
  ['the word of a built-in one', written({ fr: 'bonjour' }), 'answerTaken'],
])('an answer written at the console: %s', (_, answer, wrong) => {
  expect(wrongIn(answer, [ANSWER], ['wallet.example'])).toBe(wrong);
});

test('an answer that names a payment is offered only when there is one', () => {
  const naming = written(
    {},
    { fr: 'Paiement {{reference}}, {{agent}}', ar: '{{reference}} {{agent}}', en: '{{reference}}' },
  );
  const offered = (reference: string | undefined) =>
    writtenFor([ANSWER, naming], 'ar', 'fr', { agent: 'Nadia', reference });
  expect(offered('3B174C73')).toEqual([
    { id: ANSWER.id, word: 'agence', text: 'المرجو زيارة الوكالة مع بطاقتكم، واسألوا عن Nadia.' },
    { id: naming.id, word: 'un', text: '3B174C73 Nadia' },
  ]);
  expect(offered(undefined).map(({ word }) => word)).toEqual(['agence']);
});
