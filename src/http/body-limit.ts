import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/**
 * Refuses bodies of more than `maxBytes`. If the request says its length, the length is checked before the body is read, and
 * Node reads no byte beyond it. Only a body in chunks is counted as it comes. Counting makes a web stream of it, which
 * doubles the cost of a small request. A request that passes costs no promise of its own, because every request passes here.
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
 * The same for files. A body in chunks is not read at all, because it would be held in memory until it proves too long. Any
 * sender of a file knows its length (RFC 9110, 15.5.12).
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
