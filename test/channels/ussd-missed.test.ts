import { expect, test } from 'vitest';
import type { Screen } from '../../machines/kit/screen.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { createRenderer } from '../../src/screen/renderer.ts';

const renderer = createRenderer();
const MISSED: Screen[] = (['nav.slow', 'nav.expired', 'nav.unavailable'] as const).map((key) => ({
  key,
  expects: 'nothing',
}));
const MENU: Screen = {
  key: 'menu.choose',
  expects: 'choice',
  choices: [
    { id: 'a', key: 'nav.back' },
    { id: 'b', key: 'nav.help' },
  ],
};
const words = (text: string) => text.split(/\s+/).filter(Boolean);

test.each(LANGUAGES)('everything missed is said, in order, on pages that fit (%s)', (language) => {
  const first = renderer.ussd(MENU, language, 0, undefined, MISSED);
  expect(first.pages).toBeGreaterThan(1);
  let all: string[] = [];
  for (let page = 0; page < first.pages; page++) {
    const { text, units, max } = renderer.ussd(MENU, language, page, undefined, MISSED);
    expect(units).toBeLessThanOrEqual(max);
    all = [...all, ...words(text)];
  }
  for (const screen of MISSED) {
    for (const word of words(renderer.ussd(screen, language, 0).text)) {
      if (word !== '98') expect(all).toContain(word);
    }
  }
});
