import { API } from '../contract/api.ts';
import { toDecimal } from '../money.ts';
import type { AgentTransferRequest, BankTransferRequest } from '../services.ts';
import type { BankTransferCalls, TransferCalls, TransferRequest } from '../wallet.ts';
import type { Send } from './call.ts';
import { mapped, nameIn, previewed, toExecution, toPreview } from './read.ts';

/** Partner API v2.3, "Transfers, bank transfers, chargeback, refund". */
export function transferCalls(send: Send): TransferCalls & BankTransferCalls {
  return {
    async previewTransfer(order, call) {
      const answer = await send(API.previewTransfer, { body: transferBody(order) }, call);
      return mapped(answer, (preview) => ({ ...toPreview(order.amount, preview), ...nameIn(preview) }));
    },
    async transfer(order, call) {
      return mapped(await send(API.executeTransfer, { body: transferBody(order) }, call), toExecution);
    },
    async previewBankTransfer(order, call) {
      return previewed(order.amount, await send(API.previewBankTransfer, { body: bodyOf(order) }, call));
    },
    async bankTransfer(order, call) {
      return mapped(await send(API.executeBankTransfer, { body: bodyOf(order) }, call), toExecution);
    },
    async previewAgentTransfer(order, call) {
      return previewed(order.amount, await send(API.previewBankTransfer, { body: agentBodyOf(order) }, call));
    },
    async agentTransfer(order, call) {
      return mapped(await send(API.executeBankTransfer, { body: agentBodyOf(order) }, call), toExecution);
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

/** The RIB is said beside a beneficiary too, so that a beneficiary who was changed meanwhile is refused (open question 63). */
function bodyOf({ from, rib, holder, amount, reason, beneficiaryId }: BankTransferRequest) {
  return {
    CustomerPhoneNumber: from,
    Amount: toDecimal(amount),
    Reason: reason,
    Rib: rib,
    BeneficiaryName: holder,
    ...(beneficiaryId !== undefined && { BeneficiaryId: beneficiaryId }),
  };
}

function agentBodyOf({ code, rib, holder, amount, reason }: AgentTransferRequest) {
  return { AgentCode: code, Amount: toDecimal(amount), Reason: reason, Rib: rib, BeneficiaryName: holder };
}
