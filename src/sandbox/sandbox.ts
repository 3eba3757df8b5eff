import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { listening, type Server } from '../http/listening.ts';
import { loopbackHosts, ownHostOnly } from '../http/own-host.ts';
import type { Centimes } from '../wallet/money.ts';
import { logos } from './bills/logos.ts';
import { threeDsPages } from './cards/three-ds.ts';
import type { Core, Tenant } from './core/core.ts';
import { Database } from './core/database.ts';
import { Seeded } from './core/random.ts';
import { type Settings, type SettingsOrder, SettingsStore } from './core/settings.ts';
import { findCustomer } from './customers/customer.ts';
import type { DeskDeps, ResetOrder } from './desk/deps.ts';
import { whoseCall } from './desk/partner-of-call.ts';
import { Snapshots } from './desk/snapshots.ts';
import { adminApi } from './door/admin-api.ts';
import { type Modules, type ModulesOrder, modulesOf, reordered } from './door/modules.ts';
import { partnerApi } from './door/partner-api.ts';
import { published } from './door/published.ts';
import { type Logged, RequestLog } from './door/request-log.ts';
import { Faults } from './faults/fault-control.ts';
import { purchases } from './issuing/purchases.ts';
import { type MerchantFile, merchantFile } from './kyc/documents.ts';
import { providerPages } from './kyc/provider-page.ts';
import { VERIFICATIONS } from './kyc/upgrades.ts';
import { floatOf, setFloat } from './ledger/funding.ts';
import { Ledger, type LedgerCheck } from './ledger/ledger.ts';
import { qrPictures } from './merchant/pictures.ts';
import { type Executed, executed, SETTLEMENTS } from './operations/operation.ts';
import { addPartner, changePartner, partnerOfKey } from './partners/partners.ts';
import { addCustomer, restoreCustomer, type SeedCustomer } from './partners/seed.ts';
import { listReferences } from './references/book.ts';
import { type ShownReference, shownReference } from './references/desk.ts';
import { type Clock, HANDS, movable, REAL_TIME } from './time/clock.ts';
import { DueWork } from './time/due.ts';
import { pictures } from './vouchers/pictures.ts';
import { createTargets, isLoopback } from './webhooks/targets.ts';
import { type Attempt, allDeliveries, attemptsOf, type Delivery } from './webhooks/webhooks.ts';

export { SETTINGS_DEFAULT, type Settings } from './core/settings.ts';
export type { Faults } from './faults/fault-control.ts';
export type { FaultName, FaultOrder } from './faults/faults.ts';
export type { LedgerCheck } from './ledger/ledger.ts';
export type { Executed } from './operations/operation.ts';
export { SEEDED, type SeedCustomer } from './partners/seed.ts';
export type { Clock } from './time/clock.ts';
export type { Delivery } from './webhooks/webhooks.ts';

const ATTEMPTS_SHOWN_MAX = 100;
export const API_KEY_DEFAULT = 'sandbox-key';

export interface SandboxOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  readonly clock?: Clock;
  /** Same seed and same requests, same ids, codes and references. Absent: a new one for each empty file and reset. */
  readonly seed?: string;
  readonly apiKey?: string;
  /** Where webhooks of the first partner go, and the key they carry. */
  readonly webhookUrl?: string;
  readonly webhookKey?: string;
  /** Networks inside where webhooks may go although the sandbox is served to others. */
  readonly webhookNetworks?: readonly string[];
  /** More partners, each with wallets of its own. Scopes are separated by spaces; `*` is all. */
  readonly partners?: readonly { apiKey: string; scopes: string }[];
  readonly settings?: Partial<Settings>;
  /** Customers who have used their wallets before. Absent: wallets are as good as new, which tests like better. */
  readonly past?: boolean;
}

export interface Message {
  readonly id: number;
  readonly phone: string;
  readonly text: string;
  readonly at: number;
}

/** The Partner API v2.3 with play money, and what is needed to drive it. */
export interface Sandbox {
  readonly app: Hono;
  readonly apiKey: string;
  /**
   * Serves over HTTP, and from then on lets time work by itself. Port 0 takes a free one. @param shownAt an address under which
   * others are shown it although `host` is this machine's own
   */
  listen(port: number, host?: string, shownAt?: string): Promise<Server>;
  readonly clock: { now(): number; advance(ms: number): Promise<void> };
  /** Does everything that is due now: settlements, webhooks. */
  settle(): Promise<void>;
  /** SMS sent, oldest first. */
  sms(phone?: string): Message[];
  deliveries(): Delivery[];
  /** The newest requests to the Partner API of the first partner, without secrets, and attempts to deliver its webhooks. */
  requests(): Logged[];
  attempts(): Attempt[];
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  /** Every operation that was executed, or those of one `C-Request-Id`, oldest first. */
  executions(requestId?: string): Executed[];
  /** The newest references for cash of the first partner, or those of one number. */
  references(phone?: string): ShownReference[];
  setWebhook(url: string, key: string): void;
  /** Which modules are enabled for the first partner. */
  modules(): Modules;
  /** Gives those that are enabled then. */
  setModules(order: ModulesOrder): Modules;
  /** What can be switched while it runs. */
  settings(): Settings;
  setSettings(order: SettingsOrder): Settings;
  /** The test float of the first partner's principal agent, without which debits are refused. */
  float(code?: string): Centimes;
  setFloat(to: Centimes, code?: string): Centimes;
  addCustomer(customer: SeedCustomer): void;
  /** A seeded customer is as they were at first, so that a demo can begin again. */
  restoreCustomer(phone: string): void;
  /** What a merchant has sent of documents and what is missing; undefined for nobody. */
  documents(phone: string): MerchantFile | undefined;
  checkLedger(): LedgerCheck;
  /** Back to the seeded customers, and to the partners that the sandbox was started with. */
  reset(order?: ResetOrder): void;
  /** Ends the timer, the deliveries under way and the file; a server is closed by its own `close`. */
  close(): Promise<void>;
}

/** All that a sandbox consists of. */
interface Rooms extends DeskDeps {
  readonly options: SandboxOptions;
  readonly apiKey: string;
}

/** Opens the sandbox wallet on its file; a partner it does not know yet gets the seeded customers. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const rooms = openRooms(options);
  const { core, due, faults, settings, snapshots, apiKey } = rooms;
  const app = routes(rooms);
  return {
    app,
    apiKey,
    listen: (port, host = '127.0.0.1', shownAt) => listen(rooms, guarded(app, host, shownAt), port, host),
    clock: { now: core.clock.now, advance: (ms) => due.advance(ms) },
    settle: () => due.settle(),
    sms: (phone = '%') => messages(rooms, phone),
    deliveries: () => allDeliveries(core),
    requests: () => rooms.log.of(first(rooms).id),
    attempts: () => attemptsOf(core, first(rooms), ATTEMPTS_SHOWN_MAX),
    faults,
    executions: (requestId) => executed(core, requestId),
    references: (phone) =>
      listReferences(core, first(rooms), phone).map((each) => shownReference(core, each)),
    setWebhook: (webhookUrl, webhookKey) => setWebhook(rooms, webhookUrl, webhookKey),
    modules: () => modulesOf(first(rooms)),
    setModules(order) {
      changePartner(core, first(rooms), { modules: reordered(first(rooms), order) });
      return modulesOf(first(rooms));
    },
    settings: () => settings.all(),
    setSettings: (order) => ({ ...settings.set(order) }),
    float: (code) => floatOf(core, first(rooms), code),
    setFloat: (to, code) => core.db.transaction(() => setFloat(core, first(rooms), to, code)),
    addCustomer: (customer) => core.db.transaction(() => addCustomer(core, first(rooms).id, customer)),
    restoreCustomer: (phone) => core.db.transaction(() => restoreCustomer(core, first(rooms).id, phone)),
    documents(phone) {
      const merchant = findCustomer(core, first(rooms), phone);
      return merchant && merchantFile(core, merchant);
    },
    checkLedger: () => core.ledger.check(),
    reset: rooms.reset,
    async close() {
      await due.stop();
      await core.targets.close();
      snapshots.close();
      core.db.close();
    },
  };
}

function openRooms(options: SandboxOptions): Rooms {
  const { file, clock = REAL_TIME, apiKey = API_KEY_DEFAULT, past = false } = options;
  const db = new Database(file);
  const random = new Seeded(() => db.meta('seed') ?? '');
  const settings = new SettingsStore(options.settings);
  const hands = HANDS.read(db.meta('clock') ?? '{"aheadMs":0}');
  const core: Core = {
    db,
    ledger: new Ledger(db),
    clock: movable(clock, hands, (next) => db.setMeta('clock', JSON.stringify(next))),
    random,
    settings: settings.settings,
    targets: createTargets(options.webhookNetworks),
  };
  const faults = new Faults(random, core.settings.faultDelaysMs);
  const rooms: Rooms = {
    options,
    apiKey,
    past,
    core,
    settings,
    faults,
    due: new DueWork(core, [SETTLEMENTS, VERIFICATIONS]),
    log: new RequestLog(core.clock),
    snapshots: new Snapshots(core, faults, settings, file),
    reset: (order = {}) => reset(rooms, order),
  };
  db.transaction(() => addPartners(rooms, options.seed));
  const { webhookUrl, webhookKey = '' } = options;
  if (webhookUrl) setWebhook(rooms, webhookUrl, webhookKey);
  return rooms;
}

/** The operator says where the webhooks of the first partner go. */
function setWebhook(rooms: Rooms, webhookUrl: string, webhookKey: string): void {
  rooms.core.targets.configure(webhookUrl);
  changePartner(rooms.core, first(rooms), { webhookUrl, webhookKey });
}

/** Adds the partners that the sandbox is started with, by the seed that is there or else by this one. */
function addPartners({ core, options, apiKey, past }: Rooms, seed: string = randomUUID()): void {
  if (!core.db.meta('seed')) core.db.setMeta('seed', seed);
  const partners = [{ apiKey, scopes: '*' }, ...(options.partners ?? [])];
  for (const each of partners) addPartner(core, each, past);
}

function reset(rooms: Rooms, { seed, frozenAt }: ResetOrder): void {
  const { core, faults, settings, log, due, options } = rooms;
  const { webhookUrl, webhookKey } = first(rooms);
  core.db.transaction(() => {
    core.db.empty();
    faults.clear();
    settings.reset();
    log.clear();
    core.clock.reset();
    if (frozenAt !== undefined) core.clock.freeze(frozenAt);
    addPartners(rooms, seed ?? options.seed);
    changePartner(core, first(rooms), { webhookUrl, webhookKey });
  });
  due.wake();
}

/** The partner whose key the sandbox is started with. */
function first({ core, apiKey }: Rooms): Tenant {
  const tenant = partnerOfKey(core, apiKey);
  if (!tenant) throw new Error('the first partner is gone');
  return tenant;
}

function messages(rooms: Rooms, phone: string): Message[] {
  const sql = 'SELECT id, phone, text, at FROM messages WHERE tenant = ? AND phone LIKE ? ORDER BY id';
  return rooms.core.db.all<Message>(sql, first(rooms).id, phone);
}

function routes(rooms: Rooms): Hono {
  const { core, due, apiKey } = rooms;
  const tenant = (c: Context) => whoseCall(core, c);
  return (
    new Hono()
      // Nothing is answered before it is in the file.
      .use(async (_, next) => {
        await next();
        await core.db.committed();
      })
      .route('/', partnerApi(rooms))
      .route('/', pictures())
      .route('/', published(apiKey, createSandbox))
      .route('/', logos())
      .route('/', threeDsPages(core, due))
      .route('/', providerPages())
      .route('/', qrPictures(core, tenant))
      .route('/', adminApi(rooms))
      // After the admin API, whose guard against other sites protects it.
      .route('/', purchases(core, tenant))
  );
}

/** On this machine alone it answers to this machine's names, so that no page of another site reaches it under its own. */
function guarded(app: Hono, host: string, shownAt: string | undefined): Hono {
  if (!isLoopback(host)) return app;
  const own = ownHostOnly(loopbackHosts([shownAt]));
  return new Hono().use(own).all('*', (c) => app.fetch(c.req.raw, c.env));
}

async function listen({ due, core }: Rooms, app: Hono, port: number, host: string): Promise<Server> {
  const server = await listening(app, port, host);
  core.targets.servedOn(host);
  due.start();
  return server;
}
