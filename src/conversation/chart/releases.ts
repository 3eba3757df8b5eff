import {
  CLAIMS,
  type Claim,
  INVITES_AGAIN,
  NOT_READ,
  claimOf as ownClaimOf,
} from '../../../machines/kit/claims.ts';
import type { Session } from '../session/session.ts';
import { type Charts, type Conversation, createCharts } from './charts.ts';
import { READINGS } from './readings.ts';
import { type KeptRelease, keptIn, ROOT, readKept, releaseIdOf, type Words } from './release-files.ts';

export const OWN_RELEASE = releaseIdOf(ROOT);

const OWN_CHARTS = createCharts(OWN_RELEASE);
/** The releases that this process knows, by id. An id is a digest, so all engines can share one. */
const charts = new Map<string, Charts>([[OWN_RELEASE, OWN_CHARTS]]);
const words = new Map<string, Words>();
const kept = new Map<string, KeptRelease>();
for (const release of keptIn(ROOT)) keep(release);
const loading = new Map<string, Promise<void>>();
/** Called with the words of each release that is learnt. */
const learners = new Set<Learner>();

type Learner = (release: string, words: Words) => void;

/** The releases whose charts this process has or can load, its own first. */
export function knownReleases(): readonly [string, ...string[]] {
  return [OWN_RELEASE, ...kept.keys()];
}

/** Makes a release that is kept elsewhere than in `releases/` known. */
export function keep(release: KeptRelease): void {
  // A tree that nothing was changed in since is that release itself.
  if (release.release !== OWN_RELEASE) kept.set(release.release, release);
}

/** Loads the charts of a release if it is kept and was not met before. */
export function loadRelease(release: string): Promise<void> | undefined {
  const found = kept.get(release);
  if (!found || charts.has(release)) return undefined;
  const loaded = loading.get(release) ?? load(found);
  loading.set(release, loaded);
  return loaded;
}

async function load(found: KeptRelease): Promise<void> {
  const { release } = found;
  try {
    const read = await readKept(found);
    learnWords(release, read.words);
    charts.set(release, read.createCharts(release));
  } finally {
    loading.delete(release);
  }
}

/** Loads the charts of a session's conversations. Undefined, as almost always: nothing to wait for. */
export function loadCharts({ conversation, suspended }: Session): Promise<unknown> | undefined {
  if (isHere(conversation) && isHere(suspended)) return undefined;
  const needed = [conversation, suspended].flatMap((each) =>
    each?.release === undefined ? [] : (loadRelease(each.release) ?? []),
  );
  return needed.length > 0 ? Promise.all(needed) : undefined;
}

function isHere(conversation: Conversation | undefined): boolean {
  return conversation?.release === undefined || charts.has(conversation.release);
}

/**
 * The charts that a conversation began on, or this release's charts where that release is not known here. Then the
 * conversation continues if its machine has the same version and state, as the golden snapshots prove.
 */
export function chartsOf({ release = OWN_RELEASE }: Conversation): Charts {
  return charts.get(release) ?? OWN_CHARTS;
}

/** The charts of a release if it has a machine of that name. Otherwise those of another release that has it. */
export function chartsWith(machine: string, release: string): Charts {
  const first = charts.get(release) ?? OWN_CHARTS;
  if (first.has(machine)) return first;
  return [...charts.values()].find((each) => each.has(machine)) ?? first;
}

export function stepsTaken(): Readonly<Record<string, number>> {
  return Object.fromEntries([...charts].map(([release, each]) => [release, each.steps()]));
}

/** Remembers the words of a release, and tells the listeners. */
export function learnWords(release: string, learnt: Words): void {
  if (release === OWN_RELEASE || words.has(release)) return;
  words.set(release, learnt);
  for (const learner of learners) learner(release, learnt);
}

/** True for a release whose sentences can be said here. */
export function hasWords(release: string): boolean {
  return release === OWN_RELEASE || words.has(release);
}

/** Tells of the words of each other release that is known, now and from now on, until the function that it gives is called. */
export function onWords(learner: Learner): () => void {
  for (const [release, learnt] of words) learner(release, learnt);
  learners.add(learner);
  return () => learners.delete(learner);
}

/**
 * The claim of a sentence, in the words of its release or of any that has it. A sentence of a conversation that only
 * reads claims nothing, as nothing moves there. Throws for a key that nobody knows.
 */
export function claimOf(key: string, release?: string): Claim {
  if (READINGS.some(({ id }) => key.startsWith(`${id}.`))) return 'nothing';
  const first = release === undefined ? undefined : words.get(release)?.claims[key];
  if (first) return first;
  const other = CLAIMS.has(key) ? undefined : [...words.values()].find(({ claims }) => claims[key]);
  return other?.claims[key] ?? ownClaimOf(key);
}

/** True for a sentence that says that money has moved, in the words of its release. False for one that nobody knows. */
export function saysMoved(key: string, release?: string): boolean {
  const own = release === undefined ? undefined : words.get(release)?.claims[key];
  return (own ?? CLAIMS.get(key)) === 'moved';
}

/** True where the screen says that something could not be read: it is so of that moment only. */
export function wasNotRead(key: string): boolean {
  return NOT_READ.has(key) || READINGS.some(({ id }) => key === `${id}.unavailable`);
}

/** True for a sentence or a label that invites to do it again, in the words of any release. */
export function invitesAgain(key: string): boolean {
  return INVITES_AGAIN.has(key) || [...words.values()].some((each) => each.invitesAgain.includes(key));
}
