import { latinDigits } from './digits.ts';

/** Marks over and under letters, and signs that are not seen. */
const MARKS = /[\p{M}\p{Cf}\u0640]/gu;
/** Phones make long dashes of short ones. */
const DASHES = /[\p{Pd}\u2212]/gu;
/** The dots of this sign for a dirham end no sentence. */
const ABBREVIATED_DIRHAM = /(?<!\p{L})د\. ?م\.?(?!\p{L})/gu;

/**
 * A line as it is compared: lower case, Latin digits, one kind of dash, without accents, hamzas, vowel marks, tatweel and
 * the signs that phones slip in.
 */
export function plain(text: string): string {
  const bare = text.normalize('NFD').replaceAll(MARKS, '').replaceAll(DASHES, '-');
  return latinDigits(bare).replaceAll(ABBREVIATED_DIRHAM, ' درهم ').toLowerCase();
}

/** A line with one form for each letter. */
export function normalised(text: string): string {
  return plain(text).replaceAll('ى', 'ي').replaceAll('ة', 'ه');
}
