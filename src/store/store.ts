/** How many partitions a store has. Fixed for ever: it is part of every key. */
export const PARTITIONS = 256;
/** 0 … 255. All of one wallet lives in one partition ("one customer, one partition"). */
export type Partition = number;

/** A document as it was read. `version` grows with each write, from 1. */
export interface Doc {
  readonly value: string;
  readonly version: number;
}

/** A due entry that is not touched. */
export const SAME = 'same';

/** A document to write, if nobody has written it since it was read. */
export interface Write {
  readonly key: string;
  /** The version that was read. 0: it must not exist yet. */
  readonly version: number;
  /** The version that it has then, greater than that one. Absent: one more. */
  readonly next?: number;
  /** The new text. Null deletes the document and its due entry. */
  readonly value: string | null;
  /**
   * When a process must look at it again, in ms since 1970. Absent or null: it is not due, and an older due entry is
   * dropped. `same`: its due entry stays as it is, which spares the store its index. A document that is new then is not due.
   */
  readonly dueAt?: number | null | typeof SAME;
  /** When the store forgets it, in ms since 1970 (retention). Absent: kept until deleted. */
  readonly keepUntil?: number;
}

/** The writes of one commit: all of them, or none. */
export interface Commit {
  readonly writes: readonly Write[];
  /** One turn record (JSON) for the partition's stream, with the payments whose documents it writes. */
  readonly turn?: string;
  /** The turn record says something about cases: it is kept until the records have it, as those of payments are. */
  readonly carries?: boolean;
  /** Money and guarded effects: on the disk before the promise resolves (SQLite `synchronous=FULL`). */
  readonly durable?: boolean;
  /**
   * The commit that writes `sent`: on as many replicas as the settings ask for before the promise resolves (Redis `WAIT`).
   * Rejects with `ReplicasMissing`, and writes nothing, while they are known to be missing. Nothing where there are none.
   */
  readonly replicated?: boolean;
}

/** A document whose time has come. */
export interface Due {
  readonly partition: Partition;
  readonly key: string;
}

/** A document that is due now or will be, at `at` in ms since 1970. */
export interface Scheduled {
  readonly key: string;
  readonly at: number;
}

/** A listener to turns as they are committed. */
export interface Watcher {
  turn(record: string): void;
  /** The connection was broken: records may have been missed, and `turns` knows them. */
  missed(): void;
}

export interface Listener {
  named(name: string): void;
  /** The connection was broken: something may have been told meanwhile. */
  missed(): void;
}

/** A turn record as read back: `id` grows within its partition. It is `12`, or `12-3`, where the first number counts more. */
export interface TurnEntry {
  readonly id: string;
  readonly record: string;
  /** The payments that its commit has written, and `cases` where it says something about cases. Only `turnsAfter` tells. */
  readonly payments?: readonly string[];
}

/** The stream of turn records of a partition, as its recorder sees it. */
export interface TurnStream {
  /** The earliest that are later than what was asked, in their order. */
  readonly entries: readonly TurnEntry[];
  /** How many the stream holds. */
  readonly length: number;
  /** The greatest id that it has ever given. Absent: nothing was ever written to the stream. */
  readonly last?: string;
  /** Up to where the records have it (`recorded`). */
  readonly recordedTo?: string;
  /** How many entries have gone at the limit before the records had them. */
  readonly lost: number;
}

/**
 * The home of sessions, intents, timers and queues: versioned documents in partitions, an index of due ones, and a capped
 * stream of turn records. There are two drivers, SQLite and Redis, and `test/store` holds both to one contract. Every method
 * rejects with `StoreDown` when the store cannot be reached or cannot write.
 */
export interface Store {
  /** Reads documents of one partition in one round trip. A missing one is undefined. */
  read(partition: Partition, keys: readonly string[]): Promise<(Doc | undefined)[]>;
  /** Writes in one atomic step. False: a version moved, and nothing was written. */
  commit(partition: Partition, commit: Commit): Promise<boolean>;
  /**
   * Documents due at `now`, at most `limit`, the earliest first within a partition. Each is leased: nobody else is
   * given it before `now + leaseMs`. Only a commit of the document ends its being due.
   */
  due(now: number, limit: number, leaseMs: number): Promise<Due[]>;
  /** The newest turn records of a partition, newest first. With `before`, an entry's id: the newest that are older. */
  turns(partition: Partition, limit: number, before?: string): Promise<TurnEntry[]>;
  /** Turn records later than `after` (absent: from the beginning), the earliest first, and how full their stream is. */
  turnsAfter(partition: Partition, after: string | undefined, limit: number): Promise<TurnStream>;
  /**
   * Notes that the records have all turns up to `to`. Turns before `keepFrom` are forgotten here. Where turns are recorded,
   * only the limit forgets others, and it takes the oldest that are of no payment and say nothing about cases.
   */
  recorded(partition: Partition, to: string, keepFrom?: string): Promise<void>;
  /** Erases what turn records say, for the sake of a customer who is to be forgotten. Their ids are not given again. */
  eraseTurns(partition: Partition, ids: readonly string[]): Promise<void>;
  /** Documents of a partition that are or will be due and whose keys begin with `prefix`, the earliest first. */
  scheduled(partition: Partition, prefix: string, limit: number): Promise<Scheduled[]>;
  /**
   * Tells of every turn record that any process commits from now on, each once and soon, and those of one partition in their order. The function that
   * it gives ends that. A watcher must not throw.
   */
  watch(watcher: Watcher): Promise<() => Promise<void>>;
  /**
   * Tells every process that listens now, this one too, of a name. Nothing is kept: whoever does not listen never hears of it.
   * @param partition whatever spreads names over the store's nodes
   */
  tell(partition: Partition, name: string): Promise<void>;
  /** Hears of every name that any process tells of, until the function that it gives is called. A listener must not throw. */
  listen(listener: Listener): Promise<() => Promise<void>>;
  /**
   * True while too few replicas of this partition, or of any, are known to be there: `replicated` commits are refused. It is
   * found out by a commit, and found again without one.
   */
  lacksReplicas(partition?: Partition): boolean;
  /** True where a failover may lose commits of payments that were acknowledged: a Redis none of whose replicas is awaited. */
  mayLoseWrites(): boolean;
  close(): Promise<void>;
}

/** Unreachable, full, or it refuses to write. Such a commit was written whole or not at all: read again. */
export class StoreDown extends Error {
  override name = 'StoreDown';
}

/** The embedded store is another process's, which is most likely a Wasl that runs. */
export class StoreInUse extends StoreDown {
  override name = 'StoreInUse';
}

/** The store could not be reached, or another node takes over just now: it may be there again in a moment. */
export class StoreAway extends StoreDown {
  override name = 'StoreAway';
  /** True where what was asked was surely not done, nor ever will be. */
  readonly isUndone: boolean;

  constructor(message: string, { isUndone, ...options }: ErrorOptions & { readonly isUndone: boolean }) {
    super(message, options);
    this.isUndone = isUndone;
  }
}

/** Fewer replicas than a `replicated` commit needs are known to be there: nothing was written. */
export class ReplicasMissing extends StoreDown {
  override name = 'ReplicasMissing';
}
