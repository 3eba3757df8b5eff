import { mkdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { INDEXES, SCHEMA, TRIGGERS } from '../src/sandbox/core/schema.ts';
import { API_KEY_DEFAULT, createSandbox } from '../src/sandbox/sandbox.ts';
import { API, API_HEADERS } from '../src/wallet/contract/api.ts';
import { centimes } from '../src/wallet/money.ts';
import { type Program, startProgram } from '../test/kit/program.ts';
import { hundredths, measure, quantile } from './measure.ts';

/**
 * The sandbox as partners meet it: a process of its own on a SQLite file, asked over HTTP by this one. A pair is the preview
 * and the execution of a transfer. Where the machine is busy, wall time says little: `pairs per CPU second` are those that
 * one whole core would do.
 */
const PAIRS = 6_000;
const LANES = 16;
const STEADY_PER_SECOND = 500;
const STEADY_PAIRS = 4_000;
const PAYERS = 500;
const WALLETS = 10_000;
const OPERATIONS = 10_000_000;
const PAGES = 500;
/** Who receives every second operation. */
const BUSY = 0;

interface Figure {
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  readonly aim: string;
}

/** @param directory for its files */
export async function benchSandbox(directory: string): Promise<readonly Figure[]> {
  const pairs = await benchPairs(join(directory, 'pairs'));
  const pages = await benchPages(join(directory, 'pages'));
  return [
    { what: 'start', figure: Math.round(pairs.startMs), unit: 'ms', aim: '≤ 1000' },
    { what: 'pairs', figure: Math.round(pairs.perSecond), unit: 'per s', aim: '≥ 1500' },
    { what: 'pairs per CPU second', figure: Math.round(pairs.perCpuSecond), unit: 'per s', aim: '≥ 1500' },
    { what: `a pair at ${STEADY_PER_SECOND}/s, p50`, figure: hundredths(pairs.p50), unit: 'ms', aim: '' },
    { what: `a pair at ${STEADY_PER_SECOND}/s, p99`, figure: hundredths(pairs.p99), unit: 'ms', aim: '≤ 10' },
    ...pages.flatMap(({ of, p50, p99 }) => [
      { what: `${of} among ten million operations, p50`, figure: hundredths(p50), unit: 'ms', aim: '≤ 10' },
      { what: `${of} among ten million operations, p99`, figure: hundredths(p99), unit: 'ms', aim: '≤ 10' },
    ]),
  ];
}

/** Wallets of the bench: `+2127…`. */
export function benchWallet(n: number): string {
  return `+2127${String(n % WALLETS).padStart(8, '0')}`;
}

async function benchPairs(directory: string) {
  await withWallets(directory, PAYERS);
  const { url, startMs, cpuSeconds, stop } = await start(directory);
  const ask = caller(url);
  const pair = async (n: number) => {
    const [from, to] = [benchWallet(n % PAYERS), benchWallet((n + 1) % PAYERS)];
    const body = { CustomerPhoneNumber: from, RecipientPhoneNumber: to, Amount: 1, Reason: 'bench' };
    await ask('POST', API.previewTransfer.path, body);
    await ask('POST', API.executeTransfer.path, body);
  };
  await measure(PAIRS / 4, LANES, 1, pair);
  const before = cpuSeconds();
  const { seconds } = await measure(PAIRS, LANES, 1, pair);
  const cpu = cpuSeconds() - before;
  const ms = await steadily(pair);
  await stop();
  const perCpuSecond = PAIRS / cpu;
  return {
    startMs,
    perSecond: PAIRS / seconds,
    perCpuSecond,
    p50: quantile(ms, 0.5),
    p99: quantile(ms, 0.99),
  };
}

/** Starts pairs at a steady pace, whether or not those before have ended; gives how many ms each took. */
async function steadily(pair: (n: number) => Promise<void>): Promise<readonly number[]> {
  const startedAt = performance.now();
  const all: Promise<number>[] = [];
  while (all.length < STEADY_PAIRS) {
    const due = ((performance.now() - startedAt) / 1000) * STEADY_PER_SECOND;
    for (; all.length < Math.min(due, STEADY_PAIRS); ) all.push(timed(() => pair(all.length)));
    await sleep(1);
  }
  return Promise.all(all);
}

/** Over HTTP: pages of wallets with some 1,500 operations each, of one that has received half of them, and of all. */
async function benchPages(directory: string) {
  await withWallets(directory, WALLETS, { operations: OPERATIONS });
  const { url, stop } = await start(directory);
  const ask = caller(url);
  const of = (n: number, more: Record<string, string> = {}) =>
    `${API.listOperations.path}?${new URLSearchParams({ PhoneNumber: benchWallet(n), ...more })}`;
  const kinds: readonly (readonly [string, (n: number) => string])[] = [
    ['a page', (n) => of(BUSY + 1 + n * 31)],
    ['a page of the busiest wallet', () => of(BUSY)],
    ['a search in the busiest wallet', () => of(BUSY, { Keyword: 'nowhere' })],
    ['a page of all', () => API.listAllOperations.path],
    ['a search in all', () => `${API.listAllOperations.path}?search=nowhere`],
  ];
  const figures = [];
  for (const [name, path] of kinds) {
    const ms: number[] = [];
    for (let n = 0; n < PAGES; n++) ms.push(await timed(() => ask('GET', path(n))));
    figures.push({ of: name, p50: quantile(ms, 0.5), p99: quantile(ms, 0.99) });
  }
  await stop();
  return figures;
}

/** A file with so many wallets, and operations between them that have long been completed. */
export async function withWallets(
  directory: string,
  wallets: number,
  { operations = 0, pin }: { operations?: number; pin?: string } = {},
): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'sandbox.db');
  const sandbox = createSandbox({ file });
  const who = {
    firstName: 'Bench',
    lastName: 'Test',
    level: 4,
    status: 3,
    balance: centimes(10_000_00),
    ...(pin && { pin }),
  } as const;
  for (let n = 0; n < wallets; n++) sandbox.addCustomer({ ...who, phone: benchWallet(n) });
  await sandbox.close();
  if (operations === 0) return;
  const db = new DatabaseSync(file);
  const { first } = db.prepare('SELECT id AS first FROM customers WHERE phone = ?').get(benchWallet(0)) ?? {};
  // Indexes and tallies are made once everything is there: row by row that takes many times as long.
  db.exec(
    `PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB}`,
  );
  for (const index of INDEXES) db.exec(`DROP INDEX ${index}`);
  for (const trigger of TRIGGERS) db.exec(`DROP TRIGGER ${trigger}`);
  db.prepare(ADD_OPERATIONS).run(operations, Number(first), wallets, BUSY);
  db.exec(ADD_TALLIES);
  db.exec(SCHEMA);
  db.exec('PRAGMA journal_mode = WAL');
  db.close();
}

const CACHE_KIB = 262_144;
/** So many, between so many wallets from a first one on; every second is received by the one that is busy. */
const ADD_OPERATIONS = `
  WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?1)
  INSERT INTO operations (tenant, type, status, amount, fees, reason, transactionId, reference, payer, senderId, sender,
    receiverId, receiver, told, openLoop, refunds, requestId, createdAt, listedAt, settleAt, settlesAs, executedAt, faults)
  SELECT 1, 3, 2, 100, 0, 'bench', n, 1000 || n, 1, ?2 + n * 7919 % ?3, 'from',
    CASE n % 2 WHEN 0 THEN ?2 + ?4 ELSE ?2 + (n * 104729 + 1) % ?3 END, 'to', '{}', 0, 0, n, n, n, n, 2, n, '{}' FROM numbers`;
const ADD_TALLIES = (['tenant', 'senderId', 'receiverId'] as const)
  .map(
    (
      side,
    ) => `INSERT INTO tallies SELECT '${side}', ${side}, type, status, openLoop, '', COUNT(*) FROM operations
      WHERE status <> 1 GROUP BY 2, 3, 4, 5 ON CONFLICT DO UPDATE SET n = n + excluded.n;`,
  )
  .join(' ');

/** `npm run sandbox` on a folder. */
function start(directory: string): Promise<Program> {
  return startProgram('src/sandbox/main.ts', { DATA_DIR: directory, SANDBOX_PORT: '0' });
}

/** Asks over connections that stay open, and throws for anything but a 200. */
function caller(url: string) {
  // A server closes a connection after five idle seconds: this side is earlier, so that none breaks as it is used again.
  const agent = new Agent({ keepAlive: true, timeout: 2_000 });
  const headers = { [API_HEADERS.key]: API_KEY_DEFAULT, 'content-type': 'application/json' };
  return (method: string, path: string, body?: object): Promise<void> =>
    new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const length = text && { 'content-length': Buffer.byteLength(text) };
      const asked = request(
        `${url}${path}`,
        { method, agent, headers: { ...headers, ...length } },
        (answer) => {
          answer
            .resume()
            .on('end', () =>
              answer.statusCode === 200 ? resolve() : reject(new Error(`${path} ${answer.statusCode}`)),
            );
        },
      );
      asked.on('error', reject).end(text);
    });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
