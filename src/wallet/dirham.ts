/** All that people write for a dirham, in plain letters: `DH`, `Dhs`, `MAD`, `drhem`, `درهم`, `د.م.` (a regular expression). */
export const DIRHAM =
  '(?:dhs?|dhm|drh|drhm|mad|d[ie]?r[ae]?h[ae]?ms?(?: marocains?)?|درهما?(?: مغربي(?:ا|ة)?)?|دراهم(?: مغربية)?|د\\.? ?م|ده)';
const IS_DIRHAM = new RegExp(`^${DIRHAM}$`);

/** Tells whether a word is the currency. */
export function isDirham(word: string): boolean {
  return IS_DIRHAM.test(word);
}
