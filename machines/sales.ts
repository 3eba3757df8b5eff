import { submenu } from './kit/submenu.ts';

/** A merchant's balance and takings. */
export const sales = submenu('sales', 'sales.choose', [
  [1, 'balance', 'sales.balance'],
  [2, 'takings', 'sales.takings'],
  [3, 'takings', 'sales.yesterday', { as: 'yesterday', filled: { period: 'yesterday' } }],
]);
