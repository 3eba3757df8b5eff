import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';

/** Who may speak as the gateway. Its requests are unsigned, so one of these must be set in production (rule 16). */
export interface Door {
  /** Any of these, as `?secret=` or `X-Ussd-Secret`; two while a new one replaces an old. Empty: not asked for. */
  readonly secrets: readonly string[];
  /** Addresses or networks (`196.201.1.2`, `10.0.0.0/8`). Empty: any. */
  readonly addresses: readonly string[];
  /** Addresses of our own proxies: only they are believed about `X-Forwarded-For`. */
  readonly proxies: readonly string[];
}

/** Lets the gateway in and answers 403 to everyone else. */
export function guard(door: Door): MiddlewareHandler {
  const addresses = networks(door.addresses);
  const proxies = networks(door.proxies);
  const secrets = door.secrets.map(sha256);
  return async (c, next) => {
    if (door.addresses.length > 0 && !holds(addresses, sender(c, proxies))) return c.text('forbidden\n', 403);
    if (secrets.length > 0) {
      const given = sha256(c.req.header('x-ussd-secret') ?? c.req.query('secret') ?? '');
      if (!secrets.some((secret) => timingSafeEqual(secret, given))) return c.text('forbidden\n', 403);
    }
    await next();
  };
}

/** The sender's address: the connection's, or behind our proxies the last one they did not add themselves. */
function sender(c: Context, proxies: BlockList): string {
  const remote: unknown = c.env?.incoming?.socket?.remoteAddress;
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim());
  let at = typeof remote === 'string' ? remote : '';
  while (holds(proxies, at) && hops.length > 0) at = hops.pop() ?? '';
  return at;
}

function networks(list: readonly string[]): BlockList {
  const block = new BlockList();
  for (const entry of list) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) block.addAddress(address, family);
    else block.addSubnet(address, Number(prefix), family);
  }
  return block;
}

function holds(block: BlockList, address: string): boolean {
  // A dual-stack socket writes IPv4 addresses as `::ffff:1.2.3.4`.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const version = isIP(plain);
  return version !== 0 && block.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
