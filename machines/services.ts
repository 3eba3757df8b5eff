import { submenu } from './kit/submenu.ts';

/** What a merchant does as any customer, under the digits that it has for everybody. */
export const services = submenu('services', 'services.choose', [
  [1, 'transfer', 'services.transfer'],
  [3, 'top-up', 'services.top-up'],
  [4, 'bill-payment', 'services.bill-payment'],
  [5, 'cash', 'services.cash'],
  [8, 'shopping', 'services.shopping'],
]);
