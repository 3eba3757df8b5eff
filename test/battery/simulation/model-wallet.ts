import type { Answer } from '../../../src/wallet/answer.ts';
import type { BackTo } from '../../../src/wallet/bank-cards.ts';
import { ERRORS } from '../../../src/wallet/contract/errors.ts';
import { OPERATION_TYPES, type OperationStatus, STATUSES } from '../../../src/wallet/contract/fields.ts';
import { centimes } from '../../../src/wallet/money.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import type { Call, Execution, Preview, TransferRequest, Wallet } from '../../../src/wallet/wallet.ts';
import { HOUR_MS, MINUTE_MS } from '../../kit/durations.ts';
import type { Random } from '../town/random.ts';
import type { VirtualClock } from './clock.ts';
import { type AtBank, isHeld, isSettlement, modelCards, settlesCard } from './model-cards.ts';
import { modelCash } from './model-cash.ts';
import { modelServices } from './model-services.ts';
import { isOfPrincipal, nameOf, type Paid, TYPES } from './paid.ts';
import {
  ANSWERS,
  EXECUTES_AFTER_MS,
  MONEY_FAULTS,
  type MoneyFault,
  ok,
  REFUSED_CONNECTION,
  TIMEOUT,
  type WalletFaults,
  WEBHOOK_FAULTS,
} from './wallet-faults.ts';
import {
  ELSEWHERE,
  eventOf,
  isListedFor,
  type Moved,
  operationFor,
  receivedBy,
  webhookOf,
} from './wallet-ledger.ts';

const { OPEN, COMPLETED, FAILED, CANCELED } = STATUSES;
const CREDIT = 1;
/** Timeout of the real client. */
const CLIENT_TIMEOUT_MS = 10_000;
const FIRST_ID = 1_000_001;
/** Prefix of every voucher code. Nothing else begins so. */
export const CODE_PREFIX = 'CODE-';
/** These payments end after their answer. */
const ENDS_LATER: ReadonlySet<Paid['kind']> = new Set([
  ...(['transfer', 'merchant-payment', 'bank-transfer', 'payout-transfer'] as const),
  ...(['card-cash-in', 'card-payment', 'float-card'] as const),
]);
/** The first request executes it, and all others are refused. */
const BY_REFERENCE: ReadonlySet<Paid['kind']> = new Set(['agent-cash-in', 'agent-cash-out', 'payout']);

/** A call that moves money, at the moment when its first byte arrived. */
export interface Sent {
  readonly requestId: string;
  readonly order: Paid;
  readonly at: number;
}

/** The customers of a history, and its listeners. */
interface Around {
  readonly pin: string;
  /** The wallet sends an event to Wasl. */
  webhook(raw: string, afterMs: number): void;
  /** The first byte of a payment has arrived. */
  sent(): void;
  /** True when all customers are merchants who have received payments. */
  readonly areMerchants: boolean;
  /** Who acts for the principal agent, and whether Wasl's key can read the list of all operations. */
  readonly principal?: { readonly phone: Msisdn; readonly isListed: boolean } | undefined;
  /** True when customers ask for references. */
  readonly asksCash?: boolean;
  /** True when nobody has confirmed a payment like this one before. */
  isFirst(order: Paid): boolean;
}
/** How the bill network answers a payment: with its outcome, or with the outcome later. */
type Way = 'final' | 'later';
type Paying = Call & { requestId: string };

/** A wallet in memory. It executes, loses answers, answers late, settles, reverses and announces. */
export class ModelWallet {
  readonly moved: Moved[] = [];
  readonly sent: Sent[] = [];
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly faults: WalletFaults;
  readonly around: Around;
  readonly api: Wallet;
  readonly cash: ReturnType<typeof modelCash> | undefined;
  readonly #banks = new Map<string, AtBank>();
  #events = 0;

  constructor(clock: VirtualClock, random: Random, faults: WalletFaults, around: Around) {
    this.clock = clock;
    this.random = random;
    this.faults = faults;
    this.around = around;
    this.cash = around.asksCash ? modelCash(this) : undefined;
    const api: Partial<Wallet> = { ...modelTransfers(this), ...modelServices(this), ...modelCards(this) };
    this.api = { ...api, ...this.cash?.api } as Wallet;
  }

  atBank(link: string): AtBank | undefined {
    return this.#banks.get(link);
  }

  /** The operations that lists show by now. */
  listed(): Moved[] {
    const now = this.clock.now();
    return this.moved.filter((each) => each.listedAt <= now && !isHeld(each) && !isSettlement(each));
  }

  preview(order: Paid, call: Call | undefined): Promise<Answer<Preview>> {
    if (this.random.chance(this.faults.elsewhere)) this.#payElsewhere(order);
    return this.read(call, () =>
      ok({ fees: centimes(200), total: centimes(order.amount + 200), openLoop: false }),
    );
  }

  async pay(order: Paid, call: Paying, way: Way = 'final'): Promise<Answer<Execution>> {
    const { requestId } = call;
    const { fault, afterMs } = this.#takes(order, requestId);
    if (afterMs !== undefined)
      this.clock.after(afterMs, () => this.#execute(requestId, order, fault, way), null);
    const ms = (afterMs ?? 0) + this.random.between(20, 400);
    return this.answered(call, ms, fault, () => this.#executed(order, requestId));
  }

  /** A call that only begins a payment. The money moves once the payer has confirmed at the bank. */
  async begin(order: Paid, call: Paying, backTo?: BackTo): Promise<Answer<Execution>> {
    const { requestId } = call;
    const { fault, afterMs } = this.#takes(order, requestId);
    const asksBank = this.random.chance(0.85);
    const confirm = () => {
      if (!this.moved.some((each) => each.requestId === requestId))
        this.#execute(requestId, order, 'none', 'final');
    };
    if (!asksBank && afterMs !== undefined) this.clock.after(afterMs, confirm, null);
    const ms = (afterMs ?? 0) + this.random.between(20, 400);
    const answer = await this.answered(call, ms, fault, () => this.#executed(order, requestId));
    if (answer.kind !== 'ok' || !asksBank) return answer;
    const redirect = `https://bank.test/${requestId}`;
    this.#banks.set(redirect, { confirm, token: backTo?.accepted.split('/').at(-2) });
    return ok({ redirect });
  }

  /** Notes the first byte of a payment, and draws its fault. */
  #takes(order: Paid, requestId: string) {
    this.sent.push({ requestId, order, at: this.clock.now() });
    this.around.sent();
    return this.drawFault();
  }

  /** The fault of a call that is made once, and after how long it takes effect. Undefined: it never does. */
  drawFault(): { readonly fault: MoneyFault; readonly afterMs: number | undefined } {
    const { random, faults } = this;
    const fault = random.chance(faults.money) ? random.pick(MONEY_FAULTS) : 'none';
    return { fault, afterMs: EXECUTES_AFTER_MS[fault]?.(random) };
  }

  /** The answer to a call that is made once, after `ms`, as its fault changes it. */
  async answered<T>(call: Call, ms: number, fault: MoneyFault, answer: () => Answer<T>): Promise<Answer<T>> {
    if (fault === 'unsent') return REFUSED_CONNECTION;
    const isLost = fault === 'answerLost' || ms > CLIENT_TIMEOUT_MS;
    const leftMs = this.#patienceOf(call);
    await this.clock.sleep(Math.min(isLost ? CLIENT_TIMEOUT_MS : ms, leftMs()));
    if (isLost || leftMs() <= 0) return TIMEOUT;
    return ANSWERS[fault] ?? answer();
  }

  /** A call that moves nothing. In bad weather it is slow, lost or not sent. */
  async read<T>(call: Call | undefined, answer: () => Answer<T>): Promise<Answer<T>> {
    const { random } = this;
    const bad = random.chance(this.faults.reads)
      ? random.pick(['slow', 'lost', 'unsent', '500'] as const)
      : undefined;
    if (bad === 'unsent') return REFUSED_CONNECTION;
    const ms =
      bad === 'slow'
        ? random.between(1_000, 12_000)
        : bad === 'lost'
          ? CLIENT_TIMEOUT_MS
          : random.between(10, 150);
    const leftMs = this.#patienceOf(call);
    await this.clock.sleep(Math.min(ms, leftMs(), CLIENT_TIMEOUT_MS));
    if (bad === 'lost' || leftMs() <= 0 || ms > CLIENT_TIMEOUT_MS) return TIMEOUT;
    return bad === '500' ? { kind: 'unknown', why: 'http500' } : answer();
  }

  /** How long the caller still waits: until its own timeout, or until the signal of its turn. */
  #patienceOf({ timeoutMs = Number.POSITIVE_INFINITY, signal }: Call = {}): () => number {
    const until = this.clock.now() + timeoutMs;
    return () => (signal?.aborted ? 0 : Math.max(0, until - this.clock.now()));
  }

  /** The answer to a payment that arrived. */
  #executed(order: Paid, requestId: string): Answer<Execution> {
    const own = this.moved.find((each) => each.requestId === requestId);
    const refusal = own ? undefined : this.#refusedAsSecond(order);
    if (refusal) return refusal;
    const done = own ?? this.#before(order);
    if (isSettlement({ order })) return ok({ isFinal: true });
    return ok(this.#executionFor(order, done));
  }

  /** What the answer to a payment says of it. Not every answer names the operation. */
  #executionFor(order: Paid, done: Moved | undefined): Execution {
    const named = done && this.random.chance(0.8) ? { operationId: done.id, status: done.status } : {};
    if (ENDS_LATER.has(order.kind)) return named;
    const { operationId: _never, ...unnamed } = named;
    const isDone = done?.status === COMPLETED;
    return {
      ...(order.reference === undefined && order.kind !== 'b2b-top-up' ? named : unnamed),
      ...(isDone && { isFinal: true }),
      ...(isDone && done.code && { voucherCode: done.code }),
      ...(isDone && order.kind === 'bill-payment' && { facts: { settlement: `R${done.id}` } }),
    };
  }

  /** Another request came first: the reference is used, or the reservation was collected or released. */
  #refusedAsSecond(order: Paid): Answer<never> | undefined {
    const isUsed = BY_REFERENCE.has(order.kind) && this.#before(order) !== undefined;
    const error = isUsed
      ? ERRORS.referenceUsed
      : isSettlement({ order })
        ? ERRORS.cardPaymentState
        : undefined;
    return error && { kind: 'refused', code: String(error.code), description: '' };
  }

  /** A reference of the bill network is paid once. A second payment of it is answered with the state of the first (301). */
  #before({ reference }: Paid): Moved | undefined {
    return reference === undefined
      ? undefined
      : this.moved.find(({ order }) => order.reference === reference);
  }

  /** The customer pays the same in the wallet's own app. Only for a payment that nobody has sent from Wasl before. */
  #payElsewhere({ reference: _another, ...order }: Paid): void {
    if (!this.around.isFirst(order)) return;
    const at = this.clock.now();
    this.moved.push({
      ...{ id: FIRST_ID + this.moved.length, requestId: `${ELSEWHERE}${this.moved.length}`, order },
      ...{ at, listedAt: at, status: COMPLETED, completedAt: at, announcedAt: undefined },
    });
  }

  #execute(requestId: string, order: Paid, fault: MoneyFault, way: Way): void {
    const { clock, random } = this;
    if (this.#before(order) || (isSettlement({ order }) && !settlesCard(order, this.moved))) return;
    const lag = random.chance(this.faults.listLag) ? random.between(1_000, 90_000) : 0;
    const each: Moved = {
      ...{ id: FIRST_ID + this.moved.length, requestId, order, at: clock.now() },
      ...{ listedAt: clock.now() + lag, status: OPEN, announcedAt: undefined },
      ...(order.kind === 'voucher' && { code: `${CODE_PREFIX}${requestId}` }),
    };
    this.moved.push(each);
    if (isSettlement({ order })) {
      // The payment has changed already, and no event tells.
      Object.assign(each, { status: COMPLETED, completedAt: clock.now() });
      return;
    }
    if (isHeld(each)) each.completedAt = clock.now();
    if (TYPES[order.kind] === OPERATION_TYPES.BANK_TRANSFER || isHeld(each)) this.announce(each);
    if (!isHeld(each) && fault !== 'neverSettles') this.#settleLater(each, fault, way);
  }

  #settleLater(each: Moved, fault: MoneyFault, way: Way): void {
    const { clock, random } = this;
    const isAtOnce =
      way === 'final' && !ENDS_LATER.has(each.order.kind) && fault !== 'staysOpen' && fault !== 'fails';
    const afterMs =
      fault === 'staysOpen' ? random.between(MINUTE_MS, 24 * HOUR_MS) : random.pick([0, 300, 1_200]);
    const end = () => (fault === 'fails' ? random.pick([FAILED, CANCELED]) : COMPLETED);
    if (isAtOnce) this.#settle(each, COMPLETED);
    else clock.after(afterMs, () => this.#settle(each, end()), null);
    if (fault !== 'reversed') return;
    const reverse = () => {
      each.status = CANCELED;
      each.reversedAt = clock.now();
      this.announce(each);
    };
    clock.after(afterMs + random.between(MINUTE_MS, 40 * HOUR_MS), reverse, null);
  }

  #settle(each: Moved, status: OperationStatus): void {
    each.status = status;
    if (status === COMPLETED) each.completedAt = this.clock.now();
    this.announce(each);
  }

  /** A webhook comes on time, late, twice, out of order, with a wrong amount, or never (docs/safety-hazards.md). */
  announce(each: Moved): void {
    const { clock, random, around } = this;
    const name = eventOf(each);
    each.announcedAt = undefined;
    if (!name) return;
    const way = random.chance(this.faults.money) ? random.pick(WEBHOOK_FAULTS) : 'onTime';
    if (way === 'never') return;
    const event = (amount: number) =>
      webhookOf(each, { name, id: `event-${this.#events++}`, at: clock.now(), amount });
    const raw = event(each.order.amount);
    const afterMs = way === 'late' ? random.between(MINUTE_MS, 72 * HOUR_MS) : random.between(0, 300);
    each.announcedAt = clock.now() + afterMs;
    around.webhook(raw, afterMs);
    if (way === 'twice') around.webhook(raw, random.between(0, 20 * MINUTE_MS));
    if (way === 'unreadable') around.webhook(`${raw.slice(0, 40)}`, 0);
    if (way === 'conflicting') around.webhook(event(each.order.amount + 100), random.between(0, 600));
  }
}

/** The customer's wallet itself: login, balance, transfers, and the list of operations. */
function modelTransfers(wallet: ModelWallet): Partial<Wallet> {
  const { clock, around } = wallet;
  return {
    customerStatus: (_phone, call) => wallet.read(call, () => ok({ status: 3 as const })),
    balance: (_phone, call) => wallet.read(call, () => ok(centimes(1_000_000))),
    login: ({ pin }, call) =>
      wallet.read(call, () =>
        pin === around.pin ? ok(true as const) : { kind: 'refused', code: '26001', description: '' },
      ),
    previewTransfer: (order, call) => wallet.preview(transferOf(order), call),
    transfer: (order, call) => wallet.pay(transferOf(order), call),
    operations: (phone, { types, from, direction, page = 1, pageSize = 10 } = {}, call) =>
      wallet.read(call, () => {
        if (around.areMerchants && direction === CREDIT && types?.includes(OPERATION_TYPES.MOBILE_PAYMENT))
          return ok(receivedBy(phone, clock.now()));
        const visible = wallet
          .listed()
          .filter(
            (each) =>
              each.at >= (from?.getTime() ?? 0) &&
              (types?.includes(TYPES[each.order.kind]) ?? true) &&
              isListedFor(phone, each),
          );
        const newestFirst = visible.reverse().map((each) => operationFor(phone, each));
        const operations = newestFirst.slice((page - 1) * pageSize, page * pageSize);
        return ok({ operations, count: visible.length });
      }),
    operation: (phone, id, call) =>
      wallet.read(call, () => {
        const found = wallet.moved.find(
          ({ id: own, order: { kind, from, to } }) =>
            own === id && !isOfPrincipal(kind) && [from, to].includes(phone),
        );
        return found && !isHeld(found) && !isSettlement(found)
          ? ok(operationFor(phone, found))
          : { kind: 'refused', code: '90016', description: 'no such operation' };
      }),
  };
}

function transferOf({ from, to, amount }: TransferRequest): Paid {
  return { kind: 'transfer', from, to, amount, what: nameOf('transfer', to, amount) };
}
