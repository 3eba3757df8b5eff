/** Each bucket is a fifth wider than the one before: a median read from them is right to a tenth. */
const GROWTH = 1.2;
/** From a millisecond to eleven days. */
const BUCKETS = 113;

/** Durations, counted in buckets: a few bytes, however many there are. */
export interface Histogram {
  add(ms: number): void;
  readonly count: number;
  /** The duration that `share` of all do not exceed, roughly. Undefined where there is none. */
  quantile(share: number): number | undefined;
  /** The count of each bucket, to be added to another's. */
  readonly buckets: Uint32Array;
}

/** @param from histograms whose counts it begins with */
export function createHistogram(from: readonly Histogram[] = []): Histogram {
  const buckets = new Uint32Array(BUCKETS);
  for (const each of from)
    each.buckets.forEach((count, i) => {
      buckets[i] = (buckets[i] ?? 0) + count;
    });
  const count = () => buckets.reduce((sum, each) => sum + each, 0);
  return {
    buckets,
    add(ms) {
      const i = Math.min(BUCKETS - 1, Math.max(0, Math.round(Math.log(Math.max(1, ms)) / Math.log(GROWTH))));
      buckets[i] = (buckets[i] ?? 0) + 1;
    },
    get count() {
      return count();
    },
    quantile(share) {
      let left = share * count();
      if (left === 0) return undefined;
      const i = buckets.findIndex((each) => {
        left -= each;
        return left <= 0;
      });
      return Math.round(GROWTH ** i);
    },
  };
}
