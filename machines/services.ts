import { submenu } from './kit/submenu.ts';

/** The entries of every customer in a merchant's menu, under their usual digits. */
export const services = submenu('services', 'services.choose', [
  [1, 'transfer', 'services.transfer'],
  [3, 'top-up', 'services.top-up'],
  [4, 'bill-payment', 'services.bill-payment'],
  [5, 'cash', 'services.cash'],
  [8, 'shopping', 'services.shopping'],
]);
