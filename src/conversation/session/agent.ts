import type { WalletDoc } from './wallet-doc.ts';

/**
 * That a wallet's customer is a retail agent, as the wallet was asked by the code that they have typed, and until when that is taken
 * for known. Moments are in ms since 1970.
 */
export interface AgentMark {
  readonly code: string;
  /** The trade name. */
  readonly name: string;
  readonly until: number;
  readonly stopped?: Stopped;
}

/** Support has stopped the agent in Wasl: the API has no such call. Two people undo it. */
export interface Stopped {
  /** The support agent, and why. */
  readonly by: string;
  readonly at: number;
  readonly reason: string;
  /** What one support agent has proposed, for another one to agree with: to restore the agent, and why. */
  readonly proposal?: { readonly by: string; readonly at: number; readonly reason: string };
}

/** How long it is taken for known that a wallet is an agent's. */
export const AGENT_KNOWN_MS = 24 * 3_600_000;

/** The agent that a wallet's customer may act as; undefined where they are none, or were stopped. */
export function agentOf({ agent }: WalletDoc): AgentMark | undefined {
  return agent?.stopped ? undefined : agent;
}
