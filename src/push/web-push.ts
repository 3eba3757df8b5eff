import { z } from 'zod';
import type { Sealed } from '../../machines/kit/secret.ts';
import type { Address } from '../conversation/incoming.ts';
import type { Log } from '../log/lines.ts';
import { codec, textOf } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import { readDocs, update } from '../store/update.ts';
import { areKeys, encryptFor } from './encrypt.ts';
import { openVapid, type Vapid, type VapidOptions } from './vapid.ts';

/** Renewed whenever its browser opens the chat. */
const KEPT_MS = 90 * 24 * 3_600_000;
/** How long a push service keeps a message for a browser that is away: who comes later reads it in the chat. */
const TTL_SECONDS = 24 * 3_600;
const SEND_MAX_MS = 10_000;
/** The limit of messages in flight in this process. A further one is not sent, because the chat has the message anyway. */
const UNDER_WAY_MAX = 200;
/** Of messages that wait for a browser the last one is enough. */
const TOPIC = 'wasl';
const ENDPOINT_MAX_CHARS = 1_000;
/** A point of the curve has 87 in base64url, and the secret 22. */
const KEY_MAX_CHARS = 100;
const keyText = z.string().max(KEY_MAX_CHARS);

/** Where a browser can be written to while no page of ours is open in it: what it gives as its `PushSubscription`. */
const subscriptionSchema = z.object({
  endpoint: z.url().max(ENDPOINT_MAX_CHARS),
  keys: z.object({ p256dh: keyText, auth: keyText }).refine(areKeys),
});
type Subscription = z.output<typeof subscriptionSchema>;

/** Tells browsers that there is something to read (RFC 8030). Nothing of a conversation goes this way. */
export interface WebPush {
  /** The public key for subscriptions, base64url. Rejects with `StoreDown`. */
  publicKey(): Promise<string>;
  /**
   * Keeps the subscription of a chat's browser, in place of the one before.
   * @param subscription its `PushSubscription` as JSON. False where it is invalid, or names a service that is not permitted
   */
  subscribe(address: Address, subscription: unknown): Promise<boolean>;
  /** Forgets it. */
  unsubscribe(address: Address): Promise<void>;
  /** Sends a short text to the browser of a chat, if it has subscribed: once, as the message itself waits in the chat. */
  send(address: Address, text: string): Promise<void>;
}

export interface WebPushOptions extends VapidOptions {
  /** Hosts of push services, with all hosts below them. A browser names its service, and we write to no other address. */
  readonly services: readonly string[];
  readonly log: Pick<Log, 'say'>;
}

const keptCodec = codec('push subscription', z.object({ sealed: textOf<Sealed>() }));

interface Deps extends WebPushOptions {
  readonly vapid: () => Promise<Vapid>;
  underWay: number;
}

export function createWebPush(options: WebPushOptions): WebPush {
  let opened: Promise<Vapid> | undefined;
  const vapid = () => {
    opened ??= openVapid(options).catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const deps: Deps = { ...options, vapid, underWay: 0 };
  return {
    publicKey: async () => (await vapid()).publicKey,
    subscribe: (address, subscription) => subscribe(deps, address, subscription),
    unsubscribe: (address) => write(deps, address, undefined),
    send: (address, text) => send(deps, address, text),
  };
}

async function subscribe(deps: Deps, address: Address, subscription: unknown): Promise<boolean> {
  const { success, data } = subscriptionSchema.safeParse(subscription);
  if (!success || !isOfService(deps, data.endpoint)) return false;
  await write(deps, address, data);
  return true;
}

/** By https to a listed service. By http only to a service that this machine plays. */
function isOfService({ services }: Deps, endpoint: string): boolean {
  const { protocol, hostname, host, username, port } = new URL(endpoint);
  const isNamed = services.some((service) => hostname === service || hostname.endsWith(`.${service}`));
  return (
    username === '' &&
    ((protocol === 'https:' && port === '' && isNamed) || services.includes(`http://${host}`))
  );
}

/** An address that can be written to is a secret: it is sealed. */
function write(
  { store, secrets, now }: Deps,
  address: Address,
  subscription: Subscription | undefined,
): Promise<void> {
  const key = subscriptionKey(address);
  return update(store, partitionOf(address), [key], (doc) => {
    if (!subscription) {
      const writes = doc.version > 0 ? [{ key, version: doc.version, value: null }] : [];
      return { writes, result: undefined };
    }
    const sealed = secrets.seal(JSON.stringify(subscription), key, now());
    return { writes: [keptCodec.write(doc, { sealed }, { keepUntil: now() + KEPT_MS })], result: undefined };
  });
}

async function subscriptionOf(
  { store, secrets, now }: Deps,
  address: Address,
): Promise<Subscription | undefined> {
  const key = subscriptionKey(address);
  const [doc] = await readDocs(store, partitionOf(address), [key]);
  const kept = keptCodec.readable(doc);
  const opened = kept && secrets.open(kept.sealed, key, now(), KEPT_MS);
  return opened === undefined ? undefined : subscriptionSchema.parse(JSON.parse(opened));
}

/** Where the subscription of a chat is kept. */
export function subscriptionKey(address: Address): string {
  return `push:${address}`;
}

async function send(deps: Deps, address: Address, text: string): Promise<void> {
  const { log } = deps;
  if (deps.underWay >= UNDER_WAY_MAX) return log.say('Too many notifications are under way');
  deps.underWay++;
  try {
    const subscription = await subscriptionOf(deps, address);
    if (!subscription) return;
    const status = await post(deps, subscription, text);
    // The subscription is gone or was never there (404, 410), or was made with another key of ours (401, 403).
    if ([401, 403, 404, 410].includes(status)) await write(deps, address, undefined);
    else if (status >= 300)
      log.say('A push service refuses notifications', {
        status,
        service: new URL(subscription.endpoint).host,
      });
  } finally {
    deps.underWay--;
  }
}

/** The status of the answer, or 504 without an answer. */
async function post({ vapid, now }: Deps, { endpoint, keys }: Subscription, text: string): Promise<number> {
  const authorization = (await vapid()).authorization(new URL(endpoint).origin, now());
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      body: new Uint8Array(encryptFor(keys, text)),
      redirect: 'error',
      signal: AbortSignal.timeout(SEND_MAX_MS),
      headers: {
        authorization,
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        ttl: String(TTL_SECONDS),
        urgency: 'high',
        topic: TOPIC,
      },
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 504;
  }
}
