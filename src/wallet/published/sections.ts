import type { Section } from './section.ts';
import { agents } from './sections/agents.ts';
import { beneficiaries } from './sections/beneficiaries.ts';
import { bills } from './sections/bills.ts';
import { cardCashIn } from './sections/card-cash-in.ts';
import { cardManagement } from './sections/card-management.ts';
import { customers } from './sections/customers.ts';
import { kyc } from './sections/kyc.ts';
import { merchant } from './sections/merchant.ts';
import { operations } from './sections/operations.ts';
import { references } from './sections/references.ts';
import { telco } from './sections/telco.ts';
import { tokenizedCards } from './sections/tokenized-cards.ts';
import { transfers } from './sections/transfers.ts';
import { vouchers } from './sections/vouchers.ts';

/** Partner API v2.3, "Endpoints": the sections in the document's order. */
export const SECTIONS: readonly Section[] = [
  customers,
  kyc,
  cardCashIn,
  transfers,
  merchant,
  references,
  operations,
  beneficiaries,
  tokenizedCards,
  agents,
  cardManagement,
  bills,
  telco,
  vouchers,
];
