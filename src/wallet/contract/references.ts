import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { dateTime, dateTimeOrNull, decimal, operationStatus, phone, text } from './fields.ts';
import { codes, ifAny, reads } from './shown.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'operations:references';

const order = z.object({ PhoneNumber: phone, Amount: decimal.positive() });
const whose = { phoneNumber: ifAny(phone.nullable()), amount: decimal };

/** "Reference request": 1 cash-in, 2 cash-out. */
export const REFERENCE_TYPES = { CASHIN: 1, CASHOUT: 2 } as const;
const referenceType = reads(z.int(), codes(REFERENCE_TYPES));

/** Partner API v2.3, "Reference request": the answer to a creation, and to an agent's execution. */
const reference = z.object({
  createdAt: dateTime,
  closedAt: dateTimeOrNull,
  reference: text,
  operationType: referenceType,
  operationStatus,
  ...whose,
});

/** "Lookup by reference". `code` and `description` are those of the bill-network variant, which it finds too (open question 19). */
const found = z.object({
  reference: text,
  createdAt: dateTime,
  executedAt: dateTimeOrNull,
  ...whose,
  code: ifAny(z.string().nullable().optional()),
  description: ifAny(z.string().nullable().optional()),
  partner: ifAny(z.string()),
  /** 1 open, 2 completed, 3 failed. */
  status: operationStatus,
  type: referenceType,
});

const byAgent = z.object({ Code: text, Reference: text });

/** Partner API v2.3, "Reference-based cash-in / cash-out", but for the calls of the networks. */
export const references = {
  requestCashIn: endpoint('POST', '/api/operations/cashin/request', scope, { body: order, data: reference }),
  requestCashOut: endpoint('POST', '/api/operations/cashout/request', scope, {
    body: order,
    data: reference,
  }),
  /** A customer's number, or `Code` "for a principal agent instead". */
  requestBillNetworkCashIn: endpoint('POST', '/api/operations/billnet/cashin/request', scope, {
    body: z.object({
      PhoneNumber: phone.optional(),
      Code: text.optional(),
      Amount: decimal.positive(),
      Description: z.string().optional(),
      FeesPercent: z.number().min(0).max(100).optional(),
    }),
    data: found
      .omit({ partner: true })
      .extend({ code: ifAny(z.string().nullable()), description: ifAny(z.string().nullable()) }),
  }),
  readCashInRequest: endpoint('GET', '/api/operations/cashin/request', scope, {
    query: z.object({ Reference: text }),
    data: found,
  }),
  readCashOutRequest: endpoint('GET', '/api/operations/cashout/request', scope, {
    query: z.object({ Reference: text }),
    data: found,
  }),
  executeAgentCashIn: endpoint('POST', '/api/operations/cashin/agent', scope, {
    body: byAgent,
    data: reference,
  }),
  executeAgentCashOut: endpoint('POST', '/api/operations/cashout/agent', scope, {
    body: byAgent,
    data: reference,
  }),
};
