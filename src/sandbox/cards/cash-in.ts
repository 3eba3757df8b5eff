import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import type { Core, SomeHandlers } from '../core/core.ts';
import { payByCard, payBySavedCard, receivableAmount } from './gateway.ts';
import { agentPayee, type Payee, walletPayee } from './payees.ts';
import { previewOf } from './preview.ts';

/** Wallets and agents loaded by card (Partner API v2.3, "Card cash-in"). */
export const cardCashIns = {
  previewCardCashIn(core, { tenant, query: { PhoneNumber }, body }) {
    const payee = walletPayee(core, tenant, PhoneNumber);
    return preview(core, payee, body.Amount, { phoneNumber: PhoneNumber });
  },

  executeCardCashIn(core, request) {
    const payee = walletPayee(core, request.tenant, request.query.phoneNumber);
    return payByCard(core, request, payee, request.body);
  },

  executeSavedCardCashIn(core, request) {
    const payee = walletPayee(core, request.tenant, request.query.PhoneNumber);
    return payBySavedCard(core, request, payee, request.params.cardId, request.body);
  },

  previewAgentCardCashIn(core, { tenant, query: { code }, body }) {
    return preview(core, agentPayee(core, tenant, code), body.Amount, { code });
  },

  executeAgentCardCashIn(core, request) {
    const payee = agentPayee(core, request.tenant, request.query.code);
    return payByCard(core, request, payee, request.body);
  },
} satisfies SomeHandlers;

function preview(core: Core, payee: Payee, dirhams: number, asked: object) {
  receivableAmount(core, payee, dirhams);
  return previewOf(core, OPERATION_TYPES.CASHIN, { ...asked, amount: dirhams, method: 'Card' });
}
