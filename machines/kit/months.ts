import { plain } from '../../src/wallet/letters.ts';
import names from '../../src/wallet/month-names.json' with { type: 'json' };

/** A month, and its year where it was said. */
export interface Month {
  readonly month: number;
  readonly year?: number;
}

/** Their names from January on, as people write them in French, English and Morocco's Arabic. */
const NAMES = names.months.map((month) => month.split('|'));
/** Words beside the name of a month or of a row that change nothing. With any other word it is not certain what is meant. */
export const BESIDE: ReadonlySet<string> = new Set(names.beside.split('|'));
/** `09/2026`, and the same behind a day. */
const IN_FIGURES = /^(?:\d{1,2}\/)?(0?[1-9]|1[0-2])\/(20\d{2})$/;

/** The months that a text names and nothing besides: `09/2026`, `septembre et octobre`, `فاتورة شتنبر`. Undefined for any other text. */
export function monthsIn(text: string): readonly Month[] | undefined {
  const months: Month[] = [];
  for (const word of plain(text).split(/[\s,،;+'’]+/)) {
    const [, month, year] = IN_FIGURES.exec(word) ?? [];
    const named = NAMES.findIndex((each) => each.includes(word.replace(/^(?:و|ل|د)(?=.{3})/, '')));
    const last = months.at(-1);
    if (month !== undefined) months.push({ month: Number(month), year: Number(year) });
    else if (named >= 0) months.push({ month: named + 1 });
    else if (/^20\d{2}$/.test(word) && last && last.year === undefined)
      months.splice(-1, 1, { ...last, year: Number(word) });
    else if (word !== '' && !BESIDE.has(word)) return undefined;
  }
  return months.length > 0 ? months : undefined;
}
