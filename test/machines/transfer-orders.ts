import type { Customer } from '../kit/customer.ts';

/** From the menu to the confirmation of a transfer. */
export const orders = (to: string, amount: string) => (customer: Customer) =>
  customer.chooses('transfer').says(to).sees('transfer.askAmount').says(amount);
