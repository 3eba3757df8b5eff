import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSmsInbox } from '../../src/channels/sms/simulator.ts';
import { type Background, createBackground } from '../../src/conversation/background.ts';
import type { Alarm } from '../../src/conversation/budgets.ts';
import { onWords } from '../../src/conversation/chart/releases.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { createNames, learningNames, type Names } from '../../src/records/names.ts';
import { openPostgresRecords } from '../../src/records/postgres.ts';
import type { Progress } from '../../src/records/recorder.ts';
import type { Records } from '../../src/records/records.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { createRenderer, type Renderer } from '../../src/screen/renderer.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { createWalletClock } from '../../src/wallet/clock.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import type { StoreWeather } from './fragile-store.ts';
import { createMeddler } from './meddler.ts';
import { patientWallet } from './patient-wallet.ts';
import { startRedis } from './redis-server.ts';
import type { WorldOptions } from './world-options.ts';

/** Everything that outlives a process: the files of the store, the records, the sandbox, the clock and the inboxes. */
export async function openParts(options: WorldOptions) {
  const { settings = { settleAfterMs: 1_000 }, walletAheadMs = 0 } = options;
  const stored = await openFiles(options);
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  const theirs = { now: () => clock.now() + walletAheadMs };
  const sandbox = createSandbox({ file: ':memory:', seed: 'tests', settings, clock: theirs });
  const walletClock = createWalletClock(clock.now);
  const served = await sandbox.listen(0);
  const wallet = createMeddler();
  const secrets = createSecrets('a secrets key of the tests, 32 characters');
  const renderer = createRenderer();
  const errors: unknown[] = [];
  const alarms: Alarm[] = [];
  const progress: Progress[] = [];
  const onError = (error: unknown) => errors.push(error);
  const background = createBackground(onError);
  const { records } = stored;
  const names = records && createNames({ records, secrets, now: clock.now });
  const client = createWallet({
    url: served.url,
    apiKey: sandbox.apiKey,
    ...(options.walletAheadMs !== undefined && { clock: walletClock }),
  });
  const weather: StoreWeather = { isDown: false };
  return {
    ...stored,
    ...{ clock, sandbox, walletClock, served, wallet, secrets, renderer, names, weather },
    ...{ errors, alarms, progress, onError, background },
    api: noting(wallet.between(patientWallet(client)), names, background),
    forgetsWords: onWords((release, { sentences }) => renderer.learn(release, sentences)),
    spoken: checkedInAll(options.ears?.renderer(renderer) ?? renderer, renderer),
    inbox: createSmsInbox(clock.now),
    /** The number of SMS with outcomes that the provider refuses from now on. */
    post: { refuses: 0 },
  };
}
export type Parts = Awaited<ReturnType<typeof openParts>>;

/** The folder of a world, its Redis if it has one, its records, and how a process opens its store. */
async function openFiles(options: WorldOptions) {
  const directory = mkdtempSync(join(tmpdir(), 'wasl-'));
  const redis = options.store === 'redis' ? await startRedis() : undefined;
  const { url: redisUrl, ...replicas } =
    typeof options.store === 'object' ? options.store : { url: redis?.url };
  const turns = {
    recorded: options.records !== undefined,
    ...(options.turnsMax && { turnsMax: options.turnsMax }),
  };
  const openStore = (): Promise<Store> =>
    redisUrl
      ? openRedisStore({ url: redisUrl, ...replicas, ...turns })
      : openSqliteStore({ directory, ...turns });
  const records =
    options.records === 'sqlite'
      ? await openSqliteRecords(directory)
      : options.records && openPostgresRecords(options.records.url);
  return { directory, redis, redisUrl, openStore, records, caseRecords: caseRecordsIn(directory, records) };
}

/** The records that have the cases. Where a world records nothing, a file of their own that is made when a case is looked for. */
function caseRecordsIn(directory: string, records: Records | undefined) {
  let opened: Promise<Records> | undefined;
  return {
    open(): Promise<Records> {
      opened ??= records ? Promise.resolve(records) : openSqliteRecords(join(directory, 'cases'));
      return opened;
    },
    /** Undefined where nobody has looked for a case. */
    opened: () => opened,
    async close() {
      await (await opened)?.close();
    },
  };
}

/** The wallet, whose answers teach the names that cases are found by, if there are records. */
function noting(client: Wallet, names: Names | undefined, background: Background): Wallet {
  if (!names) return client;
  return learningNames(client, names, {
    asked: client,
    inBackground: (work) => background.add(work, 'Saved names could not be written down'),
  });
}

/** An SMS that lacks a sentence in one language fails in every test, in whichever language it runs. */
function checkedInAll(spoken: Renderer, renderer: Renderer): Renderer {
  return {
    ...spoken,
    sms(screen, language) {
      for (const each of LANGUAGES) renderer.sms(screen, each);
      return spoken.sms(screen, language);
    },
  };
}
