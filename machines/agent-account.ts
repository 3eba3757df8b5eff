import { submenu } from './kit/submenu.ts';

/** The agent's own entries: profile and record. */
export const agentAccount = submenu('agent-account', 'agent-account.choose', [
  [1, 'agent-record', 'agent-account.agent-record'],
  [2, 'pin-change', 'account.pin-change'],
  [3, 'language', 'account.language'],
]);
