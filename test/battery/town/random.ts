/** Chance that comes again: the same seed, the same numbers (mulberry32). */
export interface Random {
  /** 0 ≤ n < 1. */
  next(): number;
  /** A whole number, `from` ≤ n < `to`. */
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const random: Random = {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
    },
    between: (from, to) => from + Math.floor(random.next() * (to - from)),
    chance: (probability) => random.next() < probability,
    pick(from) {
      const picked = from[random.between(0, from.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
  };
  return random;
}
