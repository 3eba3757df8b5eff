import { submenu } from './kit/submenu.ts';

/** Purchases, and the cards of the wallet. */
export const shopping = submenu('shopping', 'shopping.choose', [
  [1, 'merchant-payment', 'shopping.merchant-payment'],
  [2, 'voucher', 'shopping.voucher'],
  [3, 'cards', 'shopping.cards'],
  [4, 'card-order', 'shopping.card-order'],
  [5, 'voucher-codes', 'shopping.voucher-codes'],
]);
