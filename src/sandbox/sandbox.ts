import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Context, Hono } from 'hono';
import { listening, type Server } from '../http/listening.ts';
import { loopbackHosts, ownHostOnly } from '../http/own-host.ts';
import { API_HEADERS } from '../wallet/contract/api.ts';
import type { Settings } from './core/settings.ts';
import type { Keys } from './desk/deps.ts';
import { changePartner, type KeyOrder, type NewPartner, ownPartner } from './partners/partners.ts';
import { openRoom, type Partner, type Room } from './room.ts';
import { type Clock, REAL_TIME } from './time/clock.ts';
import { isLoopback } from './webhooks/targets.ts';

export { SETTINGS_DEFAULT, type Settings } from './core/settings.ts';
export type { Faults } from './faults/fault-control.ts';
export type { FaultName, FaultOrder } from './faults/faults.ts';
export type { LedgerCheck } from './ledger/ledger.ts';
export type { Executed } from './operations/operation.ts';
export { SEEDED, type SeedCustomer } from './partners/seed.ts';
export type { Partner } from './room.ts';
export type { Clock } from './time/clock.ts';
export type { Delivery } from './webhooks/webhooks.ts';

export const API_KEY_DEFAULT = 'sandbox-key';
const KEYS_MAX = 200;
/** A browser then asks for a name, which is ignored, and a password, which is the key. */
const ASKS_FOR_KEY = 'Basic realm="Key of this partner", charset="UTF-8"';

export interface SandboxOptions {
  /** A path, or `:memory:`. Further keys have files beside it. */
  readonly file: string;
  readonly clock?: Clock;
  /** Same seed and same requests, same ids, codes and references. Absent: a new one for each empty file and reset. */
  readonly seed?: string;
  readonly apiKey?: string;
  /** The address for webhooks of the first partner, and the key that they carry. */
  readonly webhookUrl?: string;
  readonly webhookKey?: string;
  /** Networks inside where webhooks may go although the sandbox is served to others. */
  readonly webhookNetworks?: readonly string[];
  /** More keys, each with a wallet world of its own. Scopes are separated by spaces; `*` is all. */
  readonly partners?: readonly { apiKey: string; scopes: string }[];
  readonly settings?: Partial<Settings>;
  /** Customers who have used their wallets before. Absent: wallets are as good as new, which tests like better. */
  readonly past?: boolean;
}

/** The Partner API v2.3 with play money, and what is needed to drive it: the first key, and more of them. */
export interface Sandbox extends Partner {
  readonly app: Hono;
  /**
   * Serves over HTTP, and from then on lets time work by itself. Port 0 takes a free one. @param shownAt an address under which
   * others are shown it although `host` is this machine's own
   */
  listen(port: number, host?: string, shownAt?: string): Promise<Server>;
  /** The partner of a key. Undefined for nobody's. */
  partner(apiKey: string): Partner | undefined;
  /** Makes another key, with customers, clock, faults, settings and snapshots of its own. Throws for one there is. */
  addKey(order?: KeyOrder): Partner;
  /** Ends the timers, the deliveries under way and the files; a server is closed by its own `close`. */
  close(): Promise<void>;
}

/** Opens the sandbox wallet on its file, with every key that it has been given so far. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const rooms = new Rooms(options);
  const { webhookUrl, webhookKey = '' } = options;
  const { partner } = rooms.first;
  if (webhookUrl) partner.setWebhook(webhookUrl, webhookKey);
  const app = new Hono().all('*', (c) => {
    const room = rooms.of(c);
    if (room && !rooms.admits(c, room))
      return c.json({ message: 'Give the key of this partner' }, 401, { 'www-authenticate': ASKS_FOR_KEY });
    if (room) return room.app.fetch(c.req.raw, c.env);
    // After a key is deleted, a page of it may be open.
    if (/^\/(?:$|desk\/)/.test(c.req.path)) return c.redirect(c.req.path, 303);
    return c.json({ message: 'There is no such partner' }, 404);
  });
  return {
    ...partner,
    app,
    async listen(port, host = '127.0.0.1', shownAt) {
      const server = await listening(guarded(app, host, shownAt), port, host);
      rooms.serve(host, shownAt);
      return server;
    },
    partner: (apiKey) => rooms.all().find((each) => each.partner.apiKey === apiKey)?.partner,
    addKey: (order = {}) => rooms.add(order).partner,
    close: async () => void (await Promise.all(rooms.all().map((each) => each.close()))),
  };
}

class Rooms {
  readonly first: Room;
  readonly #options: SandboxOptions;
  readonly #rooms = new Map<number, Room>();
  /** The host that it is served on. Undefined: none so far. */
  #host: string | undefined;
  /** Whether others may reach it. */
  #isShared = false;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.first = this.#open(1, { apiKey: options.apiKey ?? API_KEY_DEFAULT, scopes: '*' });
    for (const id of this.#kept()) this.#open(id);
    for (const each of options.partners ?? []) if (!this.#byKey(each.apiKey)) this.add(each);
  }

  all(): readonly Room[] {
    return [...this.#rooms.values()];
  }

  /** The room that a request is about: that of its key, else of `?partner=`, else the first. */
  of(c: Context): Room | undefined {
    const key = c.req.header(API_HEADERS.key);
    // The API itself answers an unknown key with 401.
    if (c.req.path.startsWith('/api/')) return this.#byKey(key ?? '') ?? this.first;
    // The payer's browser has no key. The address of the page begins with the id of the room.
    const [, page] = /^\/3ds\/(\d+)\./.exec(c.req.path) ?? [];
    if (page !== undefined) return this.#rooms.get(Number(page)) ?? this.first;
    if (key !== undefined) return this.#byKey(key);
    const id = c.req.query('partner');
    return id === undefined ? this.first : this.#rooms.get(Number(id));
  }

  /**
   * If others can reach the sandbox, the pages and the admin API of a further key ask for that key. The first key is no secret: it
   * is in the documents. The Partner API and the payer's page have rules of their own.
   */
  admits(c: Context, { partner }: Room): boolean {
    if (!this.#isShared || partner === this.first.partner || /^\/(?:api|3ds)\//.test(c.req.path)) return true;
    const [, basic = ''] = /^Basic (.+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const password = Buffer.from(basic, 'base64')
      .toString()
      .replace(/^[^:]*:/, '');
    return [c.req.header(API_HEADERS.key), password].includes(partner.apiKey);
  }

  /** The keys as one of them sees them: all of them on this machine, else itself and the first. */
  #keysFor(viewer: number): Keys {
    const isSeen = (id: number) => !this.#isShared || id === viewer;
    return {
      list: () =>
        this.all()
          .filter((room) => room === this.first || isSeen(room.id))
          .map(shown),
      isTaken: (apiKey) => this.isTaken(apiKey),
      isFull: () => this.isFull(),
      add: (order) => shown(this.add(order)),
      remove: async (id) => isSeen(id) && this.remove(id),
    };
  }

  isTaken(apiKey: string): boolean {
    return this.#byKey(apiKey) !== undefined;
  }

  isFull(): boolean {
    return this.#rooms.size >= KEYS_MAX;
  }

  /** Throws for a key that somebody has. */
  add({ apiKey, scopes = '*', modules, webhookUrl = null, webhookKey = null }: KeyOrder): Room {
    const id = Math.max(...this.#rooms.keys()) + 1;
    const key = apiKey ?? `key-${this.first.core.random.uuid('key', id)}`;
    if (this.isTaken(key) || this.isFull()) throw new Error(`the key ${key} cannot be made`);
    const room = this.#open(id, { apiKey: key, scopes, modules });
    changePartner(room.core, ownPartner(room.core), { webhookUrl, webhookKey });
    if (this.#host !== undefined) this.#serve(room, this.#host);
    return room;
  }

  /** Deletes a key and all that belongs to it. False for the first one, and for one there is not. */
  async remove(id: number): Promise<boolean> {
    const room = this.#rooms.get(id);
    if (!room || room === this.first) return false;
    this.#rooms.delete(id);
    room.snapshots.removeAll();
    await room.close();
    const file = this.#fileOf(id);
    if (file !== ':memory:') for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    return true;
  }

  /** It is served there from now on. */
  serve(host: string, shownAt: string | undefined): void {
    this.#host = host;
    this.#isShared = !isLoopback(host) || shownAt !== undefined;
    for (const room of this.all()) this.#serve(room, host);
  }

  #serve({ core, due }: Room, host: string): void {
    core.targets.servedOn(host);
    due.start();
  }

  #byKey(apiKey: string): Room | undefined {
    for (const room of this.#rooms.values()) if (room.partner.apiKey === apiKey) return room;
    return undefined;
  }

  #open(id: number, partner?: NewPartner): Room {
    const { clock = REAL_TIME, past = false, seed, settings, webhookNetworks } = this.#options;
    const room = openRoom({
      ...{ id, file: this.#fileOf(id), clock, seed, past, settings, webhookNetworks },
      ...(partner && { partner }),
      keys: this.#keysFor(id),
      logs: () => this.all().map(({ log }) => log),
      open: createSandbox,
    });
    this.#rooms.set(id, room);
    return room;
  }

  #fileOf(id: number): string {
    const { file } = this.#options;
    return id === 1 || file === ':memory:' ? file : file.replace(/(\.\w+)?$/, `.key-${id}$1`);
  }

  /** The ids of the further keys that have files. */
  #kept(): number[] {
    const { file } = this.#options;
    if (file === ':memory:' || !existsSync(dirname(file))) return [];
    const ids = readdirSync(dirname(file)).flatMap((name) => /\.key-(\d+)(?:\.\w+)?$/.exec(name)?.[1] ?? []);
    return ids
      .map(Number)
      .filter((id) => existsSync(join(dirname(file), basename(this.#fileOf(id)))))
      .sort((a, b) => a - b);
  }
}

const shown = ({ id, core }: Room) => ({ ...ownPartner(core), id });

/** On this machine alone it answers to this machine's names, so that no page of another site reaches it under its own. */
function guarded(app: Hono, host: string, shownAt: string | undefined): Hono {
  if (!isLoopback(host)) return app;
  const own = ownHostOnly(loopbackHosts([shownAt]));
  return new Hono().use(own).all('*', (c) => app.fetch(c.req.raw, c.env));
}
