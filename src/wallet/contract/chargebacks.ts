import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { decimal, phone, text } from './fields.ts';
import { previewResult } from './preview.ts';
import { operationResult } from './transfers.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'operations:chargeback';

/** The source was paid by the original operation and gives back to the destination, who paid it. */
const order = z.object({
  SourcePhoneNumber: phone,
  Amount: decimal.positive(),
  Description: text,
  DestinationPhoneNumber: phone,
  OriginalOperationId: z.int(),
});

/** Partner API v2.3, "Transfers, bank transfers, chargeback, refund": preview and execution take the same body. */
export const chargebacks = {
  previewChargeback: endpoint('POST', '/api/operations/chargeback/preview', scope, {
    body: order,
    data: previewResult,
  }),
  executeChargeback: endpoint('POST', '/api/operations/chargeback', scope, {
    body: order,
    data: operationResult,
  }),
};
