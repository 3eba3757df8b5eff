import { flushCompileCache } from 'node:module';
import type { Address, Deliver, Push } from '../../src/conversation/incoming.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import type { Store } from '../../src/store/store.ts';
import { createWallet } from '../../src/wallet/client.ts';
import {
  type Broken,
  breaking,
  brokenWallet,
  watchedDeliver,
  watchedStore,
  watchedWallet,
} from './crash-points.ts';
import { bootWasl, FORM } from './town/wasl.ts';

/** A machine that is busy with other tests is not a Redis that is down. */
export const PATIENCE_MS = 15_000;

/** A process gets these options at its start. */
export interface BootOptions {
  readonly store: { readonly directory: string } | { readonly url: string };
  readonly walletUrl: string;
  readonly apiKey: string;
  /** The SMS provider of the test: it gets every message to a customer. */
  readonly toldUrl: string;
  readonly aheadMs: number;
  /** The process dies there (`crash-points.ts`). */
  readonly point?: string | undefined;
  /** A rule of docs/safety.md that is taken away, to see that the battery notices. */
  readonly broken?: Broken | undefined;
}

/** A question of the test to this process. */
interface Ask {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}
export interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** Posts every message to the test. It has left Wasl once the test has answered. */
function postTo(url: string): Deliver {
  const renderer = createRenderer();
  return async (address: Address, push: Push) => {
    const { form } = push;
    const link = form && { link: { code: `${FORM}/${form}` } };
    const screen = { ...push.screen, ...(link && { values: { ...push.screen.values, ...link } }) };
    const { text } = renderer.sms(screen, push.language);
    const body = JSON.stringify({ address, id: push.id, screen, text });
    await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    // As by SMS: a secret is told once, and the next dial does not show it again.
    return push.isSecret ? 'delivered' : 'held';
  };
}

/** Loads only the driver that it needs: that of Redis takes as long as everything else. */
async function openStore(place: BootOptions['store']): Promise<Store> {
  if ('url' in place)
    return (await import('../../src/store/redis.ts')).openRedisStore({ ...place, deadlineMs: PATIENCE_MS });
  return (await import('../../src/store/sqlite.ts')).openSqliteStore(place);
}

/** The methods that the test can ask one process of Wasl for. It dies where it is told to. */
function methodsOfProcess() {
  let aheadMs = 0;
  let wasl: Awaited<ReturnType<typeof bootWasl>>;
  let store: Store;
  const life = breaking();
  const own = {
    async boot({ store: place, point, broken, walletUrl, apiKey, toldUrl, ...options }: BootOptions) {
      aheadMs = options.aheadMs;
      life.arm(point);
      store = await openStore(place);
      const api = createWallet({ url: walletUrl, apiKey });
      wasl = await bootWasl({
        store: watchedStore(store, life, broken),
        api: watchedWallet(brokenWallet(api, broken), life),
        deliver: watchedDeliver(postTo(toldUrl), life),
        now: () => Date.now() + aheadMs,
        alone: 'directory' in place,
      });
      return wasl.webhookUrl;
    },
    arm: (point?: string) => life.arm(point),
    /** Every moment since the last question. */
    trace: () => life.trace(),
    clock: (ahead: number) => {
      aheadMs = ahead;
    },
    errors: () => wasl.errors.splice(0),
    read: async (partition: number, keys: string[]) => store.read(partition, keys),
  };
  return (method: string) =>
    (method in own ? own : wasl)[method as never] as (...args: readonly unknown[]) => unknown;
}

function serveParent(): void {
  const methodOf = methodsOfProcess();
  process.on('message', async ({ id, method, args }: Ask) => {
    const answer = await Promise.resolve()
      .then(() => methodOf(method)(...args))
      .then(
        (value): Answer => ({ id, value }),
        (error): Answer => ({ id, error: String(error?.stack ?? error) }),
      );
    process.send?.(answer);
  });
  process.on('disconnect', () => process.exit());
  // A process that dies by SIGKILL leaves no cache behind. With a cache, a successor starts in half the time.
  flushCompileCache();
  process.send?.('ready');
}

if (import.meta.main) {
  await (process.argv[2] === 'redis'
    ? import('../../src/store/redis.ts')
    : import('../../src/store/sqlite.ts'));
  serveParent();
}
