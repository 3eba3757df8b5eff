import { submenu } from './kit/submenu.ts';

/** The menu of a number that acts for the principal agent. In chats only. */
export const principal = submenu('principal', 'principal.choose', [
  [1, 'principal-float', 'principal.principal-float'],
  [2, 'principal-agents', 'principal.principal-agents'],
  [3, 'b2b-top-up', 'principal.b2b-top-up'],
  [4, 'payouts', 'principal.payouts'],
]);
