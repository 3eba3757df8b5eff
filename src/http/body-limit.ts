import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/**
 * Refuses bodies of more than `maxBytes`. Where the request says its length (Node reads no byte beyond it), that is looked at
 * before the body is; only a body in chunks is counted as it comes, which makes a web stream of it and doubles what a small
 * request costs.
 */
export function bodyAtMost(
  maxBytes: number,
  refuse: (c: Context) => Response = (c) => c.text('too large\n', 413),
): MiddlewareHandler {
  const counted = bodyLimit({ maxSize: maxBytes, onError: refuse });
  return async (c, next) => {
    const { method } = c.req;
    if (method === 'GET' || method === 'HEAD') return next();
    const length = c.req.header('content-length');
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) return counted(c, next);
    return Number(length) > maxBytes ? refuse(c) : next();
  };
}
