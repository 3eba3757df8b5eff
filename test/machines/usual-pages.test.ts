import { expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import { readText } from '../kit/tree.ts';
import { USUAL_SCREENS } from './usual-screens.ts';

const renderer = createRenderer();
/** The rows of the table "Pages on USSD": before and now, in French, Arabic and English. */
const ROWS = new Map(
  [
    ...readText('docs/figures.md').matchAll(
      /^\| ([^|]+) \| \d+ \| (\d+) \| \d+ \| (\d+) \| \d+ \| (\d+) \|$/gm,
    ),
  ].map(([, name = '', ...now]) => [name, now.map(Number)]),
);

test.each(USUAL_SCREENS)('%s takes as many pages as docs/figures.md says', (name, screen) => {
  const pages = LANGUAGES.map((language) => renderer.ussd(screen, language, 0).pages);
  expect(pages).toEqual(ROWS.get(name));
});

test('the table has no other rows', () => {
  expect([...ROWS.keys()]).toEqual(USUAL_SCREENS.map(([name]) => name));
});
