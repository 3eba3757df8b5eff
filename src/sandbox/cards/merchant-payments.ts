import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import type { SomeHandlers } from '../core/core.ts';
import { payByCard, payBySavedCard, receivableAmount } from './gateway.ts';
import { merchantPayee } from './payees.ts';
import { previewOf } from './preview.ts';
import { settlements } from './settlements.ts';

/** Merchants paid by card (Partner API v2.3, "Merchant payments"). */
export const merchantCardPayments = {
  /** Type 5 as written, though the payment will be of type 24 (open question 15). */
  previewCardPayment(core, { tenant, query: { PhoneNumber }, body: { Amount } }) {
    const payee = merchantPayee(core, tenant, PhoneNumber);
    const asked = { phoneNumber: PhoneNumber, amount: Amount, method: 'Card' };
    receivableAmount(core, payee, Amount);
    const { MOBILE_PAYMENT, CARD_PAYMENT } = OPERATION_TYPES;
    return previewOf(core, core.settings.cardPreview === 'mobile' ? MOBILE_PAYMENT : CARD_PAYMENT, asked);
  },

  executeCardPayment(core, request) {
    const payee = merchantPayee(core, request.tenant, request.query.phoneNumber);
    return payByCard(core, request, payee, request.body);
  },

  /** The card is one that was saved when this merchant was paid (open question 52). */
  executeSavedCardPayment(core, request) {
    const payee = merchantPayee(core, request.tenant, request.query.PhoneNumber);
    return payBySavedCard(core, request, payee, request.params.cardId, request.body);
  },

  ...settlements,
} satisfies SomeHandlers;
