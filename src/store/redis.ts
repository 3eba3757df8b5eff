import { connectRedis, DEFAULT_PREFIX, type RedisConnection } from './redis-connection.ts';
import { type Channel, listenRedis } from './redis-listening.ts';
import { openNodes, type RedisAddress, type RedisNodes } from './redis-nodes.ts';
import { openReplication, type Replication } from './redis-replication.ts';
import {
  commitScript,
  DUE_KEPT,
  LOOK,
  leaseScript,
  OVERFLOW,
  RECORDED,
  type Script,
  TURNS_AFTER,
} from './redis-scripts.ts';
import {
  checkCommit,
  checkPartition,
  LISTED_KINDS,
  OVERFLOW_STEP,
  paymentsIn,
  TURNS_MAX,
  TURNS_PER_TRIM,
} from './rules.ts';
import {
  type Commit,
  type Doc,
  type Due,
  PARTITIONS,
  type Partition,
  SAME,
  type Scheduled,
  type Store,
  type TurnEntry,
  type TurnStream,
  type Write,
} from './store.ts';
import { plain, unpack } from './unpack.ts';

interface RedisStoreOptions extends RedisAddress {
  /** Turn records kept per partition. */
  readonly turnsMax?: number;
  /** A recorder takes them from there: at the limit those of payments are kept all the same. */
  readonly recorded?: boolean;
  /**
   * How many replicas must have a `replicated` commit before it resolves (`WAIT`). With fewer it rejects with `StoreDown`:
   * it is written, but a failover could lose it. From then on it rejects with `ReplicasMissing`, unwritten. 0: the primary
   * alone decides.
   */
  readonly replicasMin?: number;
  /** Told, at the start, of settings of the server with which it loses data. */
  readonly warn?: (sentence: string) => void;
}

/** Entries of a due index that Redis looks at in one step. */
const SCAN_COUNT = 1_000;
const LISTED_ENDINGS = LISTED_KINDS.map((kind) => `:${kind.slice(0, -1)}`);
const INDEX_OF_KIND: ReadonlyMap<string, number> = new Map(LISTED_KINDS.map((kind, i) => [kind, i + 1]));
/**
 * One look for due documents goes through so many partitions in one step, if all are on one server. An idle process that asks 256 times twice a
 * second takes more than a hundredth of a core. A step of 32 takes Redis a tenth of a millisecond.
 */
const LOOKED_AT_ONCE = 32;

/**
 * The store on Redis 7 or newer: one server, a primary that Sentinels watch, or a Cluster. Every key of a partition carries its hash tag, so that one script
 * can write them together: `wasl:{p017}:<key>` is a document (`12|<text>`, 12 being its version), `wasl:{p017}due`
 * the sorted set of moments, `wasl:{p017}due:intent` the one of a kind that is listed (`LISTED_KINDS`), and `wasl:{p017}turns` the
 * stream. Where turns are recorded there may be three more: `…turns:kept`, what the limit has not taken as it is of payments,
 * `…turns:recorded`, up to where the records have it, and `…turns:lost`, how many the limit has taken. A read is one command and a commit one script call.
 *
 * `keepUntil` is an expiry of Redis' own (`PXAT`), by the clock of the primary, which also tells its replicas what to
 * forget. Our own clock decides nothing here. A server whose clock jumps ahead forgets at once what is past then, and there
 * is no undoing it: the hosts of Redis keep their clocks by NTP. A clock that goes back only keeps things longer.
 *
 * A commit whose answer was lost rejects with `StoreDown` and may have happened, whole: read again. `durable` is as good
 * as the server's own settings, which must keep what is written: `maxmemory-policy noeviction`, and an append-only file.
 *
 * Rejects with `StoreDown` when no Redis answers.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  const state = await openState(options);
  const { redis, replication, keys } = state;
  return {
    read: (partition, wanted) => read(state, partition, wanted),
    commit: (partition, it) => commit(state, partition, it),
    due: (now, limit, leaseMs) => due(state, now, limit, leaseMs),
    turns: (partition, limit, before) => turns(state, partition, limit, before),
    turnsAfter: (partition, after, limit) => turnsAfter(state, partition, after, limit),
    recorded: (partition, to, keepFrom) => recorded(state, partition, to, keepFrom),
    eraseTurns: (partition, ids) => eraseTurns(state, partition, ids),
    scheduled: (partition, prefix, limit) => scheduled(state, partition, prefix, limit),
    watch: ({ turn, missed }) => listenRedis(options, keys.spoken, { said: turn, missed }),
    tell: (partition, name) => tell(state, partition, name),
    listen: ({ named, missed }) => listenRedis(options, keys.told, { said: named, missed }),
    lacksReplicas: (partition) => replication?.isMissing(partition) ?? false,
    mayLoseWrites: () => replication === undefined,
    close: async () => void (await Promise.all([redis.close(), replication?.close()])),
  };
}

/** The names of everything in Redis, by partition. */
interface Keys {
  /** The part of a key before a document's own key. */
  readonly docs: readonly string[];
  /** The due indexes of each partition: of what is in no list first, then of each kind that is. */
  readonly due: readonly (readonly [string, ...string[]])[];
  readonly turns: readonly string[];
  /** The stream and what belongs to its recording, as the scripts name them. */
  readonly recording: readonly (readonly [turns: string, kept: string, recorded: string, lost: string])[];
  /** The channels of committed turns, for consoles that listen. */
  readonly spoken: readonly Channel[];
  /** The channels on which processes tell each other of names. */
  readonly told: readonly Channel[];
}

interface State {
  readonly redis: RedisNodes<RedisConnection>;
  readonly replication: Replication | undefined;
  readonly keys: Keys;
  readonly committing: Script;
  readonly leasing: Script;
  readonly turnsMax: number;
  readonly isRecorded: boolean;
  /** The partition that the next look for due documents begins with. */
  nextPartition: number;
  turnsUntilTrim: number;
}

async function openState(options: RedisStoreOptions): Promise<State> {
  const { prefix = DEFAULT_PREFIX, turnsMax = TURNS_MAX, replicasMin = 0, warn = () => {} } = options;
  const { recorded: isRecorded = false } = options;
  const keys = keysOf(prefix);
  // Lua counts bytes, from 1.
  const keyAt = Buffer.byteLength(keys.docs[0] as string) + 1;
  const redis = await openNodes(options, connectRedis);
  const replication = replicasMin > 0 ? await openReplication(options, replicasMin) : undefined;
  for (const sentence of await dangers(redis)) warn(sentence);
  if (replication && !(await replication.probe(0, `${prefix}{p000}replicas`).catch(() => false)))
    warn(`fewer than ${replicasMin} replicas can be reached: payments are refused until they can`);
  return {
    redis,
    replication,
    keys,
    committing: commitScript(keyAt),
    leasing: leaseScript(keyAt),
    turnsMax,
    isRecorded,
    nextPartition: 0,
    turnsUntilTrim: 0,
  };
}

function keysOf(prefix: string): Keys {
  // It stands in scripts and begins every key.
  if (!/^[\w:.-]*$/.test(prefix))
    throw new RangeError(`the prefix of Redis keys may hold letters, digits and : . _ - only: ${prefix}`);
  const tags = Array.from({ length: PARTITIONS }, (_, p) => `${prefix}{p${String(p).padStart(3, '0')}}`);
  return {
    docs: tags.map((tag) => `${tag}:`),
    due: tags.map((tag) => [`${tag}due`, ...LISTED_ENDINGS.map((ending) => `${tag}due${ending}`)]),
    turns: tags.map((tag) => `${tag}turns`),
    recording: tags.map((tag) => [
      `${tag}turns`,
      `${tag}turns:kept`,
      `${tag}turns:recorded`,
      `${tag}turns:lost`,
    ]),
    spoken: tags.map((tag) => ({ name: `${tag}turn`, key: `${tag}turns` })),
    told: tags.map((tag) => ({ name: `${tag}told`, key: `${tag}turns` })),
  };
}

async function read(
  { redis, keys }: State,
  partition: Partition,
  wanted: readonly string[],
): Promise<(Doc | undefined)[]> {
  checkPartition(partition);
  if (wanted.length === 0) return [];
  const tag = keys.docs[partition] as string;
  if (wanted.length === 1) {
    const [key = ''] = wanted;
    const command = ['GET', tag + key];
    return [toDoc((await redis.at(partition, (node) => node.send(command))) as string | null, key)];
  }
  const command = ['MGET'];
  for (const key of wanted) command.push(tag + key);
  const texts = await redis.at(partition, (node) => node.send(command));
  return (texts as (string | null)[]).map((text, i) => toDoc(text, wanted[i] as string));
}

async function commit(state: State, partition: Partition, it: Commit): Promise<boolean> {
  checkCommit(partition, it);
  const { redis, replication, keys, turnsMax, committing, isRecorded } = state;
  const { writes, turn } = it;
  const tag = keys.docs[partition] as string;
  const turnsKey = keys.turns[partition] as string;
  const rest = [String(2 * writes.length + 1), turnsKey];
  for (const write of writes) rest.push(tag + write.key);
  for (const write of writes) rest.push(dueIndex(keys, partition, write.key));
  const isTrimmed = turn !== undefined && isTimeToTrim(state);
  const payments = turn === undefined ? '' : paymentsIn(it).join();
  rest.push(turn ?? '', payments, isTrimmed && !isRecorded ? String(turnsMax) : '');
  for (const write of writes) pushWrite(rest, write);
  const done =
    it.replicated && replication
      ? replication.run(partition, committing, turnsKey, rest)
      : redis.at(partition, (node) => node.run(committing, rest));
  // Nobody waits for it. An unfinished cut is finished with another turn.
  if (isTrimmed && isRecorded) void overflow(state, partition).catch(() => {});
  return (await done) === 1;
}

function isTimeToTrim(state: State): boolean {
  state.turnsUntilTrim = (state.turnsUntilTrim || TURNS_PER_TRIM) - 1;
  return state.turnsUntilTrim === 0;
}

async function due(state: State, now: number, limit: number, leaseMs: number): Promise<Due[]> {
  const { redis, nextPartition } = state;
  // Partitions of a cluster are in slots of their own, and a script's keys must be in one.
  const size = redis.isCluster ? 1 : LOOKED_AT_ONCE;
  const looks: ReturnType<typeof findDue>[] = [];
  for (let from = 0; from < PARTITIONS; from += size)
    looks.push(findDue(state, (nextPartition + from) % PARTITIONS, size, now, limit));
  const found = await mostOf(looks);
  const leases: Promise<Due[]>[] = [];
  let room = limit;
  for (const { partition, names } of found.flat()) {
    if (room <= 0) break;
    if (names.length === 0) continue;
    leases.push(lease(state, partition, names.slice(0, room), now, leaseMs));
    room -= names.length;
    // The next call begins after the last one served: a full partition cannot starve the others.
    state.nextPartition = (partition + 1) % PARTITIONS;
  }
  return (await mostOf(leases)).flat();
}

/** The due documents of so many partitions of one node, from one of them on, the earliest of each first. */
async function findDue(
  { redis, keys }: State,
  from: Partition,
  size: number,
  now: number,
  limit: number,
): Promise<{ readonly partition: Partition; readonly names: string[] }[]> {
  const most = Math.max(0, limit);
  const rest = [String(size)];
  for (let i = 0; i < size; i++) rest.push((keys.due[(from + i) % PARTITIONS] as readonly [string])[0]);
  rest.push(String(now), String(most), ...LISTED_ENDINGS);
  const found = (await redis.at(from, (node) => node.run(LOOK, rest))) as string[][];
  // Most have nothing.
  return found.flatMap((flat, i) => {
    if (flat.length === 0) return [];
    const names = inPairs(flat).sort((a, b) => a.at - b.at);
    return { partition: (from + i) % PARTITIONS, names: names.slice(0, most).map(({ key }) => key) };
  });
}

/** Keys and moments, as Redis gives them one after the other. */
function inPairs(flat: readonly string[]): Scheduled[] {
  return flat.flatMap((key, i) => (i % 2 === 0 ? [{ key, at: Number(flat[i + 1]) }] : []));
}

/** The index that has the moment of a document. */
function dueIndex({ due }: Keys, partition: Partition, key: string): string {
  const indexes = due[partition] as readonly [string, ...string[]];
  return indexes[INDEX_OF_KIND.get(key.slice(0, key.indexOf(':') + 1)) ?? 0] ?? indexes[0];
}

async function lease(
  { redis, keys, leasing }: State,
  partition: Partition,
  names: string[],
  now: number,
  leaseMs: number,
): Promise<Due[]> {
  const rest = [String(2 * names.length + 1)];
  for (const name of names) rest.push(keys.docs[partition] + name);
  for (const name of names) rest.push(dueIndex(keys, partition, name));
  rest.push((keys.due[partition] as readonly [string])[0], String(now), String(now + leaseMs));
  const leases = (await redis.at(partition, (node) => node.run(leasing, rest))) as string[];
  return leases.map((key) => ({ partition, key }));
}

async function turns(
  { redis, keys, turnsMax, isRecorded }: State,
  partition: Partition,
  limit: number,
  before?: string,
): Promise<TurnEntry[]> {
  checkPartition(partition);
  // The stream is cut now and then, and by whole blocks: one page never shows more than the cap.
  const count = Math.min(limit, turnsMax);
  if (count <= 0) return [];
  const key = keys.turns[partition] as string;
  const from = before === undefined ? '+' : `(${before}`;
  const command = ['XREVRANGE', key, from, '-', 'COUNT', String(count)];
  const entries = entriesOf(await redis.at(partition, (node) => node.send(command)));
  if (!isRecorded || entries.length === count) return entries.map(withoutPayments);
  // The kept entries are older than everything in the stream.
  const [, kept] = keys.recording[partition] as Keys['recording'][number];
  const rest = ['XREVRANGE', kept, from, '-', 'COUNT', String(count - entries.length)];
  const older = entriesOf(await redis.at(partition, (node) => node.send(rest)));
  return [...entries, ...older].map(withoutPayments);
}

/** In one step: an entry that the limit puts aside at the same moment is seen once, in its place. */
async function turnsAfter(
  { redis, keys }: State,
  partition: Partition,
  after: string | undefined,
  limit: number,
): Promise<TurnStream> {
  checkPartition(partition);
  const rest = [
    '4',
    ...(keys.recording[partition] ?? []),
    after === undefined ? '-' : `(${after}`,
    String(limit),
  ];
  const reply = (await redis.at(partition, (node) => node.run(TURNS_AFTER, rest))) as [
    unknown,
    unknown,
    number,
    string,
    string,
    number,
  ];
  const [kept, entries, length, last, recordedTo, lost] = reply;
  return {
    entries: [...entriesOf(kept), ...entriesOf(entries)].slice(0, Math.max(0, limit)),
    length,
    ...(last && last !== '0-0' && { last }),
    ...(recordedTo && { recordedTo }),
    lost,
  };
}

async function recorded(
  { redis, keys }: State,
  partition: Partition,
  to: string,
  keepFrom = '',
): Promise<void> {
  checkPartition(partition);
  const [turnsKey, kept, recordedTo] = keys.recording[partition] as Keys['recording'][number];
  const rest = ['3', turnsKey, kept, recordedTo, to, keepFrom];
  await redis.at(partition, (node) => node.run(RECORDED, rest));
}

async function overflow({ redis, keys, turnsMax }: State, partition: Partition): Promise<void> {
  const rest = ['4', ...(keys.recording[partition] ?? []), String(turnsMax), String(OVERFLOW_STEP)];
  await redis.at(partition, (node) => node.run(OVERFLOW, rest));
}

async function eraseTurns(
  { redis, keys }: State,
  partition: Partition,
  ids: readonly string[],
): Promise<void> {
  checkPartition(partition);
  if (ids.length === 0) return;
  const [turnsKey, kept] = keys.recording[partition] as Keys['recording'][number];
  for (const key of [turnsKey, kept]) await redis.at(partition, (node) => node.send(['XDEL', key, ...ids]));
}

/** A message without a listener ends at the node. */
async function tell({ redis, keys }: State, partition: Partition, name: string): Promise<void> {
  checkPartition(partition);
  const command = ['SPUBLISH', (keys.told[partition] as Channel).name, name];
  await redis.at(partition, (node) => node.send(command));
}

/** Entries as Redis gives them: an id, then the names and values of its fields. */
function entriesOf(reply: unknown): TurnEntry[] {
  return (reply as [string, string[]][]).map(([id, [, record = '', , payments]]) => ({
    id,
    record,
    ...(payments && { payments: payments.split(',') }),
  }));
}

function withoutPayments({ id, record }: TurnEntry): TurnEntry {
  return { id, record };
}

async function scheduled(
  state: State,
  partition: Partition,
  prefix: string,
  limit: number,
): Promise<Scheduled[]> {
  checkPartition(partition);
  const { redis, keys } = state;
  const most = Math.max(0, limit);
  const index = dueIndex(keys, partition, prefix);
  if (LISTED_KINDS.some((kind) => kind === prefix)) {
    const command = ['ZRANGE', index, '-inf', '+inf', 'BYSCORE', 'LIMIT', '0', String(most), 'WITHSCORES'];
    return pairsOf(await redis.at(partition, (node) => node.send(command)));
  }
  // A part of a listed kind is among that kind. Anything else can be anywhere.
  const isListed = LISTED_KINDS.some((kind) => prefix.startsWith(kind));
  const indexes = isListed ? [index] : (keys.due[partition] as readonly string[]);
  const found = await Promise.all(indexes.map((each) => matching(state, partition, each, prefix)));
  return found
    .flat()
    .sort((a, b) => a.at - b.at)
    .slice(0, most);
}

/** Looks through a whole index. */
async function matching(
  { redis }: State,
  partition: Partition,
  index: string,
  prefix: string,
): Promise<Scheduled[]> {
  const pattern = `${prefix.replace(/[\\*?[\]^-]/g, '\\$&')}*`;
  const found = new Map<string, number>();
  let cursor = '0';
  do {
    const command = ['ZSCAN', index, cursor, 'MATCH', pattern, 'COUNT', String(SCAN_COUNT)];
    const [next, flat] = (await redis.at(partition, (node) => node.send(command))) as [string, string[]];
    for (const { key, at } of inPairs(flat)) found.set(key, at);
    cursor = next;
  } while (cursor !== '0');
  return Array.from(found, ([key, at]) => ({ key, at }));
}

/** RESP3 gives members and their scores in pairs, scores as numbers. */
function pairsOf(reply: unknown): Scheduled[] {
  return (reply as [string, number][]).map(([key, at]) => ({ key, at }));
}

/** Settings with which Redis forgets what it has acknowledged. Silent where the server does not tell. */
async function dangers(redis: RedisNodes<RedisConnection>): Promise<string[]> {
  const info = String(await redis.at(0, (node) => node.send(['INFO'])).catch(() => ''));
  const policy = /maxmemory_policy:(\S+)/.exec(info)?.[1] ?? 'noeviction';
  return [
    ...(/aof_enabled:0/.test(info)
      ? ['Redis keeps no append-only file: a crash loses conversations and payments (set appendonly yes)']
      : []),
    ...(policy === 'noeviction'
      ? []
      : [`Redis drops keys when memory is short: ${policy} (set maxmemory-policy noeviction)`]),
  ];
}

function toDoc(text: string | null, key: string): Doc | undefined {
  if (text === null) return undefined;
  const bar = text.indexOf('|');
  return { value: unpack(text.slice(bar + 1), key), version: Number(text.slice(0, bar)) };
}

/** The four arguments of one document. See `commitScript`. */
function pushWrite(rest: string[], write: Write): void {
  const { version, next = version + 1, value, keepUntil } = write;
  rest.push(
    version === 0 ? '' : `${version}|`,
    value === null ? '' : `${next}|${plain(value)}`,
    dueText(write),
    // Redis takes no moment before 1 ms.
    keepUntil === undefined ? '' : String(keepUntil || 1),
  );
}

function dueText({ version, value, dueAt }: Write): string {
  if (value === null || dueAt == null) return '';
  if (dueAt !== SAME) return String(dueAt);
  // A document that Redis has forgotten since may have left its due entry behind.
  return version === 0 ? '' : DUE_KEPT;
}

/** The results that could be had: one lost node must not stop the others' timers. Rejects without any. */
async function mostOf<T>(promises: Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  const had = results.filter((result) => result.status === 'fulfilled');
  const [lost] = results.filter((result) => result.status === 'rejected');
  if (lost && had.length === 0) throw lost.reason;
  return had.map((result) => result.value);
}
