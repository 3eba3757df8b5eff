import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Writable } from 'node:stream';
import { Hono } from 'hono';
import { formRoutes } from '../../src/channels/form/routes.ts';
import { smsEventsOf } from '../../src/channels/open.ts';
import { createSmpp } from '../../src/channels/smpp/open.ts';
import { type BindSettings, readBind } from '../../src/channels/smpp/settings.ts';
import { createSmsInbox } from '../../src/channels/sms/simulator.ts';
import type { SmsSender } from '../../src/channels/sms/sms.ts';
import { deliverUssd } from '../../src/channels/ussd/deliver.ts';
import { ussdRoutes } from '../../src/channels/ussd/routes.ts';
import { createTake } from '../../src/channels/ussd/take.ts';
import { webRoutes } from '../../src/channels/web/routes.ts';
import { createStreams, deliverWeb } from '../../src/channels/web/streams.ts';
import { createBackground } from '../../src/conversation/background.ts';
import { createBudgets } from '../../src/conversation/budgets.ts';
import { createEngine } from '../../src/conversation/engine.ts';
import type { Conversations } from '../../src/conversation/incoming.ts';
import { OWN } from '../../src/conversation/lease.ts';
import { createProviderInbox } from '../../src/conversation/provider-inbox.ts';
import { createSecrets, type Secrets } from '../../src/conversation/secrets.ts';
import { listening } from '../../src/http/listening.ts';
import { type Log, thrown } from '../../src/log/thrown.ts';
import { openLog, SELF } from '../../src/log.ts';
import { createMeasuring } from '../../src/metrics/measured.ts';
import { createTracing } from '../../src/metrics/tracing.ts';
import { createTurnLog } from '../../src/metrics/turn-log.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { createRenderer, type Renderer } from '../../src/screen/renderer.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { type Store, StoreDown } from '../../src/store/store.ts';
import { unpack } from '../../src/store/unpack.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { openWhatsApp, type WorldWhatsApp } from '../channels/cloud-api/stage.ts';
import { ALONE } from '../channels/fakes.ts';
import { startSmsc } from '../channels/smpp/smsc.ts';
import { ASKS_FROM_500 } from '../kit/first-payments.ts';
import { redisClient, startRedis } from '../kit/redis-server.ts';

/** The sandbox makes its codes of it. */
export const SANDBOX_SEED = 'canaries';
/** Every this many commits the store is down for one, so that errors are thrown where secrets are at hand. */
const COMMITS_PER_FAILURE = 97;
/** Every this many turns there is a bug whose message holds what was typed. */
const TURNS_PER_BUG = 23;

/** Characters that are no text, braces at the ends of a text, and the two bytes after it, which may look like text. */
const TEXT_ENDS = /[\p{Cc}\ufffd{}]+[\s\S]{0,2}/gu;

/** A store that is down for one commit in many. */
async function openStore(directory: string, redisUrl: string | undefined) {
  const real = await (redisUrl ? openRedisStore({ url: redisUrl }) : openSqliteStore({ directory }));
  let commits = 0;
  const store: Store = {
    ...real,
    commit: async (partition, commit) => {
      if (++commits % COMMITS_PER_FAILURE === 0) throw new StoreDown('down for a moment');
      return real.commit(partition, commit);
    },
  };
  return { real, store };
}

/** The log and the traces of a process, kept as they are written. */
function createObserving() {
  const logged: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const log = openLog('debug', 'doors', sink);
  const spans: string[] = [];
  const tracing = createTracing(
    'http://collector.invalid',
    { ...SELF, role: 'doors' },
    {
      export(ended, done) {
        for (const { name, attributes, status, events } of ended)
          spans.push(JSON.stringify({ name, attributes, status, events }));
        done({ code: 0 });
      },
      shutdown: async () => {},
    },
  );
  return { logged, log, spans, tracing, measured: createMeasuring(undefined, createTurnLog(log, 100)) };
}

/** The conversations, with a bug in one turn of many. */
function buggy(engine: Conversations): Conversations {
  let turns = 0;
  return {
    ...engine,
    receive: async (incoming, deadlineMs) => {
      const reply = await engine.receive(incoming, deadlineMs);
      if (++turns % TURNS_PER_BUG === 0) throw new Error(`a bug that quotes ${JSON.stringify(incoming)}`);
      return reply;
    },
  };
}

/** The real channels over HTTP, the real engine, store, wallet client and log, and everything that they leave behind. */
export async function createTown(kind: 'sqlite' | 'redis') {
  const directory = mkdtempSync(join(tmpdir(), 'wasl-canaries-'));
  const redis = kind === 'redis' ? await startRedis() : undefined;
  const { real, store } = await openStore(directory, redis?.url);
  const { logged, log, spans, tracing, measured } = createObserving();
  const sandbox = createSandbox({ file: ':memory:', seed: SANDBOX_SEED, settings: { settleAfterMs: 50 } });
  const served = await sandbox.listen(0);
  const secrets = createSecrets('a secrets key of the canaries, 32 characters');
  const renderer = createRenderer();
  const inbox = createSmsInbox();
  const streams = createStreams(ALONE);
  const smpp = await bindsFor(log);
  // Every SMS leaves in a PDU as well.
  const sms: SmsSender = async (to, text, taken) => {
    await smpp.send?.(to, text);
    return inbox.send(to, text, taken);
  };
  const ussd = deliverUssd({ sms, renderer });
  const web = deliverWeb(streams);
  // It is opened behind the engine that delivers by it.
  let whatsapp: WorldWhatsApp | undefined;
  const wallet = createWallet({ url: served.url, apiKey: sandbox.apiKey });
  const bare = createEngine({
    store: tracing.store(store),
    api: tracing.wallet(measured.wallet(wallet, 'customers')),
    secrets,
    alone: !redis,
    served: { safety: ASKS_FROM_500 },
    onError: (error, line, fields) => log.say(line, { ...fields, ...thrown(error) }),
    deliver: async (address, push) => {
      if (address.startsWith('whatsapp:')) return whatsapp?.deliver(address, push) ?? 'held';
      return (address.startsWith('ussd:') ? ussd : web)(address, push);
    },
    sendCode: async (to, code, language) => {
      const screen = { key: 'linking.codeSms', values: { code: { code } }, expects: 'nothing' } as const;
      await sms(to, renderer.sms(screen, language).text);
      return 'sent';
    },
  });
  const engine = tracing.engine(measured.conversations(bare));
  const shared = { conversations: buggy(engine), renderer, secrets, log };
  const page = { secure: false, proxies: [] };
  const door = () => ({ secrets: [], addresses: [], proxies: [] });
  const readQr = async () => ({ kind: 'none' }) as const;
  const app = new Hono()
    .route('/ussd', ussdRoutes({ ...shared, door, serviceCode: '*123#', language: 'fr' }))
    .route(
      '/chat',
      webRoutes({ ...shared, ...page, readQr, streams, embedOrigins: [], walletUrl: served.url }),
    )
    .route('/form', formRoutes({ ...shared, ...page, cardLinks: engine, openers: {} }));
  smpp.open({ ...shared, store, sms });
  await smpp.smsc.next('bind');
  const server = await listening(app, 0, '127.0.0.1');
  const chats = { store, renderer, secrets, formAt: `${server.url}/form`, now: Date.now, log };
  whatsapp = await openWhatsApp({ ...chats, engine: () => shared.conversations });

  return {
    url: server.url,
    whatsapp,
    smsc: smpp.smsc,
    sandbox,
    inbox,
    logged,

    /** The traces that a collector has got. */
    async spans(): Promise<string[]> {
      await tracing.close();
      return spans;
    },

    /** Every document and turn record, as the store's own tools show them. */
    async documents(): Promise<string[]> {
      if (redis) return everythingInRedis(redis.url);
      await engine.close();
      await real.close();
      return [...columnOf(directory, 'value', 'doc'), ...columnOf(directory, 'record', 'turn')];
    },

    /** The keys of documents. They may hold a text of a customer, too. */
    async keys(): Promise<string[]> {
      if (!redis) return columnOf(directory, 'key', 'doc');
      const client = await redisClient(redis.url).connect();
      const keys = await client.keys('*');
      client.destroy();
      return keys.map(String);
    },

    /**
     * The files as bytes, with the journal, as they are while the store is in use. SQLite cuts texts where a page is full or
     * its space is used again. Digits of a phone number or a UUID that are left there do not stand alone.
     */
    files(): string[] {
      const texts = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
      return texts.map((text) => text.replaceAll(TEXT_ENDS, '_'));
    },

    async close(): Promise<void> {
      streams.close();
      await smpp.close();
      await server.close();
      await whatsapp?.close();
      await engine.close();
      await served.close();
      await sandbox.close();
      await real.close();
      await redis?.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface SmppParts {
  readonly conversations: Conversations;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly renderer: Renderer;
  readonly log: Log;
  readonly sms: SmsSender;
}

/** Wasl's end of SMPP, for USSD and SMS, and an SMSC that others wrote. */
async function bindsFor(log: Log) {
  const smsc = await startSmsc();
  const settings = readBind(`smpp://wasl:pass@127.0.0.1:${smsc.port}?from=WASL&window=50`) as BindSettings;
  const smpp = createSmpp({ binds: [settings], lease: () => OWN, log });
  const background = createBackground((error, line) => log.say(line, thrown(error)));
  return {
    smsc,
    send: smpp.send,
    open({ conversations, store, sms, ...shared }: SmppParts): void {
      const { secrets, renderer } = shared;
      const take = createTake({ ...shared, conversations, language: 'fr' });
      const inbox = createProviderInbox({ store, secrets, background, now: Date.now });
      smpp.open({
        ussd: { take: (request) => take(request, 'smpp'), serviceCode: '*123#', log },
        ...smsEventsOf(
          { USSD_CODE: '*123#' },
          { store, secrets, renderer, budgets: createBudgets({ store, secrets }) },
          conversations,
          { inbox, sms },
        ),
      });
    },
    async close(): Promise<void> {
      await smpp.close();
      await background.done();
      await smsc.kill();
    },
  };
}

function columnOf(directory: string, column: string, table: string): string[] {
  const db = new DatabaseSync(join(directory, 'wasl.db'));
  const rows = db.prepare(`SELECT ${column} AS text FROM ${table}`).all();
  db.close();
  return rows.map(({ text }) => String(text));
}

export type Town = Awaited<ReturnType<typeof createTown>>;

async function everythingInRedis(url: string): Promise<string[]> {
  const client = await redisClient(url).connect();
  const texts: string[] = [];
  for (const key of await client.keys('*')) {
    const type = await client.type(key);
    if (type === 'stream') {
      const entries = await client.xRange(key, '-', '+');
      texts.push(...(entries ?? []).flatMap(({ message }) => Object.values(message).map(String)));
    } else if (type === 'string') {
      const value = (await client.get(key)) ?? '';
      texts.push(unpack(value.slice(value.indexOf('|') + 1), key));
    }
  }
  client.destroy();
  return texts;
}
