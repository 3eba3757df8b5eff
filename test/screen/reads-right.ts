import bidiFactory from 'bidi-js';
import { expect } from 'vitest';

/** The default export is the factory itself where modules are bundled, and holds it elsewhere. */
const BIDI = (bidiFactory as unknown as typeof bidiFactory.default)();
/** A run that begins with a digit and has no blank: an amount, a date, a masked number. */
const NUMBERS = /\d[^\s\p{Script=Arabic}،؛؟]*/gu;
/** Many screens share their lines. */
const CHECKED = new Set<string>();

/** Every number of an Arabic page is seen as it is written, on a handset that sets the page from the right (UAX #9). */
export function readsRight(page: string): void {
  for (const line of page.split('\n')) {
    if (CHECKED.has(line) || !/\d.*\p{Script=Arabic}|\p{Script=Arabic}.*\d/u.test(line)) continue;
    CHECKED.add(line);
    const seen = BIDI.getReorderedString(line, BIDI.getEmbeddingLevels(line, 'rtl'));
    for (const [run] of line.matchAll(NUMBERS)) {
      const number = run.replace(/[^\p{L}\d]+$/u, '');
      if (!seen.includes(number)) expect(seen, line).toContain(number);
    }
  }
}
