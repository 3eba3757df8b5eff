import { writeSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { newCaseId } from '../../src/conversation/cases/changes.ts';
import { type CaseUpdate, carrying, caseUpdate } from '../../src/conversation/cases/update.ts';
import { intentKey } from '../../src/conversation/intents/intent.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { openPostgresRecords } from '../../src/records/postgres.ts';
import { createRecorder } from '../../src/records/recorder.ts';
import type { Records } from '../../src/records/records.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { createUpkeep } from '../../src/records/upkeep.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import type { Account } from '../../src/support/access/account.ts';
import { readBook } from '../../src/support/access/account-book.ts';
import { createAccounts } from '../../src/support/access/accounts.ts';
import { createAudit } from '../../src/support/audit/audit.ts';
import { breaking, type Life } from './crash-points.ts';
import {
  DEEDS,
  PARTITIONS_USED,
  PAYMENTS_EACH,
  type Recorded,
  type RecordingOptions,
  TURNS_EACH,
  TURNS_WITH_NEWS,
} from './records-history.ts';

const SENT_AT = Date.UTC(2026, 10, 1);
const DAY_MS = 24 * 3_600_000;
const ACTS = { disable: 'disableAccount', promote: 'changeRole', enable: 'enableAccount' } as const;
/** A machine that stands still is not a PostgreSQL that is down. */
const CONNECT_MAX_MS = 60_000;

const options = JSON.parse(process.argv[2] ?? '{}') as RecordingOptions;
const life = breaking();
const store = watched(await openStore(), life, 'store');
const opened = await openRecords();
const records = watched(opened, life, 'records');
watchStatements(life);
let days = 0;
const now = () => SENT_AT + days * DAY_MS;

const secrets = createSecrets('a secrets key of the tests, 32 characters');
const settings = watched(opened.settings, life, 'settings');
const accounts = createAccounts({ store, settings, secrets, now });
const audit = createAudit(store, secrets, now, watched(opened.audit, life, 'audit'));

await begin();
if (options.unfinished !== undefined) {
  await playToTheEnd();
  await accounts.compare();
}
const report = options.unfinished === undefined ? undefined : await look(options.unfinished);
days = 0;
await write(options.history);
life.trace();
life.arm(options.point);
await playToTheEnd();
await doDeeds();
const trace = life.trace();
const own = options.point === undefined ? { ...(await look(options.history)), trace } : undefined;
process.stdout.write(`${JSON.stringify(report ?? own ?? null)}\n`);
process.exit(0);

async function begin(): Promise<void> {
  await recorder().begin();
  await upkeep().begin();
}

function recorder() {
  const steps = { turnsPerStep: TURNS_EACH / 3, turnsLive: TURNS_EACH / 3 };
  return createRecorder({ store, records, turnsMax: 10_000, ...steps, onProgress() {}, now });
}

function upkeep() {
  const keptDays = { events: 400, payments: 3_653, audit: 730, names: 400 };
  return createUpkeep({
    store,
    records,
    takeOver: async () => {},
    keptDays,
    onForgotten() {},
    onNotForgotten() {},
    now,
  });
}

/** Everything is recorded, payments grow old, and leave. */
async function playToTheEnd(): Promise<void> {
  await recorder().run('0');
  days += 5;
  await upkeep().run('payments');
}

/** Each one that is done is said at once, so that it is known of a process that dies. */
async function doDeeds(): Promise<void> {
  const does = {
    disable: () => accounts.disable('disable', 'chief'),
    promote: () => accounts.setRole('promote', 'supervisor', 'chief'),
    enable: () => accounts.enable('enable', 'chief'),
  };
  for (const deed of DEEDS) {
    await audit.append({ who: 'chief', act: ACTS[deed], on: deed, what: `${options.history}` });
    const { ok } = await does[deed]();
    if (!ok) throw new Error(`refused: ${deed}`);
    writeSync(1, `${deed}\n`);
  }
  await audited(options.history);
}

/** The entries of the audit about the deeds of a history, the earliest first. What waits in the outbox comes into the chain by that. */
async function audited(history: number): Promise<string[]> {
  const found: string[] = [];
  for await (const { what, on = '' } of audit.all({ who: 'chief' }))
    if (what === `${history}`) found.unshift(on);
  return found;
}

/** The accounts as they are before the deeds. The first process makes them. */
async function undoDeeds(): Promise<void> {
  // An audit is older than any account.
  await audit.append({ who: 'command', act: 'createAccount', on: 'chief' });
  await accounts.create({ id: 'chief', name: 'Chief', role: 'admin' });
  for (const id of DEEDS) await accounts.create({ id, name: id, role: 'agent' });
  await accounts.enable('disable', 'chief');
  await accounts.setRole('promote', 'agent', 'chief');
  await accounts.disable('enable', 'chief');
}

async function deedsDone(): Promise<Recorded['deeds']> {
  const { all } = await opened.settings.of('account');
  const inRecords = Object.fromEntries(all.map(({ id, value }) => [id, JSON.parse(value) as Account]));
  if (!isDeepStrictEqual(inRecords, await readBook(store))) return undefined;
  const { disable, promote, enable } = inRecords;
  return DEEDS.filter(
    (deed) =>
      ({
        disable: disable?.disabled === true,
        promote: promote?.role === 'supervisor',
        enable: enable?.disabled !== true,
      })[deed],
  );
}

async function write(history: number): Promise<void> {
  await undoDeeds();
  for (const partition of PARTITIONS_USED) {
    for (let i = 0; i < TURNS_EACH; i++) {
      const id = i < PAYMENTS_EACH ? paymentOf(history, partition, i) : undefined;
      const writes = id ? [{ key: intentKey(id), version: 0, value: intent(id) }] : [];
      const told = TURNS_WITH_NEWS.includes(i) ? [needed(history, partition, i)] : [];
      const turn = JSON.stringify({ at: SENT_AT, address: 'web:x', history, i });
      await store.commit(partition, { writes, ...carrying(turn, told) });
    }
  }
}

async function look(history: number): Promise<Omit<Recorded, 'trace'>> {
  const turns = PARTITIONS_USED.map(async (partition) => {
    const read = (await records.turns(partition, 100_000)).map(({ record }) => JSON.parse(record));
    return read
      .filter((turn) => turn.history === history)
      .map(({ i }) => Number(i))
      .reverse();
  });
  const waiting = new Set((await records.paymentsToLookAt(SENT_AT * 2, 100_000)).map(({ id }) => id));
  const ids = PARTITIONS_USED.flatMap((partition) =>
    Array.from({ length: PAYMENTS_EACH }, (_, i) => ({ partition, id: paymentOf(history, partition, i) })),
  );
  const payments = ids.map(async ({ partition, id }) => {
    const [doc] = await store.read(partition, [intentKey(id)]);
    return [doc !== undefined, (await records.payment(id)) !== undefined, waiting.has(id)] as const;
  });
  const cases = PARTITIONS_USED.map(async (partition) => {
    const it = await opened.cases.read((tx) => tx.about('asked', subjectOf(history, partition)));
    return it?.steps.map(({ what, at }) => `${what} ${at - SENT_AT}`) ?? [];
  });
  return {
    turns: await Promise.all(turns),
    payments: await Promise.all(payments),
    cases: await Promise.all(cases),
    deeds: await deedsDone(),
    audited: await audited(history),
    isAuditWhole: (await audit.verify()).ok,
  };
}

function subjectOf(history: number, partition: number): string {
  return `web:${history}-${partition}`;
}

function needed(history: number, partition: number, i: number): CaseUpdate {
  const opening = { kind: 'asked', subject: subjectOf(history, partition) } as const;
  return caseUpdate(SENT_AT + i, { what: 'opened', case: newCaseId(), opening });
}

function paymentOf(history: number, partition: number, i: number): string {
  const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');
  return `${hex(partition, 2)}${hex(history * 16 + i, 6)}-0000-4000-8000-000000000000`;
}

/** One that has succeeded, and that nobody has to look for any more. */
function intent(id: string): string {
  const settled = {
    kind: 'settled',
    at: SENT_AT,
    as: 'succeeded',
    proposedAt: 1,
    by: 'a',
    approvedBy: 'b',
    evidence: '',
  };
  return JSON.stringify({
    id,
    wallet: '+212600000001',
    address: 'ussd:+212600000001',
    state: 'succeeded',
    sentAt: SENT_AT,
    order: { kind: 'transfer', from: '+212600000001', to: '+212600000002', amount: 100 },
    quote: { fees: 0, total: 100, openLoop: false, at: SENT_AT, alike: [] },
    before: [],
    evidence: [settled],
    audit: [[SENT_AT, 'succeeded', { kind: 'learnt', fact: settled }]],
  });
}

function openStore(): Promise<Store> {
  const { place } = options;
  return 'directory' in place
    ? openSqliteStore({ directory: place.directory, recorded: true })
    : openRedisStore({ url: place.redis, recorded: true });
}

async function openRecords(): Promise<Records> {
  const { place } = options;
  return 'directory' in place
    ? openSqliteRecords(place.directory)
    : openPostgresRecords(place.postgres, Date.now, CONNECT_MAX_MS);
}

/** Every call is two moments: before it, and once it is done. */
function watched<T extends object>(subject: T, moments: Life, name: string): T {
  const calls = Object.entries(subject).map(([method, call]) => [
    method,
    async (...args: unknown[]) => {
      moments.at(`before ${name}.${method}`);
      const result = await call(...args);
      moments.at(`after ${name}.${method}`);
      return result;
    },
  ]);
  return Object.fromEntries(calls) as T;
}

/** And every statement that the records run, which come several to a call. */
function watchStatements(moments: Life): void {
  const { query } = pg.Client.prototype;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...args: unknown[]) {
      moments.at(`statement ${wordOf(args[0])}`);
      return Reflect.apply(query, this, args);
    },
  });
  for (const name of ['run', 'all'] as const) {
    const call = StatementSync.prototype[name];
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...args: unknown[]) {
        moments.at(`statement ${wordOf(this.sourceSQL)}`);
        return Reflect.apply(call, this, args);
      },
    });
  }
}

/** `INSERT`, `COMMIT`, … */
function wordOf(statement: unknown): string {
  return /^\s*(\w+)/.exec(String(statement))?.[1] ?? '';
}
