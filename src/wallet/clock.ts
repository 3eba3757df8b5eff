/** Above this the clocks are an incident: an operator must correct one of them. */
const SKEW_MAX_MS = 30_000;
/** The median of this many answers counts, so that one odd header changes nothing. */
const HEARD_MAX = 5;
/** A `Date` header leaves out the parts of a second. */
const HEADER_MS = 1_000;

export interface WalletClock {
  /** An answer has come. @param date its `Date` header @param tookMs from the call to the answer */
  answered(date: string | undefined, tookMs: number): void;
  /** How far the wallet's clock is ahead of ours, in ms: no more than the headers prove, and 0 before the first one. */
  skewMs(): number;
  /** False while the two clocks are further apart than they may be. */
  isRight(): boolean;
}

/** @param now our own clock */
export function createWalletClock(now: () => number = Date.now): WalletClock {
  let skews: readonly number[] = [];
  const skewMs = () => skews.toSorted((a, b) => a - b)[(skews.length - 1) >> 1] ?? 0;
  return {
    answered(date, tookMs) {
      const shown = Date.parse(date ?? '');
      if (Number.isNaN(shown)) return;
      // It was written between the call and its answer, and within a second of what it says.
      const [least, most] = [shown - now(), shown + HEADER_MS - now() + tookMs];
      skews = [...skews, Math.min(Math.max(0, least), most)].slice(-HEARD_MAX);
    },
    skewMs,
    isRight: () => Math.abs(skewMs()) <= SKEW_MAX_MS,
  };
}
