import type { Sentence } from '../../machines/kit/screen.ts';
import type { Sealed } from '../../machines/kit/secret.ts';
import { ARTICLE_TYPES } from '../wallet/contract/bills.ts';
import { EXPIRED_CODE } from '../wallet/contract/errors.ts';
import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { type Centimes, centimes } from '../wallet/money.ts';
import type {
  BillItem,
  BillRequest,
  BillValue,
  Creditor,
  GlobalParam,
  Receivable,
} from '../wallet/services.ts';
import { billed, namesOf, paidFor } from './bill-labels.ts';
import {
  ENDED,
  type Ended,
  OPERATIONS_PAGE_SIZE,
  type PaymentEnv,
  type PaymentMethod,
  type Placed,
} from './payment.ts';

export interface BillPaymentOrder extends Placed {
  readonly kind: 'bill-payment';
  readonly creditor: Pick<Creditor, 'id' | 'name'>;
  readonly receivable: Receivable;
  /** `refTxNetwork`: the bill network's own name for it. */
  readonly reference: string;
  readonly all: boolean;
  readonly items: readonly BillItem[];
  readonly answers: readonly BillAnswer[];
  readonly params: readonly GlobalParam[];
  /** The sum that stays due of the same contract. Absent where nothing does, or not all bills could be read. */
  readonly left?: Centimes;
}

/** The customer's answers in a bill form. A password is sealed, and dropped when the payment is sent. */
export type BillAnswer =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly sealed: Sealed };

/** A contract whose bills the customer can pay again without an answer. */
export interface KeptContract {
  readonly creditor: Pick<Creditor, 'id' | 'name'>;
  readonly receivable: Receivable;
  readonly answers: readonly BillValue[];
}

/** True where creditor, service and all answers are the same. */
export function isSameContract(
  { creditor, receivable, answers }: KeptContract,
  other: Pick<BillPaymentOrder, 'creditor' | 'receivable' | 'answers'>,
): boolean {
  const isThere = ({ name, value }: BillValue) =>
    other.answers.some((each) => each.name === name && 'value' in each && each.value === value);
  return (
    creditor.id === other.creditor.id &&
    receivable.id === other.receivable.id &&
    answers.length === other.answers.length &&
    answers.every(isThere)
  );
}

/** More bills are named by the first and the last of them where room is short. */
export const BILLS_NAMED_MAX = 3;
/** How many pages of bill payments are searched for the one whose webhook has come: it is among the newest. */
const REBUILD_PAGES_MAX = 5;
const EXPIRED = { kind: 'refused', code: EXPIRED_CODE, description: '' } as const;
/** Partner API v2.3, "Bill transaction": the state from the search for unpaid bills to the confirmation. */
const SEARCHED = 'EN_ATTENTE';
/** As above. A refund or cancellation before a known success means that it failed. */
const STATES: Readonly<Record<string, Ended | undefined>> = {
  CONFIRME: 'succeeded',
  ANNULE: 'failed',
  REMBOURSE: 'failed',
  FAILED: 'failed',
};

/** Bills of one creditor. The list of operations names neither, so the bill network's reference finds the payment again. */
export const billPayment = {
  type: OPERATION_TYPES.BILL_PAYMENT,
  guard: 'list',

  said: {
    called: 'bill-payment.called',
    calledAs: ['bill'],
    values: (order) => ({
      creditor: { name: order.creditor.name },
      receivable: { name: order.receivable.name },
      contract: { text: contractIn(order) ?? order.receivable.name },
      bills: namesOf(billsOf(order), BILLS_NAMED_MAX) ?? billed(order.receivable.name),
      paid: { lines: paidBy(order) },
      left: { lines: leftOf(order) },
    }),
    /** A receipt names its settlement, and the stamp where there is one. */
    done({ settlement, stampNumber, stampText }) {
      if (settlement && stampNumber && stampText) return 'bill-payment.doneStamped';
      return settlement ? 'bill-payment.doneSettled' : 'bill-payment.done';
    },
  },
  alike: { beneficiary: ({ creditor, receivable }) => `${creditor.id}/${receivable.id}` },
  listed: {
    statementName: 'statement.bill',
    beneficiary: () => '',
    receiver: () => undefined,
    about: () => 'statement.aboutBill',
  },
  receipt: { reference: ({ reference }) => reference, document: 'bill-receipt' },
  secret: {
    kept: (order) => ({ ...order, answers: order.answers.filter((answer) => 'value' in answer) }),
    isExpired: (order, open) => requestOf(order, open) === undefined,
  },
  followed: {
    takenBack: 'event',
    events: {
      'payment.confirmed': ENDED,
      'payment.cancelled': ENDED,
      'payment.refunded': ENDED,
      'payment.failed': ENDED,
    },
    async find({ reference }, { api, call }) {
      const answer = await api.billStatus(reference, call);
      if (answer.kind !== 'ok') return answer;
      const { status, operationId: executed } = answer.value ?? {};
      // The search has made this transaction. As with a 204, no confirmation has reached the network so far.
      if (status === SEARCHED && executed === undefined) return { kind: 'ok', value: undefined };
      const state = answer.value && STATES[answer.value.status];
      const { operationId } = answer.value ?? {};
      return {
        kind: 'ok',
        value: answer.value && { ...(operationId && { operationId }), ...(state && { state }) },
      };
    },
    async rebuild({ id, amount }, from, api) {
      for (let page = 1; page <= REBUILD_PAGES_MAX; page++) {
        const answer = await api.billPayments(from, { page, pageSize: OPERATIONS_PAGE_SIZE });
        if (answer.kind !== 'ok') return answer;
        const bill = answer.value.entries.find(({ operationId }) => operationId === id);
        if (bill?.reference) {
          const { creditor: name, receivable = '', reference } = bill;
          const of = { creditor: { id: '', name }, receivable: { id: '', name: receivable || reference } };
          const rest = { all: false, items: [], answers: [], params: [] };
          return { kind: 'ok', value: { kind: 'bill-payment', from, amount, reference, ...of, ...rest } };
        }
        if (answer.value.entries.length === 0) break;
      }
      return { kind: 'ok', value: undefined };
    },
  },

  async preview(order, { api, call, open }) {
    const request = requestOf(order, open);
    return request ? api.previewBill(request, call) : EXPIRED;
  },
  async execute(order, { api, call, open }) {
    const request = requestOf(order, open);
    return request ? api.payBill(request, call) : EXPIRED;
  },
} satisfies PaymentMethod<BillPaymentOrder>;

/** The answers of a bill form as they are sent. Undefined when a password is too old to be opened. */
export function openAnswers(
  answers: readonly BillAnswer[],
  open: PaymentEnv['open'],
): readonly BillValue[] | undefined {
  const values = answers.map((answer): BillValue | undefined => {
    if ('value' in answer) return answer;
    const value = open(answer.sealed);
    return value === undefined ? undefined : { name: answer.name, value };
  });
  return values.every((each) => each !== undefined) ? values : undefined;
}

/** The number that the customer gave first: v2.3 does not say which answer names the contract. Never a password. */
function contractIn({ answers }: BillPaymentOrder): string | undefined {
  return answers.flatMap((answer) => ('value' in answer ? [answer.value] : []))[0];
}

/**
 * The bill, and the costs that the creditor adds. The wallet alone may know it of a payment that the store has lost, and then says
 * less.
 */
function paidBy({ receivable, items }: BillPaymentOrder): readonly Sentence[] {
  const bills = billsOf({ items });
  const label = paidFor(receivable.name, bills);
  const added = items.filter(isAdded);
  return [
    added.length > 0 && bills.length > 0
      ? { key: 'bill-payment.fact', values: { label, value: { money: totalOf(bills) } } }
      : { key: 'bill-payment.factReceivable', values: { value: label } },
    ...added.map(
      ({ description, amount }): Sentence => ({
        key: 'bill-payment.fact',
        values: { label: billed(description), value: { money: amount } },
      }),
    ),
  ];
}

function leftOf({ left }: BillPaymentOrder): readonly Sentence[] {
  return left === undefined ? [] : [{ key: 'bill-payment.left', values: { amount: { money: left } } }];
}

/** The sum of bills. */
export function totalOf(items: readonly BillItem[]): Centimes {
  return centimes(items.reduce((sum, { amount }) => sum + amount, 0));
}

function billsOf({ items }: Pick<BillPaymentOrder, 'items'>): readonly BillItem[] {
  return items.filter((item) => !isAdded(item));
}

/** A fee, a stamp or the like, which goes with the bills. */
function isAdded({ type }: BillItem): boolean {
  return type !== ARTICLE_TYPES.RECEIVABLE;
}

/** Undefined when one of its secrets is too old to be opened. */
function requestOf(order: BillPaymentOrder, open: PaymentEnv['open']): BillRequest | undefined {
  const { from, creditor, receivable, reference, all, items, params, answers } = order;
  const values = openAnswers(answers, open);
  if (!values) return undefined;
  return {
    from,
    creditorId: creditor.id,
    receivableId: receivable.id,
    reference,
    all,
    items,
    values,
    params,
  };
}
