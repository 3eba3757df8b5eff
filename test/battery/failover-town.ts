import type { Incoming, Reply } from '../../src/conversation/incoming.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { centimes } from '../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../src/wallet/phone.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { bootWasl, PATIENCE_MS, WEBHOOK_KEY } from './process.ts';
import { transferTo } from './town/kinds.ts';
import { createListener } from './town/listener.ts';
import { createPayer, type Payer, PIN } from './town/payer.ts';
import type { Random } from './town/random.ts';

/** How old an operation must be to be on a list that lags. */
const LAG_MS = 30 * 60_000;
/**
 * How long a channel waits for an answer. A store that has become a replica takes nothing in any time: whoever pays then is
 * answered when the deadline strikes.
 */
const DEADLINE_MS = 4_000;
/** Past the dead process, the slot, and the schedule of the first hour; then past the horizon. */
const STEPS_MS = [2_000, 60_000, 130_000, 3_600_000, 73 * 3_600_000, 3_600_000] as const;

/** A wallet with customers, and as many Wasls on Redis as are opened. Time is one, and everybody's. */
export async function createTown(
  options: { readonly file?: string; readonly aheadMs?: number; readonly firstPhone?: number } = {},
) {
  const clock = { aheadMs: options.aheadMs ?? 0, now: () => Date.now() + clock.aheadMs };
  const file = options.file ?? ':memory:';
  const sandbox = createSandbox({ file, seed: 'town', settings: { settleAfterMs: 1_000 }, clock });
  const served = await sandbox.listen(0);
  let phones = options.firstPhone ?? 30_000_000;
  /** True: operations are not on the wallet's lists before they are half an hour old. */
  const list = { lags: false };
  const listener = createListener({ now: clock.now, executions: () => sandbox.executions() });

  function customer(): Msisdn {
    const phone = msisdn(`+2126${phones++}`);
    const balance = centimes(50_000);
    sandbox.addCustomer({
      phone,
      firstName: 'Test',
      lastName: 'Customer',
      level: 2,
      status: 3,
      pin: PIN,
      balance,
    });
    return phone;
  }

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
    customer,

    /** A Wasl on a Redis; the wallet's webhooks go to it from now on. */
    async opens(url: string, random: Random, replicasMin = 0) {
      const store = await openRedisStore({ url, replicasMin, deadlineMs: PATIENCE_MS });
      const api = between(createWallet({ url: served.url, apiKey: sandbox.apiKey }), random);
      const wasl = await bootWasl({
        store,
        api,
        deliver: async () => 'held',
        now: clock.now,
        alone: false,
        deadlineMs: DEADLINE_MS,
      });
      sandbox.setWebhook(wasl.webhookUrl, WEBHOOK_KEY);
      return {
        store,
        receive: wasl.receive,

        /** Lets time pass, and everything happen that falls due. */
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

    /** Customers who pay and, told to, want to pay the same again; they stop only at a warning. */
    payers(count: number, receive: (incoming: Incoming) => Promise<Reply>): Payer[] {
      return Array.from({ length: count }, () =>
        createPayer(
          { phone: customer(), errand: transferTo(customer()), repeats: false, insists: true },
          receive,
          listener,
        ),
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
    // The first look-alikes are behind us; what lags has to come out in the end.
    if (i > 1) list.lags = false;
    if (i < 2) for (const payer of payers) await payer.pays();
  }
}
