import { type Intent, isOpen, needsPerson } from '../conversation/intents/intent.ts';

/** How long after its moment a look may come, on this process or another. */
const LATE_MS = 10_000;
/** More than a process looks at while the wallet is down for hours. Beyond it the oldest are not counted. */
const KNOWN_MAX = 100_000;
/** How old a payment is, from the moment of its send: the first row that holds. */
const AGES: readonly (readonly [name: string, underMs: number])[] = [
  ['under 1m', 60_000],
  ['under 10m', 600_000],
  ['under 1h', 3_600_000],
  ['under 24h', 24 * 3_600_000],
  ['older', Number.POSITIVE_INFINITY],
];

/** The states without an end, and each age: what is counted. */
export const OPEN_STATES = ['sent', 'accepted', 'unknown', 'human'] as const satisfies Intent['state'][];
export const OPEN_AGES = AGES.map(([age]) => age);

/** Payments without an end, counted from the worker's looks at them and never by a scan of the store. */
export interface OpenPayments {
  /** The worker has looked at one, and somebody does so again at `nextLookAt` (ms since 1970). */
  looked(intent: Intent, nextLookAt: number | undefined): void;
  /** This process has written down that one has come to this state. */
  changed(id: string, state: Intent['state']): void;
  counts(): readonly { readonly state: string; readonly age: string; readonly count: number }[];
}

interface Known {
  readonly state: Intent['state'];
  readonly sentAt: number;
  /** The process that makes the next look counts it from then on. */
  readonly until: number;
}

/**
 * A payment is counted by the process that has looked at it last, from one look to the next, so that the sum over all processes
 * is right. One that another process brings to its end is counted until its next look, which is an hour away at most.
 */
export function createOpenPayments(now: () => number): OpenPayments {
  const known = new Map<string, Known>();
  return {
    looked(intent, nextLookAt) {
      known.delete(intent.id);
      if (nextLookAt === undefined || !(isOpen(intent) || needsPerson(intent))) return;
      const { state, sentAt } = intent;
      known.set(intent.id, { state, sentAt, until: nextLookAt + LATE_MS });
      if (known.size > KNOWN_MAX) known.delete(known.keys().next().value as string);
    },
    changed(id, state) {
      const before = known.get(id);
      if (!before) return;
      if (isOpen({ state }) || state === 'human') known.set(id, { ...before, state });
      else known.delete(id);
    },
    counts: () => count(known, now()),
  };
}

function count(known: Map<string, Known>, now: number) {
  const groups = new Map<string, { state: string; age: string; count: number }>();
  for (const [id, { state, sentAt, until }] of known) {
    if (until < now) {
      known.delete(id);
      continue;
    }
    const age = AGES.find(([, underMs]) => now - sentAt < underMs)?.[0] ?? '';
    const group = groups.get(`${state} ${age}`) ?? { state, age, count: 0 };
    group.count += 1;
    groups.set(`${state} ${age}`, group);
  }
  return [...groups.values()];
}
