import type { Chart } from '../conversation/desk/chart.ts';
import type { Slice, Tally } from '../records/records.ts';
import { ARRIVES, PASSAGES } from './arrivals.ts';

/** A conversation: how often it was begun, came to where it leads, and was left before. */
export interface ConversationFigures {
  readonly machine: string;
  readonly started: number;
  readonly completed: number;
  readonly dropped: number;
  /** The states in which it was left, the most frequent first. */
  readonly stopped: readonly StateFigures[];
  /** How often a customer came back to it after it broke off. */
  readonly back: number;
}

export interface StateFigures {
  readonly state: string;
  readonly visits: number;
  /** Left there for good, before it had come to where it leads. */
  readonly dropped: number;
  /** How long customers who went on had been there since their turn before, on average. Absent: nobody went on. */
  readonly averageMs?: number;
}

/** Tells whether a count belongs to this slice. Counts without a language, such as those of payments, are in every one. */
export function isIn({ channel, language }: Slice): (tally: Pick<Tally, 'channel' | 'language'>) => boolean {
  return (each) =>
    (!channel || each.channel === channel) &&
    (!language || each.language === '' || each.language === language);
}

/** By machine, the most frequent first. @param chartOf which states lie behind where a conversation leads */
export function conversationsIn(
  tallies: readonly Tally[],
  chartOf: (machine: string) => Chart | undefined,
): ConversationFigures[] {
  const machines = [...new Set(tallies.filter(({ what }) => what === 'entered').map(({ name }) => name))];
  return machines
    .filter((machine) => !PASSAGES.has(machine))
    .map((machine) => {
      const theirs = tallies.filter(({ name }) => name === machine);
      const started = sum(theirs, 'entered');
      const arrives = ARRIVES[machine] ?? [];
      const arrivals = movesIn(theirs).filter(
        ({ from, to }) => arrives.includes(to) && !arrives.includes(from),
      );
      const completed = arrives === 'ends' ? sum(theirs, 'led') : arrivals.reduce((all, { n }) => all + n, 0);
      const stopped = statesIn(theirs, machine, chartOf(machine))
        .filter((each) => each.dropped > 0)
        .sort((a, b) => b.dropped - a.dropped);
      const dropped = stopped.reduce((all, each) => all + each.dropped, 0);
      // A customer who arrives there twice counts once.
      return {
        machine,
        started,
        completed: Math.min(started, completed),
        dropped,
        stopped,
        back: sum(theirs, 'back'),
      };
    })
    .sort((a, b) => b.started - a.started);
}

/** The states of a conversation, as the chart has them. States that it does not know come last. */
export function statesIn(
  tallies: readonly Tally[],
  machine: string,
  chart: Chart | undefined,
): StateFigures[] {
  const theirs = tallies.filter(({ name }) => name === machine);
  const moves = movesIn(theirs);
  // Where it does not lead by ending, going on to another conversation before it has led anywhere is leaving it, too.
  const leads = ARRIVES[machine] === 'ends';
  const left = theirs.filter(({ what }) => what === 'left' || (what === 'led' && !leads));
  const order = chart?.states.map(({ name }) => name) ?? [];
  const place = (state: string) => (order.includes(state) ? order.indexOf(state) : order.length);
  const isBefore = statesBefore(machine, chart);
  return [...new Set([...moves.map(({ to }) => to), ...left.map(({ detail }) => detail)])]
    .map((state) => {
      const visits = moves.reduce((all, { to, n }) => (to === state ? all + n : all), 0);
      const leaving = left.filter(({ detail }) => detail === state);
      const on = theirs.filter(({ what, detail }) =>
        what === 'moved' ? detail.startsWith(`${state}>`) : what === 'led' && detail === state,
      );
      const count = on.reduce((all, { n }) => all + n, 0);
      return {
        state,
        visits,
        dropped: isBefore(state) ? leaving.reduce((all, { n }) => all + n, 0) : 0,
        ...(count > 0 && { averageMs: Math.round(on.reduce((all, { ms }) => all + ms, 0) / count) }),
      };
    })
    .sort((a, b) => place(a.state) - place(b.state));
}

/** Whether a state lies before where its conversation leads: who goes on from there, or stays away, has what they came for. */
function statesBefore(machine: string, chart: Chart | undefined): (state: string) => boolean {
  const arrives = ARRIVES[machine] ?? [];
  if (arrives === 'ends') return () => true;
  if (!chart) return (state) => !arrives.includes(state);
  const before = new Set([chart.initial]);
  for (const state of before)
    for (const { from, to } of chart.arrows) if (from === state && !arrives.includes(to)) before.add(to);
  return (state) => before.has(state);
}

/** How many were begun, by channel and language. */
export function beginningsIn(tallies: readonly Tally[]) {
  const begun = tallies.filter(({ name }) => !PASSAGES.has(name));
  return grouped(begun, 'entered', ({ channel, language }) => [channel, language])
    .map(([[channel = '', language = ''], started]) => ({ channel, language, started }))
    .sort((a, b) => b.started - a.started);
}

/** Payments that were sent in that time, by kind and by how they stand now. */
export function paymentsIn(tallies: readonly Tally[]) {
  return grouped(tallies, 'paid', ({ name, detail }) => [name, detail])
    .map(([[kind = '', state = ''], count]) => ({ kind, state, count }))
    .filter(({ count }) => count !== 0)
    .sort((a, b) => a.kind.localeCompare(b.kind) || b.count - a.count);
}

/**
 * How long the outcomes of each kind of payment took (`took`), or the webhooks (`lagged`), in ms. `within`: their number, by the
 * seconds within which they ended. `''`: later.
 */
export function timesIn(tallies: readonly Tally[], what: 'took' | 'lagged') {
  const ended = tallies.filter((each) => each.what === what);
  return [...Map.groupBy(ended, ({ name }) => name)].map(([name, all]) => {
    const within = new Map<string, number>();
    for (const { detail, n } of all) within.set(detail, (within.get(detail) ?? 0) + n);
    return { name, count: sum(all, what), within, averageMs: averageMs(all, what) ?? 0 };
  });
}

/** Calls to the wallet that failed, by their outcome, the most frequent first. */
export function failuresIn(tallies: readonly Tally[]) {
  return grouped(tallies, 'failed', ({ name, detail }) => [name, detail])
    .map(([[call = '', outcome = ''], count]) => ({ call, outcome, count }))
    .sort((a, b) => b.count - a.count);
}

function averageMs(tallies: readonly Tally[], what: Tally['what']): number | undefined {
  const count = sum(tallies, what);
  const ms = tallies.reduce((all, each) => (each.what === what ? all + each.ms : all), 0);
  return count > 0 ? Math.round(ms / count) : undefined;
}

/** The sums of what was counted, by some of its names. */
function grouped(
  tallies: readonly Tally[],
  what: Tally['what'],
  namesOf: (tally: Tally) => readonly string[],
): (readonly [names: readonly string[], n: number])[] {
  const theirs = tallies.filter((each) => each.what === what);
  const groups = Map.groupBy(theirs, (each) => namesOf(each).join('\n'));
  return [...groups].map(([names, all]) => [names.split('\n'), sum(all, what)]);
}

function movesIn(tallies: readonly Tally[]) {
  return tallies
    .filter(({ what }) => what === 'moved')
    .map(({ detail, n }) => {
      const [from = '', to = ''] = detail.split('>');
      return { from, to, n };
    });
}

function sum(tallies: readonly Tally[], what: Tally['what']): number {
  return tallies.reduce((all, each) => (each.what === what ? all + each.n : all), 0);
}
