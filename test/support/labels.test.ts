import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LABEL_COLOURS } from '../../src/support/labels.ts';

const CSS = readFileSync(new URL('../../src/support/public/forms.css', import.meta.url), 'utf8');

/** Relative luminance, as WCAG 2 has it. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = (hex.match(/[\da-f]{2}/g) ?? []).map((pair) => {
    const part = Number.parseInt(pair, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test.each(LABEL_COLOURS)('a %s label can be read in both themes', (colour) => {
  const [, rule = ''] = new RegExp(`\\.label\\.${colour} \\{([^}]*)\\}`).exec(CSS) ?? [];
  const pairs = [...rule.matchAll(/light-dark\(#([\da-f]{6}), #([\da-f]{6})\)/g)];
  expect(pairs).toHaveLength(2);
  for (const theme of [1, 2]) {
    const [dark = 0, light = 0] = pairs.map((pair) => luminance(pair[theme] ?? '')).sort((a, b) => a - b);
    expect((light + 0.05) / (dark + 0.05), `theme ${theme}`).toBeGreaterThanOrEqual(4.5);
  }
});
