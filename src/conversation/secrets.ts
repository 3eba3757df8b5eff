import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import type { Sealed } from '../../machines/kit/secret.ts';

/** How long a sealed secret can be opened ("secrets pass through"). */
export const SEALED_MS = 120_000;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Before the nonce: when it was sealed, ms since 1970, in 6 bytes. It is bound with the rest. */
const TIME_BYTES = 6;

/** Seals and digests under `SECRETS_KEY`, which is never in the store. While one key replaces another, both are known. */
export interface Secrets {
  /** @param bound the owner of the secret, such as the address: it opens nowhere else. */
  seal(text: string, bound: string, now: number): Sealed;
  /** The secret, or undefined when it is too old, belongs elsewhere or was changed. */
  open(sealed: Sealed, bound: string, now: number, maxAgeMs?: number): string | undefined;
  /** A keyed digest, safe to store even of a four-digit PIN: 16 characters. */
  digest(text: string): string;
  /** Digests of a text under every key, `digest`'s first: a text of an older key is known again. */
  digests(text: string): readonly string[];
}

/** When a secret was sealed, in ms since 1970. True only for a seal that opens. */
export function sealedAt(sealed: Sealed): number {
  return Buffer.from(sealed, 'base64url').readUIntBE(0, TIME_BYTES);
}

/**
 * @param key `SECRETS_KEY`: at least 32 characters of anything random. It seals and digests.
 * @param others earlier keys: their seals are opened, and their digests are known
 */
export function createSecrets(key: string, ...others: readonly string[]): Secrets {
  const first = createKey(key);
  const ring = [first, ...others.map(createKey)];
  return {
    seal: first.seal,
    open(...sealed) {
      // The tag tells whose it is: no other key opens it.
      for (const { open } of ring) {
        const text = open(...sealed);
        if (text !== undefined) return text;
      }
      return undefined;
    },
    digest: first.digest,
    digests: (text) => ring.map(({ digest }) => digest(text)),
  };
}

function createKey(key: string): Omit<Secrets, 'digests'> {
  const derive = (use: string) => createSecretKey(Buffer.from(hkdfSync('sha256', key, 'wasl', use, 32)));
  const sealing = derive('seal');
  const digesting = derive('digest');
  return {
    seal(text, bound, now) {
      const head = Buffer.alloc(TIME_BYTES + NONCE_BYTES);
      head.writeUIntBE(now, 0, TIME_BYTES);
      randomBytes(NONCE_BYTES).copy(head, TIME_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealing, head.subarray(TIME_BYTES));
      cipher.setAAD(Buffer.concat([head.subarray(0, TIME_BYTES), Buffer.from(bound)]));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([head, body, cipher.getAuthTag()]).toString('base64url') as Sealed;
    },
    open(sealed, bound, now, maxAgeMs = SEALED_MS) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < TIME_BYTES + NONCE_BYTES + TAG_BYTES) return undefined;
      // Another spelling of the same bytes would be another link, which nobody has opened yet.
      if (bytes.toString('base64url') !== sealed) return undefined;
      const age = now - bytes.readUIntBE(0, TIME_BYTES);
      if (age > maxAgeMs || age < -maxAgeMs) return undefined;
      const nonce = bytes.subarray(TIME_BYTES, TIME_BYTES + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', sealing, nonce);
      decipher.setAAD(Buffer.concat([bytes.subarray(0, TIME_BYTES), Buffer.from(bound)]));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const body = decipher.update(bytes.subarray(TIME_BYTES + NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
    digest: (text) => createHmac('sha256', digesting).update(text).digest('base64url').slice(0, 16),
  };
}
