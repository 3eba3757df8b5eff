import { expect } from 'vitest';
import type { Screen, Value } from '../../machines/kit/screen.ts';
import type { Language } from '../../src/conversation/incoming.ts';
import { DETAIL_CHARS_MAX, LABEL_CHARS_MAX, listPage, shortChoices } from '../../src/screen/lists.ts';
import { plain } from '../../src/screen/marks.ts';
import type { Renderer } from '../../src/screen/renderer.ts';

type Labels = Pick<Renderer, 'chat' | 'shortLabels'>;

/** Values that the wallet or people write: only they may be longer than a label. */
const isOutside = (value: Value) => !('say' in value || 'count' in value);

/** The beginning of a value as a short label writes it, or its end: a long number counts by that. */
function startOf(renderer: Labels, value: Value, language: Language): RegExp {
  const choices = [{ id: 'value', key: 'receipt.value', values: { value } }] as const;
  const [written = ''] = renderer.shortLabels({ key: 'menu.choose', expects: 'choice', choices }, language);
  const [word = ''] = plain(written).split(' ');
  return new RegExp(`${RegExp.escape(word.slice(0, 12))}|${RegExp.escape(plain(written).slice(-4))}`);
}

/**
 * On a channel of ten rows with short titles nothing is lost: each choice is on one page, and all of its words are there. Our
 * own words always fit a title. One with a value from outside keeps that value, and differs from all others.
 */
export function fitsShortLists(renderer: Labels, screen: Screen, language: Language): void {
  const labels = renderer.chat(screen, language).choices.map(({ label }) => label);
  const shorter = renderer.shortLabels(screen, language);
  const short = shortChoices(labels, shorter);
  expect(new Set(short.map(({ label }) => label)).size, 'different labels').toBe(labels.length);
  for (const [i, { label, detail, isCut, isShortened }] of short.entries()) {
    const outside = Object.values(screen.choices?.[i]?.values ?? {}).filter(isOutside);
    if (outside.length === 0)
      expect(plain(shorter[i] ?? '').length, shorter[i]).toBeLessThanOrEqual(LABEL_CHARS_MAX);
    else if (isShortened)
      expect(
        outside.some((value) => startOf(renderer, value, language).test(label)),
        label,
      ).toBe(true);
    expect(label.length, label).toBeLessThanOrEqual(LABEL_CHARS_MAX);
    expect(label.trim(), label).toMatch(/\S/);
    expect(detail?.length ?? 0, detail).toBeLessThanOrEqual(DETAIL_CHARS_MAX);
    const whole = plain(labels[i] ?? '');
    // Its channel writes a longer one above the list. The amount at its end is in the detail all the same.
    if (isCut) expect(whole.endsWith((detail ?? '').slice(1)) && whole.length > DETAIL_CHARS_MAX).toBe(true);
    else expect(detail ?? label, 'all of its words').toBe(whole);
  }
  const limits = { rows: 10, moves: 3 };
  const { pages } = listPage(labels.length, limits, 0);
  const all = Array.from({ length: pages }, (_, page) => listPage(labels.length, limits, page));
  expect(all.flatMap(({ from, to }) => labels.slice(from, to))).toEqual(labels);
  for (const { from, to } of all)
    expect(to - from + limits.moves + (pages > 1 ? 2 : 0)).toBeLessThanOrEqual(limits.rows);
}
