import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { Centimes } from '../wallet/money.ts';
import { logos } from './bills/logos.ts';
import { threeDsPages } from './cards/three-ds.ts';
import type { Core, Tenant } from './core/core.ts';
import { Database } from './core/database.ts';
import { Seeded } from './core/random.ts';
import { type Settings, type SettingsOrder, SettingsStore } from './core/settings.ts';
import { findCustomer } from './customers/customer.ts';
import type { DeskDeps, Keys, ResetOrder } from './desk/deps.ts';
import { Snapshots } from './desk/snapshots.ts';
import { adminApi } from './door/admin-api.ts';
import { type ModulesOrder, modulesOf, reordered } from './door/modules.ts';
import { partnerApi } from './door/partner-api.ts';
import type { OpenSandbox } from './door/publication.ts';
import { published } from './door/published.ts';
import { RequestLog } from './door/request-log.ts';
import { Faults } from './faults/fault-control.ts';
import { purchases } from './issuing/purchases.ts';
import { merchantFile } from './kyc/documents.ts';
import { providerPages } from './kyc/provider-page.ts';
import { VERIFICATIONS } from './kyc/upgrades.ts';
import { floatOf, setFloat } from './ledger/funding.ts';
import { Ledger } from './ledger/ledger.ts';
import { qrPictures } from './merchant/qr-codes.ts';
import { executed, SETTLEMENTS } from './operations/operation.ts';
import { addPartner, changePartner, type NewPartner, ORIGIN, ownPartner } from './partners/partners.ts';
import { addCustomer, restoreCustomer, type SeedCustomer } from './partners/seed.ts';
import { listReferences } from './references/book.ts';
import { shownReference } from './references/desk.ts';
import { Recorder } from './scenario/recorder.ts';
import { play } from './scenario/scenario.ts';
import { type Clock, HANDS, movable } from './time/clock.ts';
import { DueWork } from './time/due.ts';
import { pictures } from './vouchers/pictures.ts';
import { createTargets } from './webhooks/targets.ts';
import { allDeliveries, attemptsOf } from './webhooks/webhooks.ts';

const ATTEMPTS_SHOWN_MAX = 100;

interface Message {
  readonly id: number;
  readonly phone: string;
  readonly text: string;
  readonly at: number;
}

/** One key, and what is needed to drive all that belongs to it. */
export type Partner = Readonly<ReturnType<typeof handleOf>>;

/** The values that a room is opened with. */
interface RoomOptions {
  readonly id: number;
  /** A path, or `:memory:`. */
  readonly file: string;
  readonly clock: Clock;
  readonly seed?: string | undefined;
  readonly past: boolean;
  readonly settings?: Partial<Settings> | undefined;
  readonly webhookNetworks?: readonly string[] | undefined;
  /** Absent: that of the file. */
  readonly partner?: NewPartner;
  readonly keys: Keys;
  readonly logs: () => readonly RequestLog[];
  readonly open: OpenSandbox;
}

/** A key and all that belongs to it: wallets, time, faults, settings, snapshots. No other key reaches any of it. */
export interface Room extends DeskDeps {
  readonly app: Hono;
  readonly partner: Partner;
  /** Ends the timer, the deliveries under way and the file. */
  close(): Promise<void>;
}

/** Opens a room on its file. A new one gets the seeded customers. */
export function openRoom(options: RoomOptions): Room {
  const { id, file, past, keys, seed } = options;
  const db = new Database(file);
  const random = new Seeded(() => db.meta('seed') ?? '');
  const settings = new SettingsStore(options.settings);
  const hands = HANDS.read(db.meta('clock') ?? '{"aheadMs":0}');
  const core: Core = {
    db,
    partner: id,
    ledger: new Ledger(db),
    clock: movable(options.clock, hands, (next) => db.setMeta('clock', JSON.stringify(next))),
    random,
    settings: settings.settings,
    targets: createTargets(options.webhookNetworks),
  };
  const faults = new Faults(random, core.settings.faultDelaysMs);
  const log = new RequestLog(core.clock, options.logs);
  const due = new DueWork(core, [SETTLEMENTS, VERIFICATIONS]);
  const snapshots = new Snapshots(core, faults, settings, file);
  db.transaction(() => begin(core, options, seed));
  const { apiKey } = ownPartner(core);
  const deps = { id, core, due, faults, settings, log, snapshots, keys };
  const reset = (order: ResetOrder = {}) => resetRoom(deps, options, order);
  const recorder = new Recorder(core.clock, reset);
  const parts: DeskDeps = {
    ...{ ...deps, recorder, reset },
    play: (content) => play(parts, (path, init) => app.request(path, init), content),
  };
  const app = routes(parts, apiKey, options.open);
  return {
    ...parts,
    app,
    partner: handleOf(parts, apiKey),
    async close() {
      await due.stop();
      await core.targets.close();
      snapshots.close();
      db.close();
    },
  };

  function begin(to: Core, { partner }: RoomOptions, first: string = randomUUID()): void {
    // Two keys of the same seed give other ids, codes and references.
    if (!db.meta('seed')) db.setMeta('seed', id === 1 ? first : `${first}#${id}`);
    if (partner) addPartner(to, partner, past);
  }
}

function resetRoom(
  { id, core, faults, settings, log, due }: Omit<DeskDeps, 'reset' | 'play' | 'recorder'>,
  options: RoomOptions,
  { seed = options.seed ?? randomUUID(), frozenAt }: ResetOrder,
): void {
  const { db, clock } = core;
  const { apiKey, webhookUrl, webhookKey } = ownPartner(core);
  const origin = ORIGIN.read(db.meta('origin') ?? '{}');
  db.transaction(() => {
    db.empty();
    faults.clear();
    settings.reset();
    log.clear();
    clock.reset();
    if (frozenAt !== undefined) clock.freeze(frozenAt);
    db.setMeta('seed', id === 1 ? seed : `${seed}#${id}`);
    const partner = addPartner(core, { ...origin, apiKey }, options.past);
    changePartner(core, partner, { webhookUrl, webhookKey });
  });
  due.wake();
}

/** The operator says where the webhooks of a key go. */
function setWebhook(core: Core, webhookUrl: string, webhookKey: string): void {
  core.targets.configure(webhookUrl);
  changePartner(core, ownPartner(core), { webhookUrl, webhookKey });
}

function handleOf({ core, due, faults, settings, log, reset, play: plays }: DeskDeps, apiKey: string) {
  const own = (): Tenant => ownPartner(core);
  const { db } = core;
  return {
    apiKey,
    clock: { now: core.clock.now, advance: (ms: number) => due.advance(ms) },
    /** Does everything that is due now: settlements, webhooks. */
    settle: () => due.settle(),
    /** SMS sent, oldest first. */
    sms: (phone = '%') =>
      db.all<Message>('SELECT id, phone, text, at FROM messages WHERE phone LIKE ? ORDER BY id', phone),
    deliveries: () => allDeliveries(core),
    /** The newest requests to the Partner API, without secrets, and attempts to deliver webhooks. */
    requests: () => log.entries(),
    attempts: () => attemptsOf(core, own(), ATTEMPTS_SHOWN_MAX),
    /** The faults that are set. */
    faults,
    /** Every operation that was executed, or those of one `C-Request-Id`, oldest first. */
    executions: (requestId?: string) => executed(core, requestId),
    /** The newest references for cash, or those of one number. */
    references: (phone?: string) =>
      listReferences(core, own(), phone).map((each) => shownReference(core, each)),
    setWebhook: (url: string, key: string) => setWebhook(core, url, key),
    modules: () => modulesOf(own()),
    /** Gives those that are enabled then. */
    setModules(order: ModulesOrder) {
      changePartner(core, own(), { modules: reordered(own(), order) });
      return modulesOf(own());
    },
    /** The settings, which can be changed while it runs. */
    settings: () => settings.all(),
    setSettings: (order: SettingsOrder): Settings => ({ ...settings.set(order) }),
    /** The test float of the principal agent, without which debits are refused. */
    float: (code?: string) => floatOf(core, own(), code),
    setFloat: (to: Centimes, code?: string) => db.transaction(() => setFloat(core, own(), to, code)),
    addCustomer: (customer: SeedCustomer) => db.transaction(() => addCustomer(core, own().id, customer)),
    /** A seeded customer is as they were at first, so that a demo can begin again. */
    restoreCustomer: (phone: string) => db.transaction(() => restoreCustomer(core, own().id, phone)),
    /** The documents that a merchant has sent and those that are missing; undefined for nobody. */
    documents(phone: string) {
      const merchant = findCustomer(core, own(), phone);
      return merchant && merchantFile(core, merchant);
    },
    checkLedger: () => core.ledger.check(),
    /** Back to the seeded customers. Other keys notice nothing. */
    reset,
    /** Begins again as a scenario file says. Rejects with `BadScenario`, before anything is changed. */
    play: plays,
  };
}

function routes(deps: DeskDeps, apiKey: string, open: OpenSandbox): Hono {
  const { core, due } = deps;
  const tenant = () => ownPartner(core);
  return (
    new Hono()
      // Nothing is answered before it is in the file.
      .use(async (_, next) => {
        await next();
        await core.db.committed();
      })
      .use(deps.recorder.watch)
      .route('/', partnerApi(deps))
      .route('/', pictures())
      .route('/', published(apiKey, open))
      .route('/', logos())
      .route('/', threeDsPages(core, due))
      .route('/', providerPages())
      .route('/', qrPictures(core, tenant))
      .route('/', adminApi(deps))
      // After the admin API, whose guard against other sites protects it.
      .route('/', purchases(core, tenant))
  );
}
