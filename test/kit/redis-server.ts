import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { freePort } from './free-port.ts';

/** How long a server may take to answer, and a cluster to agree. */
const START_MAX_MS = 60_000;
const CONNECT_MAX_MS = 600_000;
/** A free port may be taken by somebody else before the server has it. */
const PORT_TRIES = 5;
/** Ends the server with its parent, even with one killed by -9 (util-linux). */
const DIE_WITH_PARENT = '/usr/bin/setpriv';

/** Replication begins at once (by default a primary waits 5 s for more replicas), and a lost replica is asked for often. */
const REPLICATION_ARGS = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'];
/** One lost node must not end the others' work. */
const CLUSTER_ARGS = ['--cluster-enabled', 'yes', '--cluster-require-full-coverage', 'no'];

/** A client for what a test itself asks of Redis. It is never lost for a machine that stood still. */
export function redisClient(url: string) {
  return createClient({ url, socket: { connectTimeout: CONNECT_MAX_MS } });
}

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Ends it in an orderly way. */
  stop(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
}

/** A primary and the replica that follows it. */
export interface RedisPair {
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  /** Makes each of them the other, closes no connection, and waits until the one follows the other. */
  swap(): Promise<void>;
  stop(): Promise<void>;
}

/** Three Sentinels that watch a primary and its replica, under the name `wallet`. */
export interface WatchedRedis extends RedisPair {
  /** The Sentinels' URLs, joined by commas. */
  readonly sentinels: string;
  /** Makes the replica the primary, as an operator does, and waits until the Sentinels say so. */
  failOver(): Promise<void>;
}

/** A server that speaks TLS only, with a certificate of its own authority. */
export interface TlsRedis extends RedisServer {
  /** The authority's certificate, as PEM. */
  readonly ca: string;
}

export interface RedisCluster {
  /** All nodes, joined by commas. */
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  stop(): Promise<void>;
}

/**
 * Starts a real redis-server on 127.0.0.1 in a directory of its own, which `stop` and `kill` remove. It stores nothing
 * on disk unless `args` say so. `port` takes the place of an earlier server. Otherwise a free one is found.
 */
export async function startRedis(
  options: { args?: readonly string[]; port?: number; file?: string } = {},
): Promise<RedisServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnPort(options.port ?? (await freePort()), options.args ?? [], options.file);
    } catch (error) {
      if (options.port || attempt === PORT_TRIES) throw error;
    }
  }
}

/** Starts a primary and a replica, and waits until it follows. */
export async function startRedisPair(): Promise<RedisPair> {
  const primary = await startRedis();
  const replica = await startRedis({ args: ['--replicaof', `127.0.0.1 ${primary.port}`] });
  await isFollowed(primary);
  return {
    primary,
    replica,
    async swap() {
      const clients = await Promise.all([replica, primary].map(({ url }) => redisClient(url).connect()));
      await clients[0]?.sendCommand(['REPLICAOF', 'NO', 'ONE']);
      await clients[1]?.sendCommand(['REPLICAOF', '127.0.0.1', `${replica.port}`]);
      for (const client of clients) client.destroy();
      await isFollowed(replica);
    },
    stop: async () => void (await Promise.all([primary.stop(), replica.stop()])),
  };
}

/** Sentinels call a primary down after so long without an answer. */
const DOWN_AFTER_MS = 600;

/** Starts a primary, its replica and three Sentinels, and waits until these know one another. */
export async function startWatchedRedis(): Promise<WatchedRedis> {
  const pair = await startRedisPair();
  const directory = mkdtempSync(join(tmpdir(), 'wasl-sentinels-'));
  const watchers = await Promise.all(
    [0, 1, 2].map((i) => {
      const file = join(directory, `${i}.conf`);
      writeFileSync(
        file,
        `sentinel monitor wallet 127.0.0.1 ${pair.primary.port} 2
sentinel down-after-milliseconds wallet ${DOWN_AFTER_MS}
sentinel failover-timeout wallet 3000
`,
      );
      return startRedis({ file, args: ['--sentinel'] });
    }),
  );
  const client = await redisClient(watchers[0]?.url as string).connect();
  await within(START_MAX_MS, 'the Sentinels do not find one another', async () => {
    const text = `${await client.sendCommand(['SENTINEL', 'CKQUORUM', 'wallet']).catch(() => '')}`;
    const known = JSON.stringify(await client.sendCommand(['SENTINEL', 'REPLICAS', 'wallet']));
    return text.startsWith('OK 3') && known.includes(`${pair.replica.port}`);
  });
  return {
    ...pair,
    sentinels: watchers.map(({ url }) => url).join(','),
    failOver: async () => {
      await client.sendCommand(['SENTINEL', 'FAILOVER', 'wallet']);
      await within(START_MAX_MS, 'no failover', async () =>
        `${await client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'wallet'])}`.endsWith(
          `,${pair.replica.port}`,
        ),
      );
    },
    stop: async () => {
      client.destroy();
      await Promise.all([...watchers.map((watcher) => watcher.kill()), pair.stop()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Starts a server behind TLS for 127.0.0.1, whose certificate only who has `ca` believes. */
export async function startTlsRedis(users: readonly string[] = []): Promise<TlsRedis> {
  const directory = mkdtempSync(join(tmpdir(), 'wasl-tls-'));
  const at = (name: string) => join(directory, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore', cwd: directory });
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=test authority');
  openssl('req', ...key.slice(0, 3), '-keyout', 'own.key', '-out', 'own.csr', '-subj', '/CN=127.0.0.1');
  writeFileSync(at('own.ext'), 'subjectAltName=IP:127.0.0.1');
  const signing = [
    '-CA',
    'ca.crt',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-extfile',
    'own.ext',
    '-days',
    '2',
  ];
  openssl('x509', '-req', '-in', 'own.csr', '-out', 'own.crt', ...signing);
  const tls = ['--tls-cert-file', at('own.crt'), '--tls-key-file', at('own.key'), '--tls-auth-clients', 'no'];
  const tlsPort = await freePort();
  const args = [...tls, '--tls-ca-cert-file', at('ca.crt'), '--tls-port', `${tlsPort}`];
  const server = await startRedis({
    args: [...args, ...users.flatMap((user) => ['--user', ...user.split(' ')])],
  });
  const end = (how: () => Promise<void>) => async () => {
    await how();
    rmSync(directory, { recursive: true, force: true });
  };
  return {
    ...server,
    url: `rediss://127.0.0.1:${tlsPort}`,
    port: tlsPort,
    ca: readFileSync(at('ca.crt'), 'utf8'),
    stop: end(server.stop),
    kill: end(server.kill),
  };
}

/** Waits until a primary has a replica that has everything. */
async function isFollowed({ url }: RedisServer): Promise<void> {
  const client = await redisClient(url).connect();
  await within(START_MAX_MS, 'the replica does not reach its primary', async () =>
    /slave0:.*state=online/.test(`${await client.sendCommand(['INFO', 'replication'])}`),
  );
  client.destroy();
}

/** Adds a replica to every node of a cluster and returns them in the order of their primaries. `more`: further arguments. */
export async function addReplicas(
  { nodes }: RedisCluster,
  more: readonly string[] = [],
): Promise<RedisServer[]> {
  const replicas = await Promise.all(
    nodes.map(async (primary) => {
      const busPort = await freePort();
      const args = [...CLUSTER_ARGS, '--cluster-port', `${busPort}`, ...more];
      const replica = await startRedis({ args });
      const [above, own] = await Promise.all([primary, replica].map(({ url }) => redisClient(url).connect()));
      const id = `${await above?.sendCommand(['CLUSTER', 'MYID'])}`;
      await above?.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', `${replica.port}`, `${busPort}`]);
      // A node can only follow one that it has heard of.
      await within(START_MAX_MS, 'the replica does not join', async () =>
        (own as typeof above & object).sendCommand(['CLUSTER', 'REPLICATE', id]).then(
          () => true,
          () => false,
        ),
      );
      for (const client of [above, own]) client?.destroy();
      await isFollowed(primary);
      return replica;
    }),
  );
  await knowEachOther([...nodes, ...replicas]);
  return replicas;
}

/** A node that the others do not know cannot be elected. */
async function knowEachOther(nodes: readonly RedisServer[]): Promise<void> {
  const clients = await Promise.all(nodes.map(({ url }) => redisClient(url).connect()));
  await within(START_MAX_MS, 'the replicas are not known to all', async () => {
    const infos = await Promise.all(clients.map((client) => client.sendCommand(['CLUSTER', 'INFO'])));
    return infos.every((info) => `${info}`.includes(`cluster_known_nodes:${nodes.length}`));
  });
  for (const client of clients) client.destroy();
}

/** Makes a replica of a cluster the primary of its slots at once, without asking anybody. */
export async function takeOver({ url }: RedisServer): Promise<void> {
  const client = await redisClient(url).connect();
  await client.sendCommand(['CLUSTER', 'FAILOVER', 'TAKEOVER']);
  client.destroy();
}

/**
 * Starts three nodes that own a third of the slots each, and waits until every one of them knows it. `more`: further arguments.
 */
export async function startRedisCluster(more: readonly string[] = []): Promise<RedisCluster> {
  const busPorts = [await freePort(), await freePort(), await freePort()];
  const nodes = await Promise.all(
    busPorts.map((busPort) =>
      startRedis({
        args: [...CLUSTER_ARGS, '--cluster-port', `${busPort}`, ...more],
      }),
    ),
  );
  const clients = await Promise.all(nodes.map(({ url }) => redisClient(url).connect()));
  const bounds = [0, 5461, 10923, 16384];
  for (const [i, client] of clients.entries()) {
    await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', `${bounds[i]}`, `${Number(bounds[i + 1]) - 1}`]);
    await client.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', `${nodes[0]?.port}`, `${busPorts[0]}`]);
  }
  await within(START_MAX_MS, 'the cluster did not form', async () => {
    const infos = await Promise.all(clients.map((client) => client.sendCommand(['CLUSTER', 'INFO'])));
    return infos.every(
      (info) => /cluster_state:ok/.test(`${info}`) && /cluster_known_nodes:3/.test(`${info}`),
    );
  });
  for (const client of clients) client.destroy();
  return {
    url: nodes.map(({ url }) => url).join(','),
    nodes,
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  };
}

async function startOnPort(port: number, args: readonly string[], file?: string): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), 'wasl-redis-'));
  // A Sentinel takes nothing that is about data.
  const forData = file ? [] : ['--save', '', '--appendonly', 'no', ...REPLICATION_ARGS];
  // The server opens it after its port: another one may have that port, and answer there.
  const own = join(directory, 'own.sock');
  const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory, '--unixsocket', own];
  const command = ['redis-server', ...(file ? [file] : []), ...place, ...forData, ...args];
  if (existsSync(DIE_WITH_PARENT)) command.unshift(DIE_WITH_PARENT, '--pdeathsig', 'KILL', '--');
  const child = spawn(command[0] as string, command.slice(1), { stdio: 'ignore' });
  let isGone = false;
  const ended = once(child, 'exit')
    .catch(() => {})
    .then(() => {
      isGone = true;
      process.off('exit', killNow);
    });
  const end = async (signal: NodeJS.Signals) => {
    // A server stopped by SIGSTOP hears no other signal but SIGKILL.
    if (signal !== 'SIGKILL') child.kill('SIGCONT');
    child.kill(signal);
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  const killNow = () => child.kill('SIGKILL');
  process.once('exit', killNow);
  try {
    await within(START_MAX_MS, `redis-server on port ${port} did not start`, async () => {
      if (isGone)
        throw new Error(
          `redis-server ended at once: is port ${port} taken, is it installed (apt-get install redis-server)?`,
        );
      return existsSync(own) && /^(?:\+PONG|-NOAUTH)/.test(await ask(port, 'PING'));
    });
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  const url = `redis://127.0.0.1:${port}`;
  return { url, port, pid: child.pid as number, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

/** The first bytes of the answer to an inline command, or nothing without an answer. */
async function ask(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write(`${command}\r\n`);
    const [answer] = await once(socket, 'data');
    return `${answer}`;
  } catch {
    return '';
  } finally {
    socket.destroy();
  }
}

async function within(ms: number, complaint: string, isDone: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + ms; !(await isDone()); await sleep(20)) {
    if (Date.now() > end) throw new Error(complaint);
  }
}
