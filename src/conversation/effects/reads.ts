import type { EffectName } from '../../../machines/kit/effects.ts';
import { openAnswers } from '../../payments/bill-payment.ts';
import { EXPIRED_CODE } from '../../wallet/contract/errors.ts';
import type { Creditor } from '../../wallet/services.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import type { EffectOf } from './effect.ts';

/** Partner API v2.3, "Bill payment": the list of creditors "may be cached for a few hours". */
const CREDITORS_KEPT_MS = 3 * 3_600_000;
/** How many entries of a list a conversation shows at a time. */
const LIST_PAGE_SIZE = 20;
/** How far back numbers are suggested for a top-up. */
const RECENT_TOP_UPS = 20;
/** Operations on one page of the statement: with the ways on, no more than a customer can look over. */
export const STATEMENT_PAGE_SIZE = 8;

/** Of each wallet, the creditors as they were last read. */
const creditorsKept = new WeakMap<Wallet, { readonly at: number; readonly list: readonly Creditor[] }>();

type ReadName = Extract<EffectName, `read${string}`>;

/** How each read is made. Its name, input and output are declared in `machines/kit/effects.ts`. */
export const READS: { readonly [Name in ReadName]: EffectOf<Name> } = {
  readStatus: {
    kind: 'read',
    run: ({ wallet }, { api, call }) => api.customerStatus(wallet, call),
  },

  readBalance: {
    kind: 'read',
    run: ({ wallet }, { api, call }) => api.balance(wallet, call),
  },

  readProfile: {
    kind: 'read',
    run: ({ wallet }, { api, call }) => api.profile(wallet, call),
  },

  readOperations: {
    kind: 'read',
    async run({ wallet, types, page }, { api, call }) {
      const filter = { ...(types && { types }), page, pageSize: STATEMENT_PAGE_SIZE };
      const answer = await api.operations(wallet, filter, call);
      if (answer.kind !== 'ok') return answer;
      const { operations, count } = answer.value;
      // A wallet may give longer pages than were asked for, and what is gone between two pages would leave an empty one.
      const isLast = operations.length === 0 || page * STATEMENT_PAGE_SIZE >= count;
      return { kind: 'ok', value: { operations, isLast } };
    },
  },

  readTopUpProducts: {
    kind: 'read',
    run: (order, { api, call }) => api.topUpProducts(order, call),
  },

  readTopUps: {
    kind: 'read',
    run: ({ wallet }, { api, call }) => api.topUps(wallet, { page: 1, pageSize: RECENT_TOP_UPS }, call),
  },

  readCreditors: {
    kind: 'read',
    async run(_, { api, call, now }) {
      const kept = creditorsKept.get(api);
      if (kept && now() < kept.at + CREDITORS_KEPT_MS) return { kind: 'ok', value: kept.list };
      const answer = await api.creditors(call);
      if (answer.kind === 'ok' && answer.value.length > 0)
        creditorsKept.set(api, { at: now(), list: answer.value });
      return answer;
    },
  },

  readReceivables: {
    kind: 'read',
    run: ({ creditor }, { api, call }) => api.receivables(creditor, call),
  },

  readBillForm: {
    kind: 'read',
    run: ({ creditor, receivable }, { api, call }) =>
      api.billForm({ creditorId: creditor, receivableId: receivable }, call),
  },

  readUnpaid: {
    kind: 'read',
    async run({ wallet, creditor, receivable, answers }, { api, call, open }) {
      const values = openAnswers(answers, open);
      if (!values) return { kind: 'refused', code: EXPIRED_CODE, description: '' };
      return api.unpaidBills({ from: wallet, creditorId: creditor, receivableId: receivable, values }, call);
    },
  },

  readBillPayments: {
    kind: 'read',
    run: ({ wallet, page }, { api, call }) =>
      api.billPayments(wallet, { page, pageSize: LIST_PAGE_SIZE }, call),
  },

  readBrands: {
    kind: 'read',
    run: ({ wallet, page }, { api, call }) =>
      api.voucherBrands(wallet, { page, pageSize: LIST_PAGE_SIZE }, call),
  },

  readArticles: {
    kind: 'read',
    run: ({ wallet, brand, page }, { api, call }) =>
      api.voucherArticles(wallet, brand, { page, pageSize: LIST_PAGE_SIZE }, call),
  },

  readSavedCards: {
    kind: 'read',
    run: ({ wallet }, { api, call }) => api.savedCards(wallet, call),
  },

  readStaticQr: {
    kind: 'read',
    run: ({ wallet }, { api, call }) => api.staticQr(wallet, call),
  },
};
