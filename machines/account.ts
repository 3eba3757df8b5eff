import { submenu } from './kit/submenu.ts';

/** The menu "Mon compte": everything about the wallet itself. */
export const account = submenu('account', 'account.choose', [
  [1, 'profile', 'account.profile'],
  [2, 'beneficiaries', 'account.beneficiaries'],
  [3, 'upgrade', 'account.upgrade'],
  [3, 'documents', 'account.documents'],
  [4, 'pin-change', 'account.pin-change'],
  [5, 'pin-reset', 'account.pin-reset'],
  [6, 'language', 'account.language'],
  [7, 'unlink', 'account.unlink'],
  [7, 'link-chat', 'account.link-chat'],
  [8, 'closing', 'account.closing'],
  [9, 'agent', 'account.agent'],
]);
