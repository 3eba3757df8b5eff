import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { decimal, LATIN, phone, rib, text } from './fields.ts';
import { BANK_REASON_LENGTH_MAX, NAME_LENGTH_MIN } from './limits.ts';
import { previewResult } from './preview.ts';
import { operationResult } from './transfers.ts';

/** The name of this scope is not shown in v2.3. */
const scope = 'operations:bank-transfer';

/** "Latin characters, max 35". We take digits and the punctuation of ASCII to be among them, which is not shown. */
const reason = z
  .string()
  .min(1)
  .max(BANK_REASON_LENGTH_MAX)
  .regex(new RegExp(`^[ -~${LATIN}]+$`));

/**
 * The payer is either a customer or an agent, exactly one of them. The receiver is either a beneficiary or a RIB with a
 * name. An object cannot say so: the sandbox does.
 */
const order = z.object({
  CustomerPhoneNumber: phone.optional(),
  AgentCode: text.optional(),
  Amount: decimal.positive(),
  BeneficiaryId: z.int().optional(),
  Rib: rib.optional(),
  BeneficiaryName: z.string().min(NAME_LENGTH_MIN).optional(),
});

/** Partner API v2.3, "Transfers, bank transfers, chargeback, refund": the reason is required for the preview only. */
export const bankTransfers = {
  previewBankTransfer: endpoint('POST', '/api/operations/bank-transfer/preview', scope, {
    body: order.extend({ Reason: reason }),
    data: previewResult,
  }),
  executeBankTransfer: endpoint('POST', '/api/operations/bank-transfer', scope, {
    body: order.extend({ Reason: reason.optional() }),
    data: operationResult,
  }),
};
