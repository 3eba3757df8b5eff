import { z } from 'zod';
import { API } from '../contract/api.ts';
import type { Data } from '../contract/endpoint.ts';
import { centimes, fromDecimal } from '../money.ts';
import { momentOf } from '../times.ts';
import type { Listed, Operation, OperationCalls, OperationFilter } from '../wallet.ts';
import type { Send } from './call.ts';
import { mapped } from './read.ts';
import { readingOf, rowsOf } from './tolerant.ts';

/** The fields that tell one payment from another. Its status and its parties may be unknown. */
const NEEDED = ['operationId', 'amount', 'operationType', 'transactionDate', 'sens'] as const;
/** A statement shows the fees of each row. Fees that cannot be read are not "no fees". */
const LISTED = [...NEEDED, 'feesAmount', 'totalAmount'] as const;
const LIST = rowsOf(API.listOperations, LISTED, 'all');
export const LIST_ALL = rowsOf(API.listAllOperations, LISTED, 'all');
const READ = readingOf(API.readOperation, ...NEEDED);
const named = z.object({ operationId: z.int() });

/** Partner API v2.3, "Reading operations". */
export function operationCalls(send: Send): OperationCalls {
  return {
    async operations(phone, filter = {}, call) {
      const answer = await send(LIST, { query: { PhoneNumber: phone, ...toQuery(filter) } }, call);
      return mapped(answer, toListed);
    },
    async operation(phone, id, call) {
      const answer = await send(READ, { params: { id }, query: { PhoneNumber: phone } }, call);
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

/** A page of a list. Of a row that cannot be read its id is kept, as far as it has one. */
export function toListed({ collection, count, leftOut = [] }: Data<typeof LIST>): Listed {
  const ids = leftOut.map((row) => named.safeParse(row).data?.operationId ?? 0);
  return { operations: collection.map(toOperation), count, ...(ids.length > 0 && { leftOut: ids }) };
}

function toOperation(detail: Data<typeof READ>): Operation {
  const amount = fromDecimal(detail.amount);
  const fees = fromDecimal(detail.feesAmount ?? 0);
  const total =
    typeof detail.totalAmount === 'number' ? fromDecimal(detail.totalAmount) : centimes(amount + fees);
  return {
    id: detail.operationId,
    type: detail.operationType,
    status: detail.transactionStatus ?? 0,
    direction: detail.sens,
    amount,
    fees,
    total,
    at: momentOf(detail.transactionDate),
    sender: detail.sender ?? '',
    receiver: detail.receiver ?? '',
  };
}
