import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  dateTime,
  dateTimeIfAny,
  decimal,
  decimalIfAny,
  operationStatus,
  operationType,
  pageNumber,
  pageSize,
  phone,
  text,
} from './fields.ts';
import { previewResult } from './preview.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'operations:telco';

/** Partner API v2.3, "Telco resources": 1 = Maroc Telecom, 2 = Orange, 3 = Inwi. The document's own list: no call gives it. */
export const OPERATORS = { 1: 'Maroc Telecom', 2: 'Orange', 3: 'Inwi' } as const;
export type Operator = keyof typeof OPERATORS;
const operator = z.literal([1, 2, 3]);

/** 0 classic (dirhams), 1 product. */
export const RECHARGE_TYPES = { CLASSIC: 0, PRODUCT: 1 } as const;
const rechargeType = z.literal([0, 1]);

/** Partner API v2.3, "Telco resources": catalog entry. */
const catalogEntry = z.object({
  productCode: z.int(),
  description: z.string(),
  arDescription: z.string().nullish(),
  enabled: z.boolean(),
});

const recharge = z.object({
  customerPhoneNumber: phone,
  recipientPhoneNumber: phone,
  amount: decimal.positive(),
  operator,
  rechargeType,
});

/**
 * "Customer recharge result". It is not shown that it also names the operation and its status. They are read if it does.
 */
const rechargeResult = z.object({
  operationId: z.int().positive().nullish().catch(undefined),
  transactionStatus: operationStatus.nullish().catch(undefined),
  operationType: operationType.nullish().catch(undefined),
  amount: decimalIfAny.catch(undefined),
  feesAmount: decimalIfAny.catch(undefined),
  totalAmount: decimalIfAny.catch(undefined),
  reason: z.string().nullish().catch(undefined),
  recipientPhoneNumber: z.string().nullish().catch(undefined),
  checkedAt: dateTimeIfAny,
});

/** "History item". The meaning of `status` 0 to 4 is not shown (open question 30). */
const rechargeItem = z.object({
  telcoRechargeOperationId: z.int(),
  customerId: z.int().nullish(),
  createdAt: dateTime,
  completedAt: dateTimeIfAny,
  operatorId: z.int(),
  amount: decimal,
  product: z.union([z.string(), z.number()]).nullish(),
  type: z.int().nullish(),
  status: z.int(),
  destinationPhoneNumber: z.string(),
});

/** Partner API v2.3, "Telco top-up". */
export const telco = {
  topUpCatalog: endpoint('POST', '/api/services/telco/catalog/b2b', scope, {
    body: z.object({ recipientPhoneNumber: phone, amount: decimal.positive(), operator }),
    data: z.array(catalogEntry),
    none: [],
  }),
  /** Debits a principal agent, by its code. */
  executeTopUpB2b: endpoint('POST', '/api/operations/service/telco/recharge/b2b', scope, {
    body: z.object({
      recipientPhoneNumber: phone,
      amount: decimal.positive(),
      operator,
      rechargeType,
      productCode: z.int().optional(),
      code: text,
    }),
    data: z.object({
      operationType: operationType.nullish(),
      Amount: decimalIfAny,
      feesAmount: decimalIfAny,
      checkedAt: dateTimeIfAny,
      openLoop: z.boolean().nullish(),
    }),
  }),
  previewTopUp: endpoint('POST', '/api/operations/service/telco/recharge/preview', scope, {
    body: recharge,
    data: previewResult,
  }),
  executeTopUp: endpoint('POST', '/api/operations/service/telco/recharge', scope, {
    body: recharge.extend({ productCode: z.int().optional() }),
    data: rechargeResult,
  }),
  /** `data` is the list itself: no pagination envelope. */
  listTopUps: endpoint('GET', '/api/operations/service/telco/recharge', scope, {
    query: z.object({
      phoneNumber: phone,
      pageSize,
      pageNumber,
      status: z.array(z.int()).optional(),
    }),
    data: z.array(rechargeItem),
    none: [],
  }),
};
