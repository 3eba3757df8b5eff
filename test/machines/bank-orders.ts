import { BANK_MAGIC } from '../../src/sandbox/transfers/bank-magic.ts';
import { ribWith } from '../../src/sandbox/transfers/rib.ts';
import type { Customer } from '../kit/customer.ts';

/** An account of a bank that the operator's table does not name, and that takes what comes. */
export const KARIM = ribWith('007780', 1234567890123);
/** RIBs that force what the bank answers. */
export const RIBS = {
  rejected: BANK_MAGIC.rejected.rib,
  returned: BANK_MAGIC.returned.rib,
  returnedLater: BANK_MAGIC.returnedLater.rib,
  settlesLate: BANK_MAGIC.settlesLate.rib,
} as const;

/** From the menu to the confirmation of a bank transfer. */
export const banks =
  (rib: string = KARIM, amount = '40', holder = 'Karim') =>
  (customer: Customer) =>
    customer
      .chooses('transfer')
      .says(rib)
      .sees('bank-transfer.askHolder')
      .says(holder)
      .sees('bank-transfer.askAmount')
      .says(amount);
