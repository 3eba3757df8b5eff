import type { Customer } from '../kit/customer.ts';

/** From the menu to the voucher of 50 dirhams of the sandbox's first brand. */
export const picks = (customer: Customer) =>
  customer
    .chooses('shopping')
    .chooses('voucher')
    .sees('voucher.chooseBrand')
    .chooses('1')
    .sees('voucher.chooseArticle')
    .chooses('article0')
    .sees('voucher.chooseForValid', { amount: 5000 });

/** From the menu to the PIN, for oneself or as a gift. */
export const buys = (to?: string) => (customer: Customer) =>
  (to === undefined
    ? customer.walks(picks).chooses('me')
    : customer.walks(picks).chooses('gift').says(to).says('Youssef')
  ).sees('voucher.askPin');
