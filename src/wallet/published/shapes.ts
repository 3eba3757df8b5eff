import type { z } from 'zod';
import { CODE_VALUES } from '../client/codes.ts';
import { API, type ApiName } from '../contract/api.ts';
import { billRefusal } from '../contract/bills.ts';
import { expiryDate } from '../contract/card-cash-in.ts';
import { businessError, plainError, problemDetails } from '../contract/envelope.ts';
import { codes, shownOf } from '../contract/shown.ts';
import { CODE_MEANINGS } from './meanings.ts';

/** A shape of the contract under a name of its own. Shapes without a name are called after their operation. */
export interface Shape {
  readonly schema: z.ZodType;
  readonly name: string;
  /** Where v2.3 shows it. Undefined where it does not show it. */
  readonly from: string | undefined;
}

type List = z.ZodObject<{ collection: z.ZodArray; count: z.ZodInt }>;
const itemOf = (name: ApiName) => (API[name].data as unknown as List).shape.collection.element as z.ZodType;
const bodyOf = (name: ApiName): z.ZodType => API[name].body;
const dataOf = (name: ApiName): z.ZodType => API[name].data;
const field = (of: z.ZodType, name: string) => (shownOf(of) as z.ZodObject).shape[name] as z.ZodType;
const element = (of: z.ZodType) => (shownOf(of) as z.ZodArray).element as z.ZodType;
const rowOf = (name: ApiName, list: string) => element(field(dataOf(name), list));
const nothing = undefined;

/** The names of shapes that operations share, or that stand in others. */
export const SHAPES: readonly Shape[] = [
  shape(businessError, 'BusinessError', 'Errors'),
  shape(plainError, 'PlainError', nothing),
  shape(problemDetails, 'ProblemDetails', nothing),
  shape(dataOf('customerStatus'), 'CustomerState', 'Customers'),
  shape(dataOf('loginCustomer'), 'Login', 'Customers'),
  shape(dataOf('customerBalance'), 'Balance', 'Customers'),
  shape(dataOf('customerInfo'), 'Customer', 'Customer'),
  shape(bodyOf('registerCustomer'), 'Registration', 'Customers'),
  shape(bodyOf('confirmCustomer'), 'CustomerCode', 'Customers'),
  shape(bodyOf('loginCustomer'), 'PinLogin', 'Customers'),
  shape(bodyOf('createPin'), 'NewPin', 'Customers'),
  shape(bodyOf('changePin'), 'PinChange', 'Customers'),
  shape(bodyOf('resetPin'), 'PinReset', 'Customers'),
  shape(bodyOf('unregisterCustomer'), 'Unregistration', 'Customers'),
  shape(dataOf('startIdentification'), 'Identification', 'KYC resources'),
  shape(bodyOf('uploadMerchantDocuments'), 'MerchantDocuments', 'KYC'),
  shape(element(field(bodyOf('uploadMerchantDocuments'), 'kycDocuments')), 'MerchantDocument', 'KYC'),
  shape(dataOf('previewTransfer'), 'PreviewResult', 'Preview result'),
  shape(dataOf('previewTopUp'), 'PricedPreview', 'Preview result'),
  shape(bodyOf('previewCardCashIn'), 'CardAmount', 'Card cash-in'),
  shape(bodyOf('executeCardCashIn'), 'CardOrder', 'Card cash-in'),
  shape(bodyOf('executeSavedCardCashIn'), 'SavedCardOrder', 'Card cash-in'),
  shape(dataOf('executeCardCashIn'), 'CardPaymentResult', 'Card payment result'),
  shape(bodyOf('executeTransfer'), 'TransferOrder', 'Transfers'),
  shape(bodyOf('previewBankTransfer'), 'BankTransferPreviewOrder', 'Transfers'),
  shape(bodyOf('executeBankTransfer'), 'BankTransferOrder', 'Transfers'),
  shape(bodyOf('executeChargeback'), 'ChargebackOrder', 'Transfers'),
  shape(bodyOf('previewRefund'), 'RefundPreviewOrder', 'Transfers'),
  shape(bodyOf('executeRefund'), 'RefundOrder', 'Transfers'),
  shape(dataOf('executeTransfer'), 'OperationResult', nothing),
  shape(bodyOf('executeMerchantPayment'), 'MerchantPaymentOrder', 'Merchant payments'),
  shape(bodyOf('executeQrPayment'), 'QrPaymentOrder', 'Merchant payments'),
  shape(bodyOf('captureCardPayment'), 'CardSettlement', 'Merchant payments'),
  shape(bodyOf('refundCardPayment'), 'CardRefundOrder', 'Merchant payments'),
  shape(dataOf('captureCardPayment'), 'CardSettlementResult', 'Card payment result'),
  shape(bodyOf('createQr'), 'QrOrder', 'Merchant payments'),
  shape(dataOf('createQr'), 'QrCode', 'QR code'),
  shape(bodyOf('requestCashIn'), 'ReferenceOrder', 'Reference-based cash-in / cash-out'),
  shape(bodyOf('requestBillNetworkCashIn'), 'BillNetworkOrder', 'Reference-based cash-in / cash-out'),
  shape(bodyOf('executeAgentCashIn'), 'AgentExecution', 'Reference-based cash-in / cash-out'),
  shape(bodyOf('executeNetworkCashIn'), 'NetworkExecution', 'Reference-based cash-in / cash-out'),
  shape(dataOf('requestCashIn'), 'CashReference', 'Reference request'),
  shape(dataOf('readCashInRequest'), 'FoundReference', 'Reference request'),
  shape(dataOf('requestBillNetworkCashIn'), 'BillNetworkReference', 'Reference request'),
  shape(dataOf('executeNetworkCashIn'), 'NetworkResult', 'Reference request'),
  shape(dataOf('readOperation'), 'Operation', 'Operation detail'),
  shape(itemOf('listOperations'), 'OperationItem', 'Operation detail'),
  shape(dataOf('listOperations'), 'OperationList', 'Operation detail'),
  shape(bodyOf('createBeneficiary'), 'BeneficiaryDetails', 'Beneficiaries'),
  shape(itemOf('listBeneficiaries'), 'Beneficiary', 'Beneficiary'),
  shape(dataOf('listBeneficiaries'), 'BeneficiaryList', 'Beneficiaries'),
  shape(itemOf('listCustomerCards'), 'SavedCard', 'Tokenized card'),
  shape(dataOf('listCustomerCards'), 'SavedCardList', 'Tokenized cards'),
  shape(itemOf('listAgentCards'), 'AgentCard', 'Tokenized card'),
  shape(dataOf('listAgentCards'), 'AgentCardList', 'Tokenized cards'),
  shape(bodyOf('renameAgentCard'), 'CardLabel', 'Tokenized cards'),
  shape(bodyOf('createRetailAgent'), 'RetailAgentDetails', 'Agents'),
  shape(bodyOf('updateRetailAgent'), 'RetailAgentChange', 'Agents'),
  shape(dataOf('readRetailAgent'), 'RetailAgent', 'Retail agent'),
  shape(dataOf('listRetailAgents'), 'RetailAgentList', 'Agents'),
  shape(dataOf('readPrincipalAgent'), 'PrincipalAgent', nothing),
  shape(field(dataOf('readPrincipalAgent'), 'agent'), 'AgentName', nothing),
  shape(field(dataOf('readPrincipalAgent'), 'account'), 'AgentAccount', nothing),
  shape(itemOf('listCardPrograms'), 'CardProgram', nothing),
  shape(dataOf('listCardPrograms'), 'CardProgramList', 'Card management (beta)'),
  shape(dataOf('createCardApplication'), 'CardApplication', nothing),
  shape(dataOf('listCardApplications'), 'CardApplicationList', 'Card management (beta)'),
  shape(bodyOf('rejectCardApplication'), 'CardRejection', 'Card management (beta)'),
  shape(dataOf('readCard'), 'IssuedCard', nothing),
  shape(dataOf('listCards'), 'IssuedCardList', 'Card management (beta)'),
  shape(bodyOf('blockCard'), 'CardReason', 'Card management (beta)'),
  shape(bodyOf('setCardServices'), 'CardServices', 'Card management (beta)'),
  shape(itemOf('listCardTransactions'), 'CardTransaction', nothing),
  shape(dataOf('listCardTransactions'), 'CardTransactionList', 'Card management (beta)'),
  shape(rowOf('listCreditors', 'listeCreanciers'), 'Creditor', 'Bill-payment resources'),
  shape(dataOf('listCreditors'), 'CreditorList', 'Bill payment'),
  shape(rowOf('listReceivables', 'listeCreance'), 'Receivable', 'Bill-payment resources'),
  shape(dataOf('listReceivables'), 'ReceivableList', 'Bill payment'),
  shape(rowOf('readBillForm', 'creancierParams'), 'BillField', 'Bill-payment resources'),
  shape(dataOf('readBillForm'), 'BillForm', 'Bill payment'),
  shape(billRefusal, 'BillRefusal', 'Errors'),
  shape(bodyOf('listUnpaid'), 'FilledForm', 'Bill payment'),
  shape(element(field(bodyOf('listUnpaid'), 'creancierVals')), 'FilledField', 'Bill payment'),
  shape(rowOf('listUnpaid', 'impayesParams'), 'BillItem', 'Bill-payment resources'),
  shape(rowOf('listUnpaid', 'globalParams'), 'GlobalParam', 'Bill-payment resources'),
  shape(dataOf('listUnpaid'), 'Unpaid', 'Bill-payment resources'),
  shape(bodyOf('executeBill'), 'BillOrder', 'Bill payment'),
  shape(dataOf('previewBill'), 'BillPreview', nothing),
  shape(dataOf('executeBill'), 'BillResult', 'Bill-payment resources'),
  shape(rowOf('executeBill', 'params'), 'BillFact', 'Bill-payment resources'),
  shape(
    (shownOf(dataOf('readBillStatus')) as z.ZodNullable).unwrap() as z.ZodType,
    'BillStatus',
    'Bill-payment resources',
  ),
  shape(itemOf('listBillPayments'), 'BillPayment', nothing),
  shape(dataOf('listBillPayments'), 'BillPaymentList', nothing),
  shape(bodyOf('topUpCatalog'), 'CatalogOrder', 'Telco top-up'),
  shape(element(dataOf('topUpCatalog')), 'CatalogEntry', 'Telco resources'),
  shape(bodyOf('executeTopUpB2b'), 'B2bTopUpOrder', 'Telco top-up'),
  shape(dataOf('executeTopUpB2b'), 'B2bTopUpResult', 'Telco resources'),
  shape(bodyOf('previewTopUp'), 'TopUpPreviewOrder', 'Telco top-up'),
  shape(bodyOf('executeTopUp'), 'TopUpOrder', 'Telco top-up'),
  shape(dataOf('executeTopUp'), 'TopUpResult', 'Telco resources'),
  shape(element(dataOf('listTopUps')), 'TopUp', 'Telco resources'),
  shape(itemOf('listBrands'), 'Brand', 'Voucher resources'),
  shape(dataOf('listBrands'), 'BrandList', 'Vouchers'),
  shape(itemOf('listArticles'), 'VoucherArticle', 'Voucher resources'),
  shape(dataOf('listArticles'), 'VoucherArticleList', 'Vouchers'),
  shape(bodyOf('executeVoucher'), 'VoucherOrder', 'Vouchers'),
  shape(dataOf('executeVoucher'), 'VoucherPurchase', 'Voucher resources'),
  shape(field(dataOf('executeVoucher'), 'operation'), 'PurchasedVoucher', 'Voucher resources'),
  shape(itemOf('listVouchers'), 'LocalVoucher', nothing),
  shape(dataOf('listVouchers'), 'LocalVoucherList', nothing),
  shape(bodyOf('executeServiceVoucher'), 'ServiceVoucherOrder', nothing),
];

function shape(schema: z.ZodType, name: string, from: string | undefined): Shape {
  return { schema: shownOf(schema), name, from };
}

/** A code with a name of its own, and what it tells. */
export interface Code extends Shape {
  readonly means: string;
}

/** The codes of v2.3, and the format of a card's end. */
export const CODES: readonly Code[] = [
  ...Object.entries(CODE_VALUES).map(([name, values]) => {
    const { from, means = '' } = CODE_MEANINGS[name] ?? { from: undefined };
    return { schema: codes(values), name, from, means };
  }),
  {
    ...shape(expiryDate, 'CardExpiry', 'Limits'),
    means: 'The end of a card: two digits of the year, then two of the month.',
  },
];
