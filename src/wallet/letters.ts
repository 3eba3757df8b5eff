import { latinDigits } from './digits.ts';

/**
 * A line as it is compared: lower case, Latin digits, without accents, hamzas, vowel marks, tatweel and the signs that
 * phones slip in.
 */
export function plain(text: string): string {
  return latinDigits(text.normalize('NFD').replaceAll(/[\p{M}\p{Cf}\u0640]/gu, '')).toLowerCase();
}

/** A line with one form for each letter. */
export function normalised(text: string): string {
  return plain(text).replaceAll('ى', 'ي').replaceAll('ة', 'ه');
}
