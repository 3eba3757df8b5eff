import { z } from 'zod';
import { API } from '../contract/api.ts';
import { creditor, formField, receivable } from '../contract/bills.ts';
import { cardPaymentResult } from '../contract/card-cash-in.ts';
import type { Endpoint, Request } from '../contract/endpoint.ts';
import { previewResult, pricedPreview } from '../contract/preview.ts';
import type { Call } from '../wallet.ts';
import type { Send } from './call.ts';
import { listOf, needing, readable } from './tolerant.ts';

const { listBrands, listArticles, listBeneficiaries, listRetailAgents, listCustomerCards } = API;
const { listCreditors, listReceivables, readBillForm, listBillPayments } = API;
const { agent, account } = API.readPrincipalAgent.data.shape;

/** The fields of an answer that Wasl needs, by the contract's shape. Any other shape is needed whole. */
const NEEDS: ReadonlyMap<unknown, z.ZodType> = new Map<unknown, z.ZodType>([
  // No fee said is no fee, but a fee that cannot be read is one.
  [previewResult, needing(previewResult, 'feesAmount', 'totalAmount')],
  [pricedPreview, needing(pricedPreview, 'feesAmount', 'totalAmount')],
  [API.previewBill.data, needing(API.previewBill.data, 'codeRetour', 'feesAmount', 'totalAmount')],
  [API.executeBill.data, needing(API.executeBill.data, 'codeRetour')],
  [API.executeTopUpB2b.data, needing(API.executeTopUpB2b.data)],
  [API.captureCardPayment.data, needing(API.captureCardPayment.data)],
  [cardPaymentResult, needing(cardPaymentResult, 'redirect')],
  [
    API.readBillStatus.data,
    needing(API.readBillStatus.data.unwrap(), 'networkReference', 'executed').nullable(),
  ],
  // A field whose kind cannot be read may be a password, so that it is not asked for.
  [
    readBillForm.data,
    needing(
      readBillForm.data.extend({ creancierParams: readable(needing(formField, 'typeChamp')).nullish() }),
      ...(['codeRetour', 'creancierParams'] as const),
    ),
  ],
  [
    listBillPayments.data,
    listOf(needing(listBillPayments.data.shape.collection.element, 'amount', 'status')),
  ],
  // Those of a merchant's code, of one with an amount, and of one by its reference are one shape.
  [API.createQr.data, needing(API.createQr.data, 'qrContent')],
  [
    API.readPrincipalAgent.data,
    z.object({ agent: needing(agent, 'code'), account: needing(account, 'balance') }),
  ],
  [API.customerStatus.data, needing(API.customerStatus.data, 'status')],
  [API.loginCustomer.data, needing(API.loginCustomer.data, 'logged')],
  [API.customerInfo.data, needing(API.customerInfo.data, 'balance', 'accountLevel', 'customerStatus')],
  [
    API.requestCashIn.data,
    needing(API.requestCashIn.data, 'reference', 'amount', 'operationStatus', 'createdAt'),
  ],
  [
    API.readCashInRequest.data,
    needing(API.readCashInRequest.data, 'reference', 'amount', 'status', 'createdAt'),
  ],
  [API.readRetailAgent.data, needing(API.readRetailAgent.data, 'code', 'PhoneNumber', 'Name')],
  [listRetailAgents.data, listOf(needing(API.readRetailAgent.data, 'code', 'PhoneNumber', 'Name'))],
  [listBeneficiaries.data, listOf(needing(listBeneficiaries.data.shape.collection.element, 'id', 'name'))],
  [listBrands.data, listOf(needing(listBrands.data.shape.collection.element, 'id', 'name'))],
  [
    listArticles.data,
    listOf(
      needing(
        listArticles.data.shape.collection.element,
        ...(['providerSkuId', 'productName', 'price', 'providerId', 'brandId'] as const),
      ),
    ),
  ],
  [
    listCustomerCards.data,
    listOf(needing(listCustomerCards.data.shape.collection.element, 'customerBankCardId', 'maskedPan')),
  ],
  [
    listCreditors.data,
    listCreditors.data.extend({
      listeCreanciers: readable(needing(creditor, 'codeCreancier', 'nomCreancier')).nullish(),
    }),
  ],
  [listReceivables.data, listReceivables.data.extend({ listeCreance: readable(receivable).nullish() })],
]);

/** Sends as `send` does, and reads what breaks the contract by what Wasl needs of it. */
export function leniently(send: Send): Send {
  const lenient = new WeakMap<Endpoint, Endpoint>();
  return <E extends Endpoint>(endpoint: E, request: Request<E>, call?: Call) => {
    const tolerates = NEEDS.get(endpoint.data);
    if (!tolerates || 'tolerates' in endpoint) return send(endpoint, request, call);
    const read = (lenient.get(endpoint) as E | undefined) ?? { ...endpoint, tolerates };
    lenient.set(endpoint, read);
    return send(read, request, call);
  };
}
