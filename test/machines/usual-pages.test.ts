import { expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { readText } from '../kit/tree.ts';
import { USUAL_SCREENS } from './usual-screens.ts';

const renderer = createRenderer();
const [, figures = ''] = readText('docs/contributor/screen-figures.md').split('\n## Pages on USSD\n');
/** The rows of that table: pages in French, Arabic and English. */
const ROWS = new Map(
  [...figures.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)].map(([, name = '', ...now]) => [
    name,
    now.map(Number),
  ]),
);

test.each(USUAL_SCREENS)('%s takes as many pages as its table says', (name, screen) => {
  const pages = LANGUAGES.map((language) => renderer.ussd(screen, language, 0).pages);
  expect(pages).toEqual(ROWS.get(name));
});

test('the table has no other rows', () => {
  expect([...ROWS.keys()]).toEqual(USUAL_SCREENS.map(([name]) => name));
});

test.each(USUAL_SCREENS.filter(([, { first }]) => first))(
  '%s: its first page names that payment, in few words or in all of them',
  (_, screen) => {
    for (const [language, said] of [
      ['fr', /^(Votre e|E)nvoi de 200,00 DH au 0655000000 (n'est )?pas encore confirmé\. /],
      ['ar', /^لم يؤكد بعد إرسال 200,00 درهم إلى 0655000000\. /],
      ['en', /^(Your t|T)ransfer of MAD 200\.00 to 0655000000 (is )?not confirmed yet\. /],
    ] as const)
      expect(renderer.ussd(screen, language, 0).text.replaceAll(/\s/g, ' ')).toMatch(said);
  },
);
