import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { Screen } from '../../machines/kit/screen.ts';
import type { CardLinkPaid } from '../../src/conversation/card-links.ts';
import type { Address, Input, Reply } from '../../src/conversation/incoming.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import type { Doc } from '../../src/store/store.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { API } from '../../src/wallet/contract/api.ts';
import { STATUSES } from '../../src/wallet/contract/fields.ts';
import { type Centimes, centimes } from '../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../src/wallet/phone.ts';
import type { CashKind } from '../../src/wallet/services.ts';
import { numberOf } from '../kit/number.ts';
import { startRedis } from '../kit/redis-server.ts';
import { type Child, prefork } from './crash-child.ts';
import type { Broken } from './crash-points.ts';
import { type BootOptions, type PaidLine, WEBHOOK_KEY } from './process.ts';
import { confirmsAtBank } from './town/kinds.ts';
import { createListener, type Listener } from './town/listener.ts';
import { byWhoAsked, PRINCIPAL } from './town/oracle.ts';
import { type Carded, PIN } from './town/payer.ts';

/** The calls that a process may die in, as Wasl's wallet names them; all but the login move money. */
const CALLS = {
  login: API.loginCustomer,
  transfer: API.executeTransfer,
  topUp: API.executeTopUp,
  payBill: API.executeBill,
  buyVoucher: API.executeVoucher,
  payMerchant: API.executeMerchantPayment,
  chargeback: API.executeChargeback,
  /** Of a customer, and of the principal agent. */
  bankTransfer: API.executeBankTransfer,
  agentCashIn: API.executeAgentCashIn,
  agentCashOut: API.executeAgentCashOut,
  cashInByCard: API.executeCardCashIn,
  payByCard: API.executeCardPayment,
  captureCard: API.captureCardPayment,
  reverseCard: API.reverseCardPayment,
  refundCard: API.refundCardPayment,
  topUpB2b: API.executeTopUpB2b,
  loadFloatByCard: API.executeAgentCardCashIn,
  requestCashIn: API.requestCashIn,
  requestCashOut: API.requestCashOut,
  /** Of a customer, and of the principal agent's float. */
  requestBillNetworkCashIn: API.requestBillNetworkCashIn,
} as const;
const REFERENCES = ['requestCashIn', 'requestCashOut', 'requestBillNetworkCashIn'];
/** Those that move nothing: the wire leaves them alone, and only deaths are met there. */
const MOVES_NOTHING: ReadonlySet<string> = new Set(['login', ...REFERENCES]);
const SECOND_MS = 1_000;
/** Longer than a reference is looked up without being asked for. */
const REFERENCE_VALID_MS = 100 * 3_600_000;
/** What the sandbox makes its ids and voucher codes of. */
export const SANDBOX_SEED = 'crash';

/** What the wire does to executions: it sees them arrive and sees them answered. */
export type Wire =
  /** The answer of the wallet is lost. */
  | 'loses answers'
  /** The request is lost before the wallet has it. */
  | 'loses requests'
  /** The webhook is delivered before the answer. */
  | 'brings the webhook first'
  /** Nothing out of the ordinary. */
  | 'works';

/** Where a reference is executed: an agent's, of which no event tells, or a network's. */
export interface Counter {
  readonly kind: CashKind;
  readonly by: 'agent' | 'network';
  readonly phone: Msisdn;
}

/** A wallet, a store, and one process of Wasl after the other: each is killed, and the next one takes over. */
export async function createStage(kind: 'sqlite' | 'redis', broken?: Broken) {
  const directory = mkdtempSync(join(tmpdir(), 'wasl-crash-'));
  const redis =
    kind === 'redis' ? await startRedis({ args: ['--appendonly', 'yes', '--dir', directory] }) : undefined;
  const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
  const sandbox = createSandbox({
    file: ':memory:',
    seed: SANDBOX_SEED,
    settings: { settleAfterMs: 1_000, referenceValidMs: REFERENCE_VALID_MS },
    clock,
  });
  /** The numbers of agents, by their codes. */
  const agents = new Map<string, Msisdn>();
  /** Whose wallet a chat is linked to. */
  const chats = new Map<Address, Msisdn>();
  const executions = () => byWhoAsked(sandbox.executions(), agents);
  /** How often each payment has arrived at the wallet, by its request. */
  const arrived = new Map<string, number>();
  const told: { address: Address; id: string; key: string; text: string }[] = [];
  let listener = listens();
  const late: (() => Promise<unknown>)[] = [];
  let counter: Counter | undefined;
  let wire: Wire = 'works';
  let wirePoint: string | undefined;
  let hasWebhooks = true;
  let settles = true;
  let kills = 0;
  let spare = prefork(kind);
  let process_: Child;
  let phones = 20_000_000;

  const app = new Hono();
  app.post('/told', async (c) => {
    const { screen, ...push } = (await c.req.json()) as Omit<(typeof told)[number], 'key'> & {
      screen: Screen;
    };
    told.push({ ...push, key: screen.key });
    const wallet = chats.get(push.address) ?? msisdn(push.address.slice('ussd:'.length));
    listener.hearsPush(push.address, { screen }, wallet);
    return c.body(null, 200);
  });
  app.use('/api/*', async (c, next) => {
    const name = nameOfCall(c);
    if (!name) return next();
    const request = c.req.header('C-Request-Id') ?? '';
    if (name !== 'login') arrived.set(request, (arrived.get(request) ?? 0) + 1);
    const cut = await before(name, c);
    if (cut) return cut;
    await next();
    c.res = (await after(name, c)) ?? c.res;
  });
  app.route('/', sandbox.app);
  const server = await new Promise<{ url: string; close(): void }>((resolve) => {
    const http = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () => {
          http.close();
          if ('closeAllConnections' in http) http.closeAllConnections();
        },
      }),
    );
  });

  /** On the way to the wallet: the answer of a request that does not get there. */
  async function before(name: string, c: Context): Promise<Response | undefined> {
    if (isHere(`${name} arrives`)) return killed(c);
    if (isHere(`${name} arrives late`)) {
      const { url, raw } = c.req;
      const init = { method: 'POST', headers: raw.headers, body: await c.req.text() };
      late.push(async () => sandbox.app.request(url, init));
      return killed(c);
    }
    return !MOVES_NOTHING.has(name) && wire === 'loses requests' ? hangUp(c) : undefined;
  }

  /** On the way back: what becomes of the answer, where it does not get there as it is. */
  async function after(name: string, c: Context): Promise<Response | undefined> {
    if (isHere(`${name} is executed`)) return killed(c);
    if (counter && REFERENCES.includes(name)) {
      await stage.executes(counter);
      await sandbox.settle();
      return isHere(`${name} is executed and told`) ? killed(c) : undefined;
    }
    if (MOVES_NOTHING.has(name) || wire === 'works') return undefined;
    if (wire === 'loses answers') return hangUp(c);
    clock.aheadMs += 1_000;
    await sandbox.settle();
    return isHere(`${name} is executed and told`) ? killed(c) : undefined;
  }

  function isHere(moment: string): boolean {
    if (wirePoint !== moment) return false;
    wirePoint = undefined;
    return true;
  }

  function killed(c: Context): Response {
    process_.kill();
    return hangUp(c);
  }

  const fetch: typeof globalThis.fetch = async (url, init) => sandbox.app.request(String(url), init);
  /** The wallet, without the wire. */
  const api = createWallet({ url: 'http://wallet.test', apiKey: sandbox.apiKey, fetch });

  const stage = {
    sandbox: { executions, checkLedger: () => sandbox.checkLedger() },
    told,

    /** Hears everything that reaches customers from now on, until somebody else listens. */
    listens(): Listener {
      listener = listens();
      return listener;
    },

    /** As the oracle reads it: through the process that holds it. */
    store: {
      read: (partition: number, keys: readonly string[]) =>
        stage.ask<(Doc | undefined)[]>('read', partition, keys),
    },
    get kills() {
      return kills;
    },

    api,
    somebody: (walletType: 'P' | 'C' = 'P'): Msisdn => stage.customer(undefined, walletType),

    /** Somebody goes on at their bank. */
    bank: (link: string) => confirmsAtBank(link, fetch),

    /** Requests that came to the wallet more than once since this was last asked. */
    sentTwice(): string[] {
      const twice = [...arrived].filter(([, times]) => times > 1);
      arrived.clear();
      return twice.map(([request, times]) => `${request} was sent ${times} times`);
    },

    /** Somebody at a counter executes the newest reference of a wallet, as if they knew its number; false where there is none to execute. */
    async executes({ kind, by, phone }: Counter): Promise<boolean> {
      const [newest] = sandbox.references(phone);
      if (newest?.status !== STATUSES.OPEN) return false;
      const { reference } = newest;
      const way = kind === 'cash-in' ? 'cashin' : 'cashout';
      const [path, body] =
        by === 'agent'
          ? [`/api/operations/${way}/agent`, { Code: 'RA-2001', Reference: reference }]
          : [`/api/network/operations/${way}`, { reference, entity: 'Guichet 12' }];
      const headers = { 'svc-api-key': sandbox.apiKey, 'content-type': 'application/json' };
      const answer = await sandbox.app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (answer.status !== 200) throw new Error(`a counter is refused: ${await answer.text()}`);
      return true;
    },

    /** The references that the wallet has made for a number, or with an empty one for the principal agent, the oldest first. */
    references: (of: string) => sandbox.references(of).reverse(),
    faults: sandbox.faults,

    /** The requests that came to the wallet since this was last asked. */
    requests: (): string[] => [...arrived.keys()],

    /** A customer is a retail agent at the wallet, and says so to Wasl. */
    async employs(phone: Msisdn): Promise<void> {
      const agent = { phone, name: 'Tabac', firstName: 'Driss', lastName: 'Lahlou', cin: 'BE123456' };
      const answer = await api.createRetailAgent(agent);
      if (answer.kind !== 'ok') throw new Error(`there is no agent: ${answer.kind}`);
      const { code } = answer.value;
      agents.set(code, phone);
      const says = (dialog: string, ...texts: string[]) =>
        stage.receive({
          ...{ address: `ussd:${phone}`, id: randomUUID(), dialog },
          inputs: texts.map((text) => ({ type: 'said', text })),
        });
      const { choices } = (await says('first')).screen;
      await says('first', numberOf(choices, 'en'));
      const { key } = (await says('second', '7', '9', code)).screen;
      if (key !== 'agent.welcome') throw new Error(`a customer did not become an agent: ${key}`);
    },

    /** A customer opens a web chat and links it: by our code, and the PIN. */
    async chats(phone: Msisdn): Promise<Address> {
      const address: Address = `web:chat-of-${phone}`;
      chats.set(address, phone);
      const does = (input: Input) =>
        stage.receive({ address, id: randomUUID(), inputs: [input], language: 'en' });
      const says = (text: string) => does({ type: 'said', text });
      await does({ type: 'opened' });
      await says(phone);
      await says((await stage.ask<string>('code', phone)) ?? '');
      const { key } = (await says(PIN)).screen;
      if (key !== 'menu.choose') throw new Error(`a chat is not linked: ${key}`);
      return address;
    },

    /** A customer's number acts for the principal agent. */
    binds: (phone: Msisdn) => stage.ask<void>('binds', phone),
    async gives(text: string): Promise<string> {
      const id = await stage.ask<string>('gives', text);
      await stage.passes(SECOND_MS);
      return id;
    },
    loads: (phone: Msisdn, amount: Centimes) => stage.ask<string>('loads', phone, amount),
    notes: (who: Msisdn, receiver: string): void => void agents.set(`${PRINCIPAL} ${receiver}`, who),
    /** What the console says of a file of payouts, line by line. */
    results: (id: string) => stage.ask<PaidLine[]>('results', id),

    /** A new customer of the wallet, with 500 dirhams where nothing else is said; `C`: a merchant. */
    customer(balance = centimes(50_000), walletType: 'P' | 'C' = 'P'): Msisdn {
      const phone = msisdn(`+2126${phones++}`);
      sandbox.addCustomer({
        phone,
        firstName: 'Test',
        lastName: 'Customer',
        level: 2,
        status: 3,
        pin: PIN,
        balance,
        walletType,
      });
      return phone;
    },

    /** Sets the scene for a history: what the wire does, whether webhooks come, and where the process is to die. */
    async sets(scene: {
      wire?: Wire;
      webhooks?: boolean;
      settles?: boolean;
      point?: string | undefined;
      /** Every reference is executed there before its number is answered. */
      atOnce?: Counter | undefined;
    }): Promise<void> {
      wire = scene.wire ?? 'works';
      counter = scene.atOnce;
      settles = scene.settles ?? true;
      hasWebhooks = scene.webhooks ?? true;
      await arm(scene.point);
      hear();
    },

    /** Operations settle from now on, whatever the scene. */
    async settles(): Promise<void> {
      settles = true;
      await sandbox.settle();
    },

    ask: <T>(method: string, ...args: unknown[]): Promise<T> => process_.ask(method, args) as Promise<T>,
    receive: (incoming: Carded) => stage.ask<Reply>('receive', incoming),
    payCardLink: (id: string) => stage.ask<CardLinkPaid | undefined>('payCardLink', id),

    /** A fresh process takes over. `point`: it is to die as well. */
    async starts(point?: string): Promise<void> {
      process_ = spare;
      spare = prefork(kind);
      wirePoint = undefined;
      const options: BootOptions = {
        store: redis ? { url: redis.url } : { directory },
        walletUrl: server.url,
        apiKey: sandbox.apiKey,
        toldUrl: `${server.url}/told`,
        aheadMs: clock.aheadMs,
        broken,
        point,
      };
      process_.webhookUrl = await stage.ask<string>('boot', options);
      wirePoint = point;
      hear();
    },

    /** A history that went wrong may have left nobody behind. */
    livesAgain: () => stage.ask('errors').catch(() => stage.starts()),

    /** Counts a death that a history has met. */
    buried(): void {
      kills++;
    },

    /** Lets time pass for the wallet and for Wasl, and lets everything happen that falls due. */
    async passes(ms: number): Promise<void> {
      clock.aheadMs += ms;
      await stage.ask('clock', clock.aheadMs);
      for (const execute of late.splice(0)) await execute();
      if (settles) await sandbox.settle();
      await stage.ask('rests');
    },

    /** Every byte that was ever stored. */
    files(): string[] {
      const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
    },

    async close(): Promise<void> {
      process_?.kill();
      spare.kill();
      server.close();
      await sandbox.close();
      await redis?.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return stage;

  function listens(): Listener {
    return createListener({ now: clock.now, executions });
  }

  async function arm(point: string | undefined): Promise<void> {
    wirePoint = point;
    await stage.ask('arm', point);
  }

  /** Webhooks go to the process that lives now, or to nobody. */
  function hear(): void {
    sandbox.setWebhook(hasWebhooks ? process_.webhookUrl : 'http://127.0.0.1:9/nobody', WEBHOOK_KEY);
  }
}
export type Stage = Awaited<ReturnType<typeof createStage>>;

function nameOfCall({ req }: Context): string | undefined {
  const called = Object.entries(CALLS).find(
    ([, { method, path }]) => method === req.method && path === req.path,
  );
  return called?.[0];
}

/** The connection breaks. */
function hangUp(c: Context): Response {
  (c.env as { outgoing: { destroy(): void } }).outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}
