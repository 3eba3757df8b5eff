import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** How often each process is asked whether it is ready, and how many answers in a row are believed. */
const CHECK_MS = 100;
const FALL = 2;
const CHECK_MAX_MS = 20_000;

/** A plain round-robin balancer: it looks at `/ready`, keeps its connections, and tries nothing twice. */
export interface Balancer {
  readonly url: string;
  /** Sends requests to this process too, once it is ready. */
  add(url: string): void;
  /** Resolves once it sends requests to so many processes. */
  serves(count: number): Promise<void>;
  close(): Promise<void>;
}

interface Backend {
  readonly url: string;
  isUp: boolean;
  /** Answers in a row that said the opposite of `isUp`. */
  against: number;
}

export async function startBalancer(): Promise<Balancer> {
  const backends: Backend[] = [];
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((asked, answer) => {
    const up = backends.filter(({ isUp }) => isUp);
    const chosen = up[turn++ % up.length];
    if (chosen) void pass(asked, answer, chosen, agent);
    else answer.writeHead(503).end('no process is ready');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const checking = setInterval(() => void Promise.all(backends.map(check)), CHECK_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (url) => void backends.push({ url, isUp: false, against: 0 }),
    async serves(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const looking = setInterval(() => {
        if (backends.filter(({ isUp }) => isUp).length === count) resolve();
      }, CHECK_MS);
      await promise.finally(() => clearInterval(looking));
    },
    async close() {
      clearInterval(checking);
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function check(backend: Backend): Promise<void> {
  // A slow process, as on a machine that stands still, is treated like any other.
  const isReady = await fetch(`${backend.url}/ready`, { signal: AbortSignal.timeout(CHECK_MAX_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  backend.against = isReady === backend.isUp ? 0 : backend.against + 1;
  if (backend.against < FALL) return;
  backend.isUp = isReady;
  backend.against = 0;
}

async function pass(
  asked: IncomingMessage,
  answer: ServerResponse,
  { url }: Backend,
  agent: Agent,
): Promise<void> {
  const body = await buffer(asked);
  const { method = 'GET', headers } = asked;
  const { connection: _hop, ...rest } = headers;
  const onward = request(url + asked.url, { method, headers: rest, agent }, async (got) => {
    const { connection: _own, ...given } = got.headers;
    answer.writeHead(got.statusCode ?? 502, given).end(await buffer(got));
  });
  onward.on('error', ({ message }) => answer.writeHead(502).end(message)).end(body);
}
