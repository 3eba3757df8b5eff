import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from 'redis';
import { openPostgresRecords } from '../src/records/postgres.ts';
import { WEEK_MS } from '../src/records/postgres-schema.ts';
import { createRecorder } from '../src/records/recorder.ts';
import type { Records } from '../src/records/records.ts';
import { createUpkeep } from '../src/records/upkeep.ts';
import { createRenderer } from '../src/screen/renderer.ts';
import { openRedisStore } from '../src/store/redis.ts';
import { PARTITIONS, type Store } from '../src/store/store.ts';
import { type PostgresServer, query, startPostgres } from '../test/kit/postgres-server.ts';
import { startRedis } from '../test/kit/redis-server.ts';
import { measure, quantile } from './measure.ts';
import { createDriver, TURNS_PER_CONVERSATION, walletOf } from './transfers.ts';

/** Customers who pay once each, and whose turns are then recorded. */
const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS ?? 5_000);
/** Events that are searched; 10 million are promised. */
const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const SEARCHES = 100;
const DAY_MS = 24 * 3_600_000;
/** As it is run: what was written is on the disk. */
export const SETTINGS = [
  'shared_buffers=512MB',
  'maintenance_work_mem=256MB',
  'max_wal_size=4GB',
  'checkpoint_timeout=30min',
];

/** Aims: 5,000 events a second by one recorder on two cores; a search among 10 million in under 300 ms. */
export async function benchRecords(events = EVENTS): Promise<readonly object[]> {
  const postgres = await startPostgres(SETTINGS);
  try {
    const records = openPostgresRecords(postgres.url);
    const rows = [...(await benchRecording(records)), ...(await benchSearch(records, postgres, events))];
    await records.close();
    return rows;
  } finally {
    await postgres.stop();
  }
}

/** What customers leave in Redis, how fast it is recorded, and what stays there. */
async function benchRecording(records: Records): Promise<object[]> {
  const redis = await startRedis();
  const client = await createClient({ url: redis.url }).connect();
  const store = await openRedisStore({ url: redis.url, recorded: true });
  const driver = createDriver(store, createRenderer());
  const used = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
  const empty = await used();
  /** Without the streams: what stays of them is the last turns of each partition, however many customers there are. */
  const streams = async () => {
    const keys = Array.from({ length: PARTITIONS }, (_, p) => `wasl:{p${String(p).padStart(3, '0')}}turns`);
    const bytes = await Promise.all(keys.map((key) => client.memoryUsage(key, { SAMPLES: 0 })));
    return bytes.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  };
  const perCustomer = async () => Math.round(((await used()) - empty - (await streams())) / CUSTOMERS);
  await measure(CUSTOMERS, 32, 1, async (i) => {
    await driver.conversation(walletOf(i), () => {});
    await driver.outcome(walletOf(i));
    await driver.goesIdle(walletOf(i));
  });
  await driver.rests();
  const before = await perCustomer();
  const ofTurns = Math.round((await streams()) / CUSTOMERS);
  const recorder = createRecorder({ store, records, turnsMax: 1e9, onProgress() {}, now: Date.now });
  const { seconds, cpuUs } = await measure(1, 1, 1, () => recorder.drain());
  const { events } = (await records.inventory()).count;
  await leave(store, records);
  const after = await perCustomer();
  await store.close();
  client.destroy();
  await redis.stop();
  return [
    {
      what: 'recorded, turns and payments',
      eventsPerSecond: Math.round(events / seconds),
      recorderCpuUsPerEvent: Math.round(cpuUs / events),
      turnsPerPayment: Math.round((events / CUSTOMERS) * 10) / 10,
      of: TURNS_PER_CONVERSATION,
    },
    { what: 'bytes in Redis for a customer with one payment', before, after, turnsBefore: ofTurns },
  ];
}

/** Five days later everything is over. */
async function leave(store: Store, records: Records): Promise<void> {
  const now = () => Date.now() + 5 * DAY_MS;
  const keptDays = { events: 400, payments: 3_653, audit: 730, names: 400 };
  const upkeep = createUpkeep({
    store,
    records,
    takeOver: async () => {},
    keptDays,
    onForgotten() {},
    onNotForgotten() {},
    now,
  });
  await upkeep.begin();
  while ((await records.paymentsToLookAt(now(), 1)).length > 0) await upkeep.run('payments');
}

async function benchSearch(records: Records, postgres: PostgresServer, events: number): Promise<object[]> {
  await fillEvents(postgres.url, events);
  const rows: object[] = [];
  const search = async (what: string, find: (i: number) => Promise<readonly unknown[]>) => {
    const ms: number[] = [];
    for (let i = 0; i < SEARCHES; i++) {
      const startedAt = performance.now();
      if ((await find(i * 37)).length === 0) throw new Error(`${what} found nothing`);
      ms.push(performance.now() - startedAt);
    }
    const at = (share: number) => Math.round(quantile(ms, share) * 10) / 10;
    rows.push({ what: `${what}, among ${events} events`, p50Ms: at(0.5), p99Ms: at(0.99) });
  };
  await search('turns of a number', (i) => records.turnsOf({ wallet: numberOf(i) }, 60));
  await search('turns of an address', (i) => records.turnsOf({ address: `ussd:${numberOf(i)}` }, 60));
  await search('turns that name a request', (i) => records.turnsNaming(requestOf(i), 60));
  return [...rows, await bareCopy(postgres.url, events)];
}

/** What nobody can be faster than: the same rows, written by the server alone. */
export async function bareCopy(url: string, events: number): Promise<object> {
  // The server writes it as whoever it runs as: only its own folder is surely open to it.
  const [{ data_directory: folder } = {}] = await query(url, 'SHOW data_directory');
  const file = join(String(folder), 'bench.copy');
  await query(url, `COPY (SELECT * FROM event) TO '${file}'`);
  await query(url, 'CREATE TABLE bare (LIKE event)');
  const startedAt = performance.now();
  await query(url, `COPY bare FROM '${file}'`);
  const seconds = (performance.now() - startedAt) / 1_000;
  rmSync(file);
  return { what: 'a bare COPY of the same rows, no index', eventsPerSecond: Math.round(events / seconds) };
}

/** The calls that the events name, by their places. */
export function requestOf(i: number): string {
  return `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
}

/** The customers of the events that are made here, by their places. */
export function numberOf(i: number): string {
  return `+2127${String(i).padStart(8, '0')}`;
}

/** Made by the server itself, which sorts its indexes once instead of row by row: each customer has twenty turns, over a year. */
export async function fillEvents(url: string, events: number): Promise<void> {
  const now = Date.now();
  const indexes = await query(
    url,
    "SELECT indexname AS name, indexdef AS text FROM pg_indexes WHERE tablename = 'event' AND indexname <> 'event_pkey'",
  );
  for (const { name } of indexes) await query(url, `DROP INDEX "${name}"`);
  for (let week = Math.floor((now - 52 * WEEK_MS) / WEEK_MS); week <= now / WEEK_MS; week++)
    await query(
      url,
      `CREATE TABLE IF NOT EXISTS event_${week} PARTITION OF event FOR VALUES FROM (${week * WEEK_MS}) TO (${(week + 1) * WEEK_MS})`,
    );
  await query(
    url,
    `INSERT INTO event SELECT i % 256, i, at, 'ussd:' || number, number, 'time', ARRAY['00000000-0000-4000-8000-' || lpad(i::text, 12, '0')],
      '{"v":2,"at":' || at || ',"address":"ussd:' || number || '","wallet":"' || number || '","language":"fr","event":{"kind":"time"},'
      || '"from":"","to":"menu.choosing","screen":{"key":"menu.choose","expects":"choice"},"ran":[],"ms":1,"trace":"'
      || rpad('', 250, 'x') || '"}'
      FROM (SELECT i, ${now} - (i * 7919::bigint % ${52 * 7 * DAY_MS}) AS at, '+2127' || lpad((i / 20)::text, 8, '0') AS number
        FROM generate_series(0, ${events - 1}) AS i) AS row`,
  );
  for (const { text } of indexes) await query(url, String(text).replace(' ON ONLY ', ' ON '));
  await query(url, 'ANALYZE event');
}

/** First names, of which few are many people's, and family names, which are spread. */
const FIRST_NAMES = 200;
const FAMILY_NAMES = 5_000;

/** The name of the customer at a place, in words that `wordsSearched` leaves as they are. */
export function nameOf(i: number): readonly [first: string, family: string] {
  const share = (i * 7_919) % 1_000;
  return [
    nameAt(Math.floor((FIRST_NAMES * share ** 3) / 1e9)),
    nameAt(FIRST_NAMES + ((i * 104_729) % FAMILY_NAMES)),
  ];
}

/** Syllables: `baceda`. */
function nameAt(i: number): string {
  return [i % 20, Math.floor(i / 20) % 20, Math.floor(i / 400)]
    .map((n) => `${'bcdfghjklmnpqrstvxzw'[n]}${'aeiou'[n % 5]}`)
    .join('');
}

/** What so many customers are found by when somebody searches for a name, those at the first places told last. */
export async function fillNames(
  url: string,
  customers: number,
  digest: (word: string) => string,
): Promise<void> {
  const all = Array.from({ length: FIRST_NAMES + FAMILY_NAMES }, (_, i) => `'${digest(nameAt(i))}'`);
  for (const place of [
    `1 + floor(${FIRST_NAMES} * (i * 7919::bigint % 1000)::numeric ^ 3 / 1e9)`,
    `1 + ${FIRST_NAMES} + i * 104729::bigint % ${FAMILY_NAMES}`,
  ])
    await query(
      url,
      `INSERT INTO name SELECT '+2127' || lpad(i::text, 8, '0'), (ARRAY[${all.join()}])[(${place})::int], ${Date.now()} - i
        FROM generate_series(0, ${customers - 1}) AS i`,
    );
  await query(url, 'ANALYZE name');
}
