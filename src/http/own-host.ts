import type { MiddlewareHandler } from 'hono';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The hosts of a server on a loopback address. `more`: addresses at which it is shown to others. */
export function loopbackHosts(more: readonly (string | undefined)[] = []): readonly string[] {
  return [...LOOPBACK, ...more.flatMap((url) => (url ? new URL(url).hostname : []))];
}

/**
 * Answers 421 to a request that was meant for another host. Otherwise a foreign page whose name points to this machine ("DNS
 * rebinding") would pass as our own: the browser sees the same origin, and so do we.
 */
export function ownHostOnly(hosts: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const url = `http://${c.req.header('host') ?? ''}`;
    const host = URL.canParse(url) ? new URL(url).hostname : '';
    return hosts.includes(host) ? next() : c.text('another host\n', 421);
  };
}
