import { submenu } from './kit/submenu.ts';

/** What an agent can do about the agent's own side. */
export const agentAccount = submenu('agent-account', 'agent-account.choose', [
  [1, 'agent-record', 'agent-account.agent-record'],
  [2, 'pin-change', 'account.pin-change'],
  [3, 'language', 'account.language'],
]);
