import { startWorker } from '../src/conversation/worker.ts';
import { createRenderer } from '../src/screen/renderer.ts';
import { openRedisStore } from '../src/store/redis.ts';
import { measure } from './measure.ts';
import { createDriver, TURNS_PER_CONVERSATION, walletOf } from './transfers.ts';

/** How many customers a process is asked to serve, from which number on. */
export interface Asked {
  readonly first: number;
  readonly count: number;
  readonly atOnce: number;
}

/** What that took of the processor, in microseconds. */
export interface Took {
  readonly cpuUs: number;
}

/** One of several processes that share a Redis: it serves customers and asks what has fallen due, as Wasl does. */
const store = await openRedisStore({ url: process.argv[2] ?? '' });
const driver = createDriver(store, createRenderer());
startWorker(store, {});

process.on('message', async ({ first, count, atOnce }: Asked) => {
  const { cpuUs } = await measure(count, atOnce, TURNS_PER_CONVERSATION, (i) =>
    driver.conversation(walletOf(first + i), () => {}),
  );
  process.send?.({ cpuUs } satisfies Took);
});
process.send?.('ready');
