import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { listening, type Server } from '../http/listening.ts';
import type { Centimes } from '../wallet/money.ts';
import { logos } from './bills/logos.ts';
import { createGateway } from './cards/gateway.ts';
import { threeDsPages } from './cards/three-ds.ts';
import type { Core, Settings, Tenant } from './core/core.ts';
import { openDatabase } from './core/database.ts';
import { seeded } from './core/random.ts';
import { createSettings, type SettingsOrder } from './core/settings.ts';
import { createCustomers } from './customers/customer.ts';
import { whoseCall } from './desk/asked.ts';
import { backstage, type ResetOrder } from './desk/backstage.ts';
import { createSnapshots } from './desk/snapshots.ts';
import { adminApi } from './door/admin-api.ts';
import { type Modules, type ModulesOrder, modulesOf, reordered } from './door/modules.ts';
import { partnerApi } from './door/partner-api.ts';
import { published } from './door/published.ts';
import { createRequestLog } from './door/request-log.ts';
import { createFaults, type Faults } from './faults/fault-control.ts';
import { allHandlers } from './handlers.ts';
import { purchases } from './issuing/purchases.ts';
import { type MerchantFile, merchantFile } from './kyc/documents.ts';
import { createVerification } from './kyc/upgrades.ts';
import { floatOf, setFloat } from './ledger/funding.ts';
import { createLedger, type LedgerCheck } from './ledger/ledger.ts';
import { qrPictures } from './merchant/pictures.ts';
import { createQrMaker } from './merchant/qr-codes.ts';
import { createOperations, type Executed } from './operations/operation.ts';
import { createPartners } from './partners/partners.ts';
import { addCustomer, type SeedCustomer } from './partners/seed.ts';
import { type Clock, type Hands, movable, REAL_TIME } from './time/clock.ts';
import { createDue } from './time/due.ts';
import { pictures } from './vouchers/pictures.ts';
import { createNotices } from './webhooks/notices.ts';
import { createWebhooks, type Delivery } from './webhooks/webhooks.ts';

export type { Settings } from './core/core.ts';
export { SETTINGS_DEFAULT } from './core/settings.ts';
export type { Faults } from './faults/fault-control.ts';
export type { FaultName, FaultOrder } from './faults/faults.ts';
export type { LedgerCheck } from './ledger/ledger.ts';
export type { Executed } from './operations/operation.ts';
export { SEEDED, type SeedCustomer } from './partners/seed.ts';
export type { Clock } from './time/clock.ts';
export type { Delivery } from './webhooks/webhooks.ts';

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
  /** Serves over HTTP, and from then on lets time work by itself. Port 0 takes a free one. */
  listen(port: number, host?: string): Promise<Server>;
  readonly clock: { now(): number; advance(ms: number): Promise<void> };
  /** Does everything that is due now: settlements, webhooks. */
  settle(): Promise<void>;
  /** SMS sent, oldest first. */
  sms(phone?: string): Message[];
  deliveries(): Delivery[];
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  /** Every operation that was executed, or those of one `C-Request-Id`, oldest first. */
  executions(requestId?: string): Executed[];
  setWebhook(url: string, key: string): void;
  /** Which modules are enabled for the first partner. */
  modules(): Modules;
  /** Gives those that are enabled then. */
  setModules(order: ModulesOrder): Modules;
  /** What can be switched while it runs. */
  settings(): Settings;
  setSettings(order: SettingsOrder): Settings;
  /** The test float of the first partner's principal agent, without which debits are refused. */
  float(): Centimes;
  setFloat(to: Centimes): Centimes;
  addCustomer(customer: SeedCustomer): void;
  /** What a merchant has sent of documents and what is missing; undefined for nobody. */
  documents(phone: string): MerchantFile | undefined;
  checkLedger(): LedgerCheck;
  /** Back to the seeded customers, and to the partners that the sandbox was started with. */
  reset(order?: ResetOrder): void;
  /** Ends the timer, the deliveries under way and the file; a server is closed by its own `close`. */
  close(): Promise<void>;
}

/** Opens the sandbox wallet on its file; a partner it does not know yet gets the seeded customers. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { apiKey = API_KEY_DEFAULT } = options;
  const db = openDatabase(options.file);
  const remember = (name: string, value: string) => {
    db.run('REPLACE INTO meta VALUES (?, ?)', name, value);
    db.forget();
  };
  const remembered = (name: string) =>
    db.lasting<{ value: string }>('SELECT value FROM meta WHERE name = ?', name)?.value;

  const hands: Hands = JSON.parse(remembered('clock') ?? '{"aheadMs":0}');
  const random = seeded(() => remembered('seed') ?? '');
  const chosen = createSettings(options.settings);
  const core: Core = {
    db,
    ledger: createLedger(db),
    clock: movable(options.clock ?? REAL_TIME, hands, (next) => remember('clock', JSON.stringify(next))),
    random,
    settings: chosen.settings,
  };
  const customers = createCustomers(core);
  const webhooks = createWebhooks(core);
  const operations = createOperations(core, createNotices(webhooks));
  const due = createDue(core, [operations, createVerification(core, customers, webhooks)], webhooks);
  const faults = createFaults(random, core.settings.faultDelaysMs);

  const partners = createPartners(core, customers, options.past ?? false);
  const snapshots = createSnapshots(core, faults, chosen, options.file);
  const log = createRequestLog(core.clock);
  const ours = (): Tenant => {
    const tenant = partners.ofKey(apiKey);
    if (!tenant) throw new Error('the first partner is gone');
    return tenant;
  };
  const setWebhook = (webhookUrl: string, webhookKey: string) =>
    partners.change(ours(), { webhookUrl, webhookKey });

  const plant = (seed?: string) => {
    if (!remembered('seed')) remember('seed', seed ?? options.seed ?? randomUUID());
    for (const each of [{ apiKey, scopes: '*' }, ...(options.partners ?? [])]) partners.plant(each);
  };
  db.transaction(plant);
  if (options.webhookUrl) setWebhook(options.webhookUrl, options.webhookKey ?? '');

  const reset = ({ seed, frozenAt }: ResetOrder = {}) => {
    const { webhookUrl, webhookKey } = ours();
    db.transaction(() => {
      db.empty();
      faults.clear();
      chosen.reset();
      log.clear();
      core.clock.reset();
      if (frozenAt !== undefined) core.clock.freeze(frozenAt);
      plant(seed);
      partners.change(ours(), { webhookUrl, webhookKey });
    });
    due.wake();
  };

  const inside = {
    apiKey,
    clock: { now: core.clock.now, advance: due.advance },
    settle: due.settle,
    setWebhook,
    modules: () => modulesOf(ours()),
    setModules(order: ModulesOrder) {
      partners.change(ours(), { modules: reordered(ours(), order) });
      return modulesOf(ours());
    },
    settings: chosen.all,
    setSettings: (order: SettingsOrder) => ({ ...chosen.set(order) }),
    float: () => floatOf(core, ours()),
    setFloat: (to: Centimes) => db.transaction(() => setFloat(core, ours(), to)),
    deliveries: webhooks.all,
    faults,
    executions: operations.executed,
    checkLedger: core.ledger.check,
    documents(phone: string) {
      const merchant = customers.find(ours(), phone);
      return merchant && merchantFile(core, merchant);
    },
    sms(phone?: string): Message[] {
      const sql = 'SELECT id, phone, text, at FROM messages WHERE tenant = ? AND phone LIKE ? ORDER BY id';
      return db.all<Message>(sql, ours().id, phone ?? '%');
    },
    addCustomer: (customer: SeedCustomer) =>
      db.transaction(() => addCustomer(core, customers, ours().id, customer)),
    reset,
  };

  const settings = chosen;
  const rooms = { core, customers, partners, operations, due, faults, settings, log, snapshots, reset };
  const whose = (c: Context) => whoseCall(c, partners);
  const handlers = allHandlers(core, customers, operations);
  const app = new Hono()
    .route('/', partnerApi(core, handlers, faults, due, log))
    .route('/', pictures())
    .route('/', published(apiKey, createSandbox))
    .route('/', logos())
    .route('/', threeDsPages(core, createGateway(core, operations), due))
    .route('/', qrPictures(createQrMaker(core, customers), db.transaction, whose))
    .route('/', adminApi(backstage(rooms)))
    // Behind the admin API, whose guard against other sites stands before it.
    .route('/', purchases(core, whose));

  return {
    ...inside,
    app,
    async listen(port, host = '127.0.0.1') {
      const server = await listening(app, port, host);
      due.start();
      return server;
    },
    async close() {
      await due.stop();
      snapshots.close();
      db.close();
    },
  };
}
