import type { Context, MiddlewareHandler } from 'hono';
import { networks, senderOf } from '../../http/network.ts';
import { knows } from '../../http/secret.ts';

/**
 * Tells who may speak as the gateway. Its requests are unsigned, so one of these must be set in production (no back
 * door).
 */
export interface Door {
  /** Any of these, as `?secret=` or `X-Ussd-Secret`. There are two while a new one replaces an old. Empty: not asked for. */
  readonly secrets: readonly string[];
  /** Addresses or networks (`196.201.1.2`, `10.0.0.0/8`). Empty: any. */
  readonly addresses: readonly string[];
  /** Addresses of our own proxies: only they are believed about `X-Forwarded-For`. */
  readonly proxies: readonly string[];
}

/** Lets the gateway in, without a promise of its own, and answers 403 to everyone else. */
export function guard(door: Door): MiddlewareHandler {
  const addresses = networks(door.addresses);
  const proxies = networks(door.proxies);
  const isSecret = knows(door.secrets);
  const isTheirs = (c: Context) => door.addresses.length === 0 || addresses.has(senderOf(c, proxies));
  const isKnown = (c: Context) =>
    door.secrets.length === 0 || isSecret(c.req.header('x-ussd-secret') ?? c.req.query('secret') ?? '');
  return (c, next) => (isTheirs(c) && isKnown(c) ? next() : Promise.resolve(c.text('forbidden\n', 403)));
}
