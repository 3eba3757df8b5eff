import type { Customer } from '../kit/customer.ts';

const isOnPages = ({ address }: Customer) => address.startsWith('ussd:');

/** From the menu to the articles of the sandbox's first brand. */
const findsArticles = (customer: Customer) =>
  customer
    .chooses('shopping')
    .chooses('voucher')
    .sees('voucher.chooseBrand')
    .chooses('1')
    .sees(isOnPages(customer) ? 'voucher.chooseArticleValid' : 'voucher.chooseArticle');

/** To its voucher of 50 dirhams: on USSD that is the page of the PIN, as for oneself. */
export const picks = (customer: Customer) => customer.walks(findsArticles).chooses('article0');

/** The picked voucher is for oneself, which only a chat asks. */
export const isForOneself = (customer: Customer) =>
  isOnPages(customer) ? customer : customer.sees('voucher.chooseForValid', { amount: 5000 }).chooses('me');

/** From the menu to the PIN, for oneself or as a gift. */
export const buys = (to?: string) => (customer: Customer) =>
  (to === undefined
    ? customer.walks(picks).walks(isForOneself)
    : customer.walks(picks).chooses('gift').says(to).says('Youssef')
  ).sees(to !== undefined && isOnPages(customer) ? 'voucher.askPinGift' : 'voucher.askPin');

/** The code of a voucher in a text. */
export const codeIn = (text = '') => /[A-Z0-9]{4}(?:-[A-Z0-9]{4})+/.exec(text)?.[0];
