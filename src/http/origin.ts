import type { Context, MiddlewareHandler } from 'hono';

/**
 * Tells whose page sent a request, by the browser's word: this host's, or another's. `unnamed`: no browser, or a request
 * that browsers send without an origin. Hosts are compared, schemes are not, because a proxy may have ended TLS.
 */
export function pageOrigin(c: Context): 'own' | 'foreign' | 'unnamed' {
  const origin = c.req.header('origin');
  if (origin === undefined) return 'unnamed';
  const host = URL.canParse(origin) ? new URL(origin).host : undefined;
  return host !== undefined && host === (c.req.header('host') ?? new URL(c.req.url).host) ? 'own' : 'foreign';
}

/** True for a request that may change something and does not come from a page of ours: browsers name the origin of those. */
export function isForgeable(c: Context): boolean {
  return c.req.method !== 'GET' && c.req.method !== 'HEAD' && pageOrigin(c) !== 'own';
}

/** Refuses (403) what another site's page sends with our customer's cookie. */
export const sameOrigin: MiddlewareHandler = async (c, next) =>
  isForgeable(c) ? c.json({ error: 'wrong origin' }, 403) : next();
