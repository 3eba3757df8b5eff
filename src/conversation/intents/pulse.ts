import type { Answer } from '../../wallet/answer.ts';
import type { Wallet } from '../../wallet/wallet.ts';

/** Payments without an answer that a process remembers. The others are asked about anyway. */
const MISSED_MAX = 1_000;

/** Notices when a wallet that was silent answers again. */
export interface Pulse {
  /** The same wallet, listened to. */
  hear(wallet: Wallet): Wallet;
  /** A question about this payment was not answered. */
  missed(id: string): void;
  /** It is asked about again now. */
  asked(id: string): void;
}

/**
 * Listens to calls to the wallet. After unanswered questions about payments, the first answered call is its sign of
 * life.
 * @param wake given the ids of those payments then, each once
 */
export function createPulse(wake: (ids: readonly string[]) => void): Pulse {
  const waiting = new Set<string>();
  const answered = () => {
    if (waiting.size === 0) return;
    const ids = [...waiting];
    waiting.clear();
    wake(ids);
  };
  return {
    hear: (wallet) => listened(wallet, answered),
    missed: (id) => {
      if (waiting.size < MISSED_MAX) waiting.add(id);
    },
    asked: (id) => void waiting.delete(id),
  };
}

/** A refusal is an answer, too. */
function listened(wallet: Wallet, answered: () => void): Wallet {
  type Ask = (...args: unknown[]) => Promise<Answer<unknown>>;
  const calls = Object.entries(wallet as unknown as Record<string, Ask>).map(([name, ask]) => [
    name,
    async (...args: unknown[]) => {
      const answer = await ask(...args);
      if (answer.kind === 'ok' || answer.kind === 'refused') answered();
      return answer;
    },
  ]);
  return Object.fromEntries(calls) as Wallet;
}
