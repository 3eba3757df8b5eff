import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { dateTime, decimal, direction, operationStatus, operationType, phone, text } from './fields.ts';
import { operationDetail } from './operations.ts';
import { previewResult } from './preview.ts';
import { reads } from './shown.ts';

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
 * "An operation result": never defined by v2.3 (open question 6). The reader takes any field as optional and the status
 * under each of its names. An answer without any of them still says that the execution was accepted.
 */
const readResult = z
  .object({
    operationId: z.int().positive().nullish().catch(undefined),
    transactionStatus: operationStatus.nullish().catch(undefined),
    operationStatus: operationStatus.nullish().catch(undefined),
    status: operationStatus.nullish().catch(undefined),
    feesAmount: decimal.nullish().catch(undefined),
    transactionId: z.int().nullish().catch(undefined),
    transactionReference: z.string().nullish().catch(undefined),
    amount: decimal.nullish().catch(undefined),
    operationType: operationType.nullish().catch(undefined),
    transactionDate: dateTime.nullish().catch(undefined),
    sens: direction.nullish().catch(undefined),
    totalAmount: decimal.nullish().catch(undefined),
    sender: z.string().nullish().catch(undefined),
    receiver: z.string().nullish().catch(undefined),
  })
  .catch({});
/** It is published as the operation itself, which the sandbox answers. v2.3 does not show this. */
export const operationResult = reads(readResult, operationDetail.extend({}));

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
