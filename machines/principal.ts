import { submenu } from './kit/submenu.ts';

/** What a number does for the principal agent that it acts for. Only in chats. */
export const principal = submenu('principal', 'principal.choose', [
  [1, 'principal-float', 'principal.principal-float'],
  [2, 'principal-agents', 'principal.principal-agents'],
  [3, 'b2b-top-up', 'principal.b2b-top-up'],
  [4, 'payouts', 'principal.payouts'],
]);
