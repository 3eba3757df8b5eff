import { channelOf } from '../conversation/channel.ts';
import type { Address, ChannelName, Language } from '../conversation/incoming.ts';
import { isLeaving, purposeOf } from '../conversation/record/purpose.ts';
import type { Ran, TurnRecord } from '../conversation/record/record.ts';
import type { CallOutcome } from '../conversation/record/turn-event.ts';
import { ARRIVES, PASSAGES, SENT } from './arrivals.ts';
import { hasFailed, machineOf, ROWS_MAX } from './board.ts';
import { createHistogram, type Histogram } from './histogram.ts';
import { outcomeCode } from './names.ts';
import { oldestOf } from './oldest.ts';
import { createPaymentEnds, type PaymentCounts } from './payment-ends.ts';
import { dayOf } from './times.ts';

/** How many sessions each state remembers, to look at. */
const RECENT_MAX = 20;
/** Kinds of failures that are counted apart. Further kinds are not counted. */
const FAILURES_MAX = 500;

export interface Slice {
  readonly channel?: ChannelName | undefined;
  readonly language?: Language | undefined;
}

export interface Funnel {
  readonly machine: string;
  readonly started: number;
  /** Conversations that reached their goal. For a payment: it has succeeded. */
  readonly completed: number;
  readonly dropped: number;
  /** Payments that have failed, and such whose end is not known yet. */
  readonly failed: number;
  readonly unknown: number;
  readonly states: readonly {
    readonly place: string;
    readonly visits: number;
    readonly dropped: number;
    /** In ms. Undefined where nobody has left it yet. */
    readonly medianMs?: number | undefined;
  }[];
}

export interface Stats {
  add(record: TurnRecord): void;
  clear(): void;
  /** By machine, the most frequent first. */
  funnels(slice: Slice): readonly Funnel[];
  /** Calls that failed, by effect and outcome, the most frequent first. */
  failures(): readonly Failures[];
  webhookLag(): Histogram;
  /** The customers who were last in a state, or last dropped there, the newest first. */
  recent(place: string): readonly Address[];
  /** The time of the day's first record, in ms. Undefined where there is none. */
  readonly since: number | undefined;
}

export interface Failures {
  readonly effect: string;
  readonly outcome: CallOutcome;
  readonly count: number;
}

interface Run {
  place: string;
  at: number;
  machine: string;
  hasArrived: boolean;
}

interface Cell {
  readonly place: string;
  visits: number;
  dropped: number;
  readonly times: Histogram;
}

interface Count extends PaymentCounts {
  readonly machine: string;
  started: number;
  dropped: number;
}

type Sliced<T> = T & { readonly channel: ChannelName; readonly language: Language };

/**
 * The figures of today (in Morocco), from the turn records alone: what the customer was about, how far they came and
 * how long each step took them. Its size does not depend on how many there are: machines, states, channels and
 * languages are few.
 */
export function createStats(): Stats {
  return new TodayStats();
}

class TodayStats implements Stats {
  since: number | undefined;
  readonly #runs = new Map<Address, Run>();
  readonly #oldestRun = oldestOf(this.#runs);
  readonly #counts = new Map<string, Sliced<Count>>();
  readonly #cells = new Map<string, Sliced<Cell>>();
  readonly #failed = new Map<string, Failures>();
  readonly #recents = new Map<string, Address[]>();
  readonly #ends = createPaymentEnds(ROWS_MAX);
  #lag = createHistogram();
  #day = '';

  add(record: TurnRecord): void {
    const today = dayOf(record.at);
    // The past is read partition by partition: each begins with the day before.
    if (today < this.#day) return;
    if (today !== this.#day) this.#forget();
    this.#day = today;
    this.since = Math.min(this.since ?? record.at, record.at);
    if (record.lagMs !== undefined) this.#lag.add(record.lagMs);
    for (const ran of record.ran) if (hasFailed(ran)) this.#fail(ran);
    this.#follow(record);
    this.#ends.read(record);
  }

  clear(): void {
    this.#forget();
    this.#runs.clear();
  }

  funnels(slice: Slice): readonly Funnel[] {
    const [counts, cells] = [[...this.#counts.values()], [...this.#cells.values()]];
    return funnelsOf(counts.filter(isIn(slice)), cells.filter(isIn(slice)));
  }

  failures(): readonly Failures[] {
    return [...this.#failed.values()].sort((a, b) => b.count - a.count);
  }

  webhookLag(): Histogram {
    return this.#lag;
  }

  recent(place: string): readonly Address[] {
    return this.#recents.get(place) ?? [];
  }

  #forget(): void {
    for (const each of [this.#counts, this.#cells, this.#failed, this.#recents, this.#ends]) each.clear();
    this.#lag = createHistogram();
    this.since = undefined;
  }

  #fail({ effect, outcome }: Ran): void {
    const key = `${effect} ${outcomeCode(outcome)}`;
    const known = this.#failed.get(key);
    if (known || this.#failed.size < FAILURES_MAX)
      this.#failed.set(key, { effect, outcome, count: (known?.count ?? 0) + 1 });
  }

  /** Goes one record further in the run of its session. */
  #follow(record: TurnRecord): void {
    const { address, at } = record;
    const course = purposeOf(record);
    if (!course) return;
    const { from, to } = course;
    const run = this.#runs.get(address) ?? runFrom(from, at);
    const machine = machineOf(to);
    if (run && run.place === to) return;
    if (run) {
      this.#cell(record, run.place).times.add(at - run.at);
      if (run.machine !== machine) this.#end(record, run, to);
    }
    const goesOn = run?.machine === machine;
    this.#runs.delete(address);
    if (to === '') return;
    if (!goesOn) this.#count(record, machine).started++;
    const arrives = ARRIVES[machine];
    const isThere = arrives !== 'ends' && arrives?.includes(to.slice(machine.length + 1)) === true;
    if (isThere && !(goesOn && run.hasArrived)) this.#arrive(record, machine);
    this.#runs.set(address, { place: to, at, machine, hasArrived: isThere || (goesOn && run.hasArrived) });
    if (this.#runs.size > ROWS_MAX) this.#runs.delete(this.#oldestRun() ?? address);
    this.#cell(record, to).visits++;
    this.#remember(to, address);
  }

  #arrive(record: TurnRecord, machine: string): void {
    const arrived = this.#count(record, machine);
    if (ARRIVES[machine] === SENT) this.#ends.sent(record.address, machine, arrived);
    else arrived.completed++;
  }

  /** The customer is in another conversation, or in none. */
  #end(record: TurnRecord, { machine, place, hasArrived }: Run, to: string): void {
    const wentAway = to === '' || isLeaving(record.event);
    if (hasArrived) return;
    if (ARRIVES[machine] === 'ends' && !wentAway) {
      this.#count(record, machine).completed++;
      return;
    }
    this.#count(record, machine).dropped++;
    this.#cell(record, place).dropped++;
    this.#remember(place, record.address);
  }

  #remember(place: string, address: Address): void {
    const others = (this.#recents.get(place) ?? []).filter((each) => each !== address);
    this.#recents.set(place, [address, ...others].slice(0, RECENT_MAX));
  }

  #count(record: TurnRecord, machine: string): Count {
    const none = { started: 0, completed: 0, dropped: 0, failed: 0, unknown: 0 };
    return made(this.#counts, record, machine, () => ({ machine, ...none }));
  }

  #cell(record: TurnRecord, place: string): Cell {
    return made(this.#cells, record, place, () => ({
      place,
      visits: 0,
      dropped: 0,
      times: createHistogram(),
    }));
  }
}

/** A session that was under way before the first record that is known of it. */
function runFrom(place: string, at: number): Run | undefined {
  const machine = machineOf(place);
  return place ? { place, at, machine, hasArrived: false } : undefined;
}

function made<T extends object>(
  all: Map<string, Sliced<T>>,
  { address, language }: TurnRecord,
  name: string,
  make: () => T,
): T {
  const channel = channelOf(address);
  const key = `${name} ${channel} ${language}`;
  const known = all.get(key) ?? { ...make(), channel, language };
  all.set(key, known);
  return known;
}

function isIn({ channel, language }: Slice) {
  return (each: { readonly channel: ChannelName; readonly language: Language }) =>
    (!channel || each.channel === channel) && (!language || each.language === language);
}

function funnelsOf(counts: readonly Count[], cells: readonly Cell[]): Funnel[] {
  const sum = (of: readonly Count[], what: Exclude<keyof Count, 'machine'>) =>
    of.reduce((total, each) => total + each[what], 0);
  return [...Map.groupBy(counts, ({ machine }) => machine)]
    .filter(([machine]) => !PASSAGES.has(machine))
    .map(([machine, of]) => ({
      machine,
      started: sum(of, 'started'),
      completed: sum(of, 'completed'),
      dropped: sum(of, 'dropped'),
      failed: sum(of, 'failed'),
      unknown: sum(of, 'unknown'),
      states: statesOf(cells.filter(({ place }) => machineOf(place) === machine)),
    }))
    .sort((a, b) => b.started - a.started);
}

function statesOf(cells: readonly Cell[]): Funnel['states'] {
  return [...Map.groupBy(cells, ({ place }) => place)].map(([place, of]) => ({
    place,
    visits: of.reduce((total, { visits }) => total + visits, 0),
    dropped: of.reduce((total, { dropped }) => total + dropped, 0),
    medianMs: createHistogram(of.map(({ times }) => times)).quantile(0.5),
  }));
}
