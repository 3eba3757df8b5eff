import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { loadLocales, sentences } from '../../src/screen/locales.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { withSharedSentences } from '../../src/screen/shared-sentences.ts';
import { placeholders } from '../../src/screen/template.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { SAMPLE_LOCALES } from './sample.ts';

let directory: string;
beforeEach(() => {
  directory = newDirectory('locales');
  mkdirSync(join(directory, 'fr'));
});

test('the real locales have the words for moving in every language, short enough to stand on a page', () => {
  createRenderer();
  for (const language of LANGUAGES) {
    for (const word of ['back', 'menu', 'more', 'help']) {
      expect(sentences(language).get(`nav.${word}`), `${language} nav.${word}`).toMatch(/^.{1,8}$/u);
    }
  }
});

test('keys carry the name of their file', () => {
  expect(sentences('fr', SAMPLE_LOCALES).has('sample.tries_ussd_one')).toBe(true);
  expect(sentences('en', SAMPLE_LOCALES).has('nav.back')).toBe(true);
  expect(sentences('de', SAMPLE_LOCALES).size).toBe(0);
  expect(sentences('en', SAMPLE_LOCALES).get('sample.send')).toBe('Send money');
});

test('placeholders are listed once, sorted', () => {
  expect(placeholders('{{b}} {{ a }} {{b}}')).toEqual(['a', 'b']);
  expect(placeholders('none')).toEqual([]);
  expect(placeholders('{{a, bare}} {{a}} {{b,whole}}')).toEqual(['a', 'b']);
});

test.each(['{{a, upper}}', '{{a, }}', '{{, bare}}', '{{a b}}', '{{a', '$t(a)', '{{a, bare, whole}}'])(
  '%s is no placeholder',
  (text) => {
    expect(() => placeholders(text)).toThrow('not a placeholder');
  },
);

test.each([
  ['not JSON', '{'],
  ['a nested table', '{"a": {"b": "c"}}'],
  ['a number', '{"a": 1}'],
  ['an empty sentence', '{"a": ""}'],
  ['null', 'null'],
])('a file with %s stops the start', (_, text) => {
  writeFileSync(join(directory, 'fr', 'bad.json'), text);
  expect(() => loadLocales(directory)).toThrow('bad.json');
});

test('other files are left alone', () => {
  writeFileSync(join(directory, 'fr', 'notes.txt'), 'x');
  writeFileSync(join(directory, 'fr', 'good.json'), '{"a": "b"}');
  expect(loadLocales(directory)).toEqual({ fr: { good: { a: 'b' } } });
});

describe('the sentences that all ways to pay share', () => {
  const file = { called: 'votre envoi de {{amount}}', brief: 'Envoi de {{amount}}', ask: 'Combien ?' };
  const from = (payment: Record<string, string>, more: Record<string, string> = {}) =>
    withSharedSentences({ payment, send: { ...file, ...more }, help: { text: 'Aide' } });

  test.each<[string, string, Record<string, string>, string]>([
    ['the noun in a sentence', 'Rien de {{payment}}.', {}, 'Rien de votre envoi de {{amount}}.'],
    ['the noun at its beginning', '{{Payment}} dure.', {}, 'Votre envoi de {{amount}} dure.'],
    ['the noun in few words', '{{brief}} refusé', {}, 'Envoi de {{amount}} refusé'],
    ['other placeholders', '{{payment}}, {{reference}}', {}, 'votre envoi de {{amount}}, {{reference}}'],
    ['a masculine noun', 'Ne {{le|la}} refaites pas, refusé{{|e}}', {}, 'Ne le refaites pas, refusé'],
    [
      'a feminine noun',
      'Ne {{le|la}} refaites pas, refusé{{|e}}',
      { gender: 'feminine' },
      'Ne la refaites pas, refusée',
    ],
  ])('%s', (_, shared, more, said) => {
    expect(from({ said: shared }, more)).toEqual({
      send: { called: file.called, ask: file.ask, said },
      help: { text: 'Aide' },
    });
  });

  test('a sentence of its own is left alone, and is not given the short forms of another', () => {
    const { send } = from({ failed: 'a', failed_ussd: 'b', done: 'c' }, { failed: 'autre' });
    expect(send).toEqual({ called: file.called, ask: file.ask, failed: 'autre', done: 'c' });
  });

  test('a way to pay without a short name stops the start', () => {
    expect(() => withSharedSentences({ payment: {}, send: { called: 'votre envoi' } })).toThrow('send');
  });

  test.each(LANGUAGES)('nothing of them is left to be filled in when they are loaded, in %s', (language) => {
    const all = [...sentences(language)];
    expect(all.filter(([key]) => key.startsWith('payment.'))).toEqual([]);
    expect(
      all
        .filter(([, text]) => /\{\{(?:payment|Payment|brief)\}\}|\|/.test(text))
        .map(([key]) => key)
        .sort(),
    ).toEqual(
      [
        'help.last',
        ...(language === 'ar' ? ['help.last_ussd'] : []),
        'help.named',
        ...(language === 'ar' ? ['help.named_ussd'] : []),
        ...['', ...(language === 'en' ? [] : ['_brief']), '_ussd'].map((form) => `help.undoThis${form}`),
        // They name the payment that has left, was doubled, or goes to somebody new, whichever it is.
        ...['', '_sms', '_ussd'].map((form) => `pay.alike${form}`),
        ...['', '_brief', '_ussd'].map((form) => `pay.askCost${form}`),
        ...['', '_brief', '_ussd'].map((form) => `pay.askNew${form}`),
        ...['double', 'receipt'].flatMap((name) => ['', '_sms', '_ussd'].map((form) => `pay.${name}${form}`)),
        // An Arabic page names the amount that the balance lacks, and nothing more.
        'pay.aboveLimit',
        ...['short', 'shortAt', 'shortOf'].flatMap((name) =>
          (language === 'ar' ? [''] : ['', '_ussd']).map((form) => `pay.${name}${form}`),
        ),
      ].sort(),
    );
  });
});
