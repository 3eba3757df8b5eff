import { submenu } from './kit/submenu.ts';

/** Money in and out. */
export const cash = submenu('cash', 'cash.choose', [
  [1, 'cash-in', 'cash.cash-in'],
  [2, 'card-cash-in', 'cash.card-cash-in'],
  [3, 'cash-out', 'cash.cash-out'],
  [4, 'references', 'cash.references'],
  [5, 'saved-cards', 'cash.saved-cards'],
]);
