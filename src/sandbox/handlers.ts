import type { ApiName } from '../wallet/contract/api.ts';
import { agents } from './agents/retail-agents.ts';
import { bills } from './bills/bills.ts';
import { cardCashIns } from './cards/cash-in.ts';
import { createGateway } from './cards/gateway.ts';
import { merchantCardPayments } from './cards/merchant-payments.ts';
import { savedCards } from './cards/saved-cards.ts';
import { createSettlements } from './cards/settlements.ts';
import type { Core, Handlers } from './core/core.ts';
import { beneficiaries } from './customers/beneficiaries.ts';
import type { Customers } from './customers/customer.ts';
import { pins } from './customers/pins.ts';
import { profiles } from './customers/profiles.ts';
import { registration } from './customers/registration.ts';
import { cardApplications } from './issuing/applications.ts';
import { issuedCards } from './issuing/cards.ts';
import { merchantDocuments } from './kyc/documents.ts';
import { identification } from './kyc/identification.ts';
import { fundedOnly } from './ledger/funding.ts';
import { merchantPayments } from './merchant/payments.ts';
import { qrCodes } from './merchant/qr-codes.ts';
import { listing } from './operations/listing.ts';
import type { Operations } from './operations/operation.ts';
import { references } from './references/references.ts';
import { topUpHistory } from './telco/history.ts';
import { topUps } from './telco/top-ups.ts';
import { bankTransfers } from './transfers/bank-transfers.ts';
import { chargebacks } from './transfers/chargebacks.ts';
import { refunds } from './transfers/refunds.ts';
import { transfers } from './transfers/transfers.ts';
import { vouchers } from './vouchers/vouchers.ts';

/** What the sandbox does for every operation of the contract. */
export function allHandlers(core: Core, customers: Customers, operations: Operations): Handlers<ApiName> {
  const gateway = createGateway(core, operations);
  const settlements = createSettlements(core, operations);
  return fundedOnly(core, {
    ...registration(core, customers),
    ...pins(core, customers),
    ...profiles(core, customers),
    ...identification(core, customers),
    ...merchantDocuments(core, customers),
    ...beneficiaries(core, customers),
    ...agents(core),
    ...transfers(core, customers, operations),
    ...bankTransfers(core, customers, operations),
    ...chargebacks(core, customers, operations),
    ...references(core, customers, operations),
    ...topUps(core, customers, operations),
    ...topUpHistory(core, customers),
    ...bills(core, customers, operations),
    ...vouchers(core, customers, operations),
    ...merchantPayments(core, customers, operations),
    ...qrCodes(core, customers),
    ...cardCashIns(core, customers, gateway),
    ...merchantCardPayments(core, customers, gateway, settlements),
    ...refunds(core, settlements),
    ...savedCards(core, customers),
    ...cardApplications(core, customers),
    ...issuedCards(core, customers),
    ...listing(core, customers),
  });
}
