import type { Wallet } from '../../src/wallet/wallet.ts';

/**
 * A wallet whose calls all wait as long as the client does. Optional reads usually wait a fifth of a second, and other
 * reads one to three seconds. A busy machine may need that long for any of them, and the screen would then be another
 * one. A test of a silent wallet says so by `meddler.ts`. The client's own test covers the short limits.
 */
export function patientWallet(api: Wallet): Wallet {
  const calls = Object.entries(api).map(([name, call]: [string, (...args: unknown[]) => unknown]) => [
    name,
    (...args: unknown[]) => call(...args.map(withoutHurry)),
  ]);
  return Object.fromEntries(calls) as Wallet;
}

/** The options of a call without its time limit. An order stays as it is. */
function withoutHurry(arg: unknown): unknown {
  if (typeof arg !== 'object' || arg === null || !('timeoutMs' in arg || 'spare' in arg)) return arg;
  const { timeoutMs: _time, spare: _spare, ...call } = arg as Record<string, unknown>;
  return call;
}
