import { normalised } from '../../wallet/letters.ts';

/** Conversations that an amount can be filled into, and a number where somebody is paid. */
export const PAYING: ReadonlySet<string> = new Set([
  ...['transfer', 'top-up', 'merchant-payment', 'bank-transfer'],
  ...['receive-payment', 'cash-in', 'card-cash-in', 'cash-out', 'card-payment'],
]);
/** Conversations that begin with a list, where something can be looked for. */
export const SEARCHED: ReadonlySet<string> = new Set(['bill-payment', 'voucher']);
/**
 * Conversations that protect more than the help does. In the middle of a request they lead to the choice between a freeze, the card and a
 * person.
 */
export const PROTECTING: ReadonlySet<string> = new Set(['freeze', 'lost-card']);
/** A Moroccan mobile number as contacts are copied. It is not the tail of a longer number. */
export const NUMBER =
  /(?<![\d+])(?:tel:)?\(?(?:(?:\+|00)?212[\s.()/-]{0,3}0?|0)[\s.()/-]{0,2}[67](?:[\s.()/-]{0,2}\d){8}(?!\d)/g;

export function parted(line: string): string[] {
  return line.split(/[\s\u00a0\u202f_]+/).filter((word) => word !== '');
}

/** `1 500` with the blank between its thousands. More digits beside it are a longer number, and of `200 300` nobody knows. */
const THOUSANDS = /(?<!\d[\s.,-]?)([1-9]\d?)\s(\d{3})(?![\s-]?\d)/g;

/** A line whose amounts have no blank in them. */
export function joinThousands(line: string): string {
  return line.replaceAll(THOUSANDS, '$1$2');
}

/** `mon numéro`, `pour moi`, `my line`, `نمرتي`, `ليا`. */
const OWN_NUMBER =
  /(?:^|[^\p{L}])(?:mon (?:numero|num|telephone|tel|portable)|ma (?:ligne|sim)|(?:pour |a |recharge[rz]? ?-?)moi|my(?:self| (?:number|line|phone|mobile|sim))|for me|ل?نمرتي|ل?رقمي|ل?هاتفي|ل?تيليفوني|ليا|لنفسي|لراسي|(?:عمر|عبئ|اشحن|شحن|شارجي) ?لي|l?ne?mrti|li?ya|lia|l?rasi)(?:$|[^\p{L}])/u;

/** True for a line that names the customer's own number. */
export function isForOneself(text: string): boolean {
  return OWN_NUMBER.test(normalised(text));
}
