import type { Operation } from '../../src/wallet/wallet.ts';

/** One bubble on a page, and whether the customer or Wasl has said it. */
export interface Bubble {
  readonly text: string;
  readonly isMine: boolean;
}

/** The wallet of a history: what it had before, and what it has moved since, oldest first. Centimes. */
interface Ledger {
  readonly opening: number;
  readonly operations: readonly (Pick<Operation, 'id'> & { readonly change: number })[];
}

// In French, Arabic and English, without the marks of direction.
const MARKS = /[\u2066-\u2069]/g;
const REFERENCE = /(?:Référence|Reference|المرجع)\s?:\s(\d+)/;
const MONEY = /effectué|reçu|sent to|received|تم إرسال|توصلتم/;
const MOMENT = String.raw`(?: (?:au|on|بتاريخ) (\S+\s\d\d:\d\d))?`;
const AMOUNT = String.raw`(?:MAD\s)?(\d[\d\s,.]*[.,]\d\d)`;
const BALANCE = new RegExp(String.raw`(?:Votre solde|Your balance|رصيدكم)${MOMENT}\s?:\s${AMOUNT}`);
const IN_TROUBLE = /ne répond pas|not responding|لا تستجيب/;

/**
 * False texts in a chat as its page shows it after a reload, one line each. A text that was true when it left can be
 * false in its place: told a second time, moved below a newer one, or without its time.
 * @param before what the same page showed before the reload
 */
export function falseInHistory(
  marked: readonly Bubble[],
  { opening, operations }: Ledger,
  before: readonly Bubble[] = [],
): string[] {
  const bubbles = marked.map(({ text, isMine }) => ({ text: text.replace(MARKS, ''), isMine }));
  const lies = troublesIn(bubbles);
  const toldIn = ({ text, isMine }: Bubble) =>
    !isMine && MONEY.test(text)
      ? operations.findIndex(({ id }) => `${id}` === REFERENCE.exec(text.replace(MARKS, ''))?.[1])
      : -1;
  const told = bubbles.map(toldIn);
  const stood = before.map(toldIn).filter((at) => at >= 0);
  for (const [i, { text, isMine }] of bubbles.entries()) {
    const [at = -1, above] = [told[i], told.slice(0, i)];
    const name = `operation ${operations[at]?.id}`;
    if (at >= 0 && above.includes(at)) lies.push(`${name} is told twice`);
    const place = stood.indexOf(at);
    if (place >= 0 && above.some((each) => stood.indexOf(each) > place))
      lies.push(`${name} has moved below a newer one`);
    const [, moment, balance = ''] = BALANCE.exec(text) ?? [];
    if (isMine || balance === '') continue;
    if (!moment) lies.push(`a balance does not say of when it is: ${text}`);
    const shown = Number(balance.replace(/\D/g, ''));
    if (!isPossible(shown, above)) lies.push(`a balance of ${shown} stands below what it has not in it`);
  }
  return lies;

  /**
   * A balance contains every payment that is told above it. It may contain any payment that is told later or in another
   * chat.
   */
  function isPossible(shown: number, above: readonly number[]): boolean {
    let sums = [opening];
    for (const [n, { change }] of operations.entries())
      sums = sums.flatMap((sum) => (above.includes(n) ? [sum + change] : [sum, sum + change]));
    return sums.includes(shown);
  }
}

/** Texts that speak of an outage. Only for histories in which there is none. */
export function troublesIn(bubbles: readonly Bubble[]): string[] {
  return bubbles
    .filter(({ isMine, text }) => !isMine && IN_TROUBLE.test(text))
    .map(({ text }) => `nothing is wrong, and a text says: ${text}`);
}
