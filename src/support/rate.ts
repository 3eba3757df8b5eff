/** So many whole seconds make a rate: one that follows the day, and can be read. */
const SECONDS = 10;
/** Records come a little late, and from clocks that are a little apart: the second that is going on, and some before. */
const KEPT_SECONDS = SECONDS + 5;

/** How many turns there are in a second, over the last ones. */
export function createRate() {
  const seconds = Array.from({ length: KEPT_SECONDS }, () => ({ second: 0, turns: 0 }));
  const cellOf = (second: number) => seconds[second % KEPT_SECONDS] ?? { second, turns: 0 };
  return {
    /** @param at when a turn was, in ms since 1970 */
    add(at: number): void {
      const second = Math.floor(at / 1_000);
      const cell = cellOf(second);
      if (cell.second > second) return;
      if (cell.second < second) Object.assign(cell, { second, turns: 0 });
      cell.turns++;
    },
    perSecond(now: number): number {
      const until = Math.floor(now / 1_000);
      const isMeant = ({ second }: { readonly second: number }) =>
        second < until && second >= until - SECONDS;
      return seconds.filter(isMeant).reduce((sum, { turns }) => sum + turns, 0) / SECONDS;
    },
  };
}
