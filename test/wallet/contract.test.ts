import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { API, type ApiName } from '../../src/wallet/contract/api.ts';
import { bills } from '../../src/wallet/contract/bills.ts';
import { customers } from '../../src/wallet/contract/customers.ts';
import type { Endpoint } from '../../src/wallet/contract/endpoint.ts';
import { ERROR_CODES, ERRORS } from '../../src/wallet/contract/errors.ts';
import { merchant } from '../../src/wallet/contract/merchant.ts';
import { qrCodes } from '../../src/wallet/contract/qr-codes.ts';
import { telco } from '../../src/wallet/contract/telco.ts';
import { vouchers } from '../../src/wallet/contract/vouchers.ts';
import { webhookBody } from '../../src/wallet/contract/webhooks.ts';

const PHONE = '+212600000001';

describe('the table of operations', () => {
  test('has the twelve of customers', () => {
    expect(Object.keys(customers)).toHaveLength(12);
  });

  /** Not there: `/api/vouchers` and the two of `service/voucher`, whose answers or bodies are not shown. */
  test.each([
    ['bills', 'GET /api/bills/creanciers'],
    ['bills', 'GET /api/bills/creances'],
    ['bills', 'GET /api/bills/form'],
    ['bills', 'POST /api/bills/impayes'],
    ['bills', 'POST /api/bills/confirm'],
    ['bills', 'POST /api/bills/preview'],
    ['bills', 'GET /api/bills/reference/status'],
    ['bills', 'GET /api/bills/bill-receipt/{operationId}'],
    ['bills', 'GET /api/bills/history'],
    ['telco', 'POST /api/services/telco/catalog/b2b'],
    ['telco', 'POST /api/operations/service/telco/recharge/b2b'],
    ['telco', 'POST /api/operations/service/telco/recharge/preview'],
    ['telco', 'POST /api/operations/service/telco/recharge'],
    ['telco', 'GET /api/operations/service/telco/recharge'],
    ['merchant', 'POST /api/operations/merchant/payment/push/manual/preview'],
    ['merchant', 'POST /api/operations/merchant/payment/push/manual'],
    ['merchant', 'POST /api/operations/merchant/payment/push/qrcode/preview'],
    ['merchant', 'POST /api/operations/merchant/payment/push/qrcode'],
    ['qrCodes', 'GET /api/operations/merchant/qrcode/static'],
    ['qrCodes', 'POST /api/operations/merchant/qrcode'],
    ['qrCodes', 'GET /api/operations/merchant/qrcode/status'],
    ['vouchers', 'GET /api/vouchers/brands'],
    ['vouchers', 'GET /api/vouchers/brands/{id}'],
    ['vouchers', 'GET /api/vouchers/articles'],
    ['vouchers', 'POST /api/operations/voucher/preview'],
    ['vouchers', 'POST /api/operations/voucher/confirm'],
  ])('has of %s: %s', (section, shown) => {
    const inSection = Object.values<Endpoint>({ bills, merchant, qrCodes, telco, vouchers }[section] ?? {});
    const found = inSection.filter(({ method, path }) => `${method} ${path}` === shown);
    // "All /api/bills/* responses, except the receipt download, are returned at the root."
    expect(found.map(({ envelope }) => envelope)).toEqual([section !== 'bills']);
    expect(found.map(({ binary }) => binary === true)).toEqual([shown.includes('bill-receipt')]);
  });

  test('takes no answer without a body for money moved', () => {
    const withNone = Object.entries<Endpoint>(API).filter(
      ([, { none, bare }]) => none !== undefined && !bare,
    );
    expect(withNone.map(([name]) => name).sort()).toEqual([
      'listArticles',
      'listBillPayments',
      'listBrands',
      'listTopUps',
      'listVouchers',
      'readBillStatus',
      'topUpCatalog',
    ]);
    for (const [, { none, data }] of withNone) expect(data.safeParse(none).success).toBe(true);
  });

  test('names each method and path once', () => {
    const names = Object.values(API).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
  });

  /** "General model" 2 and "Agents": HTTP 200 with no detailed body, and a 204. */
  test('has three whose success never has a body', () => {
    const bare = Object.entries<Endpoint>(API).filter(([, endpoint]) => endpoint.bare);
    expect(bare.map(([name, { status }]) => [name, status]).sort()).toEqual([
      ['deleteAgentCard', 200],
      ['renameAgentCard', 200],
      ['updateRetailAgent', 204],
    ]);
    for (const [, { none, data }] of bare) expect(data.safeParse(none).success).toBe(true);
  });

  test('has one form, and one whose refusals are problem details', () => {
    const those = (is: (endpoint: Endpoint) => boolean | undefined) =>
      Object.entries<Endpoint>(API).flatMap(([name, endpoint]) => (is(endpoint) ? [name] : []));
    expect(those(({ multipart }) => multipart)).toEqual(['uploadMerchantDocuments']);
    expect(those(({ problems }) => problems)).toEqual(['updateRetailAgent']);
  });

  test.each(Object.entries<Endpoint>(API))(
    '%s has its path parameters, and a GET needs no body',
    (_, endpoint) => {
      const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(endpoint.params.shape)).toEqual(inPath);
      if (endpoint.method === 'GET') expect(endpoint.body.safeParse({}).success).toBe(true);
    },
  );

  test.each(Object.entries<Endpoint>(API))(
    '%s can be written as JSON Schema, for the documentation',
    (_, endpoint) => {
      // A file is no JSON, so nothing describes it.
      const data = endpoint.binary ? [] : [endpoint.data];
      for (const schema of [endpoint.params, endpoint.query, endpoint.body, ...data]) {
        expect(() => z.toJSONSchema(schema, { io: 'input' })).not.toThrow();
      }
    },
  );
});

const register = {
  phoneNumber: PHONE,
  firstName: 'Ali',
  lastName: 'El Idrissi',
  cin: 'AB123',
  walletType: 'P',
};
const transfer = { CustomerPhoneNumber: PHONE, RecipientPhoneNumber: PHONE, Amount: 10.5, Reason: 'gift' };
const recharge = {
  customerPhoneNumber: PHONE,
  recipientPhoneNumber: PHONE,
  amount: 50,
  operator: 1,
  rechargeType: 0,
};
const param = { libelle: '', nomChamp: 'isConfTO', valeurChamp: 'x', more: { kept: true } };
const bill = {
  creancierId: '1001',
  creanceId: '01',
  refTxNetwork: '202611200001',
  totalPayment: true,
  listeArticleSelectionnes: [
    { idArticle: '1', prixTTC: 10.5, typeArticle: 0, dateFacture: '', description: '' },
  ],
  creancierVals: [{ nomChamp: 'contrat', valChamp: '77' }],
  globalParams: [],
};
const voucher = {
  customerPhoneNumber: PHONE,
  destinationPhoneNumber: PHONE,
  beneficiaryName: 'Ali',
  providerSkuId: 'S',
  providerId: 1,
};
test.each<[string, ApiName, object, boolean]>([
  ['a registration', 'registerCustomer', register, true],
  ['one with accents', 'registerCustomer', { ...register, firstName: 'Zoé', lastName: "N'Diaye-Ben" }, true],
  ['one of a merchant', 'registerCustomer', { ...register, walletType: 'C', closeLoopOnly: true }, true],
  ['a name of one letter', 'registerCustomer', { ...register, lastName: 'X' }, false],
  ['a name of digits', 'registerCustomer', { ...register, lastName: 'A1' }, false],
  ['a name with a link', 'registerCustomer', { ...register, lastName: 'Ali http://x.y' }, false],
  ['a short CIN', 'registerCustomer', { ...register, cin: 'A123' }, false],
  [
    'another case of a name',
    'registerCustomer',
    { ...register, phoneNumber: undefined, PhoneNumber: PHONE },
    false,
  ],
  ['a confirmation', 'confirmCustomer', { phoneNumber: PHONE, code: '123-456' }, true],
  [
    'one that activates',
    'confirmCustomer',
    { phoneNumber: PHONE, code: '123-456', autoActivate: true },
    true,
  ],
  ['one with walletType', 'confirmCustomer', { phoneNumber: PHONE, code: '123-456', walletType: 'P' }, false],
  ['a code without dash', 'confirmCustomer', { phoneNumber: PHONE, code: '123456' }, false],
  ['a PIN', 'createPin', { phoneNumber: PHONE, pin: '0000' }, true],
  ['a PIN of three', 'createPin', { phoneNumber: PHONE, pin: '000' }, false],
  ['a PIN as a number', 'createPin', { phoneNumber: PHONE, pin: 1234 }, false],
  ['a closure', 'unregisterCustomer', { PhoneNumber: PHONE, Reason: 5 }, true],
  ['one for reason 0', 'unregisterCustomer', { PhoneNumber: PHONE, Reason: 0 }, false],
  ['a transfer', 'executeTransfer', transfer, true],
  ['one to a saved recipient', 'executeTransfer', { ...transfer, BeneficiaryId: 7 }, true],
  ['one of nothing', 'executeTransfer', { ...transfer, Amount: 0 }, false],
  ['one without a reason', 'executeTransfer', { ...transfer, Reason: '' }, false],
  [
    'one from a national number',
    'executeTransfer',
    { ...transfer, CustomerPhoneNumber: '0600000001' },
    false,
  ],
  ['a top-up', 'executeTopUp', recharge, true],
  ['one with a product', 'executeTopUp', { ...recharge, rechargeType: 1, productCode: 7 }, true],
  ['one at an unknown operator', 'executeTopUp', { ...recharge, operator: 4 }, false],
  ['one of an unknown type', 'executeTopUp', { ...recharge, rechargeType: 2 }, false],
  ['one with its amount as text', 'executeTopUp', { ...recharge, amount: '50' }, false],
  ['a bill', 'executeBill', bill, true],
  ['one with parameters as they came', 'executeBill', { ...bill, globalParams: [param] }, true],
  ['one whose values have the name of answers', 'executeBill', { ...bill, creancierVals: [param] }, false],
  ['one without a reference', 'executeBill', { ...bill, refTxNetwork: '' }, false],
  ['one of some or all', 'executeBill', { ...bill, totalPayment: undefined }, false],
  ['a voucher', 'executeVoucher', voucher, true],
  ['one for nobody', 'executeVoucher', { ...voucher, beneficiaryName: '' }, false],
])('body: %s', (_, name, body, good) => {
  expect(API[name].body.safeParse(body).success).toBe(good);
});

const detail = {
  operationId: 1,
  transactionId: 2,
  transactionReference: '100000000001',
  amount: 200,
  operationType: 3,
  transactionDate: '2026-11-20T10:00:00.0000000',
  sens: 2,
  transactionStatus: 1,
  feesAmount: 2,
  totalAmount: 202,
  sender: PHONE,
  receiver: '999780000000000000000590',
};
test.each<[string, ApiName, unknown, boolean]>([
  ['a status', 'customerStatus', { status: 0, message: 'x' }, true],
  ['a status without words', 'customerStatus', { status: 5 }, true],
  ['an unknown status', 'customerStatus', { status: 6 }, false],
  ['a status as text', 'customerStatus', { status: '3' }, false],
  ['a yes', 'registerCustomer', true, true],
  ['a no', 'registerCustomer', false, false],
  ['any success where none is shown', 'resendOtp', null, true],
  ['a login', 'loginCustomer', { logged: true, remainingAttempts: null }, true],
  ['a balance', 'customerBalance', { balance: 0 }, true],
  ['a balance as text', 'customerBalance', { balance: '10.00' }, false],
  ['a balance beyond all wallets', 'customerBalance', { balance: 1e11 }, false],
  ['a balance of dust', 'customerBalance', { balance: 1e-7 }, false],
  ['an operation', 'readOperation', detail, true],
  ['one with a field that is not shown', 'readOperation', { ...detail, more: 1 }, true],
  ['one of a type that is not shown', 'readOperation', { ...detail, operationType: 99 }, true],
  ['one with an unknown status', 'readOperation', { ...detail, transactionStatus: 5 }, false],
  ['one without date', 'readOperation', { ...detail, transactionDate: 'soon' }, false],
  ['a list', 'listOperations', { collection: [detail], count: 1 }, true],
  ['a list with one unreadable', 'listOperations', { collection: [detail, {}], count: 2 }, false],
  ['an execution', 'executeTransfer', detail, true],
  ['one that says nothing', 'executeTransfer', {}, true],
  ['one that says only yes', 'executeTransfer', true, true],
  ['a preview without total', 'previewTransfer', { type: 3, feesAmount: 2, openLoop: false }, true],
  ['a preview with words for fees', 'previewTransfer', { feesAmount: 'free' }, false],
])('answer: %s', (_, name, data, good) => {
  expect(API[name].data.safeParse(data).success).toBe(good);
});

const event = {
  WebhookId: 'b8a1',
  EventId: 'transfer.received',
  CRequestId: '6f3c',
  OperationId: 12,
  TransactionId: 34,
  OperationType: 3,
  OperationStatus: 2,
  CreatedAt: '2026-11-20T10:00:00Z',
  ExecutedAt: '2026-11-20T10:00:01Z',
  Amount: 200,
  FeeAmount: 2,
  PrimaryAccountNumber: PHONE,
};
const level = {
  EventId: 'customer.level.updated',
  OperationId: 0,
  OperationType: 0,
  OperationStatus: 0,
  Amount: 0,
};
test.each([
  ['a transfer', {}, true],
  ['with nulls where optional', { TransactionId: null, SecondaryAccountNumber: null, Method: null }, true],
  ['with a field that is not shown', { Extra: 1 }, true],
  ['a level', level, true],
  [
    'a card cash-in',
    { EventId: 'cashin.card.authorized', Method: 'Card', GatewayTrackId: 't', CustomData: 'x' },
    true,
  ],
  ['a card payment', { EventId: 'payment.card.authorized', OperationType: 24 }, true],
  ['a payment received', { EventId: 'payment.received', OperationType: 5 }, true],
  ['a bill confirmed', { EventId: 'payment.confirmed', OperationType: 25 }, true],
  ['a bill cancelled', { EventId: 'payment.cancelled' }, true],
  ['a bill refunded', { EventId: 'payment.refunded' }, true],
  ['a bill failed', { EventId: 'payment.failed', OperationStatus: 3 }, true],
  ['a bank transfer begun', { EventId: 'bank-transfer.initiated', BankTransferBeneficiaryName: 'Ali' }, true],
  ['a bank transfer ended', { EventId: 'bank-transfer.completed' }, true],
  ['a bank transfer received', { EventId: 'bank-transfer.received' }, true],
  ['a network cash-in', { EventId: 'cashin.network.executed', NetworkName: 'n', Reference: '1' }, true],
  ['a network cash-out', { EventId: 'cashout.network.executed' }, true],
  ['an unknown kind', { EventId: 'transfer.sent' }, false],
  ['no WebhookId', { WebhookId: undefined }, false],
  ['an amount as text', { Amount: '200' }, false],
  ['an unknown status', { OperationStatus: 0 }, false],
  ['a date that is none', { ExecutedAt: '' }, false],
])('event: %s', (_, change, good) => {
  expect(webhookBody.safeParse({ data: { ...event, ...change } }).success).toBe(good);
});

test('an event outside its envelope is none', () => {
  expect(webhookBody.safeParse(event).success).toBe(false);
});

test('each error has a code of its own, and those of the sandbox are apart', () => {
  expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
  const codes = Object.values(ERRORS).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(ERROR_CODES).toEqual(
    expect.arrayContaining(['10001', '20000', '20005', '20006', '20008', '20009', '20017']),
  );
  expect(ERROR_CODES).toEqual(expect.arrayContaining(['26001', '26004', '26005']));
});
