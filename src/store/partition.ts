import { PARTITIONS, type Partition } from './store.ts';

/** The partition of an MSISDN or of an address not yet linked: FNV-1a, stable over processes and versions. */
export function partitionOf(name: string): Partition {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  // The low byte of FNV alone is uneven for numbers that follow one another.
  return ((hash ^ (hash >>> 16)) >>> 0) % PARTITIONS;
}
