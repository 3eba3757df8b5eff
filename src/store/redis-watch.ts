import { setTimeout as sleep } from 'node:timers/promises';
import { createRedisClient } from './redis-connection.ts';
import type { RedisNodes } from './redis-nodes.ts';
import type { Watcher } from './store.ts';

/** How long to wait before the next node is tried. */
const AGAIN_MS = 500;

/** Where something is told. */
interface Listening {
  readonly nodes: Pick<RedisNodes<never>, 'listenable'>;
  readonly ca?: string | undefined;
  readonly channel: string;
}

/**
 * Listens on a connection of its own. Any node of a cluster will do: what is published on one reaches them all. Resolves
 * once it listens, or as soon as it has failed to; it goes on trying until it is stopped.
 */
export async function watchRedis(
  { nodes, ca, channel }: Listening,
  watcher: Watcher,
): Promise<() => Promise<void>> {
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
      const urls = await nodes.listenable();
      await once(urls[i % urls.length] as string, i > 0);
      first.resolve();
    }
  }

  /** Listens until the connection breaks. */
  async function once(node: string, again: boolean): Promise<void> {
    if (stopping.signal.aborted) return;
    const client = createRedisClient({ url: node, ca }, false);
    const over = Promise.withResolvers<void>();
    client.on('error', () => over.resolve());
    client.on('end', () => over.resolve());
    stopping.signal.addEventListener('abort', () => over.resolve(), { once: true });
    try {
      await client.connect();
      await client.subscribe(channel, (turn) => watcher.turn(turn));
      // Between two connections, and while the first was made, anything may have been said.
      if (again) watcher.missed();
      first.resolve();
      await over.promise;
    } catch {
      // The next node, or the same one later.
    } finally {
      client.destroy();
    }
  }
}
