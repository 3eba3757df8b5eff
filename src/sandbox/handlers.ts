import type { ApiName } from '../wallet/contract/api.ts';
import { bills } from './bills/bills.ts';
import type { Core, Handlers } from './core.ts';
import type { Customers } from './customer.ts';
import { listing } from './listing.ts';
import { merchantPayments } from './merchant/payments.ts';
import { qrCodes } from './merchant/qr-codes.ts';
import type { Operations } from './operation.ts';
import { pins } from './pins.ts';
import { profiles } from './profiles.ts';
import { registration } from './registration.ts';
import { topUpHistory } from './telco/history.ts';
import { topUps } from './telco/top-ups.ts';
import { transfers } from './transfers.ts';
import { vouchers } from './vouchers/vouchers.ts';

/** What the sandbox does for every operation of the contract. */
export function allHandlers(core: Core, customers: Customers, operations: Operations): Handlers<ApiName> {
  return {
    ...registration(core, customers),
    ...pins(core, customers),
    ...profiles(core, customers),
    ...transfers(core, customers, operations),
    ...topUps(core, customers, operations),
    ...topUpHistory(core, customers),
    ...bills(core, customers, operations),
    ...vouchers(core, customers, operations),
    ...merchantPayments(core, customers, operations),
    ...qrCodes(core, customers),
    ...listing(core, customers),
  };
}
