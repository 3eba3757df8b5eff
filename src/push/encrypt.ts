import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys of a browser's subscription: its public key and a secret that it shares with us, base64url. */
interface BrowserKeys {
  readonly p256dh: string;
  readonly auth: string;
}

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
/** One record holds all that is ever said. */
const RECORD_BYTES = 4_096;
/** Marks the last record. */
const LAST = Buffer.from([2]);

/**
 * Encrypts a message for one browser, so that the push service that carries it cannot read it: RFC 8291 over RFC 8188
 * (`aes128gcm`). Throws where the browser's key is no point of the curve.
 */
export function encryptFor({ p256dh, auth }: BrowserKeys, text: string): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url');
  const own = createECDH(CURVE);
  const ours = own.generateKeys();
  const salt = randomBytes(SALT_BYTES);
  const shared = own.computeSecret(theirs);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const input = hkdfSync('sha256', shared, Buffer.from(auth, 'base64url'), info, 32);
  const derive = (use: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', new Uint8Array(input), salt, `Content-Encoding: ${use}\0`, bytes));
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES);
  head.writeUInt8(ours.length, 4);
  const body = [cipher.update(text, 'utf8'), cipher.update(LAST), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, head, ours, ...body]);
}

/** True where `encryptFor` can use them. */
export function areKeys({ p256dh, auth }: BrowserKeys): boolean {
  try {
    const own = createECDH(CURVE);
    own.generateKeys();
    own.computeSecret(Buffer.from(p256dh, 'base64url'));
    return Buffer.from(auth, 'base64url').length === SALT_BYTES;
  } catch {
    return false;
  }
}
