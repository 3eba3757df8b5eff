import type { WalletDoc } from './wallet-doc.ts';

/** A limit on an act of one wallet, over all channels and processes together. */
interface Limit {
  readonly name: string;
  readonly max: number;
  readonly ms: number;
}

export type TooMany = { readonly kind: 'tooMany' };

/**
 * Counts something per wallet *before* it is done, in the claim's commit, so that several channels or a crash give nobody
 * more of it (docs/safety-hazards.md). Every effect that lets a customer guess the same secret shares one limit.
 */
export function counter({ name, max, ms }: Limit) {
  const recent = ({ counts }: WalletDoc, now: number) => (counts?.[name] ?? []).filter((at) => at > now - ms);

  return {
    /** The wallet with one more counted, or the answer that there were too many. */
    count(wallet: WalletDoc, now: number): { wallet: WalletDoc } | { instead: TooMany } {
      const at = recent(wallet, now);
      return at.length >= max
        ? { instead: { kind: 'tooMany' } }
        : { wallet: { ...wallet, counts: { ...wallet.counts, [name]: [...at, now] } } };
    },

    /** The wallet without the one that was counted at `at`: it was no guess. */
    giveBack(wallet: WalletDoc, at: number): WalletDoc {
      const counted = wallet.counts?.[name] ?? [];
      const place = counted.indexOf(at);
      return place < 0
        ? wallet
        : { ...wallet, counts: { ...wallet.counts, [name]: counted.toSpliced(place, 1) } };
    },

    clear(wallet: WalletDoc): WalletDoc {
      if (!wallet.counts?.[name]) return wallet;
      const { [name]: _forgotten, ...counts } = wallet.counts;
      return { ...wallet, counts };
    },
  };
}
