import { type Commit, PARTITIONS, type Partition } from './store.ts';

/** Turn records kept in one partition. Older ones are forgotten, or wait for the records so long. */
export const TURNS_MAX = 10_000;
/** So many turn records at most are looked at in one step when a stream has reached its limit. */
export const OVERFLOW_STEP = 500;
/**
 * A process cuts the records of a partition to their cap in one of so many turns, as looking for what to cut costs
 * more than adding one. A prime, so that partitions that take turns all get theirs.
 */
export const TURNS_PER_TRIM = 61;

/**
 * Kinds of documents, as keys begin, whose due ones are listed (open payments, webhooks that wait, customers who asked for a
 * person, cases). Each has an index of its own, so that no page looks through the moments of a million sessions for ten of them.
 */
export const LISTED_KINDS = ['intent:', 'webhook:', 'help:', 'case:'] as const;

/** How the key of a payment's document begins: a turn that writes one is kept until the records have it. */
const PAYMENT_PREFIX = 'intent:';

/** Stands among the payments of a turn that says something about cases. Every release keeps that turn, and finds it by this name. */
const CASES = 'cases';

/** The payments that a commit writes, by their ids, and what else must not be forgotten. */
export function paymentsIn({ writes, carries }: Commit): readonly string[] {
  const payments = writes.flatMap(({ key }) =>
    key.startsWith(PAYMENT_PREFIX) ? key.slice(PAYMENT_PREFIX.length) : [],
  );
  return carries ? [...payments, CASES] : payments;
}

/**
 * Refuses a call that no correct caller makes, before anything is written: a script on Redis that fails half-way is
 * not rolled back. Throws a RangeError, because it is a bug and not a failure of the store.
 */
export function checkCommit(partition: Partition, { writes }: Commit): void {
  checkPartition(partition);
  for (let i = 0; i < writes.length; i++) {
    const { key, version, next = version + 1, dueAt, keepUntil } = writes[i] as Commit['writes'][number];
    if (!Number.isSafeInteger(version) || version < 0) throw new RangeError(`version ${version} of ${key}`);
    if (!Number.isSafeInteger(next) || next <= version)
      throw new RangeError(`${next} after ${version} of ${key}`);
    if (typeof dueAt === 'number') checkMoment(dueAt);
    if (keepUntil !== undefined) checkMoment(keepUntil);
    for (let j = 0; j < i; j++) {
      if (writes[j]?.key === key) throw new RangeError(`one commit writes ${key} twice`);
    }
  }
}

/** Refuses a partition that does not exist, with a RangeError. */
export function checkPartition(partition: Partition): void {
  if (!Number.isInteger(partition) || partition < 0 || partition >= PARTITIONS) {
    throw new RangeError(`partition ${partition} is not one of 0 … ${PARTITIONS - 1}`);
  }
}

function checkMoment(ms: number): void {
  if (!Number.isSafeInteger(ms) || ms < 0) throw new RangeError(`${ms} is not a moment in ms since 1970`);
}
