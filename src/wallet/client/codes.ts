import { SORT_ORDERS } from '../contract/beneficiaries.ts';
import { ARTICLE_TYPES, BILL_CODES, BILL_STATES, FIELD_CONSTRAINTS, FIELD_TYPES } from '../contract/bills.ts';
import {
  APPLICATION_STATUSES,
  CARD_CHANNELS,
  CARD_STATUSES,
  CARD_TYPES,
  DELIVERY_STATUSES,
} from '../contract/card-management.ts';
import { CUSTOMER_STATUSES, UNREGISTER_REASONS, WALLET_TYPES } from '../contract/customers.ts';
import { type ApiError, ERRORS } from '../contract/errors.ts';
import { DIRECTIONS, METHODS, OPERATION_TYPES, STATUSES } from '../contract/fields.ts';
import { DOC_TYPES } from '../contract/kyc.ts';
import { REFERENCE_TYPES } from '../contract/references.ts';
import { OPERATOR_CODES, RECHARGE_TYPES, TOP_UP_STATUSES } from '../contract/telco.ts';

/** The codes of v2.3 by the names under which they are published. */
export const CODE_VALUES: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  OperationType: OPERATION_TYPES,
  OperationStatus: STATUSES,
  Direction: DIRECTIONS,
  PaymentMethod: METHODS,
  CustomerStatus: CUSTOMER_STATUSES,
  WalletType: WALLET_TYPES,
  UnregisterReason: UNREGISTER_REASONS,
  DocumentType: DOC_TYPES,
  CardType: CARD_TYPES,
  CardStatus: CARD_STATUSES,
  DeliveryStatus: DELIVERY_STATUSES,
  CardApplicationStatus: APPLICATION_STATUSES,
  CardChannel: CARD_CHANNELS,
  TelcoOperator: OPERATOR_CODES,
  RechargeType: RECHARGE_TYPES,
  TopUpStatus: TOP_UP_STATUSES,
  ReferenceType: REFERENCE_TYPES,
  BillResultCode: BILL_CODES,
  BillState: BILL_STATES,
  BillFieldType: FIELD_TYPES,
  BillFieldConstraint: FIELD_CONSTRAINTS,
  BillItemType: ARTICLE_TYPES,
  SortOrder: SORT_ORDERS,
};

/** The error codes by name. Each is text, as the `code` of a refusal is. */
export const ERROR_CODES: Readonly<Record<string, Omit<ApiError, 'code'> & { readonly code: string }>> =
  Object.fromEntries(
    Object.entries<ApiError>(ERRORS).map(([name, error]) => [name, { ...error, code: String(error.code) }]),
  );
