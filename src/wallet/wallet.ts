import type { Answer } from './answer.ts';
import type {
  AgentCard,
  CardCashInRequest,
  CardPaymentRequest,
  CardRefundRequest,
  CardSettlement,
  FloatCardRequest,
  SavedCard,
} from './bank-cards.ts';
import type { DocumentSides } from './file-types.ts';
import type {
  CardAction,
  CardApplication,
  CardProgram,
  CardServices,
  CardTransaction,
  IssuedCard,
} from './issued-cards.ts';
import type { Centimes } from './money.ts';
import type { Msisdn } from './phone.ts';
import type {
  AgentExecution,
  AgentTransferRequest,
  BankTransferRequest,
  Beneficiary,
  BillField,
  BillPayment,
  BillRequest,
  BillStatus,
  BillValue,
  CashKind,
  CashPoint,
  CashReference,
  CashRequest,
  ChargebackRequest,
  Creditor,
  IssuedQr,
  MerchantPaymentRequest,
  NewRetailAgent,
  Paged,
  PageWanted,
  PrincipalAccount,
  Receivable,
  RetailAgent,
  RetailAgentChange,
  RetailAgentFile,
  TopUp,
  TopUpB2bRequest,
  TopUpProduct,
  TopUpRequest,
  Unpaid,
  VoucherArticle,
  VoucherBrand,
  VoucherRequest,
  WalletFile,
} from './services.ts';

/** Partner API v2.3, "Customer status": 0 not exists, 1 not confirmed, 2 confirmed, 3 active, 4 locked for now, 5 locked. */
export type CustomerStatus = 0 | 1 | 2 | 3 | 4 | 5;

interface Registration {
  readonly phone: Msisdn;
  readonly firstName: string;
  readonly lastName: string;
  readonly cin: string;
  readonly walletType: 'P' | 'C';
}

export interface Profile {
  readonly id?: number;
  readonly fullName: string;
  readonly phone: Msisdn;
  readonly balance: Centimes;
  readonly level: number;
  readonly status: CustomerStatus;
  readonly rib?: string;
}

/** Partner API v2.3, "KYC": the levels that an upgrade can be requested to. */
export type UpgradeLevel = 2 | 3 | 4;

/** The data that open the identity provider's SDK. The token is a secret: it proves whose identity is checked. */
export interface Identification {
  readonly baseUrl: string;
  readonly applicantId: string;
  readonly token: string;
}

export interface TransferRequest {
  readonly from: Msisdn;
  readonly to: Msisdn;
  readonly amount: Centimes;
  readonly reason: string;
  readonly beneficiaryId?: number;
}

/** If the API leaves them out, fees are 0 and the total is amount plus fees (docs/safety.md: the preview decides). */
export interface Preview {
  readonly fees: Centimes;
  readonly total: Centimes;
  /** True when the recipient's wallet belongs to another provider. */
  readonly openLoop: boolean;
  /** Only when the preview returns one. */
  readonly recipientName?: string;
}

/** Partner API v2.3: 1 OPEN, 2 COMPLETED, 3 FAILED, 4 CANCELED. */
export type OperationStatus = 1 | 2 | 3 | 4;

/** An "operation result" is never defined by v2.3: every field may be missing (open question 6). */
export interface Execution {
  readonly operationId?: number;
  readonly status?: OperationStatus;
  readonly fees?: Centimes;
  /** The answer itself is the outcome: no webhook will come (open question 8). */
  readonly isFinal?: true;
  /** The facts that the receipt must show. Never a secret. */
  readonly facts?: Facts;
  /** The voucher itself: sealed before it goes anywhere. */
  readonly voucherCode?: string;
  /** The bank's page, to which the payer must go now. Nothing moves before they have been there. */
  readonly redirect?: string;
}

/** Further facts for a receipt, by name: `settlement` (refReglement), `stampNumber` (numCRC), `stampText` (texteCRC). */
export type Facts = Readonly<Record<string, string>>;

export interface Operation {
  readonly id: number;
  readonly type: number;
  /** 0 if the wallet gives a status that v2.3 does not show. The state of the operation is unknown then. */
  readonly status: OperationStatus | 0;
  /** 1 CREDIT, 2 DEBIT. */
  readonly direction: 1 | 2;
  readonly amount: Centimes;
  readonly fees: Centimes;
  readonly total: Centimes;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sender: string;
  readonly receiver: string;
}

/** A page of a list of operations. */
export interface Listed {
  readonly operations: readonly Operation[];
  readonly count: number;
  /** The ids of unreadable rows, 0 for a row without an id. Their operations are unknown. */
  readonly leftOut?: readonly number[];
}

export interface OperationFilter {
  readonly types?: readonly number[];
  readonly status?: OperationStatus;
  readonly direction?: 1 | 2;
  readonly from?: Date;
  readonly to?: Date;
  readonly keyword?: string;
  /** From 1. */
  readonly page?: number;
  readonly pageSize?: number;
}

/** The options of every call: its `C-Request-Id` (a new UUID if absent) and its timeout. */
export interface Call {
  readonly requestId?: string;
  /** The timeout in ms, if it is shorter than the client's. A signal with a timer would cost several times as much. */
  readonly timeoutMs?: number | undefined;
  /** Aborts the call when its caller gives up. */
  readonly signal?: AbortSignal;
  /** For a read that the customer's screen can do without: it waits no longer than reads usually take. */
  readonly spare?: true;
}

/** The Partner Wallet and Payments API v2.3, as Wasl uses it: centimes, branded numbers, failures as values. */
export interface Wallet
  extends CustomerCalls,
    TransferCalls,
    BankTransferCalls,
    OperationCalls,
    TelcoCalls,
    BillCalls,
    VoucherCalls,
    BeneficiaryCalls,
    MerchantCalls,
    BankCardCalls,
    MerchantCardCalls,
    IdentityCalls,
    IssuedCardCalls,
    ReferenceCalls,
    AgentCalls,
    PrincipalCalls,
    FloatCardCalls {}

export interface CustomerCalls {
  customerStatus(phone: Msisdn, call?: Call): Promise<Answer<{ status: CustomerStatus }>>;
  isDefaultWallet(phone: Msisdn, call?: Call): Promise<Answer<boolean>>;
  register(registration: Registration, call?: Call): Promise<Answer<true>>;
  /** `code` is `xxx-xxx`. */
  confirm(order: { phone: Msisdn; code: string; autoActivate?: boolean }, call?: Call): Promise<Answer<true>>;
  resendOtp(phone: Msisdn, call?: Call): Promise<Answer<true>>;
  /** A wrong PIN is `refused` with code 26001, in whichever form the API says so (open question 2). */
  login(order: { phone: Msisdn; pin: string }, call?: Call): Promise<Answer<true>>;
  createPin(order: { phone: Msisdn; pin: string }, call?: Call): Promise<Answer<true>>;
  changePin(order: { phone: Msisdn; oldPin: string; newPin: string }, call?: Call): Promise<Answer<true>>;
  resetPin(order: { phone: Msisdn; otp: string; pin: string }, call?: Call): Promise<Answer<true>>;
  balance(phone: Msisdn, call?: Call): Promise<Answer<Centimes>>;
  profile(phone: Msisdn, call?: Call): Promise<Answer<Profile>>;
  /** How somebody else may be named: `Youssef B.`. Nothing more of their profile is read. */
  maskedName(phone: Msisdn, call?: Call): Promise<Answer<{ readonly name?: string }>>;
  /** How a merchant is called: their whole name, and nothing more of their profile. */
  shopName(phone: Msisdn, call?: Call): Promise<Answer<{ readonly name?: string }>>;
  /** `reason` 1 … 5 as in Partner API v2.3, "Customers". */
  unregister(order: { phone: Msisdn; reason: number }, call?: Call): Promise<Answer<true>>;
}

export interface TransferCalls {
  previewTransfer(order: TransferRequest, call?: Call): Promise<Answer<Preview>>;
  /** Moves money: never retried, never redirected. */
  transfer(order: TransferRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
}

/** Money for accounts of banks. */
export interface BankTransferCalls {
  previewBankTransfer(order: BankTransferRequest, call?: Call): Promise<Answer<Preview>>;
  /** Moves money: never retried, never redirected. The event `bank-transfer.completed` brings the bank's answer later. */
  bankTransfer(order: BankTransferRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  /** To an account of a bank, from an agent's float. */
  previewAgentTransfer(order: AgentTransferRequest, call?: Call): Promise<Answer<Preview>>;
  agentTransfer(order: AgentTransferRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
}

export interface OperationCalls {
  operations(phone: Msisdn, filter?: OperationFilter, call?: Call): Promise<Answer<Listed>>;
  operation(phone: Msisdn, id: number, call?: Call): Promise<Answer<Operation>>;
}

/** Airtime. */
export interface TelcoCalls {
  /** Enabled products only. Without any, the list is empty. */
  topUpProducts(
    order: Pick<TopUpRequest, 'to' | 'amount' | 'operator'>,
    call?: Call,
  ): Promise<Answer<readonly TopUpProduct[]>>;
  previewTopUp(order: TopUpRequest, call?: Call): Promise<Answer<Preview>>;
  /** Moves money: never retried, never redirected. */
  topUp(order: TopUpRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  /** Newest first. There is no count: a page that is not full is the last. `leftOut`: the ids of rows that cannot be read, as in `Listed`. */
  topUps(
    phone: Msisdn,
    wanted?: PageWanted,
    call?: Call,
  ): Promise<Answer<{ readonly entries: readonly TopUp[]; readonly leftOut?: readonly number[] }>>;
  /** Airtime from a principal agent's float. Neither its operation nor its price is in the answer. */
  topUpB2b(order: TopUpB2bRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
}

export interface BillCalls {
  /** `refused` with `bill104`, `bill107` or `bill109` of a 200. 908 and unlisted codes are `unknown`. */
  creditors(call?: Call): Promise<Answer<readonly Creditor[]>>;
  receivables(creditorId: string, call?: Call): Promise<Answer<readonly Receivable[]>>;
  billForm(
    of: { creditorId: string; receivableId: string },
    call?: Call,
  ): Promise<Answer<readonly BillField[]>>;
  unpaidBills(
    of: { from: Msisdn; creditorId: string; receivableId: string; values: readonly BillValue[] },
    call?: Call,
  ): Promise<Answer<Unpaid>>;
  previewBill(order: BillRequest, call?: Call): Promise<Answer<Preview>>;
  /** Moves money. 000 and 301 are final. 908, 909 and 910 are accepted, and the webhook decides. */
  payBill(order: BillRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  /** By `refTxNetwork`. Undefined where no transaction matches. */
  billStatus(reference: string, call?: Call): Promise<Answer<BillStatus | undefined>>;
  billReceipt(phone: Msisdn, operationId: number, call?: Call): Promise<Answer<WalletFile>>;
  billPayments(phone: Msisdn, wanted?: PageWanted, call?: Call): Promise<Answer<Paged<BillPayment>>>;
}

export interface VoucherCalls {
  voucherBrands(phone: Msisdn, wanted?: PageWanted, call?: Call): Promise<Answer<Paged<VoucherBrand>>>;
  voucherArticles(
    phone: Msisdn,
    brandId: number,
    wanted?: PageWanted,
    call?: Call,
  ): Promise<Answer<Paged<VoucherArticle>>>;
  previewVoucher(order: VoucherRequest, call?: Call): Promise<Answer<Preview>>;
  /** Moves money: never retried, never redirected. Only the answer ever has the code. */
  buyVoucher(order: VoucherRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
}

/** Saved recipients. */
export interface BeneficiaryCalls {
  /** `search` looks in names, numbers and RIBs (open question 93). */
  beneficiaries(
    owner: Msisdn,
    wanted?: PageWanted & { readonly search?: string },
    call?: Call,
  ): Promise<Answer<Paged<Beneficiary>>>;
  /** Saves a duplicate if the same recipient exists: compare first. */
  saveBeneficiary(
    owner: Msisdn,
    beneficiary: Omit<Beneficiary, 'id'>,
    call?: Call,
  ): Promise<Answer<Beneficiary>>;
  /** Sends all of it again: a field that is left out may be removed (open question 42). */
  changeBeneficiary(owner: Msisdn, beneficiary: Beneficiary, call?: Call): Promise<Answer<Beneficiary>>;
  deleteBeneficiary(owner: Msisdn, id: number, call?: Call): Promise<Answer<true>>;
}

export interface MerchantCalls {
  previewMerchantPayment(order: MerchantPaymentRequest, call?: Call): Promise<Answer<Preview>>;
  /** Moves money: never retried, never redirected. `payment.received` follows. */
  payMerchant(order: MerchantPaymentRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  previewChargeback(order: ChargebackRequest, call?: Call): Promise<Answer<Preview>>;
  /** Moves money: never retried, never redirected. Its answer is final: no event follows (open question 8). */
  chargeback(order: ChargebackRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  /** The code on a merchant's counter: it carries no amount. */
  staticQr(merchant: Msisdn, call?: Call): Promise<Answer<IssuedQr>>;
  /** A code for one payment. */
  dynamicQr(
    of: { merchant: Msisdn; amount: Centimes; billNumber?: string },
    call?: Call,
  ): Promise<Answer<IssuedQr>>;
  qrByReference(reference: string, call?: Call): Promise<Answer<IssuedQr>>;
}

export interface BankCardCalls {
  previewCardCashIn(
    order: Pick<CardCashInRequest, 'wallet' | 'amount'>,
    call?: Call,
  ): Promise<Answer<Preview>>;
  /** Moves money into the wallet: never retried, never redirected. `cashin.card.authorized` follows 3D Secure. */
  cashInByCard(order: CardCashInRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  savedCards(phone: Msisdn, call?: Call): Promise<Answer<readonly SavedCard[]>>;
  deleteSavedCard(of: { wallet: Msisdn; card: number }, call?: Call): Promise<Answer<true>>;
}

/** Payments to merchants by a stranger's card. */
export interface MerchantCardCalls {
  previewCardPayment(
    order: Pick<CardPaymentRequest, 'merchant' | 'amount'>,
    call?: Call,
  ): Promise<Answer<Preview>>;
  /** Moves money to the merchant, or reserves it: never retried, never redirected. `payment.card.authorized` follows 3D Secure. */
  payByCard(order: CardPaymentRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  /** Moves the reserved amount, or a part of it, once. The rest is released. Its answer is final: no event follows. */
  captureCard(order: CardSettlement, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  /** Releases all that was reserved. Its answer is final. */
  reverseCard(order: CardSettlement, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  previewCardRefund(order: CardRefundRequest, call?: Call): Promise<Answer<Preview>>;
  /** Moves money back to the card: never retried, never redirected. Its answer is final. */
  refundCard(order: CardRefundRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
}

/** Identity checks and levels. */
export interface IdentityCalls {
  /** A fresh token each time: it is short-lived. */
  startIdentification(phone: Msisdn, call?: Call): Promise<Answer<Identification>>;
  /** Says that the customer has finished at the identity provider. Only the level shows whether the provider agreed. */
  requestUpgrade(order: { phone: Msisdn; level: UpgradeLevel }, call?: Call): Promise<Answer<true>>;
  /** One document of a merchant. Sending it again does no harm. `docType`: as the operator numbers them (open question 10). */
  sendMerchantDocument(
    order: { readonly merchant: Msisdn; readonly docType: number } & DocumentSides,
    call?: Call,
  ): Promise<Answer<true>>;
}

export interface IssuedCardCalls {
  /** The kinds of card that a customer can apply for. */
  cardPrograms(call?: Call): Promise<Answer<readonly CardProgram[]>>;
  cardApplications(phone: Msisdn, call?: Call): Promise<Answer<readonly CardApplication[]>>;
  applyForCard(order: { phone: Msisdn; programId: number }, call?: Call): Promise<Answer<CardApplication>>;
  /** The customer's cards. Wasl checks that each listed record is theirs. */
  issuedCards(phone: Msisdn, call?: Call): Promise<Answer<readonly IssuedCard[]>>;
  /** One card. Refused if it is another customer's. */
  issuedCard(phone: Msisdn, id: number, call?: Call): Promise<Answer<IssuedCard>>;
  /** `reason` is taken with a block, a suspension and a cancellation. */
  changeCard(
    order: { phone: Msisdn; id: number; action: CardAction; reason?: string },
    call?: Call,
  ): Promise<Answer<true>>;
  setCardServices(
    order: { phone: Msisdn; id: number; services: CardServices },
    call?: Call,
  ): Promise<Answer<true>>;
  cardTransactions(
    phone: Msisdn,
    id: number,
    wanted?: PageWanted,
    call?: Call,
  ): Promise<Answer<readonly CardTransaction[]>>;
}

export interface ReferenceCalls {
  /** Each of the three makes a reference. Another person moves the money with it later. A repeated call makes another one. */
  requestCashIn(order: CashRequest, call?: Call): Promise<Answer<CashReference>>;
  /** v2.3 does not show who pays `feesPercent` (open question 71). */
  requestBillNetworkCashIn(
    order: CashRequest & { readonly description: string; readonly feesPercent: number },
    call?: Call,
  ): Promise<Answer<CashReference>>;
  requestCashOut(order: CashRequest, call?: Call): Promise<Answer<CashReference>>;
  /** Also those of the bill network (open question 19). */
  cashReference(kind: CashKind, reference: string, call?: Call): Promise<Answer<CashReference>>;
  /** Retail agents of a principal agent that have an address. */
  cashPoints(principalAgent: string, call?: Call): Promise<Answer<readonly CashPoint[]>>;
  /** Makes a reference to pay into a principal agent's float at the bill network. A repeated call makes another one. */
  requestFloat(
    order: {
      readonly code: string;
      readonly amount: Centimes;
      readonly description: string;
      readonly feesPercent: number;
    },
    call?: Call,
  ): Promise<Answer<CashReference>>;
}

export interface AgentCalls {
  retailAgent(code: string, call?: Call): Promise<Answer<RetailAgent>>;
  /** Each of the two moves money: never retried, never redirected. Their answer is final, no event follows (open question 8). */
  agentCashIn(order: AgentExecution, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  agentCashOut(order: AgentExecution, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  /** Operations of agents, partner-wide, newest first. It takes the scope `operations:admin-read`. */
  agentOperations(
    filter: Pick<OperationFilter, 'types' | 'from' | 'page' | 'pageSize'> & { readonly code: string },
    call?: Call,
  ): Promise<Answer<Listed>>;
}

export interface PrincipalCalls {
  createRetailAgent(agent: NewRetailAgent, call?: Call): Promise<Answer<RetailAgent>>;
  changeRetailAgent(code: string, to: RetailAgentChange, call?: Call): Promise<Answer<true>>;
  /** Those of a principal agent, the oldest first. */
  retailAgents(
    of: PageWanted & { readonly code: string },
    call?: Call,
  ): Promise<Answer<Paged<RetailAgentFile>>>;
  principalAgent(code: string, call?: Call): Promise<Answer<PrincipalAccount>>;
}

/** Cards that load a float. */
export interface FloatCardCalls {
  previewFloatByCard(order: Pick<FloatCardRequest, 'code' | 'amount'>, call?: Call): Promise<Answer<Preview>>;
  /** Moves money into a float: never retried, never redirected. `cashin.card.authorized` follows 3D Secure. */
  loadFloatByCard(order: FloatCardRequest, call: Call & { requestId: string }): Promise<Answer<Execution>>;
  agentCards(code: string, call?: Call): Promise<Answer<readonly AgentCard[]>>;
  /** Only its label changes. */
  renameAgentCard(
    of: { readonly code: string; readonly id: number; readonly name: string },
    call?: Call,
  ): Promise<Answer<true>>;
  deleteAgentCard(of: { readonly code: string; readonly id: number }, call?: Call): Promise<Answer<true>>;
}
