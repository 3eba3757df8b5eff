import type { z } from 'zod';
import type { Api, ApiName } from '../wallet/contract/api.ts';
import { agents } from './agents/retail-agents.ts';
import { bills } from './bills/bills.ts';
import { cardPayments } from './cards/calls.ts';
import { savedCards } from './cards/saved-cards.ts';
import type { Core, FileToDraw, Handlers, Request } from './core/core.ts';
import type { Refusal } from './core/refusal.ts';
import { beneficiaries } from './customers/beneficiaries.ts';
import { pins } from './customers/pins.ts';
import { profiles } from './customers/profiles.ts';
import { registration } from './customers/registration.ts';
import { cardApplications } from './issuing/applications.ts';
import { issuedCards } from './issuing/cards.ts';
import { merchantDocuments } from './kyc/documents.ts';
import { identification } from './kyc/upgrades.ts';
import { requireFloat } from './ledger/funding.ts';
import { merchantPayments } from './merchant/payments.ts';
import { qrCodes } from './merchant/qr-codes.ts';
import { listing } from './operations/listing.ts';
import { references } from './references/references.ts';
import { topUps } from './telco/top-ups.ts';
import { bankTransfers } from './transfers/bank-transfers.ts';
import { chargebacks } from './transfers/chargebacks.ts';
import { transfers } from './transfers/transfers.ts';
import { vouchers } from './vouchers/vouchers.ts';

const HANDLERS: Handlers<ApiName> = {
  ...registration,
  ...pins,
  ...profiles,
  ...identification,
  ...merchantDocuments,
  ...beneficiaries,
  ...agents,
  ...transfers,
  ...bankTransfers,
  ...chargebacks,
  ...references,
  ...topUps,
  ...bills,
  ...vouchers,
  ...merchantPayments,
  ...qrCodes,
  ...cardPayments,
  ...savedCards,
  ...cardApplications,
  ...issuedCards,
  ...listing,
};

/** Does what an operation of the contract asks for. Runs inside one transaction (`carryOut`); gives the answer or a refusal. */
export function handle<Name extends ApiName>(
  core: Core,
  name: Name,
  request: Request<Api[Name]>,
): z.input<Api[Name]['data']> | FileToDraw | Refusal | null {
  requireFloat(core, name, request.tenant);
  return HANDLERS[name](core, request);
}
