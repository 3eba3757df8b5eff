import { type ServerType, serve } from '@hono/node-server';
import type { Hono } from 'hono';

export interface Server {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Resolves once the port is ours; rejects when it is taken. */
export function listening(app: Hono, port: number, hostname: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname }, (address) => {
      const url = `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${address.port}`;
      resolve({ url, port: address.port, close: () => closing(server) });
    });
    server.once('error', reject);
  });
}

function closing(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}
