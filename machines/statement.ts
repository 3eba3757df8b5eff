import { PAYMENTS } from '../src/payments/payments.ts';
import { OPERATION_TYPES, STATUSES } from '../src/wallet/contract/fields.ts';
import { type Centimes, centimes } from '../src/wallet/money.ts';
import { type Msisdn, readPhone } from '../src/wallet/phone.ts';
import type { Operation } from '../src/wallet/wallet.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { known, last, machine } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import type { Choice, Screen, Sentence, Value } from './kit/screen.ts';
import type { SentenceKey } from './kit/sentence-key.ts';

const { CASHIN, CASHOUT, TRANSFER, MOBILE_PAYMENT, PAYMENT_REFUND, BANK_TRANSFER } = OPERATION_TYPES;
const { RECHARGE, CHARGEBACK, VOUCHER, CARD_PAYMENT, BILL_PAYMENT } = OPERATION_TYPES;

const FILTERS: readonly { id: string; key: SentenceKey; types?: readonly number[] }[] = [
  { id: 'all', key: 'statement.all' },
  { id: 'transfers', key: 'statement.transfers', types: [TRANSFER] },
  { id: 'bankTransfers', key: 'statement.bankTransfers', types: [BANK_TRANSFER] },
  { id: 'topUps', key: 'statement.topUps', types: [RECHARGE] },
  { id: 'bills', key: 'statement.bills', types: [BILL_PAYMENT] },
  { id: 'vouchers', key: 'statement.vouchers', types: [VOUCHER] },
  { id: 'deposits', key: 'statement.deposits', types: [CASHIN] },
  { id: 'withdrawals', key: 'statement.withdrawals', types: [CASHOUT] },
  { id: 'payments', key: 'statement.payments', types: [MOBILE_PAYMENT, CARD_PAYMENT] },
  { id: 'refunds', key: 'statement.refunds', types: [PAYMENT_REFUND, CHARGEBACK] },
];
/** Choices of the list that are no operation. */
const WAYS: Readonly<Record<string, number>> = { older: 1, newer: -1 };

interface Reading extends Authenticating {
  filter: string;
  /** The PIN for the balance was right a moment ago. */
  mayView?: true;
  /** Of the wallet's list, from 1. */
  page: number;
  isLast?: boolean;
  operations?: readonly Operation[];
  /** The names of payments by the operation's id, where the list has none. */
  about?: Readonly<Record<string, Sentence>>;
  /** Messages with buttons are shown here, which have room for it in a row. */
  isChat?: boolean | undefined;
  /** The wallet lists more on this page, which cannot be read. */
  leftOut?: true | undefined;
  /** The operation that is looked at. */
  chosen?: number;
}

const { call, choose, decide, state } = parts<Reading>();

/** The customer reads the last operations, newest first, and opens one of them, after the PIN. */
export const statement = machine<Reading>({
  id: 'statement',
  context: ({ input: { wallet, mayView, isChat } }) => ({
    ...{ wallet: known(wallet), filter: 'all', page: 1, isChat },
    ...(mayView && { mayView }),
  }),
  initial: 'beginning',
  states: {
    beginning: decide({ if: (context) => context.mayView === true, target: 'reading' }, 'askingPin'),
    ...authentication<Reading>(() => ({ key: 'statement.askPin', expects: 'pin' }), {
      next: 'reading',
      back: 'left',
    }),
    reading: call('readOperations', {
      says: 'statement.reading',
      input: ({ wallet, filter, page }) => {
        const { types } = filterOf(filter);
        return { wallet, page, ...(types && { types }) };
      },
      ok: [
        {
          if: ({ operations, leftOut }, { filter, page }) =>
            operations.length === 0 && !leftOut && filter === 'all' && page === 1,
          target: 'empty',
        },
        { target: 'listing', know: (page) => ({ leftOut: undefined, ...page }) },
      ],
      failed: 'unavailable',
    }),
    listing: state({
      tags: 'private',
      shows: list,
      chose: choose(
        {
          if: (choice) => choice in WAYS,
          target: 'reading',
          know: (choice, context) => ({ page: context.page + (WAYS[choice] ?? 0) }),
        },
        { if: 'filter', target: 'choosingFilter' },
        { target: 'showing', know: (choice) => ({ chosen: Number(choice) }) },
      ),
      back: 'left',
    }),
    choosingFilter: state({
      shows: () => ({
        key: 'statement.chooseFilter',
        choices: FILTERS.map(({ id, key }) => ({ id, key })),
        expects: 'choice',
      }),
      chose: choose({ target: 'reading', know: (choice) => ({ filter: choice, page: 1 }) }),
      back: 'listing',
    }),
    showing: state({
      tags: 'private',
      shows: (c) => {
        const operation = c.operations?.find(({ id }) => id === c.chosen);
        return operation ? detail(operation, c.about?.[operation.id]) : list(c);
      },
      chose: 'listing',
      back: 'listing',
    }),
    empty: last('statement.empty'),
    unavailable: last('statement.unavailable'),
    left: { type: 'final' },
  },
});

/**
 * The name of an operation. In a list the sign of its amount tells the direction, elsewhere the name does: a transfer
 * and a merchant's payment have two names.
 */
const NAMES: Readonly<Record<number, SentenceKey>> = {
  [CASHIN]: 'statement.deposit',
  [CASHOUT]: 'statement.withdrawal',
  [PAYMENT_REFUND]: 'statement.refund',
  [BANK_TRANSFER]: 'statement.bankTransfer',
  [CHARGEBACK]: 'statement.refund',
  [CARD_PAYMENT]: 'statement.payment',
  ...Object.fromEntries(Object.values(PAYMENTS).map(({ type, listed }) => [type, listed.statementName])),
};
const STATES: Readonly<Record<number, SentenceKey>> = {
  [STATUSES.OPEN]: 'statement.open',
  [STATUSES.COMPLETED]: 'statement.completed',
  [STATUSES.FAILED]: 'statement.failed',
  [STATUSES.CANCELED]: 'statement.cancelled',
};
const CREDIT = 1;

function list(context: Reading): Screen {
  const { operations = [], filter, page, isLast, leftOut } = context;
  return {
    key: operations.length > 0 || leftOut ? 'statement.list' : 'statement.none',
    values: { filter: { say: filterOf(filter).key } },
    ...(leftOut && { notice: { key: 'statement.leftOut' } }),
    choices: [
      ...operations.map((each) => operationChoice(each, context)),
      ...(isLast ? [] : [{ id: 'older', key: 'statement.older' } as const]),
      ...(page > 1 ? [{ id: 'newer', key: 'statement.newer' } as const] : []),
      { id: 'filter', key: 'statement.filter' },
    ],
    expects: 'choice',
  };
}

/**
 * One line of the list, with the other party if it has a phone, or in a chat with what was paid. A completed operation is the rule, so
 * only another state is named.
 */
function operationChoice(operation: Operation, context: Reading): Choice {
  const isDone = operation.status === STATUSES.COMPLETED;
  const other = otherIn(operation, context);
  const [line, notDone] = other
    ? (['statement.lineWith', 'statement.lineWithNotDone'] as const)
    : (['statement.line', 'statement.lineNotDone'] as const);
  return {
    id: String(operation.id),
    key: isDone ? line : notDone,
    values: {
      ...(other && { other }),
      day: { day: operation.at },
      amount: { signed: signed(operation) },
      what: { say: nameOf(operation) },
      status: { say: statusOf(operation) },
    },
    listed: true,
  };
}

/** A page has room for a phone alone. The customer's own number is named where it was topped up. */
function otherIn(operation: Operation, { about, wallet, isChat }: Reading): Value | undefined {
  const what = isChat ? about?.[operation.id] : undefined;
  if (what) return { lines: [what] };
  const other = otherOf(operation);
  const isOwn = other === wallet && !(isChat && operation.type === RECHARGE);
  return other === undefined || isOwn ? undefined : { phone: other };
}

/**
 * The other party is named only where it reads as a phone: the wallet may also give a RIB or an account's id. The reference
 * is the operation's id, as in the outcome of a payment: the wallet's `transactionReference` is shown nowhere.
 */
function detail(operation: Operation, about: Sentence | undefined): Screen {
  const { id, direction, amount, fees, total, at } = operation;
  const phone = otherOf(operation);
  const other: Value | undefined = about ? { lines: [about] } : phone && { phone };
  const known = direction === CREDIT ? 'statement.detailFrom' : 'statement.detailTo';
  const named = about ? 'statement.detailFor' : known;
  return {
    key: other ? named : 'statement.detail',
    values: {
      what: { say: nameOf(operation) },
      amount: { money: amount },
      fees: { money: fees },
      total: { money: total },
      at: { date: at },
      status: { say: statusOf(operation) },
      reference: { code: String(id) },
      ...(other && { other }),
    },
    choices: [{ id: 'list', key: 'statement.backToList' }],
    expects: 'choice',
  };
}

function otherOf({ direction, sender, receiver }: Operation): Msisdn | undefined {
  return readPhone(direction === CREDIT ? sender : receiver);
}

/** The change of the balance: a debit with its fee, so that the lines add up to it. */
function signed({ direction, amount, total }: Operation): Centimes {
  return direction === CREDIT ? amount : centimes(-Math.max(amount, total));
}

function nameOf({ type, direction }: Operation): SentenceKey {
  if (direction === CREDIT && type === TRANSFER) return 'statement.received';
  if (direction === CREDIT && type === MOBILE_PAYMENT) return 'statement.paymentReceived';
  return NAMES[type] ?? 'statement.operation';
}

function statusOf({ status }: Operation): SentenceKey {
  return STATES[status] ?? 'statement.unknown';
}

function filterOf(filter: string): { readonly key: SentenceKey; readonly types?: readonly number[] } {
  return FILTERS.find(({ id }) => id === filter) ?? { key: 'statement.all' };
}
