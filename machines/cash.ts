import { submenu } from './kit/submenu.ts';

/** Money in and out. */
export const cash = submenu('cash', 'cash.choose', [
  [2, 'card-cash-in', 'cash.card-cash-in'],
  [5, 'saved-cards', 'cash.saved-cards'],
]);
