import { BlockList, isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';

/** Addresses or networks (`196.201.1.2`, `10.0.0.0/8`). */
export interface Networks {
  has(address: string): boolean;
}

/** A list of addresses and networks (`10.0.0.0/8`) to look addresses up in. The settings have checked their form. */
export function networks(list: readonly string[]): Networks {
  if (list.length === 0) return { has: () => false };
  const block = new BlockList();
  for (const entry of list) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) block.addAddress(address, family);
    else block.addSubnet(address, Number(prefix), family);
  }
  return {
    has(address) {
      const plain = unmapped(address);
      const version = isIP(plain);
      return version !== 0 && block.check(plain, version === 6 ? 'ipv6' : 'ipv4');
    },
  };
}

/**
 * The sender's address: that of the connection, or behind our proxies the last one that they did not add themselves. If a
 * proxy names no address, the sender is the proxy, so that a limit by address always holds. `unknown`: the sender has gone.
 * @param proxies only they are believed about `X-Forwarded-For`
 */
export function senderOf(c: Context, proxies: Networks): string {
  return lastHop(c, proxies).at;
}

/** True where one of our proxies has brought the request, so that its headers are believed. */
export function isFromProxy(c: Context, proxies: Networks): boolean {
  return proxies.has(c.env?.incoming?.socket?.remoteAddress ?? '');
}

/** Tells once that one of our proxies names something that is no address, so that its senders share the limits of one. */
export function tellsUnreadable(list: readonly string[], tell: () => void): MiddlewareHandler {
  const proxies = networks(list);
  let isLogged = list.length === 0;
  return (c, next) => {
    if (!isLogged && lastHop(c, proxies).isUnreadable) {
      isLogged = true;
      tell();
    }
    return next();
  };
}

function lastHop(c: Context, proxies: Networks): { readonly at: string; readonly isUnreadable?: true } {
  const socket: { readonly remoteAddress?: string } | undefined = c.env?.incoming?.socket;
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',');
  let at = socket ? unmapped(socket.remoteAddress || 'unknown') : '';
  while (proxies.has(at) && hops.length > 0) {
    const named = (hops.pop() ?? '').trim();
    const hop = addressIn(named);
    if (hop === undefined) return { at, ...(named !== '' && { isUnreadable: true }) };
    at = hop;
  }
  return { at };
}

/** An IPv4 address, or an IPv6 one in brackets, with the port that some balancers add. */
const HOP = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

function addressIn(hop: string): string | undefined {
  const [, six, four] = HOP.exec(hop) ?? [];
  const address = unmapped(six ?? four ?? hop);
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}

/** Providers give one customer this much of IPv6. The customer may write from any address of it. */
const IPV6_NETWORK_BITS = 56;
const IPV6_GROUPS = 8;

/** The addresses that one sender can take at will, as one name: an IPv4 address is one, of IPv6 it is a network. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6 || !URL.canParse(`http://[${address}]`)) return address;
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = [left, right ?? ''].map((side) => side.split(':').filter(Boolean));
  const [before = [], after = []] = groups;
  const zeros = Array<string>(IPV6_GROUPS - before.length - after.length).fill('0');
  const bits = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join('');
  return `${bits.slice(0, IPV6_NETWORK_BITS / 4)}/${IPV6_NETWORK_BITS}`;
}

/** A dual-stack socket writes IPv4 addresses as `::ffff:1.2.3.4`. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** `http://127.0.0.1:8080`, with brackets around an IPv6 address. */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
