import type { z } from 'zod';
import { API } from '../contract/api.ts';
import type { operationDetail } from '../contract/operations.ts';
import { centimes, fromDecimal } from '../money.ts';
import type { Operation, OperationFilter, Wallet } from '../wallet.ts';
import type { Send } from './call.ts';
import { mapped, momentOf } from './read.ts';

/** Partner API v2.3, "Reading operations". */
export function operationCalls(send: Send): Pick<Wallet, 'operations' | 'operation'> {
  return {
    async operations(phone, filter = {}, call) {
      const answer = await send(
        API.listOperations,
        { query: { PhoneNumber: phone, ...toQuery(filter) } },
        call,
      );
      return mapped(answer, ({ collection, count }) => ({ operations: collection.map(toOperation), count }));
    },
    async operation(phone, id, call) {
      const answer = await send(API.readOperation, { params: { id }, query: { PhoneNumber: phone } }, call);
      return mapped(answer, toOperation);
    },
  };
}

function toQuery({ types, status, direction, from, to, keyword, page, pageSize }: OperationFilter) {
  return {
    OperationType: types && [...types],
    TransactionStatus: status,
    Sens: direction,
    From: from?.toISOString(),
    To: to?.toISOString(),
    Keyword: keyword,
    PageNumber: page,
    PageSize: pageSize,
  };
}

/** An operation as lists and reads have it. */
export function toOperation(detail: z.output<typeof operationDetail>): Operation {
  const amount = fromDecimal(detail.amount);
  const fees = fromDecimal(detail.feesAmount ?? 0);
  const total =
    typeof detail.totalAmount === 'number' ? fromDecimal(detail.totalAmount) : centimes(amount + fees);
  return {
    id: detail.operationId,
    type: detail.operationType,
    status: detail.transactionStatus,
    direction: detail.sens,
    amount,
    fees,
    total,
    at: momentOf(detail.transactionDate),
    sender: detail.sender ?? '',
    receiver: detail.receiver ?? '',
  };
}
