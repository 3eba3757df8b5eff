import { OPERATION_TYPES } from '../../wallet/contract/fields.ts';
import type { Core, SomeHandlers } from '../core/core.ts';
import { payByCard, payBySavedCard, receivableAmount } from './gateway.ts';
import { agentPayee, merchantPayee, type Payee, walletPayee } from './payees.ts';
import { previewOf } from './preview.ts';
import { settlements } from './settlements.ts';

/** Merchants paid by card, wallets and agents loaded by card (Partner API v2.3, "Merchant payments" and "Card cash-in"). */
export const cardPayments = {
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
