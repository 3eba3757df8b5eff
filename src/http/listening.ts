import type { Server as HttpServer } from 'node:http';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { originOf } from './network.ts';

/** How often a server that is closing looks for connections that have fallen idle. */
const SWEEP_MS = 50;

/** A port that is ours. */
export interface Server {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Resolves once the port is ours; rejects when it is taken.
 * @param graceMs how long requests under way may take when the server is asked to close
 */
export function listening(
  app: Hono,
  port: number,
  hostname: string,
  { graceMs = 0 }: { readonly graceMs?: number } = {},
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname }, (at) =>
      resolve({ url: originOf(hostname, at.port), port: at.port, close: () => closing(server, graceMs) }),
    ) as HttpServer;
    server.once('error', reject);
  });
}

function closing(server: HttpServer, graceMs: number): Promise<void> {
  return new Promise((done) => {
    // A connection falls idle when its answer has ended; a request that never ends must not keep the process.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const grace = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(grace);
      done();
    });
  });
}
