import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { z } from 'zod';
import type { Sealed } from '../../machines/kit/secret.ts';
import type { Secrets } from '../conversation/secrets.ts';
import { codec, textOf } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';
import { type Update, update } from '../store/update.ts';

/** A push service takes no signature that is good for more than a day (RFC 8292). */
const SIGNED_FOR_SECONDS = 12 * 3_600;
const KEY = 'web-push-key';

/** By what push services know Wasl: a browser's subscription is good for one public key. */
export interface Vapid {
  /** The public key, base64url: what a browser subscribes with. */
  readonly publicKey: string;
  /** The header `Authorization` of a request to a push service of this origin. */
  authorization(origin: string, now: number): string;
}

export interface VapidOptions {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  /** The private key, base64url. Absent: Wasl makes one and keeps it in the store, sealed with `SECRETS_KEY`. */
  readonly privateKey?: string | undefined;
  /** The operator's contact for push services: an address that begins with `https:` or `mailto:`. */
  readonly contact: string;
  readonly now: () => number;
}

const keptCodec = codec('web push key', z.object({ sealed: textOf<Sealed>() }));

/** Signs as RFC 8292 has it. Rejects with `StoreDown`. */
export async function openVapid(options: VapidOptions): Promise<Vapid> {
  const { contact } = options;
  const { publicKey, key } = keysOf(options.privateKey ?? (await keptKey(options)));
  return {
    publicKey,
    authorization(origin, now) {
      const claims = { aud: origin, exp: Math.floor(now / 1_000) + SIGNED_FOR_SECONDS, sub: contact };
      const head = [{ typ: 'JWT', alg: 'ES256' }, claims].map((part) => encoded(JSON.stringify(part)));
      const signed = head.join('.');
      const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
      return `vapid t=${signed}.${encoded(signature)}, k=${publicKey}`;
    },
  };
}

/**
 * The key shared by all processes on one store. The first process makes it. Each starting process seals it anew, so
 * that it survives a new `SECRETS_KEY`. Where it can no longer be opened, Wasl makes a new one, and browsers subscribe
 * again on their next visit.
 */
function keptKey({ store, secrets, now }: VapidOptions): Promise<string> {
  return update(store, partitionOf(KEY), [KEY], (doc): Update<string> => {
    const kept = keptCodec.readable(doc);
    const result = (kept && secrets.open(kept.sealed, KEY, now(), Number.POSITIVE_INFINITY)) ?? newKey();
    const writes = [keptCodec.write(doc, { sealed: secrets.seal(result, KEY, now()) })];
    return { writes, durable: true, result };
  });
}

function newKey(): string {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  // Shorter ones, which begin with zeros, are rare and would have to be filled up.
  return pair.getPrivateKey().length === 32 ? encoded(pair.getPrivateKey()) : newKey();
}

function keysOf(privateKey: string): { readonly publicKey: string; readonly key: KeyObject } {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(encoded) as [string, string];
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey } });
  return { publicKey: encoded(point), key };
}

function encoded(part: string | Buffer): string {
  return Buffer.from(part).toString('base64url');
}
