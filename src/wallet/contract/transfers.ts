import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { decimal, decimalIfAny, operationStatus, phone, text } from './fields.ts';
import { previewResult } from './preview.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'operations:transfer';

/** Partner API v2.3, "Transfers": preview and execution take the same body. */
const transferOrder = z.object({
  CustomerPhoneNumber: phone,
  Amount: decimal.positive(),
  Reason: text,
  RecipientPhoneNumber: phone,
  BeneficiaryId: z.int().optional(),
});

/**
 * "An operation result": never defined by v2.3 (open question 6). Every field is optional, the status is read under
 * each of its names, and an answer without any of them still says that the execution was accepted.
 */
export const operationResult = z
  .object({
    operationId: z.int().positive().nullish().catch(undefined),
    transactionStatus: operationStatus.nullish().catch(undefined),
    operationStatus: operationStatus.nullish().catch(undefined),
    status: operationStatus.nullish().catch(undefined),
    feesAmount: decimalIfAny.catch(undefined),
  })
  .catch({});

/** Partner API v2.3, "Transfers, bank transfers, chargeback, refund": wallet to wallet. */
export const transfers = {
  previewTransfer: endpoint('POST', '/api/operations/transfer/preview', scope, {
    body: transferOrder,
    data: previewResult,
  }),
  executeTransfer: endpoint('POST', '/api/operations/transfer', scope, {
    body: transferOrder,
    data: operationResult,
  }),
};
