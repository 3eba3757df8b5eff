import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { Screen } from '../../machines/kit/screen.ts';
import type { Address } from '../../src/conversation/incoming.ts';
import { listening } from '../../src/http/listening.ts';
import { API } from '../../src/wallet/contract/api.ts';
import type { createTownWallet } from './town/wallet.ts';

/** The calls that a process may die in, as Wasl's wallet names them. All but the login move money. */
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
/** These calls move nothing. The wire loses none of them, but a process may die there. */
const MOVES_NOTHING: ReadonlySet<string> = new Set(['login', ...REFERENCES]);

/** The fault of the wire between Wasl and the wallet's executions. */
export type Wire =
  /** The answer of the wallet is lost. */
  | 'loses answers'
  /** The request is lost before the wallet has it. */
  | 'loses requests'
  /** The webhook is delivered before the answer. */
  | 'brings the webhook first'
  | 'works';

/** A message of Wasl to a customer. */
export interface Message {
  readonly address: Address;
  readonly id: string;
  readonly screen: Screen;
  readonly text: string;
}

/** The HTTP address of a wallet, with faults on the way there and back. It also takes the messages to customers. */
export class CrashWire {
  readonly app = new Hono();
  /** How often each execution and each request for a reference has arrived, by its request id. */
  readonly arrived = new Map<string, number>();
  /** The fault of every execution. */
  fault: Wire = 'works';
  /** The process dies at this moment. */
  point: string | undefined;
  /** Does something once a reference is made and before its number is answered. */
  onReference: (() => Promise<unknown>) | undefined;
  readonly #wallet: ReturnType<typeof createTownWallet>;
  readonly #kill: () => void;
  #late: (() => Promise<unknown>)[] = [];

  constructor(
    wallet: ReturnType<typeof createTownWallet>,
    kill: () => void,
    onMessage: (message: Message) => void,
  ) {
    this.#wallet = wallet;
    this.#kill = kill;
    this.app.post('/told', async (c) => {
      onMessage((await c.req.json()) as Message);
      return c.body(null, 200);
    });
    this.app.use('/api/*', async (c, next) => {
      const name = nameOfCall(c);
      if (!name) return next();
      const request = c.req.header('C-Request-Id') ?? '';
      if (name !== 'login') this.arrived.set(request, (this.arrived.get(request) ?? 0) + 1);
      const cut = await this.#before(name, c);
      if (cut) return cut;
      await next();
      c.res = (await this.#after(name, c)) ?? c.res;
    });
    this.app.route('/', wallet.sandbox.app);
  }

  listen() {
    return listening(this.app, 0, '127.0.0.1');
  }

  /** The requests of dead processes arrive that were still on their way. */
  async deliverLate(): Promise<void> {
    for (const deliver of this.#late.splice(0)) await deliver();
  }

  /** On the way to the wallet. The result answers a request that does not arrive. */
  async #before(name: string, c: Context): Promise<Response | undefined> {
    if (this.#isHere(`${name} arrives`)) return this.#killed(c);
    if (this.#isHere(`${name} arrives late`)) {
      const { url, raw } = c.req;
      const init = { method: 'POST', headers: raw.headers, body: await c.req.text() };
      this.#late.push(async () => this.#wallet.sandbox.app.request(url, init));
      return this.#killed(c);
    }
    return !MOVES_NOTHING.has(name) && this.fault === 'loses requests' ? hangUp(c) : undefined;
  }

  /** On the way back. The result replaces an answer that does not arrive as it is. */
  async #after(name: string, c: Context): Promise<Response | undefined> {
    const { sandbox, clock } = this.#wallet;
    if (this.#isHere(`${name} is executed`)) return this.#killed(c);
    if (this.onReference && REFERENCES.includes(name)) {
      await this.onReference();
    } else {
      if (MOVES_NOTHING.has(name) || this.fault === 'works') return undefined;
      if (this.fault === 'loses answers') return hangUp(c);
      clock.aheadMs += 1_000;
    }
    await sandbox.settle();
    return this.#isHere(`${name} is executed and told`) ? this.#killed(c) : undefined;
  }

  #isHere(moment: string): boolean {
    if (this.point !== moment) return false;
    this.point = undefined;
    return true;
  }

  #killed(c: Context): Response {
    this.#kill();
    return hangUp(c);
  }
}

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
