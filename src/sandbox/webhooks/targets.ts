import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, fetch } from 'undici';
import { type Networks, networks } from '../../http/network.ts';

/**
 * The addresses that are not on the internet (IANA's registries of special addresses): this machine, private networks,
 * clouds' metadata. Of IPv6 only global unicast is on it, without the ranges that stand for an IPv4 address. There are two
 * lists, because one list takes every IPv4 address for one of `::/3`.
 */
const INTERNAL = {
  4: networks([
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
    ...['192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
  ]),
  6: networks(['::/3', '4000::/2', '8000::/1', '2001::/23', '2002::/16']),
} as const;
const LOOPBACK = networks(['127.0.0.0/8', '::1']);

/** A webhook was not sent: its address is inside. */
export class InternalAddress extends Error {
  override name = 'InternalAddress';
}

/** True for `InternalAddress`, also where it was met while connecting. */
export function isInternalAddress(error: unknown): boolean {
  return (
    error instanceof InternalAddress || (error instanceof Error && error.cause instanceof InternalAddress)
  );
}

/** A webhook as it goes out. */
interface Post {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The allowed targets: anybody at the desk chooses one, so a public host sends none to its neighbours. */
export interface Targets {
  /** From now on the sandbox is served there. On a host that others reach, webhooks go to no internal address. */
  servedOn(host: string): void;
  /** An address that the operator has configured: webhooks go there wherever it is. */
  configure(url: string): void;
  /** Sends a webhook, and gives the HTTP status. Rejects with `InternalAddress`, or with the connection's error. */
  post(url: string, post: Post): Promise<number>;
  close(): Promise<void>;
}

/** True for an address to listen on that no other machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || LOOPBACK.has(host);
}

/** @param inside networks where webhooks go all the same */
export function createTargets(inside: readonly string[] = []): Targets {
  const allowed = networks(inside);
  const configured = new Set<string>();
  const anywhere = new Agent();
  const outside = new Agent({ connect: { lookup: outsideOnly(allowed) } });
  let isPublic = false;
  return {
    servedOn: (host) => {
      isPublic ||= !isLoopback(host);
    },
    configure: (url) => void configured.add(url),
    async post(url, post) {
      const isFree = !isPublic || configured.has(url);
      if (!isFree) refuseInternal(new URL(url).hostname, allowed);
      const dispatcher = isFree ? anywhere : outside;
      const response = await fetch(url, { method: 'POST', redirect: 'manual', dispatcher, ...post });
      await response.body?.cancel();
      return response.status;
    },
    close: async () => void (await Promise.all([anywhere.destroy(), outside.destroy()])),
  };
}

/** Looks a host up, and gives none of its addresses where one is inside: what is checked is what is connected to. */
function outsideOnly(allowed: Networks): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '');
      if (addresses.some(({ address }) => isInternal(address, allowed)))
        return done(new InternalAddress(), '');
      if (options.all) return done(null, addresses);
      return done(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  };
}

/** An address that is written as such is not looked up. */
function refuseInternal(hostname: string, allowed: Networks): void {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && isInternal(address, allowed)) throw new InternalAddress();
}

function isInternal(address: string, allowed: Networks): boolean {
  return INTERNAL[isIP(address) === 4 ? 4 : 6].has(address) && !allowed.has(address);
}
