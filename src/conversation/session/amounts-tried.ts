import type { WalletDoc } from './wallet-doc.ts';

/** Amounts that may be tried without the PIN, and for how long each counts. */
const AMOUNTS_MAX = 5;
const AMOUNTS_MS = 24 * 3_600_000;

/**
 * Questions that tell whether the wallet holds an amount. Successes tell as much as refusals, so each counts, over all channels. The
 * same question again tells nothing new. A right PIN begins a new count (docs/safety.md, "The balance stays behind the PIN").
 */
export const AMOUNT_TRIES = {
  /** True where the question may be asked before the PIN. */
  hasRoom(wallet: WalletDoc, what: string, at: number): boolean {
    const tried = amountsIn(wallet, at);
    return tried.length < AMOUNTS_MAX || tried.some((each) => each.what === what);
  },

  /** The amounts that the wallet's document keeps once the question was answered. */
  withOne(wallet: WalletDoc, what: string, at: number): Pick<WalletDoc, 'amountsTried'> {
    const tried = amountsIn(wallet, at);
    const isNew = tried.length < AMOUNTS_MAX && !tried.some((each) => each.what === what);
    return { amountsTried: isNew ? [...tried, { what, at }] : tried };
  },
};

function amountsIn({ amountsTried = [] }: WalletDoc, now: number) {
  return amountsTried.filter(({ at }) => at > now - AMOUNTS_MS);
}
