import type { MiddlewareHandler } from 'hono';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The hosts that a server on a loopback address is reached by; `more`: addresses at which it is shown to others. */
export function loopbackHosts(more: readonly (string | undefined)[] = []): readonly string[] {
  return [...LOOPBACK, ...more.flatMap((url) => (url ? new URL(url).hostname : []))];
}

/**
 * Answers 421 to a request that was meant for another host. A page of somebody else's whose name is made to point to this machine
 * ("DNS rebinding") would otherwise be taken for our own: by the browser, as its origin stays the same, and so by us.
 */
export function ownHostOnly(hosts: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const url = `http://${c.req.header('host') ?? ''}`;
    const host = URL.canParse(url) ? new URL(url).hostname : '';
    return hosts.includes(host) ? next() : c.text('another host\n', 421);
  };
}
