import type { Wallet } from '../../src/wallet/wallet.ts';

/**
 * A wallet that every call waits for as long as the client does: what a screen can do without is waited for a fifth of a second, and other
 * reads for one to three seconds, which a busy machine may need for any of them. Then the screen is another one, and right. Whoever wants
 * a wallet that does not answer says so (`meddler.ts`); that such calls are given up is the client's own test.
 */
export function patientWallet(api: Wallet): Wallet {
  const calls = Object.entries(api).map(([name, call]: [string, (...args: unknown[]) => unknown]) => [
    name,
    (...args: unknown[]) => call(...args.map(withoutHurry)),
  ]);
  return Object.fromEntries(calls) as Wallet;
}

/** What a call says of itself, without how long it may take; an order as it is. */
function withoutHurry(arg: unknown): unknown {
  if (typeof arg !== 'object' || arg === null || !('timeoutMs' in arg || 'spare' in arg)) return arg;
  const { timeoutMs: _time, spare: _spare, ...call } = arg as Record<string, unknown>;
  return call;
}
