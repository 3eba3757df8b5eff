import { latinDigits } from './digits.ts';

/** Marks of direction and width, which come along when a message is copied. */
const INVISIBLE = /\p{Cf}/gu;
/** Hyphens and dashes, as keyboards and messages write them. */
const DASH = '\\p{Pd}';
/** Part of no longer number: `06 12 345 678` has no code in it. */
const ALONE = (number: string) => new RegExp(`(?<!\\d[\\s.${DASH}]?)${number}(?![\\s.${DASH}]?\\d)`, 'gu');
const CODE = ALONE(`(\\d{3})[\\s${DASH}]?(\\d{3})`);
/** The number of a reference for cash is at least as long, and stands between spaces. */
const REFERENCE = /(?<![^\s:])\d(?:[\s-]?\d){7,}(?![^\s.,;])/g;

/**
 * The one-time code in a text, as it was typed or as an SMS writes it, in any script, with the rest of that SMS or
 * without. Gives it as `xxx-xxx` (Partner API v2.3, Limits). Undefined where there is none, or more than one.
 */
export function oneTimeCodeIn(text: string): string | undefined {
  const plain = latinDigits(text).replace(INVISIBLE, '');
  const codes = new Set([...plain.matchAll(CODE)].map(([, first, last]) => `${first}-${last}`));
  return codes.size === 1 ? [...codes][0] : undefined;
}

/** The number of a reference for cash in a text around it. Otherwise the text itself, as its form is not shown in v2.3. */
export function referenceIn(text: string): string {
  const [number, ...others] = latinDigits(text).replace(INVISIBLE, '').match(REFERENCE) ?? [];
  return number && others.length === 0 ? number.replace(/[\s-]/g, '') : text;
}
