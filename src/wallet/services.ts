import type { Operator } from './contract/telco.ts';
import type { Centimes } from './money.ts';
import type { Msisdn } from './phone.ts';
import type { Rib } from './rib.ts';
import type { OperationStatus } from './wallet.ts';

/** A mobile top-up, for preview and execution. Without `productCode` it is a classic one, in dirhams. */
export interface TopUpRequest {
  readonly from: Msisdn;
  readonly to: Msisdn;
  readonly amount: Centimes;
  readonly operator: Operator;
  readonly productCode?: number;
}

/** The same, from the float of a principal agent. */
export interface TopUpB2bRequest extends Omit<TopUpRequest, 'from'> {
  readonly code: string;
}

/** A product that an operator offers for an amount, besides the classic top-up. Disabled products are left out. */
export interface TopUpProduct {
  readonly code: number;
  readonly name: string;
  readonly arName?: string;
}

/** One line of a wallet's top-up history. */
export interface TopUp {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly amount: Centimes;
  /** In the wallet's words: usually one of `OPERATORS`. */
  readonly operator: number;
  readonly product?: string;
  readonly to: string;
  /** Open question 30: 0 created, 1 open, 2 completed, 3 failed, 4 cancelled. Any other number is unknown. */
  readonly status: number;
}

export interface Creditor {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** An absolute address, or a path on the wallet's own. */
  readonly logo?: string;
}

/** A service that can be paid at a creditor. */
export interface Receivable {
  readonly id: string;
  readonly name: string;
}

/** A question of a bill form. `label` is shown and never sent back. */
export interface BillField {
  readonly kind: 'text' | 'select' | 'password' | 'label';
  /** Empty for a label. */
  readonly name: string;
  readonly label: string;
  /** Unchanged from the API. v2.3 does not show its grammar (open question 34). */
  readonly format?: string;
  /** The readable options of a `select`. Empty for every other kind. */
  readonly options: readonly string[];
  readonly lengthMin?: number;
  readonly lengthMax?: number;
  readonly required: boolean;
}

/** A value that the customer filled in. */
export interface BillValue {
  readonly name: string;
  readonly value: string;
}

/** An unpaid item of the API. Wasl sends it back unchanged. */
export interface BillItem {
  readonly id: string;
  readonly description: string;
  /** Unchanged from the network. */
  readonly date: string;
  readonly amount: Centimes;
  /** Partner API v2.3: 0 receivable, 1 fee, 2 mandatory, 3 stamp fee. Only receivables can be left out. */
  readonly type: number;
}

/** A parameter of the network, which Wasl sends back unchanged. A parameter without a label is technical and never shown. */
export type GlobalParam = Readonly<Record<string, unknown>>;

export interface Unpaid {
  /** `refTxNetwork`: 12 digits, valid for 7 days. */
  readonly reference: string;
  readonly items: readonly BillItem[];
  /** Facts about the customer's contract that carry a label: name, address. */
  readonly shown: readonly { readonly label: string; readonly value: string }[];
  readonly params: readonly GlobalParam[];
  /** The network has more items, which cannot be read. So these are not all. */
  readonly isPartial?: true;
}

/** A bill payment, for preview and execution. */
export interface BillRequest {
  readonly from: Msisdn;
  readonly creditorId: string;
  readonly receivableId: string;
  readonly reference: string;
  /** True if it pays all items. */
  readonly all: boolean;
  readonly items: readonly BillItem[];
  readonly values: readonly BillValue[];
  readonly params: readonly GlobalParam[];
}

/** The status of a bill payment at the bill network (Partner API v2.3, "Bill transaction"). */
export interface BillStatus {
  readonly status: string;
  readonly executed: boolean;
  /** The wallet's own operation, once there is one. */
  readonly operationId?: number;
}

export interface BillPayment {
  readonly operationId?: number;
  readonly reference?: string;
  readonly settlement?: string;
  readonly creditor: string;
  readonly receivable?: string;
  readonly amount: Centimes;
  /** EN_ATTENTE, AUTORISE, CONFIRME, ANNULE, REMBOURSE or FAILED. */
  readonly status: string;
  readonly at?: number;
}

export interface WalletFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface VoucherBrand {
  readonly id: number;
  readonly name: string;
  readonly description?: string;
  readonly picture?: string;
  /** In days. */
  readonly validDays?: number;
}

export interface VoucherArticle {
  readonly sku: string;
  readonly providerId: number;
  readonly brandId: number;
  readonly name: string;
  readonly price: Centimes;
  readonly description?: string;
  readonly picture?: string;
}

export interface VoucherRequest {
  readonly from: Msisdn;
  /** The recipient's number and name. */
  readonly to: Msisdn;
  readonly beneficiary: string;
  readonly sku: string;
  readonly providerId: number;
}

/** A payment to a merchant: by number, or by the content of a QR code. */
export type MerchantPaymentRequest = { readonly from: Msisdn; readonly amount: Centimes } & (
  | { readonly to: Msisdn; readonly reason: string }
  | { readonly qrContent: string }
);

/** Money that a merchant returns to the payer: all of a payment, or a part. */
export interface ChargebackRequest {
  readonly from: Msisdn;
  readonly to: Msisdn;
  readonly amount: Centimes;
  /** The operation of the payment. */
  readonly originalId: number;
  readonly reason: string;
}

/** A saved recipient of the wallet. Data that nobody can pay to stays unchanged. */
export interface Beneficiary {
  readonly id: number;
  readonly name: string;
  readonly phoneNumber?: string;
  readonly rib?: string;
  readonly email?: string;
}

/** Money for a bank account. */
export interface BankTransferRequest {
  readonly from: Msisdn;
  readonly rib: Rib;
  /** The name of its holder, of at least two letters. */
  readonly holder: string;
  readonly amount: Centimes;
  /** Latin, at most 35 characters. */
  readonly reason: string;
  /** The saved beneficiary whose RIB it is. */
  readonly beneficiaryId?: number;
}

/** The same, from an agent's float. */
export interface AgentTransferRequest
  extends Pick<BankTransferRequest, 'rib' | 'holder' | 'amount' | 'reason'> {
  readonly code: string;
}

/** A merchant's QR code, made by the wallet. */
export interface IssuedQr {
  readonly content: string;
  readonly reference?: string;
}

/** The direction of a reference's cash: into the wallet, or out of it. */
export type CashKind = 'cash-in' | 'cash-out';

/** The wallet and the amount of a request for a cash reference. */
export interface CashRequest {
  readonly phone: Msisdn;
  readonly amount: Centimes;
}

/** A cash reference of the wallet, from a request or a lookup. */
export interface CashReference {
  readonly reference: string;
  readonly amount: Centimes;
  readonly status: OperationStatus;
  /** Milliseconds since 1970. Absent until an agent has executed it. */
  readonly executedAt?: number;
  /** When it was made, ms since 1970. */
  readonly madeAt: number;
  /** The owner's number, if the wallet says it: the bill network's references may be a principal agent's. */
  readonly phone?: Msisdn;
}

/** An execution by a retail agent: a reference, under the agent's code (Partner API v2.3, "Retail agent"). */
export interface AgentExecution {
  readonly code: string;
  readonly reference: string;
}

export interface NewRetailAgent {
  readonly phone: Msisdn;
  /** The trade name. */
  readonly name: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly cin: string;
  readonly address?: string;
  readonly email?: string;
}

/** A change of a retail agent. A missing field keeps its value. */
export type RetailAgentChange = Partial<Omit<NewRetailAgent, 'cin'>>;

/** The same without the number, which spends the agent's float. */
export type RetailAgentDetails = Omit<RetailAgentChange, 'phone'>;

/** A principal agent and its account. v2.3 does not show its fields (open question 44). */
export interface PrincipalAccount {
  readonly code: string;
  readonly name?: string;
  readonly balance: Centimes;
  readonly rib?: string;
}

/** A retail agent of the wallet. No answer has its float. */
export interface RetailAgent {
  readonly code: string;
  /** Its number. Undefined if it is not a mobile number. */
  readonly phone?: Msisdn;
  /** The trade name. */
  readonly name: string;
  readonly person?: string;
  readonly address?: string;
}

/** The same for the principal agent, who changes it. */
export interface RetailAgentFile extends RetailAgent {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
}

/** A retail agent, where cash changes hands. */
export interface CashPoint {
  readonly name: string;
  readonly address: string;
}

/** One page of a list, and how many entries there are in all. */
export interface Paged<T> {
  readonly entries: readonly T[];
  readonly count: number;
}
/** Pages count from 1. */
export interface PageWanted {
  readonly page?: number;
  readonly pageSize?: number;
}
