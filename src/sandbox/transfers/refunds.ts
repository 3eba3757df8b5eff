import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { previewOf } from '../cards/preview.ts';
import { giveBack, type Refund, refundable } from '../cards/settlements.ts';
import type { SomeHandlers } from '../core/core.ts';
import { detailFor } from '../operations/operation.ts';

/**
 * Refunds (Partner API v2.3, "Transfers, bank transfers, chargeback, refund"): the ids of a gateway are required, so what is
 * refunded is a card payment, by the rules of its own refund. Only the answer is another.
 */
export const refunds = {
  previewRefund(core, { tenant, body }) {
    refundable(core, tenant, body);
    const { PhoneNumber, OperationId, RefundAmount, OrderId, TransactionTrackId } = body;
    return previewOf(core, OPERATION_TYPES.PAYMENT_REFUND, {
      phoneNumber: PhoneNumber,
      operationId: OperationId,
      refundAmount: RefundAmount,
      orderId: OrderId,
      transactionTrackId: TransactionTrackId,
    });
  },

  executeRefund(core, { body: { phoneNumber, ...order }, ...request }) {
    const body: Refund = { ...order, PhoneNumber: phoneNumber };
    const { operation } = giveBack(core, { ...request, body });
    return detailFor(operation.senderId, operation);
  },
} satisfies SomeHandlers;
