import { plain } from '../../src/wallet/letters.ts';
import { BESIDE } from './months.ts';

const ALL = 'tout|toute|toutes|tous|all|كل|الكل|كلها'.split('|');
const BOTH = 'both|الشهرين|الفاتورتين|بجوج'.split('|');
/** `deux` alone may be the second row. */
const BOTH_IN_FIGURES =
  /(?<!\S)(?:(?:les|the) (?:deux|two|2)(?!\S)|(?:deux|two|2)(?= (?:mois|factures|months|bills)(?!\S)))/u;
/** Words for one row, in their order from the first. */
const PLACES = [
  'premiere|first|الاولى',
  'deuxieme|seconde|second|الثانية',
  'troisieme|third|الثالثة',
  'quatrieme|fourth|الرابعة',
].map((words) => words.split('|'));

/** Rows of a list in words, from 1 on. `both` is all of two. */
type Rows = 'all' | 'both' | readonly number[];

/** The rows that a text names in words, and nothing besides: `toutes`, `payer les deux mois`, `la deuxième et la troisième`. */
export function rowsIn(text: string): Rows | undefined {
  const words = plain(text)
    .replace(BOTH_IN_FIGURES, 'both')
    .split(/[\s,،;+'’]+/)
    .filter((word) => word !== '' && !BESIDE.has(word));
  const [first, ...others] = words.filter((word) => !ALL.includes(word));
  if (first === undefined) return words.length > 0 ? 'all' : undefined;
  if (BOTH.includes(first) && others.length === 0) return 'both';
  const places = words.map((word) => PLACES.findIndex((each) => each.includes(word.replace(/^و(?=ال)/, ''))));
  return places.includes(-1) ? undefined : places.map((place) => place + 1);
}
