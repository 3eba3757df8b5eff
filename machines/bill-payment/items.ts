import { billed, labelled, namesInList, namesOf } from '../../src/payments/bill-labels.ts';
import { BILLS_NAMED_MAX, totalOf } from '../../src/payments/bill-payment.ts';
import { ARTICLE_TYPES } from '../../src/wallet/contract/bills.ts';
import type { BillItem, Unpaid } from '../../src/wallet/services.ts';
import { type Month, monthsIn } from '../kit/months.ts';
import type { Choice, Screen, Sentence, Value, Values } from '../kit/screen.ts';
import type { SentenceKey } from '../kit/sentence-key.ts';
import { rowsIn } from '../kit/several.ts';

const KINDS: Readonly<Record<number, SentenceKey>> = {
  [ARTICLE_TYPES.FEE]: 'bill-payment.fee',
  [ARTICLE_TYPES.STAMP_FEE]: 'bill-payment.stampFee',
};

/** The way to the choice of bills. */
export const SOME = { id: 'some', key: 'bill-payment.paySome' } as const satisfies Choice;

/** Partner API v2.3, "Bill-payment resources": only receivables can be left out. */
export function isReceivable({ type }: BillItem): boolean {
  return type === ARTICLE_TYPES.RECEIVABLE;
}

/** The items that are paid with this choice (by index in the list): the chosen ones and all mandatory ones. */
export function selection({ items }: Unpaid, chosen: readonly number[]): readonly BillItem[] {
  return items.filter((item, i) => !isReceivable(item) || chosen.includes(i));
}

/** True where something is chosen, or nothing can be. */
export function isPayable({ items }: Unpaid, chosen: readonly number[]): boolean {
  return chosen.length > 0 || !items.some(isReceivable);
}

/** The choice after this item is added or removed. */
export function toggled(chosen: readonly number[], item: number): readonly number[] {
  return chosen.includes(item) ? chosen.filter((each) => each !== item) : [...chosen, item];
}

/** True for more than one bill to choose from. */
export function isSeveral({ items }: Unpaid): boolean {
  return items.filter(isReceivable).length > 1;
}

/** True where the total says all there is to pay: every bill was read, and the creditor has added nothing. */
export function isPlain({ items, isPartial }: Unpaid): boolean {
  return !isPartial && items.every(isReceivable);
}

/** The channel, and the choices beside the bills. */
interface Beside {
  readonly isChat?: boolean | undefined;
  readonly others?: readonly Choice[];
}

/**
 * All that is unpaid, and what is known of the contract, so that the customer sees whose bills they are. On pages several bills are
 * choices.
 */
export function review(unpaid: Unpaid, values: Values, { isChat, others = [] }: Beside = {}): Screen {
  const { items, shown, isPartial } = unpaid;
  if (!isChat && isSeveral(unpaid)) return listed(unpaid, values, others);
  const facts = shown.map(
    ({ label, value }): Sentence => ({
      key: 'bill-payment.fact',
      values: { label: labelled(label), value: { text: value } },
    }),
  );
  return {
    key: facts.length > 0 ? 'bill-payment.reviewFor' : 'bill-payment.review',
    values: {
      ...values,
      ...(facts.length > 0 && { facts: { lines: facts } }),
      items: { lines: isChat ? items.map(itemLine) : summaryOf(items) },
      total: { money: totalOf(items) },
    },
    choices: [
      { id: 'all', key: isPartial ? 'bill-payment.payShown' : payKey(unpaid) },
      ...(isSeveral(unpaid) ? [SOME] : []),
      ...others,
    ],
    ...missing(unpaid),
    expects: 'choice',
    ...(items.some(isReceivable) && { takesSeveral: true }),
  };
}

/** On pages: each bill under its number, and all of them. The page of the PIN names what was chosen. */
function listed(unpaid: Unpaid, values: Values, others: readonly Choice[]): Screen {
  const bills = unpaid.items.filter(isReceivable);
  const fixed = unpaid.items.filter((item) => !isReceivable(item));
  const names = namesInList(bills);
  const hint = bills.length > 2 ? 'bill-payment.selectNone' : 'bill-payment.selectOne';
  const total: Values = { total: { money: totalOf(unpaid.items) } };
  return {
    key: fixed.length > 0 ? 'bill-payment.selectNoneWith' : hint,
    values: { ...values, ...(fixed.length > 0 && { fixed: { lines: fixed.map(itemLine) } }) },
    choices: [
      ...bills.map((bill, n): Choice => {
        const values = { ...valuesOf(bill), ...(names[n] && { item: names[n] }) };
        const id = String(unpaid.items.indexOf(bill));
        return { id, key: 'bill-payment.notChosen', values, listed: true };
      }),
      {
        id: 'all',
        key: unpaid.isPartial ? 'bill-payment.payShownOf' : 'bill-payment.payAllOf',
        values: total,
        varies: true,
      },
      ...others,
    ],
    ...missing(unpaid),
    expects: 'choice',
    takesSeveral: true,
  };
}

/** Bills that cannot be read are not paid, so "all" would be false. */
function missing({ isPartial }: Unpaid): Pick<Screen, 'notice'> {
  return isPartial ? { notice: { key: 'bill-payment.partial' } } : {};
}

/** "All" of one bill would let its reader look for others. */
function payKey(unpaid: Unpaid): SentenceKey {
  return isSeveral(unpaid) ? 'bill-payment.payAll' : 'bill-payment.payOne';
}

/** On pages: the bills by their names, and all that the creditor adds. */
function summaryOf(items: readonly BillItem[]): readonly Sentence[] {
  const option = namesOf(items.filter(isReceivable), BILLS_NAMED_MAX);
  return [
    ...(option ? [{ key: 'bill-payment.option', values: { option } } as const] : []),
    ...items.filter((item) => !isReceivable(item)).map(itemLine),
  ];
}

const RANGE_SIGN = /\s*[-\u2010-\u2015\u2212]\s*/;
/** A comma of any script, a blank, a `*` of a gateway that joins answers, or "and". */
const BETWEEN = /\s*(?:[,،;+*]|(?<=[\s\d])(?:et|and|و)(?=[\s\d]))\s*|\s+/i;

/**
 * The bills that are typed by their numbers in the list, such as `1,3` or `1-3`, by their months or in words: their places among
 * the items. Undefined where one of the numbers or months is none of the list.
 */
export function severalIn({ items }: Unpaid, text: string): readonly number[] | undefined {
  const places = items.flatMap((item, i) => (isReceivable(item) ? [i] : []));
  const rows = rowsIn(text);
  if (rows === 'all' || rows === 'both') return rows === 'all' || places.length === 2 ? places : undefined;
  const months = monthsIn(text);
  if (months) {
    const found = months.map((month) => places.filter((place) => isOf(items[place], month)));
    return found.every(({ length }) => length > 0) ? [...new Set(found.flat())] : undefined;
  }
  const joined = (rows?.join() ?? text.trim()).replaceAll(new RegExp(RANGE_SIGN, 'g'), '-');
  const chosen = joined.split(BETWEEN).map((part) => {
    const [, one, other = one] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part) ?? [];
    // `3-1` is the same: on an Arabic page a range can be seen from the right.
    const [from, to] = [Number(one), Number(other)].sort((a, b) => a - b) as [number, number];
    return from >= 1 && to <= places.length ? places.slice(from - 1, to) : undefined;
  });
  return chosen.some((part) => part === undefined)
    ? undefined
    : [...new Set(chosen.flatMap((part) => part ?? []))];
}

/** A bill is of the month in its name. One without is of the month of its date. */
function isOf(item: BillItem | undefined, { month, year }: Month): boolean {
  const named = [item?.description, item?.date].map((text = '') => /(\d{1,2})\/(20\d{2})/.exec(text));
  const [, itsMonth, itsYear] = named.find((found) => found !== null) ?? [];
  return Number(itsMonth) === month && (year === undefined || Number(itsYear) === year);
}

/** The bills come first, so that their numbers are those of the list. The chosen ones are paid by the choice that names their total. */
export function select(unpaid: Unpaid, chosen: readonly number[], values: Values): Screen {
  const fixed = unpaid.items.filter((item) => !isReceivable(item));
  // Nothing is paid yet, so no total stands beside the items that are always added.
  const isNone = !isPayable(unpaid, chosen);
  const total: Value = { money: totalOf(selection(unpaid, chosen)) };
  const items = unpaid.items.flatMap((item, i): Choice[] =>
    isReceivable(item) ? [{ id: String(i), key: isIn(chosen, i), values: valuesOf(item), listed: true }] : [],
  );
  return {
    key: isNone
      ? fixed.length > 0
        ? 'bill-payment.selectNoneWith'
        : 'bill-payment.selectNone'
      : fixed.length > 0
        ? 'bill-payment.selectWith'
        : 'bill-payment.select',
    values: {
      ...values,
      ...(fixed.length > 0 && { fixed: { lines: fixed.map(itemLine) } }),
      total,
    },
    choices: [
      ...items,
      ...(isNone ? [] : [{ id: 'pay', key: 'bill-payment.paySelected', values: { total } } as const]),
    ],
    expects: 'choice',
    ...(items.length > 1 && { takesSeveral: true as const }),
  };
}

function isIn(chosen: readonly number[], item: number): SentenceKey {
  return chosen.includes(item) ? 'bill-payment.chosen' : 'bill-payment.notChosen';
}

function itemLine(item: BillItem): Sentence {
  const { type } = item;
  if (isReceivable(item)) return { key: 'bill-payment.item', values: valuesOf(item) };
  const kind: Value = { say: KINDS[type] ?? 'bill-payment.mandatory' };
  return { key: 'bill-payment.fixedItem', values: { ...valuesOf(item), kind } };
}

function valuesOf({ description, date, amount }: BillItem): Values {
  return { item: billed(description), date: { code: date }, amount: { money: amount } };
}
