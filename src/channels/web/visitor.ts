import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Address } from '../../conversation/incoming.ts';
import type { Digest } from '../digest.ts';

const DAYS_KEPT = 30;
const SECRET = /^[\w-]{22}$/;

export interface VisitorOptions {
  readonly digest: Digest;
  /** Served over https: the cookie is `Secure` and, by its `__Host-` name, of this host alone. */
  readonly secure: boolean;
  /** Shown inside other sites' pages, where only a `SameSite=None; Partitioned` cookie is sent. */
  readonly embedded: boolean;
}

/** Who is writing: known by a cookie that only this browser has. */
export interface Visitor {
  /** The browser's address; undefined when it brought no cookie of ours. */
  readonly of: (c: Context) => Address | undefined;
  /** Gives the browser a cookie, if it has none. */
  readonly welcome: (c: Context) => void;
  /** Gives the browser a new cookie: it is another visitor from now on. */
  readonly renew: (c: Context) => void;
}

/**
 * The cookie is a random secret of 128 bits. The store sees only a digest of it, so that nobody who reads the store can
 * write as the customer.
 */
export function createVisitor({ digest, secure, embedded }: VisitorOptions): Visitor {
  if (embedded && !secure)
    throw new Error('a chat in other pages needs https: browsers send no cookie otherwise');
  const name = secure ? '__Host-wasl' : 'wasl';
  const secret = (c: Context) => {
    const value = getCookie(c, name);
    return value && SECRET.test(value) ? value : undefined;
  };
  const renew = (c: Context) => {
    setCookie(c, name, randomBytes(16).toString('base64url'), {
      path: '/',
      httpOnly: true,
      secure,
      sameSite: embedded ? 'None' : 'Lax',
      ...(embedded && { partitioned: true }),
      maxAge: DAYS_KEPT * 24 * 60 * 60,
    });
  };
  return {
    of: (c) => {
      const value = secret(c);
      return value === undefined ? undefined : `web:${digest('web', value)}`;
    },
    welcome: (c) => {
      if (secret(c) === undefined) renew(c);
    },
    renew,
  };
}
