import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, verify } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** A message for one browser, after the push service has checked its sender and the browser has read it. */
interface Delivered {
  readonly text: string;
  readonly signedWith: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A push service on this machine and the browsers that have subscribed there: it checks the signature as RFC 8292 has it. */
export async function openPushService() {
  const delivered: Delivered[] = [];
  const answers = { status: 201 };
  const browsers = new Map<string, ReturnType<typeof createBrowser>>();
  const app = new Hono().post('/to/:name', async (c) => {
    const body = Buffer.from(await c.req.arrayBuffer());
    const browser = browsers.get(c.req.param('name'));
    const signedWith = signerOf(c.req.header('authorization'), origin());
    if (!browser || signedWith === undefined) return c.body(null, browser ? 403 : 404);
    if (answers.status < 300)
      delivered.push({ text: browser.decrypts(body), signedWith, headers: c.req.header() });
    return c.body(null, answers.status as 201);
  });
  const server = await new Promise<{ port: number; close(): void }>((resolve) => {
    const http = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({ port, close: () => http.close() }),
    );
  });
  const origin = () => `http://127.0.0.1:${server.port}`;
  return {
    get origin() {
      return origin();
    },
    close: server.close,
    delivered,
    /** Its answer to a signed message. */
    answers,
    /** A browser that has allowed notifications: its subscription as `PushSubscription.toJSON()` gives it. */
    subscription(name = 'browser') {
      const browser = createBrowser();
      browsers.set(name, browser);
      return { endpoint: `${origin()}/to/${name}`, expirationTime: null, keys: browser.keys };
    },
  };
}

/** A browser's half of RFC 8291. The keys are those that are given, or new ones. */
export function createBrowser(given?: { readonly privateKey: string; readonly auth: string }) {
  const pair: ECDH = createECDH('prime256v1');
  if (given) pair.setPrivateKey(Buffer.from(given.privateKey, 'base64url'));
  else pair.generateKeys();
  const own = pair.getPublicKey();
  const auth = given ? Buffer.from(given.auth, 'base64url') : Buffer.from('0123456789abcdef');
  return {
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    decrypts(message: Buffer): string {
      const salt = message.subarray(0, 16);
      const length = message.readUInt8(20);
      const theirs = message.subarray(21, 21 + length);
      const sealed = message.subarray(21 + length);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, theirs]);
      const input = Buffer.from(hkdfSync('sha256', pair.computeSecret(theirs), auth, info, 32));
      const derive = (use: string, bytes: number) =>
        Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${use}\0`, bytes));
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
      decipher.setAuthTag(sealed.subarray(-16));
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
    },
  };
}

/** The key that signs a request. Undefined if the signature is not valid for this service now. */
function signerOf(authorization: string | undefined, origin: string): string | undefined {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}');
  const { aud, exp, sub } = read(claims);
  const seconds = Date.now() / 1_000;
  if (aud !== origin || exp < seconds || exp > seconds + 24 * 3_600 || !/^(?:mailto|https):/.test(sub))
    return undefined;
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const publicKey = createPublicKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' },
  });
  const signed = Buffer.from(`${head}.${claims}`);
  const isGood =
    read(head).alg === 'ES256' &&
    verify(
      'sha256',
      signed,
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
  return isGood ? key : undefined;
}
