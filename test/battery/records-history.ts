/** The instructions to a recorder that dies. */
export interface RecordingOptions {
  readonly place: { readonly directory: string } | { readonly redis: string; readonly postgres: string };
  /** The number of this history. Its turns and payments have it. */
  readonly history: number;
  /** The one before, which this process first brings to its end. */
  readonly unfinished?: number;
  /** Dies there (`breaking`). Absent: it lives, and tells every moment that it came past. */
  readonly point?: string;
}

/** The records and the store once a history is over. */
export interface Recorded {
  /** The turns in the records, by partition, in their order. */
  readonly turns: readonly (readonly number[])[];
  /** For each payment: in the live store, in the records, waits for another look. */
  readonly payments: readonly (readonly [isLive: boolean, isKept: boolean, isWaiting: boolean])[];
  /** What has happened to the case of each partition. */
  readonly cases: readonly (readonly string[])[];
  /** The deeds on accounts that both the records and their copy in the store have. Undefined where these two differ. */
  readonly deeds: readonly string[] | undefined;
  /** The deeds that the audit has, each in an entry that is written before it is done. */
  readonly audited: readonly string[];
  readonly isAuditWhole: boolean;
  readonly trace: readonly string[];
}

/** An administrator's deeds on accounts, in their order: each is first in SQL, then in the copy. */
export const DEEDS = ['disable', 'promote', 'enable'] as const;

/** All in the first group of partitions. */
export const PARTITIONS_USED = [0, 3, 9];
export const TURNS_EACH = 12;
export const PAYMENTS_EACH = 2;
/** The turns with updates of the partition's case: somebody is needed, and is asked for again. */
export const TURNS_WITH_NEWS = [3, 5, 7, 10];
