import type { Server as HttpServer, ServerResponse } from 'node:http';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { originOf } from './network.ts';

/** How often a server that is closing looks for connections that have fallen idle. */
const SWEEP_MS = 50;

/**
 * Limits of a connection. A balancer keeps idle connections for a minute or less. Ours outlive them, so that it never writes
 * to a connection that we are closing.
 */
export interface ConnectionLimits {
  /** How long a connection may be idle between two requests. */
  readonly keepAliveMs: number;
  /** How long the head of a request may take to come, and the whole of it. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Connections at once, open streams of chats included. One more is closed unanswered. */
  readonly connectionsMax: number;
}
const CONNECTION_LIMITS: ConnectionLimits = {
  keepAliveMs: 65_000,
  headersMs: 10_000,
  requestMs: 60_000,
  connectionsMax: 10_000,
};

/** A port that is ours. */
export interface Server {
  readonly url: string;
  readonly port: number;
  /** From now on every answer asks its sender to use another connection next time. */
  drain(): void;
  close(): Promise<void>;
}

interface ListeningOptions {
  /** How long requests under way may take when the server is asked to close. */
  readonly graceMs?: number;
  readonly limits?: ConnectionLimits;
}

/** Resolves once the port is ours, and rejects if it is taken. */
export function listening(
  app: Hono,
  port: number,
  hostname: string,
  { graceMs = 0, limits = CONNECTION_LIMITS }: ListeningOptions = {},
): Promise<Server> {
  const serverOptions = {
    keepAliveTimeout: limits.keepAliveMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.headersMs / 2,
  };
  return new Promise((resolve, reject) => {
    // Node takes the unread rest of a request off the line, for `requestMs` at most. The library would close the connection
    // after half a second instead, also while the machine stands still. The next request may already be on it.
    const autoCleanupIncoming = false;
    const fetch = canonicalOnly(app);
    const server = serve({ fetch, port, hostname, serverOptions, autoCleanupIncoming }, (at) =>
      resolve({
        url: originOf(hostname, at.port),
        port: at.port,
        drain: () => draining(server),
        close: () => closing(server, graceMs),
      }),
    ) as HttpServer;
    server.maxConnections = limits.connectionsMax;
    server.once('error', reject);
  });
}

/** A letter, digit or mark that needs no encoding: what is encoded all the same is another spelling of it. */
const ENCODED_PLAIN = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;

/** A path of plain names, as almost all are. It has one spelling. */
const PLAIN_PATH = /^(?:\/[\w-]+)+$/;

/**
 * Answers 400 to a target that is another spelling of a path: a proxy that denies `/support` does not see that `/%73upport` and
 * `/x/../support` are the same page here.
 */
function canonicalOnly(app: Hono) {
  return (request: Request, env: { readonly incoming: { readonly url?: string | undefined } }) => {
    const [path = ''] = (env.incoming.url ?? '').split('?', 1);
    const isCanonical =
      PLAIN_PATH.test(path) ||
      (path.startsWith('/') &&
        !path.startsWith('//') &&
        !ENCODED_PLAIN.test(path) &&
        URL.parse(path, 'http://localhost')?.pathname === path);
    return isCanonical ? app.fetch(request, env) : new Response('not a canonical address\n', { status: 400 });
  };
}

/** Closing a connection that is idle can meet a request on its way to us: whoever uses it is told first. */
function draining(server: HttpServer): void {
  server.prependListener('request', (_request, answer: ServerResponse) => {
    answer.setHeader('connection', 'close');
  });
}

function closing(server: HttpServer, graceMs: number): Promise<void> {
  return new Promise((done) => {
    // A connection falls idle when its answer has ended. A request that never ends must not keep the process.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const grace = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(grace);
      done();
    });
  });
}
