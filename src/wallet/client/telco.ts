import { API } from '../contract/api.ts';
import { RECHARGE_TYPES } from '../contract/telco.ts';
import { fromDecimal, toDecimal } from '../money.ts';
import type { TopUpRequest } from '../services.ts';
import { momentOf } from '../times.ts';
import type { Wallet } from '../wallet.ts';
import type { Send } from './call.ts';
import { finalUnlessOpen, mapped, toPreview, words } from './read.ts';

type TelcoCalls = 'topUpProducts' | 'previewTopUp' | 'topUp' | 'topUps' | 'topUpB2b';

/** Partner API v2.3, "Telco top-up". The customer's own catalog is not shown: that of agents serves (open question 29). */
export function telcoCalls(send: Send): Pick<Wallet, TelcoCalls> {
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
      const answer = await send(API.previewTopUp, { body: rechargeBody(order) }, call);
      return mapped(answer, (preview) => toPreview(order.amount, preview));
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
    async topUps(phone, { page, pageSize } = {}, call) {
      const query = { phoneNumber: phone, pageNumber: page, pageSize };
      return mapped(await send(API.listTopUps, { query }, call), (items) =>
        items
          .map((item) => ({
            id: item.telcoRechargeOperationId,
            at: momentOf(item.createdAt),
            amount: fromDecimal(item.amount),
            operator: item.operatorId,
            ...words('product', item.product),
            to: item.destinationPhoneNumber,
            status: item.status,
          }))
          // In which order they come is not shown.
          .sort((a, b) => b.at - a.at),
      );
    },
  };
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
