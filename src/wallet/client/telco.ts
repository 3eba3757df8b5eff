import { z } from 'zod';
import { API } from '../contract/api.ts';
import { RECHARGE_TYPES } from '../contract/telco.ts';
import { fromDecimal, toDecimal } from '../money.ts';
import type { PageWanted, TopUpRequest } from '../services.ts';
import { momentOf } from '../times.ts';
import type { Call, TelcoCalls } from '../wallet.ts';
import type { Send } from './call.ts';
import { finalUnlessOpen, mapped, previewed, words } from './read.ts';
import { needing, rows, tolerating } from './tolerant.ts';

const item = needing(
  API.listTopUps.data.element,
  ...(['telcoRechargeOperationId', 'createdAt', 'operatorId', 'amount'] as const),
  ...(['status', 'destinationPhoneNumber'] as const),
);
/** The readable part of a history that breaks the contract. */
const HISTORY = tolerating(API.listTopUps, z.union([z.array(item), rows(item, 'all')]));
const named = z.object({ telcoRechargeOperationId: z.int() });

/** Partner API v2.3, "Telco top-up". The customer's own catalog is not shown: that of agents serves (open question 29). */
export function telcoCalls(send: Send): TelcoCalls {
  return {
    async topUpProducts({ to, amount, operator }, call) {
      const body = { recipientPhoneNumber: to, amount: toDecimal(amount), operator };
      return mapped(await send(API.topUpCatalog, { body }, call), (entries) =>
        entries
          .filter(({ enabled }) => enabled)
          .map(({ productCode, description, arDescription }) => ({
            code: productCode,
            name: description,
            ...words('arName', arDescription),
          })),
      );
    },
    async previewTopUp(order, call) {
      return previewed(order.amount, await send(API.previewTopUp, { body: rechargeBody(order) }, call));
    },
    async topUp(order, call) {
      const { productCode } = order;
      const body = { ...rechargeBody(order), ...(productCode !== undefined && { productCode }) };
      return mapped(
        await send(API.executeTopUp, { body }, call),
        ({ operationId, transactionStatus, feesAmount }) => ({
          ...(typeof operationId === 'number' && { operationId }),
          ...(typeof feesAmount === 'number' && { fees: fromDecimal(feesAmount) }),
          ...finalUnlessOpen(transactionStatus),
        }),
      );
    },
    async topUpB2b({ code, to, amount, operator, productCode }, call) {
      const body = {
        code,
        recipientPhoneNumber: to,
        amount: toDecimal(amount),
        operator,
        rechargeType: productCode === undefined ? RECHARGE_TYPES.CLASSIC : RECHARGE_TYPES.PRODUCT,
        ...(productCode !== undefined && { productCode }),
      };
      return mapped(await send(API.executeTopUpB2b, { body }, call), () => ({ isFinal: true }));
    },
    topUps: (phone, pages, call) => topUps(send, phone, pages, call),
  };
}

async function topUps(
  send: Send,
  phone: Parameters<TelcoCalls['topUps']>[0],
  { page, pageSize }: PageWanted = {},
  call?: Call,
): ReturnType<TelcoCalls['topUps']> {
  const query = { phoneNumber: phone, pageNumber: page, pageSize };
  return mapped(await send(HISTORY, { query }, call), (history) => {
    const { read, leftOut } = Array.isArray(history) ? { read: history, leftOut: [] } : history;
    const entries = read.map((each) => ({
      id: each.telcoRechargeOperationId,
      at: momentOf(each.createdAt),
      amount: fromDecimal(each.amount),
      operator: each.operatorId,
      ...words('product', each.product),
      to: each.destinationPhoneNumber,
      status: each.status,
    }));
    const odd = leftOut.map((row) => named.safeParse(row).data?.telcoRechargeOperationId ?? 0);
    // In which order they come is not shown.
    return { entries: entries.sort((a, b) => b.at - a.at), ...(odd.length > 0 && { leftOut: odd }) };
  });
}

function rechargeBody({ from, to, amount, operator, productCode }: TopUpRequest) {
  return {
    customerPhoneNumber: from,
    recipientPhoneNumber: to,
    amount: toDecimal(amount),
    operator,
    rechargeType: productCode === undefined ? RECHARGE_TYPES.CLASSIC : RECHARGE_TYPES.PRODUCT,
  };
}
