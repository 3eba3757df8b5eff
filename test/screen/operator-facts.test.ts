import { expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { loadLocales } from '../../src/screen/locales.ts';
import { LRI, NBSP, PDI } from '../../src/screen/marks.ts';
import { factsOf } from '../../src/screen/open.ts';
import { type OperatorFacts, withOperatorFacts } from '../../src/screen/operator-facts.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { readsRight } from './reads-right.ts';
import { alone } from './sample.ts';

const FACTS: OperatorFacts = {
  supportPhone: '0801 000 000',
  terms: 'https://wallet.example/terms',
  ussdCode: '*123#',
};
const from = (sentences: Record<string, string>, facts: OperatorFacts, language = 'fr') =>
  withOperatorFacts({ [language]: { menu: sentences } }, facts)[language]?.menu;

test.each<[string, Record<string, string>, OperatorFacts, Record<string, string>]>([
  [
    'a fact stands in its place, in one piece',
    { a: 'Appelez le {{supportPhone}}.' },
    FACTS,
    { a: `Appelez le 0801${NBSP}000${NBSP}000.` },
  ],
  ['what does without it is then not said', { a: '{{ussdCode}}', a_unset: 'b' }, FACTS, { a: '*123#' }],
  ['it is said where the fact is missing', { a: '{{ussdCode}}', a_unset: 'b' }, {}, { a: 'b' }],
  [
    'each variant has its own',
    { a: '{{terms}}', a_unset: 'b', a_ussd: '{{terms}}', a_ussd_unset: 'c' },
    {},
    { a: 'b', a_ussd: 'c' },
  ],
  [
    'a sentence that needs two lacks one',
    { a: '{{terms}} {{ussdCode}}', a_unset: 'b' },
    { ussdCode: '*1#' },
    { a: 'b' },
  ],
  ['without one it stays as it is, and cannot be said', { a: '{{terms}}' }, {}, { a: '{{terms}}' }],
  [
    'other values are left to be filled in',
    { a: '{{amount}} {{terms}}' },
    FACTS,
    { a: '{{amount}} https://wallet.example/terms' },
  ],
])('%s', (_, sentences, facts, said) => {
  expect(from(sentences, facts)).toEqual(said);
});

test('in Arabic a number reads from the left', () => {
  expect(from({ a: 'ركبوا {{ussdCode}}' }, FACTS, 'ar')).toEqual({ a: `ركبوا ${LRI}*123#${PDI}` });
});

test.each([
  ['+212 801 000 000', '0801000000'],
  ['0801 000 000', '0801000000'],
  ['+33 1 40 20 50 50', '+33140205050'],
])('on an Arabic page, which has no isolates, %s is %s: its groups would change places', (given, shown) => {
  const renderer = createRenderer(undefined, { supportPhone: given });
  const { text } = renderer.ussd({ key: 'menu.locked', expects: 'choice' }, 'ar', 0);
  expect(text).toContain(`${shown}\n`);
  readsRight(text);
});

test('doing it twice changes nothing', () => {
  const once = withOperatorFacts(loadLocales(), FACTS);
  expect(withOperatorFacts(once, FACTS)).toEqual(once);
});

test.each(LANGUAGES)('in %s every sentence that names a fact can be said without it', (language) => {
  const asked = Object.entries(withOperatorFacts(loadLocales(), {})[language] ?? {}).flatMap(
    ([file, sentences]) =>
      Object.entries(sentences).flatMap(([name, sentence]) =>
        /\{\{(?:supportPhone|terms|tariffs|ussdCode|topUpAmounts|coolDownHours)\}\}/.test(sentence)
          ? [`${file}.${name}`]
          : [],
      ),
  );
  expect(asked).toEqual([]);
});

test.each(LANGUAGES)('in %s a locked wallet reads the number to call, if there is one', (language) => {
  const locked = alone({ key: 'menu.locked' });
  const phone = language === 'ar' ? '0801000000' : '0801 000 000';
  expect(createRenderer(undefined, FACTS).ussd(locked, language, 0).text).toContain(phone);
  const without = createRenderer().ussd(locked, language, 0).text;
  expect(without).not.toMatch(/\{|\d/);
});

test('the demonstration has a number to call, and nothing else has one that was not set', () => {
  const phone = (env: Record<string, string>, demoAt?: string) =>
    factsOf(readConfig(env) as Config, demoAt).supportPhone;
  expect(phone({})).toBeUndefined();
  expect(phone({}, 'http://demo')).toBe('0800 000 000');
  expect(phone({ SUPPORT_PHONE: '0801 111 111' }, 'http://demo')).toBe('0801 111 111');
});
