import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

const START_MAX_MS = 60_000;
/** Debian keeps the server's programs out of the path, one folder for each release. */
const DEBIAN = '/usr/lib/postgresql';
const DIE_WITH_PARENT = '/usr/bin/setpriv';
/** A test machine loses nothing that matters. */
const FAST = [
  '-c',
  'fsync=off',
  '-c',
  'full_page_writes=off',
  '-c',
  'shared_buffers=32MB',
  '-c',
  'autovacuum=off',
];

export interface PostgresServer {
  /** Of an empty database. */
  readonly url: string;
  readonly port: number;
  /** Makes a place that is empty, and gives its URL: a schema, which is made in no time. */
  place(): Promise<string>;
  /** Makes another empty database, and gives its URL. */
  database(): Promise<string>;
  /** Ends it at once, as a crash does, and keeps what it has. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  starts(): Promise<void>;
  /** Ends it, and removes what it has. */
  stop(): Promise<void>;
}

/** The path of a program of PostgreSQL, or undefined if it is not installed. */
export function postgresProgram(name: string): string | undefined {
  const releases = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...releases.map((release) => join(DEBIAN, release, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * Starts a real PostgreSQL on 127.0.0.1 in a folder of its own. It refuses to run as root, so that root starts it as
 * the user postgres.
 * @param settings more of its settings, each as `name=value`. Without them nothing is forced to the disk
 */
export async function startPostgres(settings?: readonly string[]): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'wasl-postgres-'));
  const asPostgres = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  if (asPostgres.length > 0) {
    const [uid = '', gid = ''] = ['-u', '-g'].map((flag) =>
      `${execFileSync('id', [flag, 'postgres'])}`.trim(),
    );
    chownSync(directory, Number(uid), Number(gid));
  }
  const command = (...args: string[]) => [...asPostgres, ...args] as [string, ...string[]];
  const [init, ...initArgs] = command(
    program('initdb'),
    '-D',
    directory,
    '-U',
    'wasl',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
  );
  execFileSync(init, [...initArgs, '--locale=C'], { stdio: 'ignore' });
  const port = await freePort();
  const more = settings?.flatMap((setting) => ['-c', setting]) ?? FAST;
  const place = ['-D', directory, '-p', `${port}`, '-h', '127.0.0.1', '-k', ''];
  let child: Running | undefined;
  const url = `postgres://wasl@127.0.0.1:${port}`;
  let databases = 0;
  const server: PostgresServer = {
    url: `${url}/postgres`,
    port,
    async place() {
      const name = `test${databases++}`;
      await query(server.url, `CREATE SCHEMA ${name}`);
      return `${server.url}?options=${encodeURIComponent(`-c search_path=${name}`)}`;
    },
    async database() {
      const name = `test${databases++}`;
      await query(server.url, `CREATE DATABASE ${name}`);
      return `${url}/${name}`;
    },
    async kill() {
      await child?.end('SIGQUIT');
      child = undefined;
    },
    async starts() {
      // Of one that was killed, and whose number may be another process's by now.
      rmSync(join(directory, 'postmaster.pid'), { force: true });
      child = run(command(program('postgres'), ...place, ...more), join(directory, 'postmaster.pid'));
      await answers(server.url, child);
    },
    async stop() {
      await child?.end('SIGINT');
      rmSync(directory, { recursive: true, force: true });
    },
  };
  try {
    await server.starts();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/** Runs some SQL on a connection of its own. */
export async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

interface Running {
  readonly isGone: () => boolean;
  /** It has its port: another server may have it, and answer there. */
  readonly isReady: () => boolean;
  end(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Ends with its parent, even with one killed by -9. `runuser` passes no signal on, so that the server gets it directly.
 * @param pidFile the file with the server's process id
 */
function run(command: readonly [string, ...string[]], pidFile: string): Running {
  const whole = existsSync(DIE_WITH_PARENT)
    ? [DIE_WITH_PARENT, '--pdeathsig', 'TERM', '--', ...command]
    : command;
  const child = spawn(whole[0] as string, whole.slice(1), { stdio: 'ignore' });
  let isGone = false;
  const ended = once(child, 'exit').then(() => {
    isGone = true;
    process.off('exit', killNow);
  });
  const send = (signal: NodeJS.Signals) => {
    const [pid = child.pid as number] = existsSync(pidFile)
      ? readFileSync(pidFile, 'utf8').split('\n').map(Number)
      : [];
    process.kill(pid, signal);
  };
  const killNow = () => send('SIGQUIT');
  process.once('exit', killNow);
  return {
    isGone: () => isGone,
    isReady: () => existsSync(pidFile) && /^ready/m.test(readFileSync(pidFile, 'utf8')),
    async end(signal) {
      if (!isGone) send(signal);
      await ended;
    },
  };
}

async function answers(url: string, { isGone, isReady }: Running): Promise<void> {
  for (const until = Date.now() + START_MAX_MS; ; await sleep(30)) {
    if (isGone()) throw new Error('PostgreSQL ended at once');
    const isThere = () =>
      query(url, 'SELECT 1').then(
        () => true,
        () => false,
      );
    if (isReady() && (await isThere())) return;
    if (Date.now() > until) throw new Error('PostgreSQL did not start');
  }
}

function program(name: string): string {
  const path = postgresProgram(name);
  if (!path) throw new Error(`${name} is not installed (apt-get install postgresql)`);
  return path;
}
