import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBackground } from '../src/conversation/background.ts';
import { createFleet } from '../src/conversation/chart/fleet.ts';
import { firstOpeners } from '../src/conversation/first-opener.ts';
import type { Address } from '../src/conversation/incoming.ts';
import type { Fact } from '../src/conversation/intents/evidence.ts';
import { type Intent, learn } from '../src/conversation/intents/intent.ts';
import { leased } from '../src/conversation/lease.ts';
import { createProviderInbox } from '../src/conversation/provider-inbox.ts';
import { createSmsStops } from '../src/conversation/sms-stops.ts';
import { openRedisStore } from '../src/store/redis.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import type { Store, Write } from '../src/store/store.ts';
import { msisdn } from '../src/wallet/phone.ts';
import { FORMATS } from '../tools/keep-release.ts';
import { drawn } from './battery/turn.ts';
import { PLACES } from './conversation/places.ts';
import { breaksIn, createFormats, type Formats, merged, written } from './kit/formats.ts';
import { newDirectory } from './kit/new-directory.ts';
import { redisClient, startRedis } from './kit/redis-server.ts';
import { ROOT } from './kit/tree.ts';
import { createWorld, STORES, type World } from './kit/world.ts';

const FILE = join(ROOT, FORMATS);
/** `UPDATE_FORMATS=1` adds what is new. */
const UPDATE = process.env.UPDATE_FORMATS === '1';
const recorded = (file: string): Formats => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/** One of each kind, with all that it can have. */
const FACTS: { readonly [K in Fact['kind']]: Extract<Fact, { kind: K }> } = {
  answer: { kind: 'answer', said: 'accepted', isFinal: true, operationId: 1 },
  'no-answer': { kind: 'no-answer' },
  webhook: { kind: 'webhook', event: 'transfer.completed', operation: { id: 1, ended: 'succeeded' } },
  read: { kind: 'read', operation: { id: 1, ended: 'succeeded' } },
  'own-key': { kind: 'own-key', order: 'x', operationId: 1, ended: 'succeeded' },
  'only-match': { kind: 'only-match', operationId: 1 },
  several: { kind: 'several', operationIds: [1, 2] },
  contested: { kind: 'contested' },
  'look-alikes': { kind: 'look-alikes', operationIds: [2] },
  unfinished: { kind: 'unfinished', declined: true },
  horizon: { kind: 'horizon', exists: true, unlisted: true, operationId: 1 },
  settled: {
    kind: 'settled',
    as: 'succeeded',
    proposedAt: 1,
    operationId: 1,
    by: 'a',
    approvedBy: 'b',
    evidence: 'c',
  },
  earlier: { kind: 'earlier', state: 'succeeded', operationId: 1, isByList: true },
};

/**
 * Each place is walked to on one store. It changes with the sources: a document does not depend on its store, and test/store says
 * that both keep it. `npm run test:long` walks on both.
 */
const WALKED_ON = STORES.filter(
  (_, i) => process.env.LONG === '1' || UPDATE || i === drawn('formats', STORES.length),
);

describe.each(WALKED_ON)('stored documents, on %s', (store) => {
  let world: World;
  const met = createFormats();
  const intents: Intent[] = [];
  beforeAll(async () => {
    world = await createWorld({ store, form: true, smsReports: true });
    listen(world, (kind, value) => {
      met.add(kind, value);
      if (kind === 'intent') intents.push(value as Intent);
    });
  });
  afterAll(() => world.close());

  test(`is as ${FORMATS} says`, async () => {
    for (const { path } of Object.values(PLACES)) await path(world);
    await world.passes(5_000);
    // How an outcome is learnt depends on who is faster: every way is a format of its own.
    const [intent] = intents;
    if (!intent) throw new Error('no payment was stored');
    for (const fact of Object.values(FACTS)) met.add('intent', learn(intent, fact, 1));
    const others = {
      store: world.store,
      alone: false,
      quietMs: 0,
      onError: (error: unknown) => world.errors.push(error),
    };
    const fleet = createFleet({ ...others, sentences: () => ({}) });
    await fleet.join();
    await fleet.leave();
    await keepOfChannels(world);
    expect(Object.keys(met.formats()).length).toBeGreaterThan(100);
    isRecorded(met.formats());
  });
});

test.each(STORES)('what %s stores is laid out as it says', async (store) => {
  isRecorded(store === 'sqlite' ? await layoutOfSqlite() : await layoutOfRedis());
});

function isRecorded(formats: Formats): void {
  if (UPDATE) writeFileSync(FILE, written(merged(recorded(FILE), formats)));
  const known = recorded(FILE);
  expect(breaksIn(known, formats)).toEqual([]);
  const unknown = Object.keys(formats).filter((name) => !known[name]);
  expect(unknown, 'UPDATE_FORMATS=1 records them').toEqual([]);
}

describe.each(STORES)('the fields of a later release in a document, on %s', (store) => {
  let world: World;
  const lost: string[] = [];
  beforeAll(async () => {
    world = await createWorld({ store });
    addEverywhere(world.store, (path) => lost.push(path));
  });
  afterAll(() => world.close());

  test('is kept by this one', async () => {
    const places = [
      'transfer.settled',
      'voucher.settled',
      'pin-change.changedUntil',
      'transfer.notConfirmed',
      'help.asked',
    ];
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu();
    for (const name of places) await PLACES[name]?.path(world);
    for (const amount of ['100', '200']) {
      await fatima.goes('menu').chooses('transfer').says('0655000000').says(amount).enters();
      await world.passes(5_000);
    }
    expect([...new Set(lost)]).toEqual([]);
    expect(world.errors).toEqual([]);
  });
});

describe('a release reads the documents of the next one', () => {
  const releases = readdirSync(join(ROOT, 'releases'), { withFileTypes: true });
  const kept = releases.filter((each) => each.isDirectory()).map(({ name }) => name);

  test('the one that is kept does', () => {
    for (const version of kept) {
      const before = recorded(join(ROOT, 'releases', version, 'formats.json'));
      expect(breaksIn(before, recorded(FILE))).toEqual([]);
    }
  });

  const BEFORE = [
    { at: 1, order: { kind: 'transfer', to: 'x' } },
    { at: 1, order: { kind: 'transfer', to: 'y' }, note: '' },
  ];
  test.each<[string, unknown, string[]]>([
    ['the same', { at: 2, order: { kind: 'transfer', to: 'z' } }, []],
    ['a new field', { at: 2, order: { kind: 'transfer', to: 'z', reason: 'loyer' }, by: { id: 1 } }, []],
    ['a field that was optional and is gone', { at: 2, order: { kind: 'transfer', to: 'z' } }, []],
    [
      'a field that is gone',
      { order: { kind: 'transfer', to: 'z' } },
      ['intent at was always there, and is not'],
    ],
    [
      'a field of another type',
      { at: '2', order: { kind: 'transfer', to: 'z' } },
      ['intent at is string, and was number'],
    ],
    [
      'a renamed field inside',
      { at: 2, order: { kind: 'transfer', recipient: 'z' } },
      ['intent order(transfer).to was always there, and is not'],
    ],
    [
      'a word that was not known',
      { at: 2, order: { kind: 'loan', sum: 1 } },
      ['intent order is loan, which was not known'],
    ],
  ])('%s', (_, after, breaks) => {
    expect(breaksIn(formatsOf(...BEFORE), formatsOf(after))).toEqual(breaks);
  });

  function formatsOf(...documents: readonly unknown[]): Formats {
    const met = createFormats();
    for (const document of documents) met.add('intent', document);
    return met.formats();
  }
});

/** What the doors of channels keep by themselves: posted messages, STOP, the first opener of a link, the holder of a bind. */
async function keepOfChannels({ store, secrets }: World): Promise<void> {
  const number = msisdn('+212600000001');
  const [stops, lease] = [createSmsStops(store, secrets), leased(store, 'smpp:one')];
  await stops.set(number, true);
  await firstOpeners({ store, secrets })('link', 'browser');
  await lease.wait(new AbortController().signal);
  await lease.give();
  const background = createBackground(() => {});
  const inbox = createProviderInbox({ store, secrets, background, now: Date.now });
  const times = { failing: 1 };
  inbox.works('whatsapp', async () => {
    if (times.failing-- > 0) throw new Error('cannot be kept now');
  });
  const from: Address = 'whatsapp:formats';
  await inbox.save(from, [{ id: 'one', order: 1, body: '{}' }]);
  await inbox.rests(from);
  await inbox.process(from);
  await inbox.rests(from);
}

/** Hears every document and every turn record that a world commits. */
function listen({ store }: World, hear: (kind: string, value: unknown) => void): void {
  const { commit } = store;
  const heard = (text: string | null | undefined, kind: string) => {
    if (text != null) hear(kind, JSON.parse(text));
  };
  Object.assign(store, {
    commit: (...[partition, it]: Parameters<typeof commit>) => {
      // A closed case is in the stream of turns but is no turn. Readers of turns leave it out.
      heard(it.turn, it.turn?.includes('"event":{"kind":"case"}') ? 'closed case' : 'turn');
      for (const { key, value } of it.writes as readonly Write[]) heard(value, key.replace(/:.*/, ''));
      return commit(partition, it);
    },
  });
}

/** Something of every sort that a store keeps. */
async function filled(store: Store): Promise<void> {
  const writes = [{ key: 'session:one', version: 0, value: '{}', dueAt: 1, keepUntil: Date.now() + 60_000 }];
  await store.commit(0, { writes, turn: '{}', durable: true });
  await store.close();
}

/** The tables of the embedded store, and the number of its format. */
async function layoutOfSqlite(): Promise<Formats> {
  const directory = newDirectory('formats');
  await filled(await openSqliteStore({ directory }));
  const db = new DatabaseSync(join(directory, 'wasl.db'));
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .all();
  const columns = tables.flatMap(({ name: table }) =>
    db
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map(({ name, type }) => [`sqlite ${table}.${name}`, { types: [String(type)], always: true }]),
  );
  const [version] = db.prepare('PRAGMA user_version').all();
  db.close();
  return {
    ...Object.fromEntries(columns),
    'sqlite format': { types: ['number'], always: true, words: [String(version?.user_version)] },
  };
}

/** The keys in Redis and what they are. */
async function layoutOfRedis(): Promise<Formats> {
  const redis = await startRedis();
  await filled(await openRedisStore({ url: redis.url }));
  const client = await redisClient(redis.url).connect();
  const keys = await client.keys('*');
  const types = await Promise.all(
    keys.map(async (key) => [`redis ${key}`, { types: [await client.type(key)], always: true }]),
  );
  client.destroy();
  await redis.stop();
  return Object.fromEntries(types);
}

const LATER = 'ofALaterRelease';
type Json = Readonly<Record<string, unknown>>;

/**
 * Adds a field to every document that is read, and to everything with an id in one, as a later release could. It
 * reports a write without the field. The field of the document is the number of its read. A writer may hold its own
 * copy, so only fields of the writer's own read are expected.
 */
function addEverywhere(store: Store, lost: (path: string) => void): void {
  const { read, commit } = store;
  const reads: Json[] = [];
  const isRead = new Set<string>();
  Object.assign(store, {
    async read(...[partition, keys]: Parameters<typeof read>) {
      const docs = await read(partition, keys);
      return docs.map((doc, i) => {
        if (!doc) return undefined;
        const value = withLater(JSON.parse(doc.value), reads.length);
        reads.push(value);
        isRead.add(`${partition} ${keys[i]} ${doc.version}`);
        return { ...doc, value: JSON.stringify(value) };
      });
    },
    commit(...[partition, it]: Parameters<typeof commit>) {
      for (const { key, version, value } of it.writes as readonly Write[]) {
        if (value === null) continue;
        const kind = key.replace(/:.*/, '');
        const written: Json = JSON.parse(value);
        const before = reads[Number(written[LATER])];
        if (before) compare(kind, before, written, lost);
        else if (isRead.has(`${partition} ${key} ${version}`)) lost(kind);
      }
      return commit(partition, it);
    },
  });
}

function withLater(value: Json, read: number): Json {
  const lists = Object.entries(value).map(([name, field]) => [
    name,
    Array.isArray(field) ? field.map(marked) : field,
  ]);
  return { ...Object.fromEntries(lists), [LATER]: read };
}

function marked(each: unknown): unknown {
  return hasId(each) ? { ...each, [LATER]: true } : each;
}

function compare(path: string, before: Json, after: Json, lost: (path: string) => void): void {
  for (const [name, field] of Object.entries(before)) {
    const now = after[name];
    if (!Array.isArray(field) || !Array.isArray(now)) continue;
    const kept = now.filter(hasId).filter(({ id }) => field.some((old) => hasId(old) && old.id === id));
    if (kept.some((each) => !(LATER in each))) lost(`${path} ${name}[]`);
  }
}

function hasId(value: unknown): value is Json & { readonly id: string } {
  return typeof value === 'object' && value !== null && 'id' in value;
}
