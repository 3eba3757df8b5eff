import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSessions } from '../../src/conversation/session/sessions.ts';
import { unpack } from '../../src/store/unpack.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import type { Customer } from './customer.ts';
import { redisClient } from './redis-server.ts';
import type { Parts } from './world-parts.ts';
import type { Life } from './world-process.ts';

/** A chore that has not ended by then died with its process. */
const DEAD_AFTER_MS = 500;

/** How time passes, and how processes end and start again. */
export function courseOf({ clock, sandbox, background, wallet }: Parts, life: Life) {
  const settles = (): Promise<void> => background.done();
  async function rests(): Promise<void> {
    do {
      await settles();
      await life.running.engine.close();
      // A chore that the worker has taken by itself is not due any more, but not done either.
    } while ((await life.running.worker.round()) > 0 || (await life.running.worker.settles()));
    await life.running.lookAtCases();
    await life.running.engine.close();
  }
  async function crashes(): Promise<void> {
    const { engine, worker, store } = life.running;
    // A process that is dead holds no answer any more.
    engine.stop();
    // A chore that waits for a call which is never answered dies with its process.
    await Promise.race([worker.stop(), sleep(DEAD_AFTER_MS)]);
    await store.close();
    life.running = await life.boot();
  }
  return {
    /** Waits until the webhooks that have come are applied. */
    settles,
    /** Waits until nothing is due or going on. */
    rests,
    /** Lets time pass, for the sandbox and for Wasl, and lets everything happen that falls due. */
    async passes(ms: number): Promise<void> {
      clock.ahead += ms;
      await sandbox.settle();
      await rests();
    },
    /** Ends the process and starts it again, as a deploy would: nothing in memory is left. */
    async restarts(): Promise<void> {
      await life.running.engine.close();
      await crashes();
    },
    /** Kills the process at any point of its work, and starts it again. */
    crashes,
    /** Kills it while it waits for the wallet's answer to a call that `turn` leads to, and starts it again. */
    async crashesDuring(call: keyof Wallet, turn: PromiseLike<void>): Promise<void> {
      const reached = wallet.dies(call);
      // Nobody answers a turn of a dead process: what its gateway shows meanwhile is not looked at.
      turn.then(undefined, () => undefined);
      await reached;
      await crashes();
    },
  };
}

/** The stored data of a world, as a thief would find it. */
export function storageOf(parts: Parts, life: Life, rests: () => Promise<void>) {
  const { clock, redisUrl, records, directory } = parts;
  return {
    /** The session of a customer at this address. */
    async session({ address }: Customer) {
      return (await createSessions(life.running.store).load(address, clock.now())).session;
    },
    /** Every byte that Wasl has ever written and not cleared away: documents, timers, turn records. */
    async everythingStored(): Promise<string> {
      await rests();
      if (redisUrl) return everythingIn(redisUrl);
      await life.running.worker.stop();
      await life.running.store.close();
      const files = filesIn(directory).map((file) => readFileSync(join(directory, file), 'utf8'));
      life.running = await life.boot();
      return files.join('\n');
    },
    /** Ends it for good, and returns the rest in the files of SQLite, byte for byte. */
    async everythingLeft(): Promise<string> {
      await rests();
      await life.running.worker.stop();
      await records?.close();
      await life.running.store.close();
      return filesIn(directory)
        .map((file) => readFileSync(join(directory, file), 'latin1'))
        .join('\n');
    },
    /** Every row of the SQLite records. */
    async everythingRecorded(): Promise<string> {
      await life.running.recording?.recorder.drain();
      return rowsIn(directory);
    },
  };
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ name }) => name);
}

async function everythingIn(url: string): Promise<string> {
  const client = await redisClient(url).connect();
  const texts = await Promise.all(
    (await client.keys('*')).map(async (key) => {
      const type = await client.type(key);
      if (type === 'string') return `${key} ${unpack((await client.get(key)) ?? '', key)}`;
      if (type === 'stream') return JSON.stringify(await client.xRange(key, '-', '+'));
      return `${key} ${await client.zRange(key, 0, -1)}`;
    }),
  );
  client.destroy();
  return texts.join('\n');
}

function rowsIn(directory: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'wasl-records-'));
  for (const file of readdirSync(directory).filter((name) => name.startsWith('records.db')))
    copyFileSync(join(directory, file), join(copy, file));
  const database = new DatabaseSync(join(copy, 'records.db'));
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const rows = tables.map(({ name }) => {
    const all = database.prepare(`SELECT * FROM "${name}"`);
    all.setReadBigInts(true);
    return JSON.stringify(all.all(), (_, value) => (typeof value === 'bigint' ? String(value) : value));
  });
  database.close();
  rmSync(copy, { recursive: true });
  return rows.join('\n');
}
