import { type BillAnswer, openAnswers } from '../../payments/bill-payment.ts';
import type { Answer } from '../../wallet/answer.ts';
import { EXPIRED_CODE } from '../../wallet/contract/errors.ts';
import type { Operator } from '../../wallet/contract/telco.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type {
  BillField,
  BillPayment,
  Creditor,
  IssuedQr,
  Paged,
  Receivable,
  TopUp,
  TopUpProduct,
  Unpaid,
  VoucherArticle,
  VoucherBrand,
} from '../../wallet/services.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import type { Effect } from './effect.ts';

/** Partner API v2.3, "Bill payment": the list of creditors "may be cached for a few hours". */
const CREDITORS_KEPT_MS = 3 * 3_600_000;
/** How many entries of a list a conversation shows at a time. */
const LIST_PAGE_SIZE = 20;
/** How far back numbers are suggested for a top-up. */
const RECENT_TOP_UPS = 20;

export const readTopUpProducts: Effect<
  { to: Msisdn; amount: Centimes; operator: Operator },
  Answer<readonly TopUpProduct[]>
> = {
  kind: 'read',
  run: (order, { api, call }) => api.topUpProducts(order, call),
};

export const readTopUps: Effect<{ wallet: Msisdn }, Answer<readonly TopUp[]>> = {
  kind: 'read',
  run: ({ wallet }, { api, call }) => api.topUps(wallet, { page: 1, pageSize: RECENT_TOP_UPS }, call),
};

const creditorsKept = new WeakMap<Wallet, { readonly at: number; readonly list: readonly Creditor[] }>();

export const readCreditors: Effect<Record<never, never>, Answer<readonly Creditor[]>> = {
  kind: 'read',
  async run(_, { api, call, now }) {
    const kept = creditorsKept.get(api);
    if (kept && now() < kept.at + CREDITORS_KEPT_MS) return { kind: 'ok', value: kept.list };
    const answer = await api.creditors(call);
    if (answer.kind === 'ok' && answer.value.length > 0)
      creditorsKept.set(api, { at: now(), list: answer.value });
    return answer;
  },
};

export const readReceivables: Effect<{ creditor: string }, Answer<readonly Receivable[]>> = {
  kind: 'read',
  run: ({ creditor }, { api, call }) => api.receivables(creditor, call),
};

export const readBillForm: Effect<{ creditor: string; receivable: string }, Answer<readonly BillField[]>> = {
  kind: 'read',
  run: ({ creditor, receivable }, { api, call }) =>
    api.billForm({ creditorId: creditor, receivableId: receivable }, call),
};

export const readUnpaid: Effect<
  { wallet: Msisdn; creditor: string; receivable: string; answers: readonly BillAnswer[] },
  Answer<Unpaid>
> = {
  kind: 'read',
  async run({ wallet, creditor, receivable, answers }, { api, call, open }) {
    const values = openAnswers(answers, open);
    if (!values) return { kind: 'refused', code: EXPIRED_CODE, description: '' };
    return api.unpaidBills({ from: wallet, creditorId: creditor, receivableId: receivable, values }, call);
  },
};

export const readBillPayments: Effect<{ wallet: Msisdn; page: number }, Answer<Paged<BillPayment>>> = {
  kind: 'read',
  run: ({ wallet, page }, { api, call }) =>
    api.billPayments(wallet, { page, pageSize: LIST_PAGE_SIZE }, call),
};

export const readBrands: Effect<{ wallet: Msisdn; page: number }, Answer<Paged<VoucherBrand>>> = {
  kind: 'read',
  run: ({ wallet, page }, { api, call }) =>
    api.voucherBrands(wallet, { page, pageSize: LIST_PAGE_SIZE }, call),
};

export const readArticles: Effect<
  { wallet: Msisdn; brand: number; page: number },
  Answer<Paged<VoucherArticle>>
> = {
  kind: 'read',
  run: ({ wallet, brand, page }, { api, call }) =>
    api.voucherArticles(wallet, brand, { page, pageSize: LIST_PAGE_SIZE }, call),
};

export const readStaticQr: Effect<{ wallet: Msisdn }, Answer<IssuedQr>> = {
  kind: 'read',
  run: ({ wallet }, { api, call }) => api.staticQr(wallet, call),
};

/** It leaves a code at the wallet each time. */
export const createQr: Effect<{ wallet: Msisdn; amount: Centimes }, Answer<IssuedQr>> = {
  kind: 'guarded',
  run: ({ wallet, amount }, { api, call }) => api.dynamicQr({ merchant: wallet, amount }, call),
};
