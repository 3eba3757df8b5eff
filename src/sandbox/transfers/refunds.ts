import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { previewOf } from '../cards/preview.ts';
import { giveBack, type Refund, refundable } from '../cards/settlements.ts';
import type { SomeHandlers } from '../core/core.ts';
import { detailFor, echoed } from '../operations/operation.ts';

/**
 * Refunds (Partner API v2.3, "Transfers, bank transfers, chargeback, refund"): the ids of a gateway are required, so what is
 * refunded is a card payment, by the rules of its own refund. Only the answer is another.
 */
export const refunds = {
  previewRefund(core, { tenant, body }) {
    refundable(core, tenant, body);
    return previewOf(core, OPERATION_TYPES.PAYMENT_REFUND, echoed(body));
  },

  executeRefund(core, { body: { phoneNumber, ...order }, ...request }) {
    const body: Refund = { ...order, PhoneNumber: phoneNumber };
    const { operation } = giveBack(core, { ...request, body });
    return detailFor(operation.senderId, operation);
  },
} satisfies SomeHandlers;
