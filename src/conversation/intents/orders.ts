import type { Order, OrderKind } from '../../../machines/kit/order.ts';
import type { Answer } from '../../wallet/answer.ts';
import { ERRORS, EXPIRED_CODE } from '../../wallet/contract/errors.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { centimes } from '../../wallet/money.ts';
import type { BillOrder, MerchantPaymentOrder, TopUp } from '../../wallet/services.ts';
import type { Call, Execution, Operation, Preview, Wallet } from '../../wallet/wallet.ts';
import type { EffectEnv } from '../effects/effect.ts';
import { openAnswers } from '../effects/services.ts';
import type { Ended } from './evidence.ts';

/** What the recipient's wallet sees where the customer was not asked for a reason. */
const REASON = 'Wasl';
/** The most a page of operations may hold. */
export const OPERATIONS_PAGE_SIZE = 50;
/** The customer waits for the result of a payment, not for the file that goes with it. */
const STATUS_MAX_MS = 2_000;
const GONE_FROM_CATALOG = {
  kind: 'refused',
  code: String(ERRORS.articleUnknown.code),
  description: '',
} as const;
const EXPIRED = { kind: 'refused', code: EXPIRED_CODE, description: '' } as const;

/** What a call for an order needs: the wallet, how to call it, and the secrets that the customer gave for it. */
type Handed = Pick<EffectEnv, 'api' | 'call' | 'open'>;

/** What an order's own key has found: the wallet's operation, or how it ended where no operation is named. */
export interface Found {
  readonly operationId?: number;
  readonly state?: Ended;
}

interface Way<O extends Order> {
  /** Partner API v2.3, "Operation types". */
  readonly type: number;
  preview(order: O, env: Handed): Promise<Answer<Preview>>;
  execute(order: O, env: Handed): Promise<Answer<Execution>>;
  /** One page of a history of its own, where that knows more than the list of all operations. */
  history?(order: O, api: Pick<Wallet, 'topUps'>, page: number, call: Call): Promise<Answer<Operation[]>>;
  /** Looks for an order by a key of its own, which nothing else can be found by (docs/safety.md, rule 7). */
  find?(order: O, api: Pick<Wallet, 'billStatus'>, call: Call): Promise<Answer<Found | undefined>>;
}

/** How each kind of order is previewed, executed and found again. A new way to pay is a new row. */
export const WAYS: { readonly [Kind in OrderKind]: Way<Extract<Order, { kind: Kind }>> } = {
  transfer: {
    type: OPERATION_TYPES.TRANSFER,
    preview: ({ from, to, amount }, { api, call }) =>
      api.previewTransfer({ from, to, amount, reason: REASON }, call),
    execute: ({ from, to, amount }, { api, call }) =>
      api.transfer({ from, to, amount, reason: REASON }, call),
  },

  'top-up': {
    type: OPERATION_TYPES.RECHARGE,
    preview: ({ product, ...order }, { api, call }) =>
      api.previewTopUp({ ...order, ...(product && { productCode: product.code }) }, call),
    execute: ({ product, ...order }, { api, call }) =>
      api.topUp({ ...order, ...(product && { productCode: product.code }) }, call),
    async history({ from }, api, page, call) {
      const answer = await api.topUps(from, { page, pageSize: OPERATIONS_PAGE_SIZE }, call);
      return answer.kind === 'ok' ? { kind: 'ok', value: answer.value.map(asOperation(from)) } : answer;
    },
  },

  'bill-payment': {
    type: OPERATION_TYPES.BILL_PAYMENT,
    async preview(order, { api, call, open }) {
      const bill = billOrder(order, open);
      return bill ? api.previewBill(bill, call) : EXPIRED;
    },
    async execute(order, { api, call, open }) {
      const bill = billOrder(order, open);
      if (!bill) return EXPIRED;
      const answer = await api.payBill(bill, call);
      if (answer.kind !== 'ok' || !answer.value.isFinal || answer.value.operationId) return answer;
      const operationId = await operationOf(bill.reference, api);
      return operationId ? { kind: 'ok', value: { ...answer.value, operationId } } : answer;
    },
    async find({ reference }, api, call) {
      const answer = await api.billStatus(reference, call);
      if (answer.kind !== 'ok') return answer;
      const state = answer.value && BILL_STATES[answer.value.status];
      const { operationId } = answer.value ?? {};
      return {
        kind: 'ok',
        value: answer.value && { ...(operationId && { operationId }), ...(state && { state }) },
      };
    },
  },

  voucher: {
    type: OPERATION_TYPES.VOUCHER,
    async preview({ from, to, beneficiary, article, amount }, { api, call }) {
      const answer = await api.previewVoucher({ from, to, beneficiary, ...article }, call);
      // Another price than the catalog's: it is chosen again, from a catalog that is read again.
      const isOther = answer.kind === 'ok' && answer.value.total - answer.value.fees !== amount;
      return isOther ? GONE_FROM_CATALOG : answer;
    },
    execute: ({ from, to, beneficiary, article }, { api, call }) =>
      api.buyVoucher({ from, to, beneficiary, ...article }, call),
  },

  'merchant-payment': {
    type: OPERATION_TYPES.MOBILE_PAYMENT,
    preview: (order, { api, call }) => api.previewMerchantPayment(merchantOrder(order), call),
    execute: (order, { api, call }) => api.payMerchant(merchantOrder(order), call),
  },
};

function merchantOrder(order: Extract<Order, { kind: 'merchant-payment' }>): MerchantPaymentOrder {
  const { from, amount } = order;
  return 'to' in order
    ? { from, amount, to: order.to, reason: REASON }
    : { from, amount, qrContent: order.qr.content };
}

/** The row of an order, whatever its kind. */
export function wayOf(order: Order): Way<Order> {
  return WAYS[order.kind] as unknown as Way<Order>;
}

/** True when a secret that was given for this order can be opened no more (design rule 6): it is asked for again. */
export function isExpired(order: Order, open: EffectEnv['open']): boolean {
  return order.kind === 'bill-payment' && billOrder(order, open) === undefined;
}

/**
 * That a history item carries the id of the wallet's operation is not shown in v2.3; it is read by that id afterwards.
 * What is neither completed, failed nor cancelled is still open (open question 30).
 */
function asOperation(from: string) {
  return ({ id, at, amount, to, status }: TopUp): Operation => ({
    id,
    type: OPERATION_TYPES.RECHARGE,
    status: status === 2 || status === 3 || status === 4 ? status : 1,
    direction: 2,
    amount,
    fees: centimes(0),
    total: amount,
    at,
    sender: from,
    receiver: to,
  });
}

/** Partner API v2.3, "Bill transaction". What is refunded or cancelled before anybody heard of a success has failed. */
const BILL_STATES: Readonly<Record<string, Ended | undefined>> = {
  CONFIRME: 'succeeded',
  ANNULE: 'failed',
  REMBOURSE: 'failed',
  FAILED: 'failed',
};

/** The answer to a payment names no operation; its receipt is fetched by one. Without it there is no file, no more. */
async function operationOf(reference: string, api: Pick<Wallet, 'billStatus'>): Promise<number | undefined> {
  const answer = await api.billStatus(reference, { signal: AbortSignal.timeout(STATUS_MAX_MS) });
  return answer.kind === 'ok' ? answer.value?.operationId : undefined;
}

/** Undefined when one of its secrets is too old to be opened. */
function billOrder(
  order: Extract<Order, { kind: 'bill-payment' }>,
  open: EffectEnv['open'],
): BillOrder | undefined {
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
