import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CardLinkPaid } from '../../src/conversation/card-links.ts';
import type { Address, Input, Reply } from '../../src/conversation/incoming.ts';
import type { Server } from '../../src/http/listening.ts';
import type { Doc } from '../../src/store/store.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { STATUSES } from '../../src/wallet/contract/fields.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../src/wallet/phone.ts';
import type { CashKind } from '../../src/wallet/services.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { numberOf } from '../kit/number.ts';
import { type RedisServer, startRedis } from '../kit/redis-server.ts';
import { type Child, prefork } from './crash-child.ts';
import type { Broken } from './crash-points.ts';
import { CrashWire, type Message, type Wire } from './crash-wire.ts';
import type { BootOptions } from './process.ts';
import { confirmsAtBank, type Town } from './town/kinds.ts';
import { createListener, type Listener } from './town/listener.ts';
import { byWhoAsked, type Execution, PRINCIPAL, sentOften } from './town/oracle.ts';
import type { Carded } from './town/payer.ts';
import { createTownWallet, PIN } from './town/wallet.ts';
import { type PaidLine, WEBHOOK_KEY } from './town/wasl.ts';

const SECOND_MS = 1_000;
/** Longer than Wasl looks a reference up without a question. */
const REFERENCE_VALID_MS = 100 * 3_600_000;
/** The sandbox makes its ids and voucher codes of it. */
export const SANDBOX_SEED = 'crash';

/** The till that executes a reference. No event tells of an agent's till. */
export interface Counter {
  readonly kind: CashKind;
  readonly by: 'agent' | 'network';
  readonly phone: Msisdn;
}

/** The faults of a history, apart from deaths. */
export interface Faults {
  readonly wire?: Wire;
  /** False: the wallet's webhooks go nowhere. */
  readonly webhooks?: boolean;
  /** False: operations stay open until `settles`. */
  readonly settles?: boolean;
  /** The process dies there. */
  readonly point?: string | undefined;
  /** Executes every reference before its number is answered. */
  readonly atOnce?: Counter | undefined;
}

interface Place {
  readonly kind: 'sqlite' | 'redis';
  readonly directory: string;
  readonly redis: RedisServer | undefined;
  readonly broken: Broken | undefined;
}

export async function createStage(kind: 'sqlite' | 'redis', broken?: Broken): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), 'wasl-crash-'));
  const redis =
    kind === 'redis' ? await startRedis({ args: ['--appendonly', 'yes', '--dir', directory] }) : undefined;
  const stage = new Stage({ kind, directory, redis, broken });
  await stage.open();
  return stage;
}

/** A wallet, a store, and one process of Wasl after the other. Each is killed, and the next one takes over. */
export class Stage implements Town {
  kills = 0;
  /** Every message to a customer, oldest first. */
  readonly told: (Pick<Message, 'address' | 'id' | 'text'> & { readonly key: string })[] = [];
  readonly sandbox;
  readonly api: Wallet;
  readonly faults;
  /** Adds a customer to the wallet (`createTownWallet`). */
  readonly customer;
  readonly #place: Place;
  readonly #wallet = createTownWallet({
    seed: SANDBOX_SEED,
    settings: { settleAfterMs: SECOND_MS, referenceValidMs: REFERENCE_VALID_MS },
    firstPhone: 20_000_000,
  });
  readonly #wire = new CrashWire(
    this.#wallet,
    () => this.#process.kill(),
    (message) => this.#hear(message),
  );
  /** The numbers of agents, by their codes. */
  readonly #agents = new Map<string, Msisdn>();
  /** The wallet of each linked chat. */
  readonly #chats = new Map<Address, Msisdn>();
  readonly #fetch: typeof globalThis.fetch = async (url, init) =>
    this.#wallet.sandbox.app.request(String(url), init);
  #listener = this.#newListener();
  #hasWebhooks = true;
  #settles = true;
  #spare: Child;
  #process: Child;
  #server: Server | undefined;

  constructor(place: Place) {
    const { sandbox, customer } = this.#wallet;
    this.#place = place;
    this.#spare = prefork(place.kind);
    this.#process = this.#spare;
    this.customer = customer;
    this.faults = sandbox.faults;
    this.sandbox = { executions: () => this.#executions(), checkLedger: () => sandbox.checkLedger() };
    // Without the wire.
    this.api = createWallet({ url: 'http://wallet.test', apiKey: sandbox.apiKey, fetch: this.#fetch });
  }

  async open(): Promise<void> {
    this.#server = await this.#wire.listen();
  }

  async close(): Promise<void> {
    this.#process.kill();
    this.#spare.kill();
    await this.#server?.close();
    await this.#wallet.sandbox.close();
    await this.#place.redis?.kill();
    rmSync(this.#place.directory, { recursive: true, force: true });
  }

  // The processes.

  ask = <T>(method: string, ...args: unknown[]): Promise<T> => this.#process.ask(method, args) as Promise<T>;
  receive = (incoming: Carded) => this.ask<Reply>('receive', incoming);
  payCardLink = (id: string) => this.ask<CardLinkPaid | undefined>('payCardLink', id);
  /** The store, read through the process that holds it. */
  readonly store = {
    read: (partition: number, keys: readonly string[]) =>
      this.ask<(Doc | undefined)[]>('read', partition, keys),
  };

  /** A fresh process takes over. `point`: it dies there as well. */
  async starts(point?: string): Promise<void> {
    const { kind, directory, redis, broken } = this.#place;
    const url = this.#server?.url ?? '';
    this.#process = this.#spare;
    this.#spare = prefork(kind);
    this.#wire.point = undefined;
    const options: BootOptions = {
      store: redis ? { url: redis.url } : { directory },
      ...{ walletUrl: url, apiKey: this.#wallet.sandbox.apiKey, toldUrl: `${url}/told` },
      ...{ aheadMs: this.#wallet.clock.aheadMs, broken, point },
    };
    this.#process.webhookUrl = await this.ask<string>('boot', options);
    this.#wire.point = point;
    this.#sendWebhooks();
  }

  /** A history that went wrong may have left no process behind. */
  livesAgain = () => this.ask('errors').catch(() => this.starts());

  /** Counts a death that a history has met. */
  buried(): void {
    this.kills++;
  }

  // The faults and the time.

  /** Sets the faults of a history. */
  async sets({ wire = 'works', webhooks = true, settles = true, point, atOnce }: Faults): Promise<void> {
    this.#wire.fault = wire;
    this.#wire.onReference = atOnce && (() => this.executes(atOnce));
    this.#settles = settles;
    this.#hasWebhooks = webhooks;
    this.#wire.point = point;
    await this.ask('arm', point);
    this.#sendWebhooks();
  }

  /** Operations settle from now on. */
  settles = async (): Promise<void> => {
    this.#settles = true;
    await this.#wallet.sandbox.settle();
  };

  /** Lets time pass for the wallet and for Wasl, and does all due work. */
  async passes(ms: number): Promise<void> {
    const { clock, sandbox } = this.#wallet;
    clock.aheadMs += ms;
    await this.ask('clock', clock.aheadMs);
    await this.#wire.deliverLate();
    if (this.#settles) await sandbox.settle();
    await this.ask('rests');
  }

  /** Webhooks go to the living process, or to nobody. */
  #sendWebhooks(): void {
    const url = this.#hasWebhooks ? this.#process.webhookUrl : 'http://127.0.0.1:9/nobody';
    this.#wallet.sandbox.setWebhook(url, WEBHOOK_KEY);
  }

  // The people.

  somebody = (walletType: 'P' | 'C' = 'P'): Msisdn => this.customer(undefined, walletType);
  /** Somebody goes on at their bank. */
  bank = (link: string) => confirmsAtBank(link, this.#fetch);
  /** A customer's number acts for the principal agent. */
  binds = (phone: Msisdn) => this.ask<void>('binds', phone);
  loads = (phone: Msisdn, amount: Centimes) => this.ask<string>('loads', phone, amount);
  notes = (who: Msisdn, receiver: string): void => void this.#agents.set(`${PRINCIPAL} ${receiver}`, who);
  /** Each line of a file of payouts, as the console shows it. */
  results = (id: string) => this.ask<PaidLine[]>('results', id);
  gives = async (text: string): Promise<string> => {
    const id = await this.ask<string>('gives', text);
    await this.passes(SECOND_MS);
    return id;
  };

  /** A customer is a retail agent at the wallet, and says so to Wasl. */
  async employs(phone: Msisdn): Promise<void> {
    const agent = { phone, name: 'Tabac', firstName: 'Driss', lastName: 'Lahlou', cin: 'BE123456' };
    const answer = await this.api.createRetailAgent(agent);
    if (answer.kind !== 'ok') throw new Error(`there is no agent: ${answer.kind}`);
    const { code } = answer.value;
    this.#agents.set(code, phone);
    const says = (dialog: string, ...texts: string[]) => {
      const inputs = texts.map((text) => ({ type: 'said', text }) as const);
      return this.receive({ address: `ussd:${phone}`, id: randomUUID(), dialog, inputs });
    };
    const { choices } = (await says('first')).screen;
    await says('first', numberOf(choices, 'en'));
    const { key } = (await says('second', '7', '9', code)).screen;
    if (key !== 'agent.welcome') throw new Error(`a customer did not become an agent: ${key}`);
  }

  /** A customer opens a web chat and links it, by our code and the PIN. */
  async chats(phone: Msisdn): Promise<Address> {
    const address: Address = `web:chat-of-${phone}`;
    this.#chats.set(address, phone);
    const does = (input: Input) =>
      this.receive({ address, id: randomUUID(), inputs: [input], language: 'en' });
    const says = (text: string) => does({ type: 'said', text });
    await does({ type: 'opened' });
    await says(phone);
    await says((await this.ask<string>('code', phone)) ?? '');
    const { key } = (await says(PIN)).screen;
    if (key !== 'menu.choose') throw new Error(`a chat is not linked: ${key}`);
    return address;
  }

  /** Somebody at a till executes the newest reference of a wallet. */
  async executes({ kind, by, phone }: Counter): Promise<void> {
    const { sandbox } = this.#wallet;
    const [newest] = sandbox.references(phone);
    if (newest?.status !== STATUSES.OPEN) return;
    const { reference } = newest;
    const way = kind === 'cash-in' ? 'cashin' : 'cashout';
    const [path, body] =
      by === 'agent'
        ? [`/api/operations/${way}/agent`, { Code: 'RA-2001', Reference: reference }]
        : [`/api/network/operations/${way}`, { reference, entity: 'Guichet 12' }];
    const headers = { 'svc-api-key': sandbox.apiKey, 'content-type': 'application/json' };
    const answer = await sandbox.app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 200) throw new Error(`a counter is refused: ${await answer.text()}`);
  }

  // The evidence for the oracle.

  /** Hears everything that reaches customers, until somebody else listens. */
  listens(): Listener {
    this.#listener = this.#newListener();
    return this.#listener;
  }

  #newListener(): Listener {
    return createListener({ now: this.#wallet.clock.now, executions: () => this.#executions() });
  }

  #hear({ address, id, screen, text }: Message): void {
    this.told.push({ address, id, text, key: screen.key });
    const wallet = this.#chats.get(address) ?? msisdn(address.slice('ussd:'.length));
    this.#listener.hearsPush(address, { screen }, wallet);
  }

  #executions(): readonly Execution[] {
    return byWhoAsked(this.#wallet.sandbox.executions(), this.#agents);
  }

  /** The references of a number, oldest first. With an empty number, those of the principal agent. */
  references(of: string) {
    return this.#wallet.sandbox.references(of).reverse();
  }

  /** Requests that came to the wallet more than once since the last call. */
  sentTwice(): string[] {
    const all = [...this.#wire.arrived].flatMap(([id, times]) => Array.from({ length: times }, () => id));
    this.#wire.arrived.clear();
    return sentOften(all);
  }

  /** The requests that came to the wallet since `sentTwice`. */
  requests(): string[] {
    return [...this.#wire.arrived.keys()];
  }

  /** Every byte that was ever stored. */
  files = (): string[] => {
    const entries = readdirSync(this.#place.directory, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  };
}
