import { X509Certificate } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { isFromProxy, networks, senderOf } from '../../http/network.ts';
import { knows } from '../../http/secret.ts';

/** Tells who may speak as a gateway. Its requests are unsigned, so it must prove itself in each of the ways that are set. */
export interface Door {
  /** Any of these, as `?secret=` or `X-Ussd-Secret`. There are two while a new one replaces an old. Empty: not asked for. */
  readonly secrets: readonly string[];
  /** Addresses or networks (`196.201.1.2`, `10.0.0.0/8`). Empty: any. */
  readonly addresses: readonly string[];
  /** SHA-256 fingerprints of client certificates, of which a proxy of ours hands on the one that it has checked. Empty: none is asked for. */
  readonly certificates?: readonly string[];
  /** Addresses of our own proxies: only they are believed about `X-Forwarded-For` and `Client-Cert`. */
  readonly proxies: readonly string[];
  /** A gateway without a proof is kept out: with real money there is no back door. */
  readonly needsProof?: boolean;
}

/** One entry of a setting: for one gateway (`hubtel=…`), or for every gateway that has none of its own. */
export interface ForGateway {
  readonly gateway?: string;
  readonly value: string;
}

/** The values that count for a gateway: its own, or those for all where it has none. */
export function valuesFor(gateway: string, entries: readonly ForGateway[]): readonly string[] {
  const own = entries.filter((entry) => entry.gateway === gateway);
  return (own.length > 0 ? own : entries.filter((entry) => entry.gateway === undefined)).map(
    ({ value }) => value,
  );
}

/** Lets the gateway in, without a promise of its own, and answers 403 to everyone else. */
export function guard({ certificates = [], needsProof = false, ...door }: Door): MiddlewareHandler {
  const addresses = networks(door.addresses);
  const proxies = networks(door.proxies);
  const isSecret = knows(door.secrets);
  const isTheirs = (c: Context) => door.addresses.length === 0 || addresses.has(senderOf(c, proxies));
  const isKnown = (c: Context) =>
    door.secrets.length === 0 || isSecret(c.req.header('x-ussd-secret') ?? c.req.query('secret') ?? '');
  const isCertified = (c: Context) =>
    certificates.length === 0 ||
    (isFromProxy(c, proxies) && certificates.includes(fingerprintOf(c.req.header('client-cert') ?? '')));
  const isClosed =
    needsProof && door.secrets.length === 0 && door.addresses.length === 0 && certificates.length === 0;
  return (c, next) =>
    !isClosed && isTheirs(c) && isKnown(c) && isCertified(c)
      ? next()
      : Promise.resolve(c.text('forbidden\n', 403));
}

/**
 * The fingerprint of a certificate that a proxy hands on: between colons in base64 (RFC 9440, haproxy), or as escaped
 * PEM (nginx). Empty where it is neither.
 */
function fingerprintOf(header: string): string {
  const [, base64] = /^:([A-Za-z\d+/=]+):$/.exec(header) ?? [];
  try {
    const { fingerprint256 } = new X509Certificate(
      base64 ? Buffer.from(base64, 'base64') : decodeURIComponent(header),
    );
    return fingerprint256.replaceAll(':', '').toLowerCase();
  } catch {
    return '';
  }
}
