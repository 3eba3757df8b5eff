import { DatabaseSync } from 'node:sqlite';
import { type RedisServer, redisClient, startRedis } from './redis-server.ts';
import type { WorldOptions } from './world.ts';

/** A real store that can be hurt and healed. Nothing that it has acknowledged is lost by that. */
export interface FragileStore {
  /** The options of a world. */
  readonly store: NonNullable<WorldOptions['store']>;
  /** It answers reads, and takes no write. */
  fills(): Promise<void>;
  /** It has room again. */
  drains(): Promise<void>;
  close(): Promise<void>;
}

/** A Redis that can be stopped in the middle of anything, and filled. `replicasMin`: its commits wait for a replica. */
export interface FragileRedis extends FragileStore {
  readonly server: RedisServer;
  /** It answers nobody, as a machine that swaps or a disk that hangs. */
  stalls(): void;
  goesOn(): void;
  /** True while a client waits for replicas (`WAIT`). */
  isWaitedFor(): Promise<boolean>;
}

export async function fragileRedis(replicasMin = 0): Promise<FragileRedis> {
  const server = await startRedis({ args: ['--maxmemory-policy', 'noeviction'] });
  const admin = await redisClient(server.url).connect();
  const room = async (bytes: string) => void (await admin.sendCommand(['CONFIG', 'SET', 'maxmemory', bytes]));
  return {
    server,
    store: { url: server.url, replicasMin },
    stalls: () => void process.kill(server.pid, 'SIGSTOP'),
    goesOn: () => void process.kill(server.pid, 'SIGCONT'),
    fills: () => room('1'),
    drains: () => room('0'),
    isWaitedFor: async () => /blocked_clients:[1-9]/.test(`${await admin.sendCommand(['INFO', 'clients'])}`),
    async close() {
      admin.destroy();
      await server.stop();
    },
  };
}

/**
 * SQLite on a full disk. A store that opens after this call gets a connection that a pragma makes read-only. Every
 * write then fails as on a full disk, at the same place in every run.
 */
export function fragileSqlite(): FragileStore {
  const opened: DatabaseSync[] = [];
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (...args) {
    if (!opened.includes(this)) opened.push(this);
    return prepare.apply(this, args);
  };
  const ours = () => opened.filter((db) => db.isOpen && db.location()?.endsWith('/wasl.db'));
  const set = (pragma: string) => {
    const databases = ours();
    if (databases.length === 0) throw new Error('no store of SQLite is open');
    for (const db of databases) db.exec(pragma);
  };
  return {
    store: 'sqlite',
    fills: async () => set('PRAGMA query_only = ON'),
    drains: async () => set('PRAGMA query_only = OFF'),
    async close() {
      DatabaseSync.prototype.prepare = prepare;
    },
  };
}

/** A replica of a Redis: connected, stopped by SIGSTOP (it acknowledges nothing), or gone. */
export async function replicaOf({ port }: Pick<RedisServer, 'port'>) {
  const server = await startRedis({ args: ['--replicaof', '127.0.0.1', `${port}`] });
  return {
    stalls: () => void process.kill(server.pid, 'SIGSTOP'),
    close: () => server.kill(),
    /** Waits until it has everything. */
    async isLinked(): Promise<void> {
      const admin = await redisClient(server.url).connect();
      while (!`${await admin.sendCommand(['INFO', 'replication'])}`.includes('master_link_status:up'))
        await new Promise((resolve) => setTimeout(resolve, 20));
      admin.destroy();
    },
  };
}
