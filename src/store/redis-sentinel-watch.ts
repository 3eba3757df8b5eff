import { setTimeout as sleep } from 'node:timers/promises';
import { createRedisClient } from './redis-connection.ts';

/** How long to wait before the next Sentinel is tried. */
const AGAIN_MS = 500;

/** The Sentinels, and the function that hears their news. */
interface Listening {
  /** Their URLs. Any of them will do. */
  readonly sentinels: readonly string[];
  readonly ca?: string | undefined;
  readonly channel: string;
  readonly said: (message: string) => void;
  /** The connection was broken: something may have been said meanwhile. */
  readonly missed: () => void;
}

/** Listens on its own connection until it is stopped. Resolves once it listens or has failed to. */
export async function watchSentinels(to: Listening): Promise<() => Promise<void>> {
  const { sentinels } = to;
  const stopping = new AbortController();
  const first = Promise.withResolvers<void>();
  const listening = listen();
  await first.promise;
  return async () => {
    stopping.abort();
    await listening;
  };

  async function listen(): Promise<void> {
    for (let i = 0; !stopping.signal.aborted; i++) {
      if (i > 0) await sleep(AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => {});
      await once(sentinels[i % sentinels.length] as string, i > 0);
      first.resolve();
    }
  }

  /** Listens until the connection breaks. */
  async function once(sentinel: string, again: boolean): Promise<void> {
    if (stopping.signal.aborted) return;
    const client = createRedisClient({ url: sentinel, ca: to.ca });
    const over = Promise.withResolvers<void>();
    client.on('error', () => over.resolve());
    client.on('end', () => over.resolve());
    stopping.signal.addEventListener('abort', () => over.resolve(), { once: true });
    try {
      await client.connect();
      await client.subscribe(to.channel, to.said);
      // Between two connections, and while the first was made, anything may have been said.
      if (again) to.missed();
      first.resolve();
      await over.promise;
    } catch {
      // The next one, or the same one later.
    } finally {
      client.destroy();
    }
  }
}
