import type { MiddlewareHandler } from 'hono';

/**
 * What a browser must hold to: our own files only, no inline script, nobody else's frame but `embedOrigins`, nothing
 * kept in a cache that the next person at the machine could read.
 * @param pictures another origin whose pictures are shown: the wallet's
 */
export function pageHeaders(embedOrigins: readonly string[], pictures?: string): MiddlewareHandler {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    ["img-src 'self' data:", ...(pictures ? [pictures] : [])].join(' '),
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    ["frame-ancestors 'self'", ...embedOrigins].join(' '),
  ].join('; ');
  return async (c, next) => {
    await next();
    c.header('content-security-policy', policy);
    c.header('x-content-type-options', 'nosniff');
    c.header('referrer-policy', 'no-referrer');
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
  };
}

/** Refuses what another site's page sends with our customer's cookie. Browsers name the origin of every POST. */
export const sameOrigin: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== 'GET' && hostOf(c.req.header('origin')) !== c.req.header('host')) {
    return c.json({ error: 'wrong origin' }, 403);
  }
  await next();
};

function hostOf(origin: string | undefined): string | undefined {
  return origin && URL.canParse(origin) ? new URL(origin).host : undefined;
}
