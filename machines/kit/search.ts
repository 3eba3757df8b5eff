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

/** Services by the words that mean the same one, and the companies that bill it. No service is called by a word for any tax. */
const BILLED_BY: readonly (readonly [said: string, names: string])[] = [
  ['eau leau water ماء ما lma', 'srm lydec redal amendis onee radee'],
  [
    'electricite lumiere courant electricity كهرباء ضو do dow tricinti trisinti',
    'srm lydec redal amendis onee radee',
  ],
  ['telephone tel phone mobile gsm هاتف تليفون tilifoun', 'maroc\u00a0telecom inwi orange'],
  ['fixe landline', 'maroc\u00a0telecom inwi orange'],
  ['internet wifi fibre انترنت ويفي', 'maroc\u00a0telecom inwi orange'],
  ['impot impots', 'dgi tgr vignette'],
  ['taxe taxes tax', 'dgi tgr vignette'],
  ['ضريبة ضرائب', 'dgi tgr vignette'],
];
/** Words between two services. */
const BESIDE: ReadonlySet<string> = new Set(['et', 'and', 'w', 'و', 'de', 'd', 'l', 'la', 'le']);

/** The same, by another name of theirs or by what they bill where none has that name: `iam` for Maroc Telecom. */
export function matchingNames<T extends { readonly name: string; readonly description?: string }>(
  entries: readonly T[],
  search = '',
): readonly T[] {
  const found = matching(entries, search);
  const others = alsoCalled(search).flat();
  const words = wordsIn(search);
  const billed = BILLED_BY.filter(([service]) => words.some((word) => wordsIn(service).includes(word)));
  // A biller's name outweighs the kind of bill: `lydec eau`.
  const names = others.length > 0 ? others : billed.flatMap(([, billers]) => billers.split(' '));
  return found.length > 0
    ? found
    : entries.filter((entry) => names.some((name) => matching([entry], name).length > 0));
}

/**
 * True where each word of a search surely means this service of a company. A company may sell more than the services of its name, so a
 * word for a service is looked for in the name of the service alone.
 */
export function isCalled(search: string, company: string, service: string): boolean {
  const own = wordsIn(`${company} ${service}`);
  const aliases = alsoCalled(search)
    .filter((names) => names.some((name) => matching([{ name: company }], name).length > 0))
    .flatMap((names) => names.flatMap(wordsIn));
  return wordsIn(search).every((word) => {
    const services = BILLED_BY.map(([said]) => wordsIn(said)).filter((said) => said.includes(word));
    return services.length > 0
      ? services.some((said) => wordsIn(service).some((each) => said.includes(each)))
      : [...own, ...aliases].includes(word);
  });
}

/** The names of each company of which one stands in the text. */
function alsoCalled(search: string): readonly (readonly string[])[] {
  const said = ` ${folded(search).split(/\s+/).join(' ')} `;
  return ALSO_CALLED.filter((names) => names.some((name) => said.includes(` ${folded(name)} `)));
}

/** The words of a text that bear its meaning, without their articles. */
function wordsIn(text: string): readonly string[] {
  return folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/^(?:(?:و?ال|لل)(?=.{2})|l(?=[a-z]{4}))/, ''))
    .filter((word) => word !== '' && !BESIDE.has(word));
}

/** Without accents, case and vowel marks, and with Latin digits. */
function folded(text: string): string {
  return latinDigits(text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());
}
