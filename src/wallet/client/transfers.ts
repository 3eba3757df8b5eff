import { API } from '../contract/api.ts';
import { toDecimal } from '../money.ts';
import type { TransferCalls, TransferRequest } from '../wallet.ts';
import type { Send } from './call.ts';
import { mapped, nameIn, toExecution, toPreview } from './read.ts';

/** Partner API v2.3, "Transfers". */
export function transferCalls(send: Send): TransferCalls {
  return {
    async previewTransfer(order, call) {
      const answer = await send(API.previewTransfer, { body: transferBody(order) }, call);
      return mapped(answer, (preview) => ({ ...toPreview(order.amount, preview), ...nameIn(preview) }));
    },
    async transfer(order, call) {
      return mapped(await send(API.executeTransfer, { body: transferBody(order) }, call), toExecution);
    },
  };
}

function transferBody({ from, to, amount, reason, beneficiaryId }: TransferRequest) {
  return {
    CustomerPhoneNumber: from,
    RecipientPhoneNumber: to,
    Amount: toDecimal(amount),
    Reason: reason,
    ...(beneficiaryId !== undefined && { BeneficiaryId: beneficiaryId }),
  };
}
