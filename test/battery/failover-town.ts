import type { Reply } from '../../src/conversation/incoming.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { createWallet } from '../../src/wallet/client.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { PATIENCE_MS } from './process.ts';
import { transferTo } from './town/kinds.ts';
import { createListener } from './town/listener.ts';
import { type Carded, Payer } from './town/payer.ts';
import type { Random } from './town/random.ts';
import { createTownWallet } from './town/wallet.ts';
import { bootWasl, WEBHOOK_KEY } from './town/wasl.ts';

/** An operation must be so old to be on a list that lags. */
const LAG_MS = 30 * 60_000;
/** A channel waits so long for an answer. A store that has become a replica never answers, and the deadline ends the turn. */
const DEADLINE_MS = 4_000;
/** Past the dead process, the slot, and the schedule of the first hour. Then past the horizon. */
const STEPS_MS = [2_000, 60_000, 130_000, 3_600_000, 73 * 3_600_000, 3_600_000] as const;

/** A wallet with customers, and Wasls on Redis. All have one clock. */
export async function createTown({
  file,
  aheadMs,
}: {
  readonly file?: string;
  readonly aheadMs?: number;
} = {}) {
  const { clock, sandbox, customer } = createTownWallet({
    ...{ seed: 'town', settings: { settleAfterMs: 1_000 }, firstPhone: 30_000_000 },
    ...(file !== undefined && { file }),
    ...(aheadMs !== undefined && { aheadMs }),
  });
  const served = await sandbox.listen(0);
  /** True: operations are not on the wallet's lists before they are half an hour old. */
  const list = { lags: false };
  const listener = createListener({ now: clock.now, executions: () => sandbox.executions() });

  /** The wallet as Wasl meets it: every third execution gets no answer, and lists may lag. */
  function between(api: Wallet, random: Random): Wallet {
    return {
      ...api,
      async transfer(order, call) {
        const answer = await api.transfer(order, call);
        return random.chance(1 / 3) ? { kind: 'unknown', why: 'lost on the way' } : answer;
      },
      async operations(phone, filter, call) {
        const answer = await api.operations(phone, filter, call);
        if (!list.lags || answer.kind !== 'ok') return answer;
        const operations = answer.value.operations.filter(({ at }) => at < clock.now() - LAG_MS);
        return { kind: 'ok', value: { operations, count: operations.length } };
      },
    };
  }

  return {
    clock,
    sandbox,
    list,
    listener,

    /** A Wasl on a Redis. The wallet's webhooks go to it from now on. */
    async opens(url: string, random: Random, replicasMin = 0) {
      const store = await openRedisStore({ url, replicasMin, deadlineMs: PATIENCE_MS });
      const api = between(createWallet({ url: served.url, apiKey: sandbox.apiKey }), random);
      const deliver = async () => 'held' as const;
      const wasl = await bootWasl({
        ...{ store, api, deliver, now: clock.now, alone: false, deadlineMs: DEADLINE_MS },
      });
      sandbox.setWebhook(wasl.webhookUrl, WEBHOOK_KEY);
      return {
        store,
        receive: wasl.receive,

        /** Lets time pass, and does all due work. */
        async passes(ms: number): Promise<void> {
          clock.aheadMs += ms;
          await sandbox.settle();
          await wasl.rests();
        },

        async close(): Promise<void> {
          await wasl.stop();
          await store.close();
        },
      };
    },

    /** Customers who pay. When told to, they pay the same again, and only a warning stops them. */
    payers(
      orders: number | readonly Pick<Payer, 'phone' | 'errand'>[],
      receive: (incoming: Carded) => Promise<Reply>,
    ): Payer[] {
      const all =
        typeof orders === 'number'
          ? Array.from({ length: orders }, () => ({ phone: customer(), errand: transferTo(customer()) }))
          : orders;
      return all.map(
        (order) => new Payer({ ...order, repeats: false, insists: true }, { receive, listener }),
      );
    },

    async close(): Promise<void> {
      await served.close();
      await sandbox.close();
    },
  };
}
export type Town = Awaited<ReturnType<typeof createTown>>;
export type OpenWasl = Awaited<ReturnType<Town['opens']>>;

/** The customers find out what became of their payments, as far as time can tell. */
export async function untilTheEnd({ list }: Town, wasl: OpenWasl, payers: readonly Payer[]): Promise<void> {
  for (const [i, ms] of STEPS_MS.entries()) {
    await wasl.passes(ms);
    // The lists no longer lag once the first look-alikes are over.
    if (i > 1) list.lags = false;
    if (i < 2) for (const payer of payers) await payer.pays();
  }
}
