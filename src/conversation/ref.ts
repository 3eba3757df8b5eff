import { randomUUID } from 'node:crypto';
import { PARTITIONS, type Partition } from '../store/store.ts';

const PREFIXES = Array.from({ length: PARTITIONS }, (_, partition) =>
  partition.toString(16).padStart(2, '0'),
);

/**
 * A new id for a call: a UUID v4 whose first byte is the partition, so that a webhook that echoes it as `CRequestId`
 * leads to its intent in one read. The other 114 random bits are far more than enough.
 */
export function newRef(partition: Partition): string {
  return PREFIXES[partition] + randomUUID().slice(2);
}

/** The partition in an id made by `newRef`; undefined for what is no such id. */
export function partitionOfRef(ref: string): Partition | undefined {
  return /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(ref)
    ? Number.parseInt(ref.slice(0, 2), 16)
    : undefined;
}
