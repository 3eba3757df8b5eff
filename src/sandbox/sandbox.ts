import { randomUUID } from 'node:crypto';
import { type ServerType, serve } from '@hono/node-server';
import { Hono } from 'hono';
import { WEBHOOK_TIMEOUT_MS } from '../wallet/contract/limits.ts';
import { adminApi } from './admin.ts';
import { addAgent } from './agents.ts';
import { partnerApi } from './api.ts';
import { logos } from './bills/logos.ts';
import { type Clock, movable, REAL_TIME } from './clock.ts';
import type { Core, Settings, Tenant } from './core.ts';
import { createCustomers } from './customer.ts';
import { openDatabase } from './database.ts';
import { createDue } from './due.ts';
import { createFaults, type Faults } from './fault-control.ts';
import { allHandlers } from './handlers.ts';
import { createLedger, type LedgerCheck, OWN_ACCOUNTS } from './ledger.ts';
import { qrPictures } from './merchant/pictures.ts';
import { createQrMaker } from './merchant/qr-codes.ts';
import { MODULES, type Modules, type ModulesOrder, modulesOf, reordered } from './modules.ts';
import { createNotices } from './notices.ts';
import { createOperations, type Executed } from './operation.ts';
import { giveAPast } from './past.ts';
import { seeded } from './random.ts';
import { addCustomer, SEEDED, type SeedCustomer } from './seed.ts';
import { pictures } from './vouchers/pictures.ts';
import { createWebhooks, type Delivery } from './webhooks.ts';

export type { Clock } from './clock.ts';
export type { Settings } from './core.ts';
export type { Faults } from './fault-control.ts';
export type { FaultName, FaultOrder } from './faults.ts';
export type { LedgerCheck } from './ledger.ts';
export type { Executed } from './operation.ts';
export { SEEDED, type SeedCustomer } from './seed.ts';
export type { Delivery } from './webhooks.ts';

export const SETTINGS_DEFAULT: Settings = {
  settleAfterMs: 1_200,
  wrongPin: 'refused',
  pinAttemptsMax: 3,
  otpValidMs: 10 * 60_000,
  otpTriesMax: 5,
  otpLockMs: 15 * 60_000,
  webhookTimeoutMs: WEBHOOK_TIMEOUT_MS,
  billNetwork: 'up',
  faultDelaysMs: {},
};
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

export interface Server {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
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
  addCustomer(customer: SeedCustomer): void;
  checkLedger(): LedgerCheck;
  /** Back to the seeded customers. */
  reset(): void;
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

  const ahead = Number(remembered('aheadMs') ?? 0);
  const random = seeded(() => remembered('seed') ?? '');
  const settings = { ...SETTINGS_DEFAULT, ...options.settings };
  const core: Core = {
    db,
    ledger: createLedger(db),
    clock: movable(options.clock ?? REAL_TIME, ahead, (aheadMs) => remember('aheadMs', String(aheadMs))),
    random,
    settings,
  };
  const customers = createCustomers(core);
  const webhooks = createWebhooks(core);
  const operations = createOperations(core, createNotices(webhooks));
  const due = createDue(core, operations, webhooks);
  const faults = createFaults(random, settings.faultDelaysMs);

  const partner = (key: string) => db.get<Tenant>('SELECT * FROM tenants WHERE apiKey = ?', key);
  const ours = (): Tenant => {
    const tenant = partner(apiKey);
    if (!tenant) throw new Error('the first partner is gone');
    return tenant;
  };
  const setWebhook = (url: string, key: string) => {
    db.run('UPDATE tenants SET webhookUrl = ?, webhookKey = ? WHERE id = ?', url, key, ours().id);
    db.forget();
  };

  const modules = () => modulesOf(ours());
  const setModules = (order: ModulesOrder) => {
    const tenant = ours();
    db.run('UPDATE tenants SET modules = ? WHERE id = ?', reordered(tenant, order), tenant.id);
    db.forget();
    return modules();
  };

  const plant = () => {
    if (!remembered('seed')) remember('seed', options.seed ?? randomUUID());
    for (const each of [{ apiKey, scopes: '*' }, ...(options.partners ?? [])]) {
      if (partner(each.apiKey)) continue;
      const sql = 'INSERT INTO tenants (apiKey, scopes, modules) VALUES (?, ?, ?)';
      const id = db.run(sql, each.apiKey, each.scopes, MODULES.join(' '));
      for (const kind of OWN_ACCOUNTS) core.ledger.openAccount(id, kind);
      addAgent(core, id);
      for (const customer of SEEDED) addCustomer(core, customers, id, customer);
      const planted = partner(each.apiKey);
      if (options.past && planted) giveAPast(core, customers, planted);
    }
  };
  db.transaction(plant);
  if (options.webhookUrl) setWebhook(options.webhookUrl, options.webhookKey ?? '');

  const inside = {
    apiKey,
    clock: { now: core.clock.now, advance: due.advance },
    settle: due.settle,
    setWebhook,
    modules,
    setModules,
    deliveries: webhooks.all,
    faults,
    executions: operations.executed,
    checkLedger: core.ledger.check,
    sms(phone?: string): Message[] {
      const sql = 'SELECT id, phone, text, at FROM messages WHERE tenant = ? AND phone LIKE ? ORDER BY id';
      return db.all<Message>(sql, ours().id, phone ?? '%');
    },
    addCustomer: (customer: SeedCustomer) =>
      db.transaction(() => addCustomer(core, customers, ours().id, customer)),
    reset() {
      const { webhookUrl, webhookKey } = ours();
      db.transaction(() => {
        db.empty();
        faults.clear();
        core.clock.reset();
        plant();
      });
      if (webhookUrl) setWebhook(webhookUrl, webhookKey ?? '');
    },
  };

  const handlers = allHandlers(core, customers, operations);
  const app = new Hono()
    .route('/', partnerApi(core, handlers, faults, due))
    .route('/', pictures())
    .route('/', logos())
    .route('/', qrPictures(createQrMaker(core, customers), db.transaction, ours))
    .route('/', adminApi(inside));

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
      db.close();
    },
  };
}

/** Resolves once the port is ours; rejects when it is taken. */
function listening(app: Hono, port: number, hostname: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname }, (address) => {
      const url = `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${address.port}`;
      resolve({ url, port: address.port, close: () => closing(server) });
    });
    server.once('error', reject);
  });
}

function closing(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}
