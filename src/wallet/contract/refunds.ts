import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { decimal, phone, text } from './fields.ts';
import { previewResult } from './preview.ts';
import { operationResult } from './transfers.ts';

/** Shown for the refund of a card payment by its merchant. The document does not show that these calls need the same. */
const scope = 'operations:refund';

const order = {
  OperationId: z.int(),
  RefundAmount: decimal.positive(),
  /** The gateway's id of the original order. */
  OrderId: text,
  TransactionTrackId: text,
};

/**
 * Partner API v2.3, "Transfers, bank transfers, chargeback, refund". The preview says `PhoneNumber` and the execution
 * `phoneNumber`: either is read in both (open question 16).
 */
export const refunds = {
  previewRefund: endpoint('POST', '/api/operations/refund/preview', scope, {
    anyCase: true,
    body: z.object({ PhoneNumber: phone, ...order }),
    data: previewResult,
  }),
  executeRefund: endpoint('POST', '/api/operations/refund', scope, {
    anyCase: true,
    body: z.object({ phoneNumber: phone, ...order }),
    data: operationResult,
  }),
};
