import { agents } from './agents.ts';
import { bankTransfers } from './bank-transfers.ts';
import { beneficiaries } from './beneficiaries.ts';
import { bills } from './bills.ts';
import { cardCashIn } from './card-cash-in.ts';
import { cardManagement } from './card-management.ts';
import { chargebacks } from './chargebacks.ts';
import { customers } from './customers.ts';
import { kyc } from './kyc.ts';
import { merchant } from './merchant.ts';
import { merchantCards } from './merchant-cards.ts';
import { network } from './network.ts';
import { operations } from './operations.ts';
import { qrCodes } from './qr-codes.ts';
import { references } from './references.ts';
import { refunds } from './refunds.ts';
import { telco } from './telco.ts';
import { tokenizedCards } from './tokenized-cards.ts';
import { transfers } from './transfers.ts';
import { vouchers } from './vouchers.ts';

/** Every operation that the Partner API v2.3 shows, by name, in the order of the document. */
export const API = {
  ...customers,
  ...kyc,
  ...cardCashIn,
  ...transfers,
  ...bankTransfers,
  ...chargebacks,
  ...refunds,
  ...merchant,
  ...merchantCards,
  ...qrCodes,
  ...references,
  ...network,
  ...operations,
  ...beneficiaries,
  ...tokenizedCards,
  ...agents,
  ...cardManagement,
  ...bills,
  ...telco,
  ...vouchers,
};
export type Api = typeof API;
export type ApiName = keyof Api;

/** The headers of every request (v2.3, "Authentication"). */
export const API_HEADERS = { key: 'Svc-Api-Key', requestId: 'C-Request-Id' } as const;
