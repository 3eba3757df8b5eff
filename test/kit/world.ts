import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { formRoutes } from '../../src/channels/form/routes.ts';
import { createSmsInbox } from '../../src/channels/sms/simulator.ts';
import type { SmsSender } from '../../src/channels/sms/sms.ts';
import { deliverUssd } from '../../src/channels/ussd/deliver.ts';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { createBackground } from '../../src/conversation/background.ts';
import { type Alarm, type BudgetsDeps, createBudgets } from '../../src/conversation/budgets.ts';
import { channelOf } from '../../src/conversation/channel.ts';
import { onWords } from '../../src/conversation/chart/releases.ts';
import { createEngine } from '../../src/conversation/engine.ts';
import type { EngineOptions } from '../../src/conversation/engine-options.ts';
import {
  type Address,
  type ChannelName,
  type Conversations,
  LANGUAGES,
  type Language,
} from '../../src/conversation/incoming.ts';
import { CASH_DEFAULTS } from '../../src/conversation/references/cash-settings.ts';
import { createSecrets } from '../../src/conversation/secrets.ts';
import type { Served } from '../../src/conversation/served.ts';
import { SAFETY_DEFAULTS } from '../../src/conversation/session/safety.ts';
import { createSessions } from '../../src/conversation/session/sessions.ts';
import { startWorker } from '../../src/conversation/worker.ts';
import { listening } from '../../src/http/listening.ts';
import { createArchive } from '../../src/records/archive.ts';
import { createNames, learningNames, type Names } from '../../src/records/names.ts';
import { openPostgresRecords } from '../../src/records/postgres.ts';
import { createRecorder, type Progress } from '../../src/records/recorder.ts';
import type { Records } from '../../src/records/records.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { createUpkeep } from '../../src/records/upkeep.ts';
import { createSandbox, type SandboxOptions, type SeedCustomer } from '../../src/sandbox/sandbox.ts';
import { createRenderer, type Renderer } from '../../src/screen/renderer.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { unpack } from '../../src/store/unpack.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { createWalletClock } from '../../src/wallet/clock.ts';
import { centimes } from '../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../src/wallet/phone.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { createApply } from '../../src/webhooks/apply.ts';
import { createInbox } from '../../src/webhooks/inbox.ts';
import { webhookRoutes } from '../../src/webhooks/routes.ts';
import type { WorldBot } from '../channels/bot-api/stage.ts';
import { botWay, expectNoTrouble } from '../channels/bot-api/way.ts';
import { fakeLog } from '../channels/fakes.ts';
import { type Customer, createCustomer } from './customer.ts';
import { engineWay } from './engine-way.ts';
import { ASKS_FROM_500 } from './first-payments.ts';
import { fragile, type StoreWeather } from './fragile-store.ts';
import { lazily } from './lazily.ts';
import { createMeddler } from './meddler.ts';
import { patientWallet } from './patient-wallet.ts';
import { redisClient, startRedis } from './redis-server.ts';
import { languageOfTest } from './rotation.ts';

export { CHANNELS, CHATS } from './rotation.ts';

export const PIN = '1234';
/** Where links to the page of identification lead. */
export const IDENTITY_PAGE = 'https://wasl.test/identity';
const WEBHOOK_KEY = 'a webhook key of the tests';
/** What a process has not ended by then, it does not end any more. */
const DEAD_AFTER_MS = 500;

/** The operator's table of banks: the sandbox's bank of the magic RIBs, and no other. */
const BANKS = { 998: 'Banque d’essai' };

/** No amount is asked about, or waits: for tests of large ones that are about something else. */
export const UNGUARDED: Served['safety'] = {
  ...SAFETY_DEFAULTS,
  newRecipientFrom: centimes(Number.MAX_SAFE_INTEGER),
  unusualFrom: centimes(Number.MAX_SAFE_INTEGER),
  coolDownAbove: centimes(Number.MAX_SAFE_INTEGER),
};

export const STORES = ['sqlite', 'redis'] as const;

export interface WorldOptions {
  /** Spoken to customers who have chosen no language. */
  readonly language?: Language;
  /** A Redis of its own, a SQLite file of its own, or a Redis that is there already. */
  readonly store?: (typeof STORES)[number] | { readonly url: string; readonly replicasMin?: number };
  readonly settings?: SandboxOptions['settings'];
  /** Turns are recorded: in a SQLite file of its own, or in a PostgreSQL that is there. Absent: nothing is. */
  readonly records?: 'sqlite' | { readonly url: string };
  /** How many turns of a partition wait to be recorded; absent: as many as anywhere. */
  readonly turnsMax?: number;
  /** `down`: the provider takes none at the moment. */
  readonly sms?: boolean | 'down';
  /** The real bot is there too, before a Bot API server of our own: how its updates come to it. */
  readonly bot?: UpdatesBy;
  /** Machines that the operator has not turned on. */
  readonly without?: readonly string[];
  /** The form is served, to whoever has its link: no channel knows who has opened it. */
  readonly form?: boolean;
  /** Where the bot's customers find the form: an https address that ends in `/form`. Absent: they tap and type in the chat. */
  readonly formAt?: string;
  /** Hears every text where channels write it, and every turn where they hand it over. */
  readonly ears?: Ears;
  /** How long an open USSD page waits for an outcome; absent: not at all, so that each step is seen. */
  readonly outcomeWaitMs?: number;
  /** Other limits than those of `BUDGETS`. */
  readonly budgets?: BudgetsDeps['max'];
  /** False: there is no page on which a customer's identity can be checked. */
  readonly identityPage?: false;
  /** Other settings for cash than the defaults with both ways to pay it in. */
  readonly cash?: Served['cash'];
  /** Other settings for what is asked about once more, and what waits; absent: the defaults, but first payments are asked about from 500 DH on. */
  readonly safety?: Served['safety'];
  /** How long cases may wait, and when somebody is there; absent: `CASE_DEFAULTS`. */
  readonly cases?: Served['cases'];
  /** How far the wallet's clock is ahead of Wasl's, which measures it then. Absent: they agree, and nobody measures. */
  readonly walletAheadMs?: number;
  /** Which releases other processes know. */
  readonly fleet?: EngineOptions['fleet'];
}
export interface Ears {
  readonly renderer: (renderer: Renderer) => Renderer;
  readonly conversations: (engine: () => Conversations) => Conversations;
  /** The form was sent: its answer comes there, and not in the session that sent its customer to it. */
  onForm(address: Address): void;
}
export type UpdatesBy = 'webhook' | 'polling';

/** Everything but the network: a real store, the sandbox over real HTTP, real webhooks, and a clock one can move. */
export async function createWorld(options: WorldOptions = {}) {
  const { settings = { settleAfterMs: 1_000 }, sms = true, language } = options;
  const directory = mkdtempSync(join(tmpdir(), 'wasl-'));
  const redis = options.store === 'redis' ? await startRedis() : undefined;
  const { url: redisUrl, ...replicas } =
    typeof options.store === 'object' ? options.store : { url: redis?.url };
  const turns = {
    recorded: options.records !== undefined,
    ...(options.turnsMax && { turnsMax: options.turnsMax }),
  };
  const open = (): Promise<Store> =>
    redisUrl
      ? openRedisStore({ url: redisUrl, ...replicas, ...turns })
      : openSqliteStore({ directory, ...turns });
  const records =
    options.records === 'sqlite'
      ? await openSqliteRecords(directory)
      : options.records && openPostgresRecords(options.records.url);
  const progress: Progress[] = [];
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  const { walletAheadMs } = options;
  const theirs = { now: () => clock.now() + (walletAheadMs ?? 0) };
  const sandbox = createSandbox({ file: ':memory:', seed: 'tests', settings, clock: theirs });
  const walletClock = createWalletClock(clock.now);
  const served = await sandbox.listen(0);
  const wallet = createMeddler();
  const secrets = createSecrets('a secrets key of the tests, 32 characters');
  const renderer = createRenderer();
  const forgetsWords = onWords((release, { sentences }) => renderer.learn(release, sentences));
  const spoken = checkedInAll(options.ears?.renderer(renderer) ?? renderer, renderer);
  const inbox = createSmsInbox(clock.now);
  const errors: unknown[] = [];
  const alarms: Alarm[] = [];
  const onError = (error: unknown) => errors.push(error);
  const background = createBackground(onError);
  const names = records && createNames({ records, secrets, now: clock.now });
  const client = wallet.between(
    patientWallet(
      createWallet({
        url: served.url,
        apiKey: sandbox.apiKey,
        ...(walletAheadMs !== undefined && { clock: walletClock }),
      }),
    ),
  );
  const api = names
    ? learningNames(client, (...told) =>
        background.add(names.write(...told), 'Saved names could not be written down'),
      )
    : client;

  let bot: WorldBot | undefined;

  const weather: StoreWeather = { isDown: false };
  const post = { refuses: 0 };

  const app = new Hono().route(
    '/webhooks',
    webhookRoutes({
      inbox: { save: (raw) => running.webhooks.save(raw) },
      keys: [WEBHOOK_KEY],
      onError,
    }),
  );
  const server = await listening(app, 0, '127.0.0.1');
  const formAt = options.formAt ?? (options.form ? `${server.url}/form` : undefined);
  const conversations = {
    form: (...given: Parameters<Conversations['form']>) => running.engine.form(...given),
    cameBack: (...given: Parameters<Conversations['cameBack']>) => running.engine.cameBack(...given),
    receive(...given: Parameters<Conversations['receive']>) {
      options.ears?.onForm(given[0].address);
      return running.engine.receive(...given);
    },
    fallback: (...given: Parameters<Conversations['fallback']>) => running.engine.fallback(...given),
  };
  const formLog = fakeLog();
  app.route(
    '/form',
    formRoutes({
      conversations,
      cardLinks: {
        cardLink: (id) => running.engine.cardLink(id),
        payCardLink: (...given) => running.engine.payCardLink(...given),
      },
      renderer: spoken,
      secrets,
      openers: {},
      secure: false,
      proxies: [],
      log: formLog.log,
      now: clock.now,
    }),
  );
  let running: Awaited<ReturnType<typeof boot>>;

  async function boot() {
    const store = fragile(await open(), weather);
    const send: SmsSender = async (to, text) => (post.refuses-- > 0 ? 'later' : inbox.send(to, text));
    const deliver = deliverUssd({ renderer: spoken, formAt, ...(sms && { sms: send }) });
    const engine = createEngine({
      store,
      ...(records && { archive: createArchive(records) }),
      api,
      secrets,
      alone: !redisUrl,
      served: {
        pagesOf: (reply) => pageOf(renderer, reply),
        labelsOf: renderer.labels,
        ...(options.outcomeWaitMs && { outcomeWaitMs: options.outcomeWaitMs }),
        ...(language && { language }),
        cash: options.cash ?? { ...CASH_DEFAULTS, ways: ['agents', 'bill-network'], ownAgent: 'PA-1001' },
        safety: options.safety ?? ASKS_FROM_500,
        advisers: true,
        ...(options.cases && { cases: options.cases }),
        formAt,
        noSms: !sms,
        ...(options.without && { without: options.without }),
        ...(options.identityPage !== false && { identityPage: () => IDENTITY_PAGE }),
        banks: BANKS,
      },
      ...(options.fleet && { fleet: options.fleet }),
      skewMs: walletClock.skewMs,
      now: clock.now,
      onError,
      budgets: createBudgets({
        store,
        secrets,
        now: clock.now,
        max: options.budgets ?? {},
        alarm: (alarm) => alarms.push(alarm),
      }),
      sendCode: async (to, code, language) => {
        if (!sms) return 'none';
        if (sms === 'down') return 'later';
        const screen = { key: 'linking.codeSms', values: { code: { code } }, expects: 'nothing' } as const;
        await inbox.send(to, spoken.sms(screen, language).text);
        return 'sent';
      },
      deliver: async (address, push) => {
        if (address.startsWith('ussd:')) return deliver(address, push);
        return address.startsWith('telegram:') && bot ? bot.deliver(address, push) : 'held';
      },
      chatAt: (address) => bot?.chatAt(address),
    });
    const webhooks = createInbox({
      store,
      secrets,
      apply: createApply(engine, api, { skewMs: walletClock.skewMs }),
      background,
      now: clock.now,
    });
    const worker = startWorker(
      store,
      {
        session: (address) => engine.wake(address as Address),
        intent: engine.reconcile,
        pending: engine.lookAtPending,
        'cash-reference': engine.lookUp,
        payout: engine.payOut,
        'voucher-code': engine.resealVoucher,
        webhook: (id) => webhooks.process(`webhook:${id}`),
        case: (id) => engine.lookAtCase(id, async (webhook) => (await webhooks.find(webhook)) !== undefined),
      },
      { now: clock.now, onError, pollMs: 50 },
    );
    await engine.lookAtOpen();
    const recording = records && recordingOf(store, records);
    return { store, engine, webhooks, worker, recording };
  }

  /** Records when it is told to, not by itself: tests say what is recorded. */
  function recordingOf(store: Store, into: Records) {
    const { now } = clock;
    const { turnsMax = 10_000 } = options;
    const onProgress = (each: Progress) => progress.push(each);
    const keptDays = { events: 400, payments: 3_653, audit: 730, names: 400 };
    return {
      recorder: createRecorder({ store, records: into, turnsMax, onProgress, now }),
      upkeep: createUpkeep({
        store,
        records: into,
        takeAudit: async () => false,
        keptDays,
        onForgotten() {},
        onNotForgotten() {},
        now,
      }),
    };
  }

  running = await boot();
  sandbox.setWebhook(`${server.url}/webhooks/wallet`, WEBHOOK_KEY);

  let last = 10_000_000;
  const world = {
    sandbox,
    wallet,
    /** How the store does: `isDown` and it takes nothing. */
    weather,
    /** How many SMS of outcomes the provider does not take, from now on. */
    post,
    api,
    secrets,
    renderer,
    clock,
    errors,
    /** Budgets that were spent. */
    alarms,
    walletUrl: served.url,
    /** What the form has logged. */
    formLog,
    formAt,
    get bot(): WorldBot {
      return bot ?? missing('the bot');
    },
    webhookUrl: `${server.url}/webhooks/wallet`,
    webhookKey: WEBHOOK_KEY,
    get engine() {
      return running.engine;
    },
    get store() {
      return running.store;
    },
    get records(): Records {
      return records ?? missing('records');
    },
    /** Who is found by which name. */
    get names(): Names {
      return names ?? missing('records');
    },
    /** What carries turns and payments there, and takes payments out of the store. */
    get recording() {
      return running.recording ?? missing('records');
    },
    /** What the recorder has said of itself. */
    progress,
    /** The webhooks that have come. */
    get inbox() {
      return running.webhooks;
    },

    /** A customer with a wallet of their own, at a phone. */
    customer(who: Partial<Omit<SeedCustomer, 'balance'>> & CustomerOptions = {}): Customer {
      const { channel = 'ussd', language = languageOfTest(), balance = '500', ...rest } = who;
      const phone = msisdn(rest.phone ?? `+2126${String(last++).padStart(8, '0')}`);
      sandbox.addCustomer({
        phone,
        firstName: 'Test',
        lastName: 'Customer',
        level: 2,
        status: 3,
        ...((rest.status ?? 3) >= 3 && { pin: PIN }),
        balance: centimes(Math.round(Number(balance) * 100)),
        ...rest,
      });
      return at(phone, channel, language);
    },

    /** The same person at the same address, when what was asked before will never be answered. */
    again: ({ phone, address, language }: Customer): Customer =>
      at(phone, channelOf(address), language, address),

    /** A chat of the same customer, on another device. */
    chatOf: ({ phone, address, language: own }: Customer, language: Language = own): Customer =>
      at(phone, channelOf(address) === 'telegram' ? 'telegram' : 'web', language),

    /** The same customer at a phone. */
    dialer: ({ phone }: Customer, language: Language = 'fr'): Customer => at(phone, 'ussd', language),

    /** Someone whom the wallet does not know. */
    stranger({ channel = 'ussd', language = languageOfTest() }: CustomerOptions = {}): Customer {
      return at(msisdn(`+2126${String(last++).padStart(8, '0')}`), channel, language);
    },

    /** Every SMS a number has received, oldest first: ours and the wallet's. */
    sms(phone: Msisdn): string[] {
      return [...inbox.of(phone), ...sandbox.sms(phone)].sort((a, b) => a.at - b.at).map(({ text }) => text);
    },

    /** Lets time pass, for the sandbox and for Wasl, and lets everything happen that falls due. */
    async passes(ms: number): Promise<void> {
      clock.ahead += ms;
      await sandbox.settle();
      await world.rests();
    },

    /** Waits until nothing is due or going on. */
    async rests(): Promise<void> {
      do {
        await world.settles();
        await running.engine.close();
        // What the worker has taken by itself is not due any more, but not done either.
      } while ((await running.worker.round()) > 0 || (await running.worker.settles()));
      await running.engine.close();
    },

    /** Waits until the webhooks that have come are applied. */
    settles: (): Promise<void> => background.done(),

    /** Ends the process and starts it again, as a deploy would: nothing in memory is left. */
    async restarts(): Promise<void> {
      await running.engine.close();
      await world.crashes();
    },

    /** Kills the process in the middle of whatever it is doing, and starts it again. */
    async crashes(): Promise<void> {
      // A process that is dead holds no answer any more.
      running.engine.stop();
      // A chore that waits for a call which is never answered dies with its process.
      await Promise.race([running.worker.stop(), sleep(DEAD_AFTER_MS)]);
      await running.store.close();
      running = await boot();
    },

    /** Kills it while it waits for the wallet's answer to a call that `turn` leads to, and starts it again. */
    async crashesDuring(call: keyof Wallet, turn: PromiseLike<void>): Promise<void> {
      const reached = wallet.dies(call);
      void turn;
      await reached;
      await world.crashes();
    },

    /** What Wasl knows of a customer at this address. */
    async session({ address }: Customer) {
      return (await createSessions(running.store).load(address, clock.now())).session;
    },

    /** Every byte that Wasl has ever written and not cleared away: documents, timers, turn records. */
    async everythingStored(): Promise<string> {
      await world.rests();
      if (redisUrl) return everythingIn(redisUrl);
      await running.worker.stop();
      await running.store.close();
      const files = readdirSync(directory).map((file) => readFileSync(join(directory, file), 'utf8'));
      running = await boot();
      return files.join('\n');
    },

    /** Ends it for good, and gives what is left in the files of SQLite, byte for byte. */
    async everythingLeft(): Promise<string> {
      await world.rests();
      await running.worker.stop();
      await records?.close();
      await running.store.close();
      return readdirSync(directory)
        .map((file) => readFileSync(join(directory, file), 'latin1'))
        .join('\n');
    },

    /** Every row of the SQLite records. */
    async everythingRecorded(): Promise<string> {
      await running.recording?.recorder.drain();
      const copy = mkdtempSync(join(tmpdir(), 'wasl-records-'));
      for (const file of readdirSync(directory).filter((name) => name.startsWith('records.db')))
        copyFileSync(join(directory, file), join(copy, file));
      const database = new DatabaseSync(join(copy, 'records.db'));
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
      const rows = tables.map(({ name }) => {
        const all = database.prepare(`SELECT * FROM "${name}"`);
        all.setReadBigInts(true);
        return JSON.stringify(all.all(), (_, value) => (typeof value === 'bigint' ? String(value) : value));
      });
      database.close();
      rmSync(copy, { recursive: true });
      return rows.join('\n');
    },

    async close(): Promise<void> {
      forgetsWords();
      await bot?.close();
      await running.worker.stop();
      await running.engine.close();
      await background.done();
      await server.close();
      await served.close();
      await sandbox.close();
      await running.store.close();
      await records?.close();
      await redis?.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  if (options.bot) {
    const { openBot } = await import('../channels/bot-api/stage.ts');
    const conversations = options.ears?.conversations(() => running.engine);
    const engine = () => conversations ?? running.engine;
    const { now } = clock;
    bot = await openBot({
      updates: options.bot,
      engine,
      walletUrl: served.url,
      formAt,
      renderer: spoken,
      secrets,
      now,
    });
  }
  return world;

  function at(phone: Msisdn, channel: ChannelName, language: Language, address?: Address): Customer {
    const way =
      channel === 'telegram'
        ? botWay(world, world.bot, language, address)
        : engineWay(world, channel, address ?? addressOn(channel, phone), language);
    return createCustomer(world, phone, language, way);
  }
}

/** An SMS that one language could not say is sent in none: it is missed whichever language the test speaks. */
function checkedInAll(spoken: Renderer, renderer: Renderer): Renderer {
  return {
    ...spoken,
    sms(screen, language) {
      for (const each of LANGUAGES) renderer.sms(screen, each);
      return spoken.sms(screen, language);
    },
  };
}

function addressOn(channel: 'ussd' | 'web', phone: Msisdn): Address {
  return channel === 'ussd' ? `ussd:${phone}` : `web:${randomUUID()}`;
}

function missing(what: string): never {
  throw new Error(`this world was made without ${what}`);
}

/** One world for all tests of a `describe`, made before them and closed after them. */
export function theWorld(options: WorldOptions = {}): World {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(options);
  });
  afterEach(() => {
    if (options.bot) expectNoTrouble(world.bot);
  });
  afterAll(() => world?.close());
  return lazily(() => world);
}

async function everythingIn(url: string): Promise<string> {
  const client = await redisClient(url).connect();
  const texts = await Promise.all(
    (await client.keys('*')).map(async (key) => {
      const type = await client.type(key);
      if (type === 'string') return `${key} ${unpack((await client.get(key)) ?? '', key)}`;
      if (type === 'stream') return JSON.stringify(await client.xRange(key, '-', '+'));
      return `${key} ${await client.zRange(key, 0, -1)}`;
    }),
  );
  client.destroy();
  return texts.join('\n');
}

export interface CustomerOptions {
  readonly channel?: ChannelName;
  /** The one of the running test (`languageOfTest`), unless it matters. */
  readonly language?: Language;
  /** In dirhams. */
  readonly balance?: string;
}

export type World = Awaited<ReturnType<typeof createWorld>>;
