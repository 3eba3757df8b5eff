import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { type Core, type Handlers, isRefusal } from '../core/core.ts';
import type { Customers } from '../customers/customer.ts';
import type { Gateway } from './gateway.ts';
import { merchantPayee } from './payees.ts';
import { previewOf } from './preview.ts';
import type { Settlements } from './settlements.ts';

type Calls = Extract<keyof Api, `${string}CardPayment`>;

/** Merchants paid by card (Partner API v2.3, "Merchant payments"). */
export function merchantCardPayments(
  core: Core,
  customers: Customers,
  gateway: Gateway,
  settlements: Settlements,
): Handlers<Calls> {
  return {
    /** Type 5 as written, though the payment will be of type 24 (open question 15). */
    previewCardPayment({ tenant, query: { PhoneNumber }, body: { Amount } }) {
      const payee = merchantPayee(core, customers, tenant, PhoneNumber);
      if (isRefusal(payee)) return payee;
      const asked = { phoneNumber: PhoneNumber, amount: Amount, method: 'Card' };
      return gateway.refuses(payee, Amount) ?? previewOf(core, OPERATION_TYPES.MOBILE_PAYMENT, asked);
    },

    executeCardPayment(request) {
      const payee = merchantPayee(core, customers, request.tenant, request.query.phoneNumber);
      return isRefusal(payee) ? payee : gateway.pay(request, payee, request.body);
    },

    /** The card is one that was saved when this merchant was paid (open question 52). */
    executeSavedCardPayment(request) {
      const payee = merchantPayee(core, customers, request.tenant, request.query.PhoneNumber);
      if (isRefusal(payee)) return payee;
      return gateway.payWithSaved(request, payee, request.params.cardId, request.body);
    },

    captureCardPayment: settlements.capture,
    reverseCardPayment: settlements.reverse,
    refundCardPayment: settlements.refund,
  };
}
