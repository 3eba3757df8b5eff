import type { AgentMark } from '../../../machines/kit/effects.ts';
import type { WalletDoc } from './wallet-doc.ts';

/** How long it is taken for known that a wallet is an agent's. */
export const AGENT_KNOWN_MS = 24 * 3_600_000;

/** The agent that a wallet's customer may act as. Undefined where the customer is no agent, or was stopped. */
export function agentOf({ agent }: WalletDoc): AgentMark | undefined {
  return agent?.stopped ? undefined : agent;
}

/**
 * The code of the principal agent that a number acts for. Undefined where it acts for none.
 * @param own the operator's own principal agent: a mark of another one no longer counts
 */
export function principalOf({ principal }: WalletDoc, own: string | undefined): string | undefined {
  return principal?.bound && principal.code === own ? own : undefined;
}
