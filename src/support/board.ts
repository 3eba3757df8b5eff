import { channelOf } from '../conversation/channel.ts';
import type { Address, ChannelName, Language } from '../conversation/incoming.ts';
import { hasFailed } from '../conversation/record/outcome.ts';
import type { TurnRecord } from '../conversation/record/record.ts';
import type { Msisdn } from '../wallet/phone.ts';
import { oldestOf } from './oldest.ts';

/** The number of sessions that one process remembers. The one that was quiet for longest is forgotten first. */
export const ROWS_MAX = 50_000;
/** So many answers in a row that meant nothing, or calls that failed, and the customer is stuck. */
const STUCK_AFTER = 3;

/** A session as the list shows it, made of its records alone. */
export interface Row {
  readonly address: Address;
  readonly id: string;
  readonly channel: ChannelName;
  readonly wallet?: Msisdn;
  readonly language: Language;
  /** `transfer.askingAmount`. Empty where no conversation is under way. */
  readonly place: string;
  /** When its last record was, and since when it is in its state (or an agent has last done something), in ms. */
  readonly at: number;
  readonly since: number;
  /** The agent who has taken it over. */
  readonly owner?: string;
  /** Nothing is expected of the customer there. */
  readonly rests: boolean;
  /** Answers that meant nothing and calls that failed, one after the other. */
  readonly misses: number;
}

/** The filters of the list. An absent one filters nothing. */
export interface Filter {
  readonly channel?: ChannelName | undefined;
  readonly language?: Language | undefined;
  /** A machine (`transfer`), or one of its states (`transfer.askingAmount`). */
  readonly place?: string | undefined;
  /** Has been in its state for at least so long. */
  readonly waitingMs?: number | undefined;
}

export interface Spread {
  readonly total: number;
  readonly machines: ReadonlyMap<string, number>;
  readonly channels: ReadonlyMap<string, number>;
  readonly languages: ReadonlyMap<string, number>;
}

/**
 * The customers who talk to Wasl, and their states: one row for each address. `add` gets the records of one address in
 * their order.
 */
export type Board = ReturnType<typeof createBoard>;

export function createBoard(idOf: (address: Address) => string, idleMs: number) {
  /** In the order of their last records. */
  const rows = new Map<Address, Row>();
  const totals = createTotals();
  const { places, stuck } = totals;
  const oldestKey = oldestOf(rows);
  let leftOutBefore = 0;
  const leaveOut = (before: number) => {
    leftOutBefore = Math.max(leftOutBefore, before);
  };
  const forget = (row: Row) => rows.delete(row.address) && totals.note(row, -1);
  // An agent who has taken a conversation over keeps it alive.
  const isUnderWay = ({ place, at, owner }: Row, now: number) =>
    place !== '' && (now - at < idleMs || owner !== undefined);
  const underWay = (now: number) => rows.values().filter((row) => isUnderWay(row, now));

  return {
    add(record: TurnRecord): void {
      const { address } = record;
      const before = rows.get(address);
      if (before) forget(before);
      const row = rowOf(record, before, before?.id ?? idOf(address));
      rows.set(address, row);
      totals.note(row, 1);
      const oldest = rows.size > ROWS_MAX && rows.get(oldestKey() ?? address);
      if (!oldest) return;
      forget(oldest);
      if (oldest.place !== '') leaveOut(oldest.at);
    },
    /** Sessions whose last record was before that moment (in ms) may be missing. */
    leaveOut,
    /** Sessions that are under way may be missing: there are at least as many as are known. */
    isPartial: (now: number) => now - leftOutBefore < idleMs,
    /** Those that are under way, the newest first: at most `limit`, and how many are known. */
    find(
      filter: Filter,
      now: number,
      limit: number,
    ): { readonly rows: readonly Row[]; readonly count: number } {
      const found = [...underWay(now).filter((row) => matches(row, filter, now))];
      return { rows: found.slice(-limit).reverse(), count: found.length };
    },
    /** Customers who get no further on their own, the longest first. */
    stuck: (now: number, limit: number): readonly Row[] =>
      [...stuck]
        .filter((row) => isUnderWay(row, now))
        .sort((a, b) => a.since - b.since)
        .slice(0, limit),
    row: (address: Address) => rows.get(address),
    /** Machines and states that somebody is in, for the filter. */
    places: () => machinesAndStates(places.keys()),
    counts: (now: number) => countsOf(underWay(now)),
    spread: (now: number) => spreadOf(underWay(now)),
    get size() {
      return rows.size;
    },
  };
}

function machinesAndStates(places: Iterable<string>): readonly string[] {
  const all = new Set<string>();
  for (const place of places) if (place) all.add(machineOf(place)).add(place);
  return [...all].sort();
}

/** How many are known to be in each state. */
function countsOf(rows: Iterable<Row>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { place } of rows) add(counts, place);
  return counts;
}

/** The same by conversation, channel and language. */
function spreadOf(rows: Iterable<Row>): Spread {
  const machines = new Map<string, number>();
  const channels = new Map<string, number>();
  const languages = new Map<string, number>();
  let total = 0;
  for (const { place, channel, language } of rows) {
    total++;
    add(machines, machineOf(place));
    add(channels, channel);
    add(languages, language);
  }
  return { total, machines, channels, languages };
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/**
 * Totals over all rows, so that no reader has to go through them: the number in each state, and the customers who get
 * no further.
 */
function createTotals() {
  const places = new Map<string, number>();
  const stuck = new Set<Row>();
  return {
    places,
    stuck,
    /** @param change a row came, or has gone */
    note(row: Row, change: 1 | -1): void {
      const count = (places.get(row.place) ?? 0) + change;
      if (count > 0) places.set(row.place, count);
      else places.delete(row.place);
      if (change < 0) stuck.delete(row);
      else if (row.misses >= STUCK_AFTER && !row.owner) stuck.add(row);
    },
  };
}

function rowOf(record: TurnRecord, before: Row | undefined, id: string): Row {
  const { address, wallet, language, to: place, at, owner, event } = record;
  const stands = before && before.place === place && before.owner === owner && event.kind !== 'agent';
  return {
    address,
    id,
    channel: channelOf(address),
    ...(wallet && { wallet }),
    language,
    place,
    at,
    since: stands ? before.since : at,
    ...(owner && { owner }),
    rests: record.screen.expects === 'nothing',
    misses: missesAfter(record, before?.misses ?? 0),
  };
}

function missesAfter({ ran, event, from, to, screen }: TurnRecord, misses: number): number {
  switch (event.kind) {
    // Neither time nor an agent makes anybody unstuck.
    case 'time':
    case 'agent':
      return misses;
    case 'input':
    case 'call':
    case 'reference':
    case 'payment': {
      const isUnclear = event.kind === 'input' && event.unclear === true;
      // Asked the same again, with a word on why.
      const askedAgain = from === to && screen.notice !== undefined;
      return isUnclear || askedAgain || ran.some(hasFailed) ? misses + 1 : 0;
    }
  }
}

function matches(row: Row, { channel, language, place, waitingMs }: Filter, now: number): boolean {
  return (
    (!channel || row.channel === channel) &&
    (!language || row.language === language) &&
    (!place || row.place === place || machineOf(row.place) === place) &&
    (!waitingMs || now - row.since >= waitingMs)
  );
}

/** `transfer.askingAmount` → `transfer`. */
export function machineOf(place: string): string {
  const end = place.indexOf('.');
  return end < 0 ? place : place.slice(0, end);
}
