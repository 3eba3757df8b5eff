import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Address } from '../../conversation/incoming.ts';
import type { Digest } from '../digest.ts';

const DAYS_KEPT = 30;
const SECRET_BYTES = 24;
const SECRET = /^[\w-]{32}$/;
/** As it was until 0.2.0, and is for as long as such cookies are kept. */
const OLD_SECRET = /^[\w-]{22}$/;
/** Of the cookie's hash, in an address. */
const ADDRESS_CHARS = 16;

interface VisitorOptions {
  readonly digest: Digest;
  /** Served over https: the cookie is `Secure` and, by its `__Host-` name, of this host alone. */
  readonly secure: boolean;
  /** Shown inside other sites' pages, where only a `SameSite=None; Partitioned` cookie is sent. */
  readonly embedded: boolean;
}

/** The visitor: known by a cookie that only this browser has. */
export interface Visitor {
  /** The browser's address. Undefined when it brought no cookie of ours. */
  of(c: Context): Address | undefined;
  welcome(c: Context): void;
  /** Gives the browser a new cookie: it is another visitor from now on. */
  renew(c: Context): void;
}

/**
 * The cookie is a random secret of 192 bits. The store sees only a hash of it, so that nobody who reads the store can
 * write as the customer. So long a secret cannot be guessed from its hash, which therefore needs no key: the chat outlives
 * every change of `SECRETS_KEY`.
 */
export function createVisitor(options: VisitorOptions): Visitor {
  if (options.embedded && !options.secure)
    throw new Error('a chat in other pages needs https: browsers send no cookie otherwise');
  return {
    of: (c) => {
      const secret = secretIn(options, c);
      return secret === undefined ? undefined : `web:${nameOf(options, secret)}`;
    },
    welcome: (c) => {
      if (secretIn(options, c) === undefined) renew(options, c);
    },
    renew: (c) => renew(options, c),
  };
}

function cookieName({ secure }: VisitorOptions): string {
  return secure ? '__Host-wasl' : 'wasl';
}

function secretIn(options: VisitorOptions, c: Context): string | undefined {
  const value = getCookie(c, cookieName(options));
  return value && (SECRET.test(value) || OLD_SECRET.test(value)) ? value : undefined;
}

function nameOf({ digest }: VisitorOptions, secret: string): string {
  if (OLD_SECRET.test(secret)) return digest('web', secret);
  return createHash('sha256').update(secret).digest('base64url').slice(0, ADDRESS_CHARS);
}

function renew(options: VisitorOptions, c: Context): void {
  const { secure, embedded } = options;
  setCookie(c, cookieName(options), randomBytes(SECRET_BYTES).toString('base64url'), {
    path: '/',
    httpOnly: true,
    secure,
    sameSite: embedded ? 'None' : 'Lax',
    ...(embedded && { partitioned: true }),
    maxAge: DAYS_KEPT * 24 * 60 * 60,
  });
}
