import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Failures } from '../../log/lines.ts';
import { codec } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { readDocs, update } from '../../store/update.ts';
import { type Sentences, type Words, wordsOf, wordsSchema } from './release-files.ts';
import { hasWords, knownReleases, learnWords, loadRelease, stepsTaken } from './releases.ts';

const UNSEEN = 'This process cannot tell the others that it is here';
/** How often a process announces itself, and reads which others are there. */
const BEAT_MS = 1_000;
/** A process that was silent for this time is gone. */
const GONE_AFTER_MS = 10_000;
/** No conversation is waited for longer than it may lie idle. */
const JOIN_MAX_MS = 30 * 60_000;
/** Releases whose words a process learns: messages that they have left behind are still to be said. */
const RELEASES_MAX = 8;
/** Longer than anything that is kept is waited to be said. */
const WORDS_KEPT_MS = 400 * 24 * 3_600_000;

/**
 * The processes that share a store, with the charts and words of each ("versions live side by side"). Each writes into
 * one document which charts it has and on which it begins conversations. Nobody's clock is believed: a process is there
 * for as long as its entry changes.
 */
export interface Fleet {
  /** The release on which conversations begin now: the newest whose charts all processes know. */
  begins(): string;
  /** True where the charts of a release are not known here, but to another process that is there. */
  isKnownElsewhere(release: string | undefined): boolean;
  /**
   * Announces this process and resolves once it may take turns. First all others must have learnt its words and must
   * begin conversations on charts that it knows. Conversations on other charts must have come to rest. It resolves at
   * once where all run one release.
   */
  join(): Promise<void>;
  /** Says that this process is gone. */
  leave(): Promise<void>;
}

export interface FleetOptions {
  readonly store: Store;
  /** True when no other process can be running (embedded store). */
  readonly alone: boolean;
  readonly sentences: () => Sentences;
  /** How long conversations on charts that this process does not know must take no step before it joins. 0: it does not wait. */
  readonly quietMs: number;
  readonly onError: Failures['onError'];
  readonly onBack?: Failures['onBack'];
  /** Told, once, why this process waits before it joins. */
  readonly waits?: (why: { readonly release: string; readonly others: readonly string[] }) => void;
  /** The releases whose charts this process has, its own first. */
  readonly knows?: readonly [string, ...string[]];
  readonly beatMs?: number;
  readonly goneAfterMs?: number;
}

/** The announcement of one process about itself. */
const announced = z.object({
  release: z.string(),
  /** The releases whose charts it has, the newest first. */
  charts: z.array(z.string()).readonly(),
  /** The releases whose sentences it can say. */
  words: z.array(z.string()),
  /** The release on whose charts it begins conversations. */
  begins: z.string(),
  /** Counts up: it is there. */
  beat: z.number(),
  /** The steps that conversations have taken in it, by the release of their charts. */
  steps: z.record(z.string(), z.number()),
});
type Announced = z.infer<typeof announced>;
const fleetDoc = z.object({
  processes: z.record(z.string(), announced),
  /** The releases that were last seen to run, the newest last. */
  releases: z.array(z.string()),
});
type FleetDoc = z.infer<typeof fleetDoc>;

const EMPTY: FleetDoc = { processes: {}, releases: [] };
const KEY = 'fleet';
const PARTITION = partitionOf(KEY);
const fleetCodec = codec('fleet', fleetDoc);
const wordsCodec = codec<Words>('words', wordsSchema);

/** A number that another process counts up, and when this one has last seen it change, by a clock that only goes forward. */
interface Seen {
  readonly count: number;
  readonly at: number;
}

interface FleetState extends Required<FleetOptions> {
  readonly id: string;
  readonly seen: Map<string, Seen>;
  /** The other processes that are there, as they were last read. */
  others: readonly Announced[];
  /** The steps that others have taken on charts that are not known here have changed within `quietMs`. */
  isRestless: boolean;
  begins: string;
  beat: number;
  readonly stopping: AbortController;
  beating: Promise<void>;
}

export function createFleet(options: FleetOptions): Fleet {
  const knows = options.knows ?? knownReleases();
  const state: FleetState = {
    waits: () => {},
    onBack: () => {},
    beatMs: BEAT_MS,
    goneAfterMs: GONE_AFTER_MS,
    ...options,
    knows,
    id: randomBytes(6).toString('base64url'),
    seen: new Map(),
    others: [],
    isRestless: false,
    begins: knows[0],
    beat: 0,
    stopping: new AbortController(),
    beating: Promise.resolve(),
  };
  return {
    begins: () => state.begins,
    isKnownElsewhere: (release) =>
      release !== undefined &&
      !knows.includes(release) &&
      state.others.some(({ charts }) => charts.includes(release)),
    join: () => join(state),
    leave: () => leave(state),
  };
}

async function join(state: FleetState): Promise<void> {
  await publishWords(state);
  await beat(state);
  const until = performance.now() + JOIN_MAX_MS;
  for (
    let tries = 0;
    !mayJoin(state) && !state.stopping.signal.aborted && performance.now() < until;
    tries++
  ) {
    if (tries === 0) {
      const others = [...new Set(state.others.map(({ release }) => release))];
      state.waits({ release: state.knows[0], others });
    }
    await sleep(state.beatMs, undefined, { signal: state.stopping.signal }).catch(() => {});
    if (!state.stopping.signal.aborted) await beat(state);
  }
  if (!state.alone) state.beating = keepBeating(state);
}

async function leave(state: FleetState): Promise<void> {
  state.stopping.abort();
  await state.beating;
  if (state.alone) return;
  await update(state.store, PARTITION, [KEY], (doc) => {
    const fleet = fleetCodec.read(doc) ?? EMPTY;
    const { [state.id]: _gone, ...processes } = fleet.processes;
    return { writes: [fleetCodec.write(doc, { ...fleet, processes })], result: undefined };
  }).catch((error) => state.onError(error, 'This process could not take leave of the others'));
}

async function keepBeating(state: FleetState): Promise<void> {
  const { stopping, beatMs } = state;
  const failed = (error: unknown) => state.onError(error, UNSEEN);
  while (!stopping.signal.aborted) {
    await sleep(beatMs, undefined, { signal: stopping.signal }).catch(() => {});
    if (!stopping.signal.aborted) await beat(state).then(() => state.onBack(UNSEEN), failed);
  }
}

/** Reads which processes are there and learns their words. Then it chooses where conversations begin, and announces that. */
function beat(state: FleetState): Promise<void> {
  return update(state.store, PARTITION, [KEY], async (doc) => {
    const fleet = fleetCodec.read(doc) ?? EMPTY;
    const others = state.alone ? {} : lookAround(state, fleet);
    const running = new Set([...state.others.map(({ release }) => release), state.knows[0]]);
    const past = fleet.releases.filter((release) => !running.has(release));
    const releases = [...past, ...running].slice(-RELEASES_MAX);
    for (const release of releases) await learn(state, release);
    await choose(state);
    const processes = state.alone ? {} : { ...others, [state.id]: announcement(state) };
    return { writes: [fleetCodec.write(doc, { ...fleet, processes, releases })], result: undefined };
  });
}

function lookAround(state: FleetState, { processes }: FleetDoc): Readonly<Record<string, Announced>> {
  const now = performance.now();
  const others = Object.entries(processes).filter(
    ([id, { beat: count }]) => id !== state.id && now - changedAt(state, id, count, now) < state.goneAfterMs,
  );
  const unknownSteps = others.flatMap(([id, { steps }]) =>
    Object.entries(steps).flatMap(([release, count]) =>
      state.knows.includes(release) || count === 0 ? [] : [changedAt(state, `${id} ${release}`, count, now)],
    ),
  );
  state.isRestless = unknownSteps.some((at) => now - at < state.quietMs);
  state.others = others.map(([, other]) => other);
  return Object.fromEntries(others);
}

/** The time when a count was last seen to change. Where it never did, the time when it was first seen. */
function changedAt({ seen }: FleetState, name: string, count: number, now: number): number {
  const before = seen.get(name);
  if (before?.count === count) return before.at;
  seen.set(name, { count, at: now });
  return now;
}

/** Chooses the newest release whose charts every process knows. Without any, it is this one's. */
async function choose(state: FleetState): Promise<void> {
  const isShared = (release: string) => state.others.every(({ charts }) => charts.includes(release));
  const begins = state.knows.find(isShared) ?? state.knows[0];
  await loadRelease(begins);
  state.begins = begins;
}

function announcement(state: FleetState): Announced {
  const { begins, knows } = state;
  const words = state.others.map(({ release }) => release).filter(hasWords);
  return {
    release: knows[0],
    charts: knows,
    words: [...new Set([knows[0], ...words])],
    begins,
    beat: ++state.beat,
    steps: stepsTaken(),
  };
}

function mayJoin({ knows, others, isRestless, quietMs }: FleetState): boolean {
  return others.every(({ charts, words, begins }) => {
    // With a release that shares no charts with this one there is nothing to wait for.
    const isApart = !charts.some((release) => knows.includes(release));
    const isReady = isApart || quietMs === 0 || (knows.includes(begins) && !isRestless);
    return words.includes(knows[0]) && isReady;
  });
}

function wordsKey(release: string): string {
  return `words:${release}`;
}

/** Puts the words of this release into the store, where every other one finds them. */
async function publishWords({ store, sentences, knows }: FleetState): Promise<void> {
  await update(store, PARTITION, [wordsKey(knows[0])], (doc) => {
    if (doc.version > 0) return { result: undefined };
    const keepUntil = Date.now() + WORDS_KEPT_MS;
    return { writes: [wordsCodec.write(doc, wordsOf(sentences()), { keepUntil })], result: undefined };
  });
}

async function learn({ store }: FleetState, release: string): Promise<void> {
  if (hasWords(release)) return;
  const [doc] = await readDocs(store, PARTITION, [wordsKey(release)]);
  const words = wordsCodec.readable(doc);
  if (words) learnWords(release, words);
}
