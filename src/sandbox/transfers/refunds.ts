import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { previewOf } from '../cards/preview.ts';
import type { Refund, Settlements } from '../cards/settlements.ts';
import { type Core, type Handlers, isRefusal } from '../core/core.ts';
import { detailFor, type Operation } from '../operations/operation.ts';

/**
 * Refunds (Partner API v2.3, "Transfers, bank transfers, chargeback, refund"): the ids of a gateway are required, so what is
 * refunded is a card payment, by the rules of its own refund. Only the answer is another.
 */
export function refunds(core: Core, settlements: Settlements): Handlers<'previewRefund' | 'executeRefund'> {
  const { db } = core;
  return {
    previewRefund({ tenant, body }) {
      const found = settlements.refundable(tenant, body);
      if (isRefusal(found)) return found;
      const { PhoneNumber, OperationId, RefundAmount, OrderId, TransactionTrackId } = body;
      return previewOf(core, OPERATION_TYPES.PAYMENT_REFUND, {
        phoneNumber: PhoneNumber,
        operationId: OperationId,
        refundAmount: RefundAmount,
        orderId: OrderId,
        transactionTrackId: TransactionTrackId,
      });
    },

    executeRefund({ body: { phoneNumber, ...order }, ...request }) {
      const body: Refund = { ...order, PhoneNumber: phoneNumber };
      const answer = settlements.refund({ ...request, body });
      if (isRefusal(answer)) return answer;
      const operation = db.get<Operation>('SELECT * FROM operations WHERE id = ?', answer.operationId);
      if (!operation) throw new Error(`no operation ${answer.operationId}`);
      return detailFor(operation.senderId, operation);
    },
  };
}
