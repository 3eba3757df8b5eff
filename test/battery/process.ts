import { flushCompileCache } from 'node:module';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createBackground } from '../../src/conversation/background.ts';
import { createEngine } from '../../src/conversation/engine.ts';
import { type Address, type Deliver, inHand, type Push } from '../../src/conversation/incoming.ts';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import { startWorker } from '../../src/conversation/worker.ts';
import { createRenderer } from '../../src/screen/renderer.ts';
import type { Store } from '../../src/store/store.ts';
import { createWallet } from '../../src/wallet/client.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { createApply } from '../../src/webhooks/apply.ts';
import { createInbox } from '../../src/webhooks/inbox.ts';
import { webhookRoutes } from '../../src/webhooks/routes.ts';
import {
  type Broken,
  breaking,
  brokenWallet,
  watchedDeliver,
  watchedStore,
  watchedWallet,
} from './crash-points.ts';
import { CARD } from './town/kinds.ts';
import { PRINCIPAL } from './town/oracle.ts';
import type { Carded } from './town/payer.ts';

/** A machine that is busy with other tests is not a Redis that is down. */
export const PATIENCE_MS = 15_000;
/** How long a Wasl that is told to end waits for what its store does not take. */
const STOP_GRACE_MS = 1_000;
export const WEBHOOK_KEY = 'a webhook key of the battery';
/** The worker only does what it is told to, but for its first round: time is the test's. */
const POLL_MS = 3_600_000;
const DEADLINE_MS = 15_000;
const AICHA = { id: 'aicha', name: 'Aicha' };
const BADR = { id: 'badr', name: 'Badr' };
/** Gives files: who has named a number gives none that it releases. */
const NADIA = { id: 'nadia', name: 'Nadia' };
/** Where the pages would be: nobody opens them. */
const FORM = 'https://wasl.test/form';

export interface WaslOptions {
  readonly store: Store;
  readonly api: Wallet;
  readonly deliver: Deliver;
  readonly now: () => number;
  /** True on the embedded store. */
  readonly alone: boolean;
  /** How long its channels wait for an answer. */
  readonly deadlineMs?: number;
}

/** The real engine, worker and webhook receiver, joined as `main` joins them; time and the store are the test's. */
export async function bootWasl(options: WaslOptions) {
  const { store, api, deliver, now, alone, deadlineMs = DEADLINE_MS } = options;
  const errors: string[] = [];
  const onError = (error: unknown, where: string) =>
    errors.push(`${where}: ${error instanceof Error ? error.stack : error}`);
  const background = createBackground(onError);
  const secrets = createSecrets('a secrets key of the battery, 32 characters');
  const codes = new Map<Msisdn, string>();
  const sendCode = async (to: Msisdn, code: string) => {
    codes.set(to, code);
    return 'sent' as const;
  };
  const cash = { ...CASH_DEFAULTS, ways: ['agents', 'bill-network'] as const, ownAgent: PRINCIPAL };
  const engine = createEngine({
    ...{ store, api, secrets, sendCode, deliver, alone, now, onError },
    served: { cash, formAt: FORM },
  });
  const inbox = createInbox({ store, secrets, apply: createApply(engine, api), background, now });
  const worker = startWorker(
    store,
    {
      session: (address) => engine.wake(address as Address),
      intent: engine.reconcile,
      pending: engine.lookAtPending,
      'cash-reference': engine.lookUp,
      payout: engine.payOut,
      webhook: (id) => inbox.process(`webhook:${id}`),
    },
    { now, onError, pollMs: POLL_MS },
  );
  background.add(engine.lookAtOpen(), 'Payments could not be woken');
  const app = new Hono().route('/webhooks', webhookRoutes({ inbox, keys: [WEBHOOK_KEY], onError }));
  const server = await new Promise<{ port: number; close(): void }>((resolve) => {
    const http = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({
        port,
        close: () => {
          http.close();
          if ('closeAllConnections' in http) http.closeAllConnections();
        },
      }),
    );
  });
  return {
    webhookUrl: `http://127.0.0.1:${server.port}/webhooks/wallet`,
    errors,
    receive: ({ typedCard, ...incoming }: Carded) =>
      engine.receive({ ...incoming, ...(typedCard && { card: inHand(typedCard) }) }, deadlineMs),
    payCardLink: (id: string) => engine.payCardLink(id, inHand(CARD)),
    /** The code by SMS that was sent to a number last. */
    code: (to: Msisdn) => codes.get(to),

    /** Two administrators let a number act for the principal agent. */
    async binds(phone: Msisdn): Promise<void> {
      const { principal } = engine.desk;
      await principal?.proposeBinding(phone, AICHA, 'verse les salaires');
      const proposed = (await principal?.numbers())?.find((each) => each.phone === phone)?.proposal?.at ?? 0;
      const bound = await principal?.approveBinding(phone, BADR, proposed);
      if (bound !== 'done') throw new Error(`${phone} is not bound: ${bound}`);
    },

    /** An administrator gives a file of payouts; its id. */
    async gives(text: string): Promise<string> {
      const given = await engine.desk.principal?.giveFile(new TextEncoder().encode(text), 'salaires', NADIA);
      if (given?.kind !== 'given') throw new Error(`the file is not taken: ${JSON.stringify(given)}`);
      return given.id;
    },

    /** An administrator begins a load of the float by card; the link of its page. */
    async loads(phone: Msisdn, amount: Centimes): Promise<string> {
      const begun = await engine.desk.principal?.beginCardLoad({ amount, phone }, NADIA);
      if (begun?.kind !== 'ok') throw new Error(`no load is begun: ${JSON.stringify(begun)}`);
      return begun.value.id;
    },

    /** What the console says of a file, line by line. */
    async results(id: string): Promise<PaidLine[]> {
      const lines: PaidLine[] = [];
      for await (const { to, refused, intent } of engine.desk.principal?.results(id) ?? [])
        lines.push({ to: 'phone' in to ? to.phone : to.rib, state: refused ?? intent?.state });
      return lines;
    },

    /** Does what is due, until nothing is due or going on. */
    async rests(): Promise<void> {
      do {
        await background.done();
        await engine.close();
      } while ((await worker.round()) > 0);
      await background.done();
      await engine.close();
    },

    async stop(): Promise<void> {
      server.close();
      // As the program does: what the store does not take now is given up. It may be nobody's primary any more.
      const givesUp = setTimeout(() => engine.stop(), STOP_GRACE_MS);
      await worker.stop();
      await background.done();
      await engine.close();
      clearTimeout(givesUp);
    },
  };
}

/** A line of a file of payouts, and what is said of it: how its payment stands, or the code with which it is refused. */
export interface PaidLine {
  readonly to: string;
  readonly state: string | undefined;
}

/** What a process is told to begin with. */
export interface BootOptions {
  readonly store: { readonly directory: string } | { readonly url: string };
  readonly walletUrl: string;
  readonly apiKey: string;
  /** Where messages to customers go: the SMS provider of the test. */
  readonly toldUrl: string;
  readonly aheadMs: number;
  /** Dies there; see `crash-points.ts`. */
  readonly point?: string | undefined;
  /** An answer of docs/safety.md taken away, to see that the battery notices. */
  readonly broken?: Broken | undefined;
}

/** A question of the test to this process, and its answer. */
export interface Ask {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}
export interface Told {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** What goes out to customers: posted to the test, and out of our hands once that is answered. */
function postTo(url: string): Deliver {
  const renderer = createRenderer();
  return async (address: Address, push: Push) => {
    const { form } = push;
    const link = form && { link: { code: `${FORM}/${form}` } };
    const screen = { ...push.screen, ...(link && { values: { ...push.screen.values, ...link } }) };
    const { text } = renderer.sms(screen, push.language);
    const body = JSON.stringify({ address, id: push.id, screen, text });
    await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    // As by SMS: a secret is said once, and not again on the next dial.
    return push.isSecret ? 'delivered' : 'held';
  };
}

/** Loads only the driver that is asked for: that of Redis takes as long as everything else. */
async function openStore(place: BootOptions['store']): Promise<Store> {
  if ('url' in place)
    return (await import('../../src/store/redis.ts')).openRedisStore({ ...place, deadlineMs: PATIENCE_MS });
  return (await import('../../src/store/sqlite.ts')).openSqliteStore(place);
}

/** One process of Wasl under test: does what its parent asks, and dies where it is told to. */
function serveParent(): void {
  let aheadMs = 0;
  let wasl: Awaited<ReturnType<typeof bootWasl>>;
  let store: Store;
  const now = () => Date.now() + aheadMs;
  const life = breaking();

  const methods: Record<string, (...args: never[]) => unknown> = {
    async boot(options: BootOptions) {
      const { store: place, point, broken } = options;
      aheadMs = options.aheadMs;
      life.arm(point);
      store = await openStore(place);
      const api = createWallet({ url: options.walletUrl, apiKey: options.apiKey });
      wasl = await bootWasl({
        store: watchedStore(store, life, broken),
        api: watchedWallet(brokenWallet(api, broken), life),
        deliver: watchedDeliver(postTo(options.toldUrl), life),
        now,
        alone: 'directory' in place,
      });
      return wasl.webhookUrl;
    },
    arm: (point?: string) => life.arm(point),
    /** Everything that it has come past since it was last asked. */
    trace: () => life.trace(),
    clock: (ahead: number) => {
      aheadMs = ahead;
    },
    receive: (incoming: Carded) => wasl.receive(incoming),
    payCardLink: (id: string) => wasl.payCardLink(id),
    code: (to: Msisdn) => wasl.code(to),
    binds: (phone: Msisdn) => wasl.binds(phone),
    gives: (text: string) => wasl.gives(text),
    loads: (phone: Msisdn, amount: Centimes) => wasl.loads(phone, amount),
    results: (id: string) => wasl.results(id),
    rests: () => wasl.rests(),
    errors: () => wasl.errors.splice(0),
    read: async (partition: number, keys: string[]) => store.read(partition, keys),
  };
  process.on('message', async ({ id, method, args }: Ask) => {
    const told = await Promise.resolve()
      .then(() => methods[method]?.(...(args as never[])))
      .then(
        (value): Told => ({ id, value }),
        (error): Told => ({ id, error: String(error?.stack ?? error) }),
      );
    process.send?.(told);
  });
  process.on('disconnect', () => process.exit());
  // Whoever dies by SIGKILL leaves no cache behind; with one, a successor starts in half the time.
  flushCompileCache();
  process.send?.('ready');
}

if (import.meta.main) {
  await (process.argv[2] === 'redis'
    ? import('../../src/store/redis.ts')
    : import('../../src/store/sqlite.ts'));
  serveParent();
}
