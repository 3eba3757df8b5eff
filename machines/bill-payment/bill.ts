import { billed, nameOf, paidFor } from '../../src/payments/bill-labels.ts';
import {
  BILLS_NAMED_MAX,
  type BillAnswer,
  type BillPaymentOrder,
  type KeptContract,
  totalOf,
} from '../../src/payments/bill-payment.ts';
import { keptOrder, orderValues } from '../../src/payments/payments.ts';
import { latinDigits } from '../../src/wallet/digits.ts';
import type { BillField, Creditor, Receivable, Unpaid } from '../../src/wallet/services.ts';
import type { Paying } from '../kit/paying.ts';
import type { Sentence, Value, Values } from '../kit/screen.ts';
import { matchingNames } from '../kit/search.ts';
import { CREDITORS_SHOWN_MAX } from './creditors.ts';
import type { ReadingBillHistory } from './history.ts';
import { isReceivable, selection } from './items.ts';

/** The contracts that the customer has agreed to keep, and the way to begin with one of them. */
interface Keeping {
  /** A longer dial goes on behind the entry that has led here. */
  isFollowed?: true;
  /** The customer wants to see what was paid, and to pay nothing. */
  looksBack?: true;
  keeps?: KeptContract;
  /** The kept contracts, paid last first. */
  contracts?: readonly KeptContract[];
  /** The kept contract whose bills are paid: its answers were not asked for. */
  kept?: KeptContract | undefined;
}

/** The customer's answers and the data read so far, in the order of the conversation. */
export interface PayingBills extends Paying, ReadingBillHistory, Keeping {
  search?: string | undefined;
  /** A number that was typed before its question. */
  number?: string | undefined;
  /** Nothing else was found, so the creditor was not chosen. */
  isOnly?: true | undefined;
  creditors?: readonly Creditor[];
  creditor?: Creditor | undefined;
  receivables?: readonly Receivable[];
  receivable?: Receivable | undefined;
  form?: readonly BillField[];
  /** The index of the question in the form: -1 before the first, their number after the last. */
  at?: number;
  answers?: readonly BillAnswer[];
  /** Only passwords are asked: they were kept for too long, everything else is kept. */
  again?: true | undefined;
  /** The typed text, where it means navigation on other screens and may be the answer here. */
  typed?: string | undefined;
  leads?: 'back' | 'menu' | undefined;
  unpaid?: Unpaid;
  /** Items by their place in the list. */
  chosen?: readonly number[];
}

/** Numbers of contracts have more digits than most amounts. */
const CONTRACT_NUMBER = /(?<!\d)\d{5,}(?!\d)/;
const HAS_LETTER = /\p{L}/u;

/** The words to look for in a text, and the number of a contract beside them. */
export function sought(text = ''): Pick<PayingBills, 'search' | 'number'> {
  const typed = latinDigits(text);
  const [number] = CONTRACT_NUMBER.exec(HAS_LETTER.test(typed) ? typed : typed.replace(/\s/g, '')) ?? [];
  const words = number === undefined ? text : typed.replace(number, '').trim();
  return { search: HAS_LETTER.test(words) ? words : undefined, ...(number !== undefined && { number }) };
}

/** The one creditor that matches the typed text. */
export function onlyCreditor({ search }: PayingBills, all: readonly Creditor[]): Creditor | undefined {
  const found = search === undefined ? [] : matchingNames(all, search);
  return found.length === 1 ? found[0] : undefined;
}

/** The creditors that match the typed text. Without a match: all of them, and that text. */
export function findCreditors(
  { search, notice }: PayingBills,
  all: readonly Creditor[],
): Partial<PayingBills> {
  const found = matchingNames(all, search);
  const creditors = (found.length > 0 ? found : all).slice(0, CREDITORS_SHOWN_MAX);
  if (found.length > 0 || search === undefined) return { creditors, notice };
  const none: Sentence = { key: 'bill-payment.noMatch', values: { search: { text: search } } };
  return { creditors, search: undefined, notice: none };
}

/** Names the form in the sentence that offers to continue it. */
export function about({ creditor, receivable }: PayingBills): Values {
  return {
    creditor: { name: creditor?.name ?? '' },
    ...(receivable && { receivable: { name: receivable.name } }),
  };
}

/** The order for all bills, or for the ones that were chosen with what goes with them. */
export function placeOrder(context: PayingBills, chosen?: readonly number[]): Partial<PayingBills> {
  const { wallet, creditor, receivable, unpaid, answers = [] } = context;
  if (!creditor || !receivable || !unpaid) throw new Error('bills were ordered before they were found');
  const items = chosen ? selection(unpaid, chosen) : unpaid.items;
  const left = totalOf(unpaid.items.filter((item) => !items.includes(item)));
  const order: BillPaymentOrder = {
    kind: 'bill-payment',
    from: wallet,
    amount: totalOf(items),
    creditor: { id: creditor.id, name: creditor.name },
    receivable,
    reference: unpaid.reference,
    all: !unpaid.isPartial && items.length === unpaid.items.length,
    items,
    answers,
    params: unpaid.params,
    ...(left > 0 && !unpaid.isPartial && { left }),
  };
  return { order, again: undefined };
}

/** Drops the data that was sent and is not needed any more, passwords above all (secrets pass through). */
export function forget({ order }: PayingBills): Partial<PayingBills> {
  return { answers: [], ...(order && { order: keptOrder(order) }) };
}

/**
 * On pages the screen of the PIN can be the first that names the bills: whose they are, the number that was typed, and which they are.
 * "Back" leads to each of them. The only bill of a kept contract has its amount beside it. The total of several stands on a line
 * of its own: beside the last of them it would seem to be its price. If room is short, `due` is the month
 * of one or the number of several. The creditor's additions stand beside the sum of the bills. They are none of Wasl's fees, and in the total.
 */
export function namedAtPin({ isChat, order, quote, unpaid, kept }: PayingBills): Sentence | undefined {
  if (isChat || order?.kind !== 'bill-payment' || !quote) return undefined;
  const bills = order.items.filter(isReceivable);
  const [only] = bills.length === 1 ? bills : [];
  const service = order.receivable.name;
  const said = orderValues(order, quote);
  const due: Sentence = only
    ? { key: 'bill-payment.option', values: { option: nameOf(only) } }
    : { key: 'bill-payment.billCount', values: { count: { count: bills.length } } };
  const added = order.items.filter((item) => !isReceivable(item));
  const sums = { bill: { money: totalOf(bills) }, added: { money: totalOf(added) } };
  const sum: Sentence[] =
    added.length > 0 && bills.length > 0 ? [{ key: 'bill-payment.sumAdded', values: sums }] : [];
  const isFree = quote.fees === 0;
  // Beside a fee of Wasl's own a short page has no room for the sum, which stands behind it.
  const isSummed = isFree && sum.length > 0;
  // Nobody has just typed the number of a kept contract. Elsewhere it stands beside the creditor.
  const end: Sentence[] = kept && isSummed ? [{ key: 'bill-payment.contractEnd', values: said }] : [];
  const values = {
    ...said,
    // Nor has anybody just chosen its service.
    ...(kept && { bills: paidFor(service, bills, BILLS_NAMED_MAX) }),
    due: { lines: [...end, due, ...(isSummed ? sum : [])] },
    sum: { lines: sum },
  };
  const [bill, ...others] = order.items;
  if (kept && order.all && bill && others.length === 0)
    return {
      key: isFree ? 'bill-payment.askPinKeptFree' : 'bill-payment.askPinKept',
      values: { ...values, receivable: billed(service), bill: nameOf(bill, service) },
    };
  const free = isSummed ? 'bill-payment.askPinAddedFree' : 'bill-payment.askPinAllFree';
  return {
    key: isFree ? free : 'bill-payment.askPinAll',
    values: { ...values, ...holderOf(unpaid, order) },
  };
}

/** The bill of a kept contract is named with its creditor: nobody has just chosen that. */
export function keptDue({ kept, order, quote }: PayingBills): Sentence | undefined {
  return kept && order ? { key: 'bill-payment.due', values: orderValues(order, quote) } : undefined;
}

function holderOf(unpaid: PayingBills['unpaid'], { receivable }: BillPaymentOrder): { holder: Value } {
  return { holder: { text: unpaid?.shown[0]?.value ?? receivable.name } };
}
