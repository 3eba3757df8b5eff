import { latinDigits } from '../../src/wallet/digits.ts';

/** The rows whose name or description has all the words, with or without accents. Without words: all rows. */
export function matching<T extends { readonly name: string; readonly description?: string }>(
  entries: readonly T[],
  search = '',
): readonly T[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  return entries.filter(({ name, description = '' }) => {
    const text = folded(`${name} ${description}`);
    return words.every((word) => text.includes(word));
  });
}

/**
 * Other names of bill issuers: an operator's letters, a company's former name, and both in Arabic script. These are
 * words to understand, not sentences to say.
 */
const ALSO_CALLED: readonly (readonly string[])[] = [
  ['maroc telecom', 'iam', 'itissalat', 'اتصالات المغرب'],
  ['inwi', 'انوي', 'إنوي'],
  ['orange', 'اورنج', 'أورنج', 'meditel', 'ميديتيل'],
  ['lydec', 'ليدك', 'ليديك', 'srm casa'],
  ['redal', 'ريضال', 'srm rabat'],
  ['amendis', 'أمانديس', 'امانديس', 'srm tanger'],
  ['onee', 'one', 'onep', 'المكتب الوطني'],
  ['vignette', 'tsav', 'لافينييت', 'ضريبة السيارات'],
  ['cnss', 'الضمان الاجتماعي'],
  ['ecole', 'school', 'مدرسة', 'المدرسة', 'lmadrassa', 'madrassa'],
];

/** Things that are billed, as people call them, and the companies that bill them. */
const BILLED_BY: readonly (readonly [said: string, names: string])[] = [
  ['eau electricite lumiere water electricity ماء كهرباء ضو', 'srm lydec redal amendis onee radee'],
  ['telephone tel fixe internet phone wifi هاتف تليفون انترنت', 'maroc\u00a0telecom inwi orange'],
  ['impot impots taxe taxes tax ضريبة ضرائب', 'dgi tgr vignette'],
];

/**
 * The same, by another name of theirs or by what they bill where none has that name: `iam` for Maroc Telecom.
 * @param isBilled false where what they bill names none of them
 */
export function matchingNames<T extends { readonly name: string; readonly description?: string }>(
  entries: readonly T[],
  search = '',
  isBilled = true,
): readonly T[] {
  const found = matching(entries, search);
  const said = ` ${folded(search).split(/\s+/).join(' ')} `;
  const others = ALSO_CALLED.filter((names) =>
    names.some((name) => said.includes(` ${folded(name)} `)),
  ).flat();
  const things = folded(search)
    .split(/[\s'’]+/)
    .map((word) => word.replace(/^(?:ال|لل)(?=.{2})/, ''));
  const billed = BILLED_BY.filter(([thing]) =>
    things.some((word) => folded(thing).split(' ').includes(word)),
  );
  if (!isBilled && billed.length > 0) return [];
  // A biller's name outweighs the kind of bill: `lydec eau`.
  const names = others.length > 0 ? others : billed.flatMap(([, billers]) => billers.split(' '));
  return found.length > 0
    ? found
    : entries.filter((entry) => names.some((name) => matching([entry], name).length > 0));
}

/** Without accents, case and vowel marks, and with Latin digits. */
function folded(text: string): string {
  return latinDigits(text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());
}
