import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/**
 * Refuses bodies of more than `maxBytes`. Where the request says its length (Node reads no byte beyond it), that is looked at
 * before the body is; only a body in chunks is counted as it comes, which makes a web stream of it and doubles what a small
 * request costs. What is let through costs no promise of its own: every request passes here.
 */
export function bodyAtMost(
  maxBytes: number,
  refuse: (c: Context) => Response | Promise<Response> = (c) => c.text('too large\n', 413),
): MiddlewareHandler {
  const counted = bodyLimit({
    maxSize: maxBytes,
    onError: (c) => {
      dropRest(c);
      return refuse(c);
    },
  });
  return (c, next) => {
    const { method } = c.req;
    if (method === 'GET' || method === 'HEAD') return next();
    const length = c.req.header('content-length');
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) return counted(c, next);
    return Number(length) > maxBytes ? Promise.resolve(refuse(c)) : next();
  };
}

/** Takes off the line what comes of a body that nobody reads on: the next request of the connection is behind it. */
function dropRest({ env }: Context): void {
  (env as Partial<HttpBindings> | undefined)?.incoming?.removeAllListeners('data').resume();
}

/**
 * The same for files. A body in chunks is not read at all: it would be held in memory until it proves too long, and whoever sends a file
 * knows its length (RFC 9110, 15.5.12).
 */
export function uploadAtMost(
  maxBytes: number,
  refuse: (c: Context) => Response | Promise<Response> = (c) => c.text('too large\n', 413),
): MiddlewareHandler {
  const small = bodyAtMost(maxBytes, refuse);
  return async (c, next) => {
    const { method } = c.req;
    const isMeasured = c.req.header('content-length') !== undefined && !c.req.header('transfer-encoding');
    return isMeasured || method === 'GET' || method === 'HEAD'
      ? small(c, next)
      : c.text('length required\n', 411);
  };
}
