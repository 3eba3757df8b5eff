import type { Period } from '../../../machines/kit/effects.ts';
import { READINGS } from '../chart/readings.ts';
import names from './vocabulary/names.json' with { type: 'json' };

/** By the id of a machine, in each language. */
const NAMES: Readonly<Record<string, Readonly<Record<'fr' | 'ar' | 'en', readonly string[]>>>> = names;

/**
 * The customers' names for the conversations, beside the ids of their machines, which links use. Those of `cash-in`,
 * `cash-out` and `references` are also an agent's words for a customer's. Conversations that only read declare their own.
 * They are compared without case, accents, hamzas and vowel marks. These are words to understand, not sentences to say.
 */
export const WORDS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(READINGS.map(({ id, words }) => [id, words])),
  ...Object.fromEntries(Object.entries(NAMES).map(([id, { fr, ar, en }]) => [id, [...en, ...fr, ...ar]])),
};

/** The days of which a merchant may ask the takings, by their names. */
export const PERIODS: readonly (readonly [Period, readonly string[]])[] = [
  ['today', ['today', 'of today', 'aujourd hui', 'du jour', 'jour', 'اليوم']],
  ['yesterday', ['yesterday', 'of yesterday', 'hier', 'd hier', 'أمس', 'البارحة']],
  ['week', ['week', 'this week', '7 days', 'semaine', 'de la semaine', '7 jours', 'الأسبوع', '7 أيام']],
];

/** Words too common to begin a line that goes on: `bon courage` asks for no voucher. */
export const ALONE: readonly string[] = ['bon', 'bons'];

/** Words that carry nothing, between the amount and the recipient. */
export const FILLERS: readonly string[] = [
  ...['to', 'for', 'of', 'the', 'me', 'my', 'number', 'please', 'again', 'also'],
  ...['à', 'au', 'vers', 'pour', 'de', 'le', 'la', 'du', 'numéro', 'moi', 'svp', 'encore', 'aussi'],
  ...['إلى', 'ل', 'لرقم', 'رقم', 'من', 'مبلغ', 'لي', 'ليا'],
];
