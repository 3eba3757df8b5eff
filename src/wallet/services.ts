import type { Operator } from './contract/telco.ts';
import type { Centimes } from './money.ts';
import type { Msisdn } from './phone.ts';
import type { Rib } from './rib.ts';
import type { OperationStatus } from './wallet.ts';

/** A mobile top-up, as it is previewed and executed. Without `productCode` it is a classic one, in dirhams. */
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

/** A product that an operator offers for an amount, besides the classic top-up. Only enabled ones come this far. */
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
  /** As the wallet has it: usually one of `OPERATORS`. */
  readonly operator: number;
  readonly product?: string;
  readonly to: string;
  /** Open question 30: 0 created, 1 open, 2 completed, 3 failed, 4 cancelled. Any other number is not known. */
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
  /** As the API writes it. Its grammar is not shown (`docs/api-open-questions.md`). */
  readonly format?: string;
  /** Of a `select` whose options can be read. Empty for every other kind. */
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

/** An unpaid item, as the API names it: it is sent back unchanged. */
export interface BillItem {
  readonly id: string;
  readonly description: string;
  /** As the network writes it. */
  readonly date: string;
  readonly amount: Centimes;
  /** Partner API v2.3: 0 receivable, 1 fee, 2 mandatory, 3 stamp fee. Only receivables can be left out. */
  readonly type: number;
}

/** A technical or shown parameter of the network, sent back exactly as it came. One without a label is never shown. */
export type GlobalParam = Readonly<Record<string, unknown>>;

export interface Unpaid {
  /** `refTxNetwork`: 12 digits, valid for 7 days. */
  readonly reference: string;
  readonly items: readonly BillItem[];
  /** Facts about the customer's contract that carry a label: name, address. */
  readonly shown: readonly { readonly label: string; readonly value: string }[];
  readonly params: readonly GlobalParam[];
  /** There are more, which cannot be read: the paid ones are not all of them. */
  readonly isPartial?: true;
}

/** A bill payment, as it is previewed and executed. */
export interface BillRequest {
  readonly from: Msisdn;
  readonly creditorId: string;
  readonly receivableId: string;
  readonly reference: string;
  /** True where nothing was left out. */
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

/** A file as the wallet gives it. */
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

/** Money that a merchant gives back to who paid it: all of a payment, or a part. */
export interface ChargebackRequest {
  readonly from: Msisdn;
  readonly to: Msisdn;
  readonly amount: Centimes;
  /** The operation of the payment. */
  readonly originalId: number;
  readonly reason: string;
}

/** Somebody whom a customer pays again and again, as the wallet has them: what cannot be paid is kept as it is. */
export interface Beneficiary {
  readonly id: number;
  readonly name: string;
  readonly phoneNumber?: string;
  readonly rib?: string;
  readonly email?: string;
}

/** Money for an account of a bank. */
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

/** A merchant's QR code as the wallet makes it. */
export interface IssuedQr {
  readonly content: string;
  readonly reference?: string;
}

/** The direction of the cash that a reference stands for: into the wallet, or out of it. */
export type CashKind = 'cash-in' | 'cash-out';

/** A wallet and the amount that a reference for cash is asked for. */
export interface CashRequest {
  readonly phone: Msisdn;
  readonly amount: Centimes;
}

/** A reference for cash as the wallet makes and finds it. */
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

/** The facts of a retail agent that is opened. */
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

/** A change of a retail agent. A field that is left out stays. */
export type RetailAgentChange = Partial<Omit<NewRetailAgent, 'cin'>>;

/** The same without the number, which spends the agent's float. */
export type RetailAgentDetails = Omit<RetailAgentChange, 'phone'>;

/** A principal agent and its account. Its fields are not shown in v2.3 (open question 44). */
export interface PrincipalAccount {
  readonly code: string;
  readonly name?: string;
  readonly balance: Centimes;
  readonly rib?: string;
}

/** A retail agent as the wallet has it. Its float is in no answer. */
export interface RetailAgent {
  readonly code: string;
  /** The number that it was opened for. Undefined where that is no mobile number. */
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
