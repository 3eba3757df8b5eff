import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { helpOn } from '../src/help.ts';
import { createRenderer } from '../src/screen/renderer.ts';
import { openRedisStore } from '../src/store/redis.ts';
import { startRedis } from '../test/kit/redis-server.ts';
import { benchBoard } from './board.ts';
import { benchCluster } from './cluster.ts';
import { benchConsole } from './console.ts';
import { benchDesk } from './desk.ts';
import { benchEngine } from './engine.ts';
import { benchGrowth } from './growth.ts';
import { benchHttp } from './http.ts';
import { benchPayouts } from './payouts.ts';
import { benchRecords } from './records.ts';
import { benchSandbox } from './sandbox.ts';
import { benchSmpp } from './smpp.ts';
import { benchTelegram } from './telegram.ts';
import { benchUssd } from './ussd.ts';
import { benchWallet } from './wallet.ts';
import { benchWords } from './words.ts';

type Rows = readonly object[];

const { argv } = process;

/** Sessions and events at the console: a million, or ten, take their time to be made. */
const DESK_SIZE = 100_000;

/**
 * What `npm run bench` measures, in this order. Words after it choose. `--json` prints one object a line. `--size=1000000` says how
 * much there is to be searched, for `records` and `desk`. `--events=10000000`: events beside so many sessions, for `desk`. `--quick` takes two minutes for `http`.
 */
const PARTS: Readonly<Record<string, (directory: string, size?: number, events?: number) => Promise<Rows>>> =
  {
    http: (directory) => benchHttp(directory, argv.includes('--quick')),
    wallet: benchWallet,
    ussd: benchUssd,
    smpp: benchSmpp,
    engine: benchEngine,
    growth: benchGrowth,
    payouts: benchPayouts,
    telegram: () =>
      withRedis(async (url) => {
        const client = createClient({ url, commandOptions: { timeout: 0 } });
        await client.connect();
        const store = await openRedisStore({ url });
        const rows = await benchTelegram(client, store, createRenderer());
        await store.close();
        await client.close();
        return rows;
      }),
    console: () =>
      withRedis(async (url) => {
        const store = await openRedisStore({ url });
        const rows = await benchConsole(store, createRenderer());
        await store.close();
        return rows;
      }),
    board: () =>
      withRedis(async (url) => {
        const store = await openRedisStore({ url });
        const rows = await benchBoard(store, createRenderer());
        await store.close();
        return rows;
      }),
    records: (_, size) => benchRecords(size),
    desk: (_, size, events) => benchDesk(size ?? DESK_SIZE, events),
    cluster: benchCluster,
    sandbox: benchSandbox,
    words: benchWords,
  };

helpOn(`npm run bench -- [part …] [--json] [--quick] [--size=1000000] [--events=10000000]
Parts: ${Object.keys(PARTS).join(', ')}`);
const asked = argv.slice(2).filter((word) => !word.startsWith('-'));
const numberOf = (flag: string) => Number(argv.find((word) => word.startsWith(flag))?.slice(flag.length));
const [size, events] = ['--size=', '--events='].map((flag) => numberOf(flag) || undefined);
const unknown = asked.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}: there are ${Object.keys(PARTS).join(', ')}.`);
  process.exit(1);
}
for (const [name, measure] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const directory = mkdtempSync(join(tmpdir(), 'wasl-bench-'));
  print(name, await measure(directory, size, events));
  rmSync(directory, { recursive: true, force: true });
}

async function withRedis(work: (url: string) => Promise<Rows>): Promise<Rows> {
  const redis = await startRedis();
  try {
    return await work(redis.url);
  } finally {
    await redis.stop();
  }
}

function print(name: string, rows: Rows): void {
  if (argv.includes('--json')) for (const row of rows) console.log(JSON.stringify({ part: name, ...row }));
  else {
    console.log(name);
    console.table(rows);
  }
}
