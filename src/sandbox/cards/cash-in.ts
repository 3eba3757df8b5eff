import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import { type Core, type Handlers, isRefusal, type Refusal } from '../core/core.ts';
import type { Customers } from '../customers/customer.ts';
import type { Gateway } from './gateway.ts';
import { agentPayee, type Payee, walletPayee } from './payees.ts';
import { previewOf } from './preview.ts';

type Calls =
  | 'previewCardCashIn'
  | 'executeCardCashIn'
  | 'executeSavedCardCashIn'
  | 'previewAgentCardCashIn'
  | 'executeAgentCardCashIn';

/** Wallets and agents loaded by card (Partner API v2.3, "Card cash-in"). */
export function cardCashIns(core: Core, customers: Customers, gateway: Gateway): Handlers<Calls> {
  function preview(payee: Payee | Refusal, dirhams: number, asked: object) {
    if (isRefusal(payee)) return payee;
    const refused = gateway.refuses(payee, dirhams);
    return refused ?? previewOf(core, OPERATION_TYPES.CASHIN, { ...asked, amount: dirhams, method: 'Card' });
  }

  return {
    previewCardCashIn({ tenant, query: { PhoneNumber }, body }) {
      const payee = walletPayee(customers, tenant, PhoneNumber);
      return preview(payee, body.Amount, { phoneNumber: PhoneNumber });
    },

    executeCardCashIn(request) {
      const payee = walletPayee(customers, request.tenant, request.query.phoneNumber);
      return isRefusal(payee) ? payee : gateway.pay(request, payee, request.body);
    },

    executeSavedCardCashIn(request) {
      const payee = walletPayee(customers, request.tenant, request.query.PhoneNumber);
      if (isRefusal(payee)) return payee;
      return gateway.payWithSaved(request, payee, request.params.cardId, request.body);
    },

    previewAgentCardCashIn({ tenant, query: { code }, body }) {
      return preview(agentPayee(core, tenant, code), body.Amount, { code });
    },

    executeAgentCardCashIn(request) {
      const payee = agentPayee(core, request.tenant, request.query.code);
      return isRefusal(payee) ? payee : gateway.pay(request, payee, request.body);
    },
  };
}
