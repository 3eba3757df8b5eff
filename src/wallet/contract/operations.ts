import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  dateTime,
  decimal,
  decimalIfAny,
  direction,
  method,
  operationStatus,
  operationType,
  pageNumber,
  pageSize,
  phone,
} from './fields.ts';
import { ifAny } from './shown.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'operations:read';

/** Partner API v2.3, "Operation detail". The fields that may be missing are not shown. */
export const operationDetail = z.object({
  operationId: z.int(),
  transactionId: ifAny(z.int()),
  transactionReference: ifAny(z.string()),
  amount: decimal,
  operationType,
  transactionDate: dateTime,
  sens: direction,
  transactionStatus: operationStatus,
  feesAmount: decimalIfAny,
  totalAmount: decimalIfAny,
  sender: ifAny(z.string()),
  receiver: ifAny(z.string()),
});

/** Not shown in v2.3: what `includeDetails` adds, and further fields of list items. The sandbox adds these. */
export const operationItem = operationDetail.extend({
  /** Card, Agent or Network. */
  method: ifAny(method.nullable().optional()),
  reason: ifAny(z.string().nullable().optional()),
  openLoop: ifAny(z.boolean().optional()),
  cRequestId: ifAny(z.string().nullable().optional()),
});
const operationList = z.object({ collection: z.array(operationItem), count: z.int().min(0) });

/** Partner API v2.3, "Reading operations". */
export const operations = {
  listOperations: endpoint('GET', '/api/operations', scope, {
    query: z.object({
      PhoneNumber: phone,
      PageSize: pageSize,
      PageNumber: pageNumber,
      OperationType: z.array(operationType).optional(),
      TransactionStatus: operationStatus.optional(),
      Sens: direction.optional(),
      From: dateTime.optional(),
      To: dateTime.optional(),
      Keyword: z.string().optional(),
    }),
    data: operationList,
  }),
  readOperation: endpoint('GET', '/api/operations/{id}', scope, {
    params: z.object({ id: z.int() }),
    query: z.object({ PhoneNumber: phone }),
    data: operationDetail,
  }),
  /** For the whole partner, without a phone number. */
  listAllOperations: endpoint('GET', '/api/operations/all', 'operations:admin-read', {
    query: z.object({
      pageNumber,
      pageSize,
      operationType: z.array(operationType).optional(),
      operationStatus: z.array(operationStatus).optional(),
      from: dateTime.optional(),
      to: dateTime.optional(),
      search: z.string().optional(),
      openLoop: z.boolean().optional(),
      method: z.string().optional(),
      includeDetails: z.boolean().optional(),
    }),
    data: operationList,
  }),
};
