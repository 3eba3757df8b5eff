import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ASKS_FROM_500_DH } from '../kit/first-payments.ts';

/** A process that does not start, or does not end, in this time is a failure. */
const START_MAX_MS = 60_000;

/** One process of a release. */
export interface Instance {
  readonly url: string;
  /** Its log, errors only. */
  readonly errors: () => string;
  /** Ends it as a deploy does (SIGTERM), and waits until it is gone. */
  stop(): Promise<void>;
  kill(): void;
}

/** Starts a process of the release in a directory, and waits until its doors are open. */
export async function startInstance(tree: string, env: Readonly<Record<string, string>>): Promise<Instance> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: tree,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'error',
      OUTCOME_WAIT_MS: '0',
      ...ASKS_FROM_500_DH,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let err = '';
  let out = '';
  child.stderr.on('data', (text) => {
    err += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`did not start: ${out}${err}`)), START_MAX_MS);
    child.stdout.on('data', (text) => {
      out += text;
      // A kept release says it in words.
      const ready = /^(?:Wasl is ready: |\{.*"url":")(http[^"\s]+)(?:$|".*"Wasl is ready"\}$)/m.exec(
        out,
      )?.[1];
      if (ready) resolve(ready);
    });
    child.once('close', () => reject(new Error(`did not start: ${out}${err}`)));
    child.once('close', () => clearTimeout(timer));
  });
  return {
    url,
    errors: () => `${out.replace(/^.*Wasl is ready.*\n/m, '')}${err}`,
    stop: () => stopped(child),
    kill: () => child.kill('SIGKILL'),
  };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

/** A balancer that hands requests to each process in turn, whoever they are from. */
export interface Balancer {
  readonly url: string;
  add(instance: Instance): void;
  /** Hands it nothing more, and waits until it has answered what it has. */
  remove(instance: Instance): Promise<void>;
  close(): void;
}

export async function startBalancer(): Promise<Balancer> {
  const behind: Instance[] = [];
  const underWay = new Map<Instance, Set<Promise<unknown>>>();
  let turn = 0;
  const server = createServer((incoming, response) => {
    const instance = behind[turn++ % behind.length];
    if (!instance) return void response.writeHead(503).end();
    const answered = once(response, 'close');
    underWay.get(instance)?.add(answered);
    void answered.finally(() => underWay.get(instance)?.delete(answered));
    passOn(instance, incoming, response);
  });
  // A customer's connection is not closed between two of their turns: the next one could meet the close on its way.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add(instance) {
      underWay.set(instance, new Set());
      behind.push(instance);
    },
    async remove(instance) {
      behind.splice(behind.indexOf(instance), 1);
      await Promise.all(underWay.get(instance) ?? []);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function passOn(instance: Instance, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = incoming;
  const outgoing = request(new URL(incoming.url ?? '/', instance.url), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => {
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
  incoming.pipe(outgoing);
}
