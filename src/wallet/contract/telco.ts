import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  dateTime,
  dateTimeIfAny,
  dateTimeOrNull,
  decimal,
  decimalIfAny,
  operationStatus,
  operationType,
  pageNumber,
  pageSize,
  phone,
  text,
} from './fields.ts';
import { pricedPreview } from './preview.ts';
import { anyhow, codes, ifAny, reads } from './shown.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'operations:telco';

/** Partner API v2.3, "Telco resources": 1 = Maroc Telecom, 2 = Orange, 3 = Inwi. The document's own list: no call gives it. */
export const OPERATORS = { 1: 'Maroc Telecom', 2: 'Orange', 3: 'Inwi' } as const;
export type Operator = keyof typeof OPERATORS;
export const OPERATOR_CODES = { MAROC_TELECOM: 1, ORANGE: 2, INWI: 3 } as const;
const operator = codes(OPERATOR_CODES);

/** 0 classic (dirhams), 1 product. */
export const RECHARGE_TYPES = { CLASSIC: 0, PRODUCT: 1 } as const;
const rechargeType = codes(RECHARGE_TYPES);

/** Not shown in v2.3: the meaning of the five (open question 30). */
export const TOP_UP_STATUSES = { CREATED: 0, OPEN: 1, COMPLETED: 2, FAILED: 3, CANCELED: 4 } as const;
const topUpStatus = reads(z.int(), codes(TOP_UP_STATUSES));

/** Partner API v2.3, "Telco resources": catalog entry. */
const catalogEntry = z.object({
  productCode: z.int(),
  description: z.string(),
  arDescription: ifAny(z.string()),
  enabled: z.boolean(),
});

const recharge = z.object({
  customerPhoneNumber: phone,
  recipientPhoneNumber: phone,
  amount: decimal.positive(),
  operator,
  rechargeType,
});

/** "Customer recharge result". Not shown: its operation and status. They are read if they are there. */
const rechargeResult = z.object({
  operationId: anyhow(z.int().positive().optional()),
  transactionStatus: anyhow(operationStatus.optional()),
  operationType: anyhow(operationType),
  amount: anyhow(decimal),
  feesAmount: anyhow(decimal),
  totalAmount: anyhow(decimal),
  reason: anyhow(z.string()),
  recipientPhoneNumber: anyhow(z.string()),
  checkedAt: dateTimeIfAny,
});

/** "History item". The meaning of `status` 0 to 4 is not shown (open question 30). */
const rechargeItem = z.object({
  telcoRechargeOperationId: z.int(),
  customerId: ifAny(z.int()),
  createdAt: dateTime,
  completedAt: dateTimeOrNull,
  operatorId: reads(z.int(), operator),
  amount: decimal,
  product: reads(z.union([z.string(), z.number()]).nullish(), z.string().nullable()),
  type: reads(z.int().nullish(), rechargeType),
  status: topUpStatus,
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
      operationType: ifAny(operationType),
      Amount: decimalIfAny,
      feesAmount: decimalIfAny,
      checkedAt: dateTimeIfAny,
      openLoop: ifAny(z.boolean()),
    }),
  }),
  previewTopUp: endpoint('POST', '/api/operations/service/telco/recharge/preview', scope, {
    body: recharge,
    data: pricedPreview,
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
      status: z.array(topUpStatus).optional(),
    }),
    data: z.array(rechargeItem),
    none: [],
  }),
};
