import { expect, test } from 'vitest';
import { API } from '../../src/wallet/contract/api.ts';

/**
 * The 106 operations that Partner API v2.3 shows in "Endpoints", in the order and writing of the document. Paths that
 * it joins with "and" are written out. It counts 114 ("General model" 3): the other eight are named (catalogs, exports,
 * favourites) and have no shape.
 */
const SHOWN = `
  Customers
  GET    /api/customers/status
  GET    /api/customers/default
  POST   /api/customers/register
  POST   /api/customers/confirm
  POST   /api/customers/confirm/resend-otp
  POST   /api/customers/login
  POST   /api/customers/pin
  PATCH  /api/customers/pin
  POST   /api/customers/pin/reset
  GET    /api/customers/balance
  GET    /api/customers/info
  PUT    /api/customers/unregister

  KYC
  GET    /api/kyc/idprovider/auth
  PUT    /api/customers/upgrade/request
  POST   /api/customers/merchant/kyc/request

  Card cash-in
  POST   /api/operations/cashin/card/preview
  POST   /api/operations/cashin/card
  POST   /api/operations/cashin/card/{cardId}
  POST   /api/operations/cashin/card/agent/preview
  POST   /api/operations/cashin/card/agent

  Transfers, bank transfers, chargeback, refund
  POST   /api/operations/transfer/preview
  POST   /api/operations/transfer
  POST   /api/operations/bank-transfer/preview
  POST   /api/operations/bank-transfer
  POST   /api/operations/chargeback/preview
  POST   /api/operations/chargeback
  POST   /api/operations/refund/preview
  POST   /api/operations/refund

  Merchant payments
  POST   /api/operations/merchant/payment/push/manual/preview
  POST   /api/operations/merchant/payment/push/manual
  POST   /api/operations/merchant/payment/push/qrcode/preview
  POST   /api/operations/merchant/payment/push/qrcode
  POST   /api/operations/merchant/payment/card/preview
  POST   /api/operations/merchant/payment/card
  POST   /api/operations/merchant/payment/tokenized/card/{cardId}
  POST   /api/operations/merchant/payment/card/capture
  POST   /api/operations/merchant/payment/card/reverse
  POST   /api/operations/merchant/payment/card/refund
  GET    /api/operations/merchant/qrcode/static
  POST   /api/operations/merchant/qrcode
  GET    /api/operations/merchant/qrcode/status

  Reference-based cash-in / cash-out
  POST   /api/operations/cashin/request
  POST   /api/operations/cashout/request
  POST   /api/operations/billnet/cashin/request
  GET    /api/operations/cashin/request
  GET    /api/operations/cashout/request
  POST   /api/operations/cashin/agent
  POST   /api/operations/cashout/agent
  POST   /api/network/operations/cashin
  POST   /api/network/operations/cashout

  Reading operations
  GET    /api/operations
  GET    /api/operations/{id}
  GET    /api/operations/all

  Beneficiaries
  GET    /api/customer/beneficiaries
  POST   /api/customer/beneficiaries
  PUT    /api/customer/beneficiaries/{beneficiaryId}
  DELETE /api/customer/beneficiaries/{Id}

  Tokenized cards
  GET    /api/customers/tokenized/cards
  GET    /api/customers/tokenized/cards/{id}
  DELETE /api/customers/tokenized/cards/{cardId}
  GET    /api/agents/tokenized/cards
  GET    /api/agents/tokenized/cards/{cardId}
  PUT    /api/agents/tokenized/cards/{cardId}
  DELETE /api/agents/tokenized/cards/{cardId}

  Agents
  GET    /api/agents/retail
  GET    /api/agents/retail/{code}
  POST   /api/agents/retail
  PUT    /api/agents/retail/{code}
  GET    /api/agents/principal/{code}

  Card management (beta)
  GET    /api/cards/programs
  POST   /api/cards/applications
  GET    /api/cards/applications
  GET    /api/cards/applications/customer
  PUT    /api/cards/applications/{id}/validate
  PUT    /api/cards/applications/{id}/reject
  GET    /api/cards
  GET    /api/cards/{id}
  PUT    /api/cards/{id}/activate
  PUT    /api/cards/{id}/block
  PUT    /api/cards/{id}/suspend
  PUT    /api/cards/{id}/reactivate
  PUT    /api/cards/{id}/cancel
  PUT    /api/cards/{id}/services
  GET    /api/card-transactions/card/{cardId}

  Bill payment
  GET    /api/bills/creanciers
  GET    /api/bills/creances
  GET    /api/bills/form
  POST   /api/bills/impayes
  POST   /api/bills/confirm
  POST   /api/bills/preview
  GET    /api/bills/reference/status
  GET    /api/bills/bill-receipt/{operationId}
  GET    /api/bills/history

  Telco top-up
  POST   /api/services/telco/catalog/b2b
  POST   /api/operations/service/telco/recharge/b2b
  POST   /api/operations/service/telco/recharge/preview
  POST   /api/operations/service/telco/recharge
  GET    /api/operations/service/telco/recharge

  Vouchers
  GET    /api/vouchers/brands
  GET    /api/vouchers/brands/{id}
  GET    /api/vouchers/articles
  POST   /api/operations/voucher/preview
  POST   /api/operations/voucher/confirm
  GET    /api/vouchers
  POST   /api/operations/service/voucher/preview
  POST   /api/operations/service/voucher
`;
const shown = SHOWN.split('\n').flatMap((line) => {
  const [, method, path] = /^ *([A-Z]+) +(\/\S+)$/.exec(line) ?? [];
  return method && path ? [`${method} ${path}`] : [];
});
const known = Object.values(API).map(({ method, path }) => `${method} ${path}`);

test('the document shows 106 operations', () => {
  expect(new Set(shown).size).toBe(106);
  expect(shown).toHaveLength(106);
});

test('the contract lacks none of them', () => {
  expect(shown.filter((each) => !known.includes(each))).toEqual([]);
});

test('the contract has no other operation', () => {
  expect(known.filter((each) => !shown.includes(each))).toEqual([]);
});
