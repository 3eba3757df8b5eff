import type { Period, TakenPayment } from '../../../machines/kit/effects.ts';
import { OPERATIONS_PAGE_SIZE } from '../../payments/payment.ts';
import type { Answer } from '../../wallet/answer.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { midnight } from '../../wallet/times.ts';
import type { Operation, OperationFilter } from '../../wallet/wallet.ts';
import type { WalletDoc } from '../session/wallet-doc.ts';
import { besides, type EffectEnv, type EffectOf, read } from './effect.ts';

/** Payments on one page of the list: with the ways on, no more than a merchant can look over. */
const LIST_PAGE_SIZE = 8;
/** How many pages are added up: each is a call of the wallet. */
const PAGES_MAX = 10;
const PAYMENTS_MAX = PAGES_MAX * OPERATIONS_PAGE_SIZE;
const { MOBILE_PAYMENT, CARD_PAYMENT, PAYMENT_REFUND, CHARGEBACK } = OPERATION_TYPES;
/** Partner API v2.3: sens 1 CREDIT, 2 DEBIT. */
const TAKEN = { types: [MOBILE_PAYMENT, CARD_PAYMENT], direction: 1 } as const;
const GIVEN_BACK = { types: [PAYMENT_REFUND, CHARGEBACK], direction: 2 } as const;

/** The money that a merchant took and gave back in a period. v2.3 has no such total, so it is added up from the list. */
export const readTakings: EffectOf<'readTakings'> = read(async ({ wallet, period }, env) => {
  const when = rangeOf(period, env.now() + env.skewMs());
  const [taken, given] = await Promise.all([
    listed(wallet, { ...TAKEN, ...when }, env),
    listed(wallet, { ...GIVEN_BACK, ...when }, env),
  ]);
  if (taken.kind !== 'ok') return taken;
  if (given.kind !== 'ok') return given;
  const [payments, refunds] = [taken.value, given.value];
  if (!payments || !refunds)
    return {
      kind: 'ok',
      value: { count: 0, total: centimes(0), givenBack: centimes(0), moreThan: PAYMENTS_MAX },
    };
  const [{ rows }, refunded] = [payments, refunds.rows];
  const leftOut = (payments.leftOut || refunds.leftOut) && ({ leftOut: true } as const);
  const value = { count: rows.length, total: sum(rows), givenBack: sum(refunded), ...leftOut };
  return { kind: 'ok', value };
});

export const readPayments: EffectOf<'readPayments'> = read(
  async ({ wallet, types, page, period }, { api, call, now, skewMs, walletDoc }) => {
    const when = period ? rangeOf(period, now() + skewMs()) : {};
    const filter = { ...TAKEN, ...when, types, status: STATUSES.COMPLETED, page, pageSize: LIST_PAGE_SIZE };
    const answer = await api.operations(wallet, filter, call);
    if (answer.kind !== 'ok') return answer;
    const { operations, count, leftOut } = answer.value;
    const isLast = (operations.length === 0 && !leftOut) || page * LIST_PAGE_SIZE >= count;
    const payments = operations.filter(isTaken).map((each) => withGivenBack(each, walletDoc));
    return { kind: 'ok', value: { payments, isLast } };
  },
);

/** All completed operations of a kind. Undefined where there are more than `PAGES_MAX` pages of them. */
async function listed(
  wallet: Msisdn,
  filter: OperationFilter,
  { api, call }: EffectEnv,
): Promise<Answer<{ readonly rows: readonly Operation[]; readonly leftOut: boolean } | undefined>> {
  // A new operation that comes while pages are read moves the others down. So the same operation may be on two pages.
  const found = new Map<number, Operation>();
  let isLeftOut = false;
  for (let page = 1; page <= PAGES_MAX; page++) {
    const wanted = { ...filter, status: STATUSES.COMPLETED, page, pageSize: OPERATIONS_PAGE_SIZE };
    const answer = await api.operations(wallet, wanted, besides(call));
    if (answer.kind !== 'ok') return answer;
    const { operations, count, leftOut } = answer.value;
    for (const each of operations) found.set(each.id, each);
    isLeftOut ||= leftOut !== undefined || operations.some(({ status }) => status === 0);
    if ((operations.length === 0 && !leftOut) || page * OPERATIONS_PAGE_SIZE >= count)
      return { kind: 'ok', value: { rows: [...found.values()].filter(isCompleted), leftOut: isLeftOut } };
  }
  return { kind: 'ok', value: undefined };
}

function withGivenBack(payment: Operation, { givenBack = [] }: WalletDoc): TakenPayment {
  const refunds = givenBack.filter(({ of }) => of === payment.id);
  return refunds.length === 0 ? payment : { ...payment, givenBack: sum(refunds) };
}

/** However the wallet applies the filter, only incoming money counts as taken. */
function isTaken(operation: Operation): boolean {
  return isCompleted(operation) && operation.direction === TAKEN.direction;
}

function isCompleted({ status }: Operation): boolean {
  return status === STATUSES.COMPLETED;
}

function sum(operations: readonly Pick<Operation, 'amount'>[]): Centimes {
  return centimes(operations.reduce((all, { amount }) => all + amount, 0));
}

/** The begin and the end of a period. A list of today has no end, so operations that come in meanwhile belong to it. */
export function rangeOf(period: Period, now: number): { readonly from: Date; readonly to?: Date } {
  if (period === 'today') return { from: new Date(midnight(now)) };
  if (period === 'week') return { from: new Date(midnight(now, 6)) };
  return { from: new Date(midnight(now, 1)), to: new Date(midnight(now) - 1) };
}
