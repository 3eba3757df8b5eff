import { createHash, randomUUID } from 'node:crypto';
import { PARTITIONS, type Partition } from '../../store/store.ts';
import type { Secrets } from '../secrets.ts';

const PREFIXES = Array.from({ length: PARTITIONS }, (_, partition) =>
  partition.toString(16).padStart(2, '0'),
);
/** 40 bits: one of 10¹² ids of other systems is taken for ours. */
const TAG_DIGITS = 10;

/**
 * A new id for a call that leaves documents of its own, as one that moves money does. It is a UUID v4 whose first byte
 * is the partition, so a webhook that echoes it as `CRequestId` leads to its intent in one read. Its last five bytes
 * are a keyed tag over the others. The tag proves that the id is ours where the store has lost the intent, as other
 * systems may share the API key. The other 74 random bits are more than enough.
 */
export function newRef(partition: Partition, secrets: Pick<Secrets, 'digest'>): string {
  const head = PREFIXES[partition] + randomUUID().slice(2, -TAG_DIGITS);
  return head + tagIn(secrets.digest(`request ${head}`));
}

/** The same for a thing that has a name. A second request for it gets the same id, as long as the key is the same. */
export function refOf(name: string, partition: Partition, secrets: Pick<Secrets, 'digest'>): string {
  const hex = createHash('sha256').update(name).digest('hex');
  const head = `${PREFIXES[partition]}${hex.slice(0, 6)}-${hex.slice(6, 10)}-4${hex.slice(10, 13)}-8${hex.slice(13, 16)}-${hex.slice(16, 18)}`;
  return head + tagIn(secrets.digest(`request ${head}`));
}

/** The partition in an id made by `newRef`. Undefined for any other text. */
export function partitionOfRef(ref: string): Partition | undefined {
  return /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(ref)
    ? Number.parseInt(ref.slice(0, 2), 16)
    : undefined;
}

/** True for an id that `newRef` has made under one of our keys. */
export function isOurRef(ref: string, secrets: Pick<Secrets, 'digests'>): boolean {
  if (partitionOfRef(ref) === undefined) return false;
  const digests = secrets.digests(`request ${ref.slice(0, -TAG_DIGITS)}`);
  return digests.map(tagIn).includes(ref.slice(-TAG_DIGITS));
}

/** A new id for any other call: there is nothing to be found, and so it carries neither partition nor tag. */
export function newPlainRef(): string {
  return randomUUID();
}

function tagIn(digest: string): string {
  return Buffer.from(digest, 'base64url').toString('hex').slice(0, TAG_DIGITS);
}
