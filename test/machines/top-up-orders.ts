import type { Customer } from '../kit/customer.ts';

/** From the menu to the confirmation of a classic top-up. 45 dirhams is an amount without products. */
export const tops =
  (to: string, amount = '45', operator = '3') =>
  (customer: Customer) =>
    customer
      .chooses('top-up')
      .sees('top-up.askNumber')
      .says(to)
      .sees('top-up.chooseOperator')
      .chooses(operator)
      .sees('top-up.askAmount')
      .says(amount);

/** The same for a number that was topped up before: its operator and kind are those of then. */
export const topsAgain =
  (to: string, amount = '45') =>
  (customer: Customer) =>
    customer.chooses('top-up').sees('top-up.askNumber').says(to).sees('top-up.askAmount').says(amount);
