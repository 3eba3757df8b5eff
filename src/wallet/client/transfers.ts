import type { z } from 'zod';
import { API } from '../contract/api.ts';
import type { operationResult } from '../contract/transfers.ts';
import { fromDecimal, toDecimal } from '../money.ts';
import type { Execution, Preview, TransferOrder, Wallet } from '../wallet.ts';
import type { Send } from './call.ts';
import { mapped, toPreview } from './read.ts';

/** Partner API v2.3, "Transfers". */
export function transferCalls(send: Send): Pick<Wallet, 'previewTransfer' | 'transfer'> {
  return {
    async previewTransfer(order, call) {
      const answer = await send(API.previewTransfer, { body: transferBody(order) }, call);
      return mapped(answer, (preview) => ({
        ...toPreview(order.amount, preview),
        // Under which name a preview would return the recipient's is not shown.
        ...nameIn(preview.operation?.recipientName ?? preview.operation?.beneficiaryName),
      }));
    },
    async transfer(order, call) {
      return mapped(await send(API.executeTransfer, { body: transferBody(order) }, call), toExecution);
    },
  };
}

function transferBody({ from, to, amount, reason }: TransferOrder) {
  return { CustomerPhoneNumber: from, RecipientPhoneNumber: to, Amount: toDecimal(amount), Reason: reason };
}

/** Safety rule 1: a name is shown only if the preview returns one. */
function nameIn(said: unknown): Pick<Preview, 'recipientName'> {
  return typeof said === 'string' && said.trim() !== '' ? { recipientName: said } : {};
}

function toExecution(result: z.output<typeof operationResult>): Execution {
  const { operationId, feesAmount } = result;
  const status = result.transactionStatus ?? result.operationStatus ?? result.status;
  return {
    ...(typeof operationId === 'number' && { operationId }),
    ...(status && { status }),
    ...(typeof feesAmount === 'number' && { fees: fromDecimal(feesAmount) }),
  };
}
