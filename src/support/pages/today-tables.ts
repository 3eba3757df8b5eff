import { outcomeCode } from '../names.ts';
import type { Slice, Stats } from '../stats.ts';

export type TodayTable = 'conversations' | 'states' | 'failures' | 'webhookLag';
type Line = readonly (string | number | undefined)[];

interface Columns {
  readonly heads: readonly string[];
  readonly rows: (stats: Stats, slice: Slice) => readonly Line[];
}

/** The tables of today that can be saved, by the names of the files: columns and rows have Wasl's own names. */
const TODAY_TABLES: Readonly<Record<TodayTable, Columns>> = {
  conversations: {
    heads: ['machine', 'started', 'completed', 'failed', 'unknown', 'dropped'],
    rows: (stats, slice) =>
      stats
        .funnels(slice)
        .map(({ machine, started, completed, failed, unknown, dropped }) => [
          machine,
          started,
          completed,
          failed,
          unknown,
          dropped,
        ]),
  },
  states: {
    heads: ['state', 'visits', 'dropped', 'medianMs'],
    rows: (stats, slice) =>
      stats
        .funnels(slice)
        .flatMap(({ states }) => states)
        .map(({ place, visits, dropped, medianMs }) => [place, visits, dropped, medianMs]),
  },
  failures: {
    heads: ['call', 'outcome', 'times'],
    rows: (stats) =>
      stats.failures().map(({ effect, outcome, count }) => [effect, outcomeCode(outcome), count]),
  },
  webhookLag: {
    heads: ['times', 'medianMs', 'p95Ms'],
    rows: (stats) => {
      const lag = stats.webhookLag();
      return lag.count === 0 ? [] : [[lag.count, lag.quantile(0.5), lag.quantile(0.95)]];
    },
  },
};

/** The lines of one of these tables, its columns first. Undefined where there is none of that name. */
export function todayLines(name: string, stats: Stats, slice: Slice): readonly Line[] | undefined {
  const table = Object.hasOwn(TODAY_TABLES, name) ? TODAY_TABLES[name as TodayTable] : undefined;
  return table && [table.heads, ...table.rows(stats, slice)];
}
