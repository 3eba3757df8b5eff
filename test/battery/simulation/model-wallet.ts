import type { Answer } from '../../../src/wallet/answer.ts';
import type { BackTo } from '../../../src/wallet/bank-cards.ts';
import { ERRORS } from '../../../src/wallet/contract/errors.ts';
import { OPERATION_TYPES } from '../../../src/wallet/contract/fields.ts';
import { centimes } from '../../../src/wallet/money.ts';
import type { Msisdn } from '../../../src/wallet/phone.ts';
import type {
  Call,
  Execution,
  Operation,
  OperationStatus,
  Preview,
  TransferRequest,
  Wallet,
} from '../../../src/wallet/wallet.ts';
import type { Execution as Executed } from '../town/oracle.ts';
import type { Random } from '../town/random.ts';
import type { VirtualClock } from './clock.ts';
import { RECEIVED } from './merchants.ts';
import { type AtBank, isHeld, isSettlement, modelCards, settlesCard } from './model-cards.ts';
import { modelCash } from './model-cash.ts';
import { modelServices, PRINCIPAL_CODE, type PrincipalSeen } from './model-services.ts';
import { isOfPrincipal, nameOf, type Paid, TYPES } from './paid.ts';
import {
  ANSWERS,
  EXECUTES_AFTER_MS,
  MONEY_FAULTS,
  type MoneyFault,
  REFUSED_CONNECTION,
  TIMEOUT,
  type WalletFaults,
  WEBHOOK_FAULTS,
} from './wallet-faults.ts';

const CREDIT = 1;
const OPEN = 1;
const COMPLETED = 2;
const FAILED = 3;
const CANCELED = 4;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The real client gives up after this. */
const CLIENT_TIMEOUT_MS = 10_000;
const FIRST_ID = 1_000_001;
/** Begins the request id of every payment that did not come from Wasl. */
export const ELSEWHERE = 'elsewhere-';

/** Begins every voucher code, and nothing else. */
export const CODE_PREFIX = 'CODE-';

/** Money that the model wallet has moved, with what only the wallet knows about it. */
export interface Moved {
  readonly id: number;
  readonly requestId: string;
  order: Paid;
  readonly at: number;
  /** From when on the list shows it; by its id it is always found. */
  readonly listedAt: number;
  status: OperationStatus;
  completedAt?: number;
  reversedAt?: number;
  /** When the webhook that tells its present status comes; undefined: never. */
  announcedAt: number | undefined;
  /** What a voucher is good for: said by the answer to its purchase, and never again. */
  readonly code?: string;
}

/** As the ledger shows it now. What was paid elsewhere belongs to no request of ours. */
export function executionOf({ id, requestId, order, status }: Moved): Executed {
  return {
    operationId: id,
    requestId: requestId.startsWith(ELSEWHERE) ? '' : requestId,
    type: TYPES[order.kind],
    amount: order.amount,
    sender: isCredit(order) ? MASKED_CARD : order.from,
    receiver: order.to,
    status,
    ...(order.till && order.reference !== undefined && { reference: order.reference }),
  };
}

/** What comes from a card. */
function isCredit({ kind }: Paid): boolean {
  return kind === 'card-cash-in' || kind === 'card-payment' || kind === 'float-card';
}
const MASKED_CARD = '424242******4242';

/** Whose money an event says it is. */
function payerOf(order: Paid): string {
  if (order.till) return order.kind === 'agent-cash-in' ? order.to : order.from;
  if (isCredit(order)) return MASKED_CARD;
  return isOfPrincipal(order.kind) ? PRINCIPAL_CODE : order.from;
}

/** A call that moves money, as its first byte arrived. */
export interface Sent {
  readonly requestId: string;
  readonly order: Paid;
  readonly at: number;
}

/** What the world around it hears and says. */
interface Around {
  /** An event on its way to Wasl. */
  webhook(raw: string, afterMs: number): void;
  /** The first byte of a payment has arrived. */
  sent(): void;
  /** Every customer is a merchant, who has received payments; else a consumer. */
  readonly areMerchants: boolean;
  readonly principal?: PrincipalSeen | undefined;
  /** Customers ask for references. */
  readonly asksCash?: boolean;
  /** Nobody has confirmed a payment like this one before. */
  isFirst(order: Paid): boolean;
}

/** A wallet in memory: executes, loses answers, answers late, settles, reverses, and announces what it did. */
export type ModelWallet = ReturnType<typeof createModelWallet>;

export function createModelWallet(
  clock: VirtualClock,
  random: Random,
  faults: WalletFaults,
  pin: string,
  { webhook, sent: told, isFirst, areMerchants, principal, asksCash }: Around,
) {
  const moved: Moved[] = [];
  const sent: Sent[] = [];
  const banks = new Map<string, AtBank>();
  let events = 0;

  const api: Partial<Wallet> = {
    customerStatus: (_phone, call) => read(call, () => ok({ status: 3 as const })),
    balance: (_phone, call) => read(call, () => ok(centimes(1_000_000))),
    login: ({ pin: given }, call) =>
      read(call, () =>
        given === pin ? ok(true as const) : { kind: 'refused', code: '26001', description: '' },
      ),
    previewTransfer: (order, call) => preview(asPaid(order), call),
    transfer: (order, call) => pay(asPaid(order), call),
    operations: (phone, { types, from, direction, page = 1, pageSize = 10 } = {}, call) =>
      read(call, () => {
        if (areMerchants && direction === CREDIT && types?.includes(OPERATION_TYPES.MOBILE_PAYMENT))
          return ok(receivedBy(phone, clock.now()));
        const visible = listed().filter(
          ({ order, at, status }) =>
            at >= (from?.getTime() ?? 0) &&
            (!isOfPrincipal(order.kind) || order.kind === 'payout') &&
            (types?.includes(TYPES[order.kind]) ?? true) &&
            ((order.from === phone && order.kind !== 'payout') ||
              (order.kind === 'payout' && order.to === phone && status === COMPLETED) ||
              (order.kind === 'transfer' && order.to === phone && status === COMPLETED)),
        );
        const newestFirst = visible.reverse().map((each) => operationFor(phone, each));
        return ok({
          operations: newestFirst.slice((page - 1) * pageSize, page * pageSize),
          count: visible.length,
        });
      }),
    operation: (phone, id, call) =>
      read(call, () => {
        const found = moved.find(
          (each) =>
            each.id === id &&
            !isOfPrincipal(each.order.kind) &&
            [each.order.from, each.order.to].includes(phone),
        );
        return found && !isHeld(found) && !isSettlement(found)
          ? ok(operationFor(phone, found))
          : { kind: 'refused', code: '90016', description: 'no such operation' };
      }),
    ...modelServices({ read, preview, pay, listed, moved, random, areMerchants, principal }),
    ...modelCards({ read, preview, pay, begin, principal }),
  };
  const cash = asksCash
    ? modelCash({ clock, random, faults, read, answered, moved, announce, principal })
    : undefined;
  Object.assign(api, cash?.api);
  return { api: api as Wallet, moved, sent, cash, atBank: (link: string) => banks.get(link) };

  /** What lists show by now. */
  function listed(): Moved[] {
    return moved.filter((each) => each.listedAt <= clock.now() && !isHeld(each) && !isSettlement(each));
  }

  function preview(order: Paid, call: Call | undefined): Promise<Answer<Preview>> {
    if (random.chance(faults.elsewhere)) payElsewhere(order);
    return read(call, () =>
      ok({ fees: centimes(200), total: centimes(order.amount + 200), openLoop: false }),
    );
  }

  /** @param way what the bill network says of a payment: decided by its answer, or later */
  async function pay(
    order: Paid,
    call: Call & { requestId: string },
    way: 'final' | 'later' = 'final',
  ): Promise<Answer<Execution>> {
    const { requestId } = call;
    sent.push({ requestId, order, at: clock.now() });
    told();
    const fault = random.chance(faults.money) ? random.pick(MONEY_FAULTS) : 'none';
    const executesAfterMs = EXECUTES_AFTER_MS[fault]?.(random);
    if (executesAfterMs !== undefined)
      clock.after(executesAfterMs, () => execute(requestId, order, fault, way), null);
    const ms = (executesAfterMs ?? 0) + random.between(20, 400);
    return answered(call, ms, fault, () => executed(order, requestId));
  }

  async function begin(
    order: Paid,
    call: Call & { requestId: string },
    backTo?: BackTo,
  ): Promise<Answer<Execution>> {
    const { requestId } = call;
    sent.push({ requestId, order, at: clock.now() });
    told();
    const fault = random.chance(faults.money) ? random.pick(MONEY_FAULTS) : 'none';
    const reachesAfterMs = EXECUTES_AFTER_MS[fault]?.(random);
    const asksBank = random.chance(0.85);
    const moves = () => {
      if (!moved.some((each) => each.requestId === requestId)) execute(requestId, order, 'none', 'final');
    };
    if (!asksBank && reachesAfterMs !== undefined) clock.after(reachesAfterMs, moves, null);
    const ms = (reachesAfterMs ?? 0) + random.between(20, 400);
    const answer = await answered(call, ms, fault, () => executed(order, requestId));
    if (answer.kind !== 'ok' || !asksBank) return answer;
    const redirect = `https://bank.test/${requestId}`;
    banks.set(redirect, { confirm: moves, token: backTo?.accepted.split('/').at(-2) });
    return ok({ redirect });
  }

  /** The answer to a call that is made once, after so long, or what the fault makes of it. */
  async function answered<T>(
    call: Call,
    ms: number,
    fault: MoneyFault,
    answer: () => Answer<T>,
  ): Promise<Answer<T>> {
    if (fault === 'unsent') return REFUSED_CONNECTION;
    const lost = fault === 'answerLost' || ms > CLIENT_TIMEOUT_MS;
    const leftMs = patienceOf(call);
    await clock.sleep(Math.min(lost ? CLIENT_TIMEOUT_MS : ms, leftMs()));
    if (lost || leftMs() <= 0) return TIMEOUT;
    return ANSWERS[fault] ?? answer();
  }

  function executed(order: Paid, requestId: string): Answer<Execution> {
    const own = moved.find((each) => each.requestId === requestId);
    const refusal = own ? undefined : refusedAsSecond(order);
    if (refusal) return refusal;
    const done = own ?? before(order);
    if (isSettlement({ order })) return ok({ isFinal: true });
    return ok(executionFor(order, done));
  }

  /** What the answer to a payment says of it, as far as it says anything. */
  function executionFor(order: Paid, done: Moved | undefined): Execution {
    const named = done && random.chance(0.8) ? { operationId: done.id, status: done.status } : {};
    if (ENDS_LATER.has(order.kind)) return named;
    const { operationId: _never, ...unnamed } = named;
    return {
      ...(order.reference === undefined && order.kind !== 'b2b-top-up' ? named : unnamed),
      ...(done?.status === COMPLETED && { isFinal: true }),
      ...(done?.code && done.status === COMPLETED && { voucherCode: done.code }),
      ...(order.kind === 'bill-payment' &&
        done?.status === COMPLETED && { facts: { settlement: `R${done.id}` } }),
    };
  }

  /** Executed by another request: an agent is refused, who was not the first, and a merchant whose reservation was taken or released. */
  function refusedAsSecond(order: Paid): Answer<never> | undefined {
    const isUsed = BY_REFERENCE.has(order.kind) && before(order) !== undefined;
    const error = isUsed
      ? ERRORS.referenceUsed
      : isSettlement({ order })
        ? ERRORS.cardPaymentState
        : undefined;
    return error && { kind: 'refused', code: String(error.code), description: '' };
  }

  /** A reference of the bill network is paid once; whoever pays it again is told how it stands (301). */
  function before({ reference }: Paid): Moved | undefined {
    return reference === undefined ? undefined : moved.find(({ order }) => order.reference === reference);
  }

  function payElsewhere({ reference: _another, ...order }: Paid): void {
    // Once the same has been sent from here, nobody could tell which of the two a listed operation is.
    if (!isFirst(order)) return;
    const at = clock.now();
    const requestId = `${ELSEWHERE}${moved.length}`;
    const id = FIRST_ID + moved.length;
    moved.push({
      id,
      requestId,
      order,
      at,
      listedAt: at,
      status: COMPLETED,
      completedAt: at,
      announcedAt: undefined,
    });
  }

  function execute(requestId: string, order: Paid, fault: MoneyFault, way: 'final' | 'later'): void {
    if (before(order) || (isSettlement({ order }) && !settlesCard(order, moved))) return;
    const lag = random.chance(faults.listLag) ? random.between(1_000, 90_000) : 0;
    const each: Moved = {
      id: FIRST_ID + moved.length,
      requestId,
      order,
      at: clock.now(),
      listedAt: clock.now() + lag,
      status: OPEN,
      announcedAt: undefined,
      ...(order.kind === 'voucher' && { code: `${CODE_PREFIX}${requestId}` }),
    };
    moved.push(each);
    if (isSettlement({ order })) {
      // It has changed the payment already, which no event tells.
      Object.assign(each, { status: COMPLETED, completedAt: clock.now() });
      return;
    }
    if (isHeld(each)) each.completedAt = clock.now();
    if (TYPES[order.kind] === OPERATION_TYPES.BANK_TRANSFER || isHeld(each)) announce(each);
    if (isHeld(each)) return;
    if (fault === 'neverSettles') return;
    const isAtOnce =
      way === 'final' && !ENDS_LATER.has(order.kind) && fault !== 'staysOpen' && fault !== 'fails';
    const settlesAfterMs =
      fault === 'staysOpen' ? random.between(MINUTE_MS, 24 * HOUR_MS) : random.pick([0, 300, 1_200]);
    if (isAtOnce) settle(each, COMPLETED);
    else
      clock.after(
        settlesAfterMs,
        () => settle(each, fault === 'fails' ? random.pick([FAILED, CANCELED]) : COMPLETED),
        null,
      );
    if (fault !== 'reversed') return;
    clock.after(
      settlesAfterMs + random.between(MINUTE_MS, 40 * HOUR_MS),
      () => {
        each.status = CANCELED;
        each.reversedAt = clock.now();
        announce(each);
      },
      null,
    );
  }

  function settle(each: Moved, status: OperationStatus): void {
    each.status = status;
    if (status === COMPLETED) each.completedAt = clock.now();
    announce(each);
  }

  /** A webhook on time, late, twice, out of order, with wrong facts, or never (docs/safety-hazards.md). */
  function announce(each: Moved): void {
    const eventId = eventOf(each);
    each.announcedAt = undefined;
    if (!eventId) return;
    const way = random.chance(faults.money) ? random.pick(WEBHOOK_FAULTS) : 'onTime';
    if (way === 'never') return;
    const raw = event(eventId, each, each.order.amount);
    const afterMs = way === 'late' ? random.between(MINUTE_MS, 72 * HOUR_MS) : random.between(0, 300);
    each.announcedAt = clock.now() + afterMs;
    webhook(raw, afterMs);
    if (way === 'twice') webhook(raw, random.between(0, 20 * MINUTE_MS));
    if (way === 'unreadable') webhook(`${raw.slice(0, 40)}`, 0);
    if (way === 'conflicting') webhook(event(eventId, each, each.order.amount + 100), random.between(0, 600));
  }

  function event(eventId: string, { id, requestId, order, at, status }: Moved, amount: number): string {
    return JSON.stringify({
      data: {
        EventId: eventId,
        WebhookId: `event-${events++}`,
        CRequestId: requestId,
        OperationId: id,
        TransactionId: id,
        OperationType: TYPES[order.kind],
        OperationStatus: status,
        CreatedAt: new Date(at).toISOString(),
        ExecutedAt: new Date(clock.now()).toISOString(),
        Amount: amount / 100,
        FeeAmount: order.till ? 0 : 2,
        PrimaryAccountNumber: payerOf(order),
        SecondaryAccountNumber: order.kind === 'float-card' ? PRINCIPAL_CODE : order.to,
        ...(order.till && { Reference: order.reference, NetworkName: 'Guichet 12', Method: 'Network' }),
        ...(order.kind === 'card-payment' && { GatewayOrderId: `O${id}`, GatewayTrackId: `T${id}` }),
      },
    });
  }

  /** A call that moves nothing: slow, lost or not even sent when the weather is bad. */
  async function read<T>(call: Call | undefined, answer: () => Answer<T>): Promise<Answer<T>> {
    const bad = random.chance(faults.reads)
      ? random.pick(['slow', 'lost', 'unsent', '500'] as const)
      : undefined;
    if (bad === 'unsent') return REFUSED_CONNECTION;
    const ms =
      bad === 'slow'
        ? random.between(1_000, 12_000)
        : bad === 'lost'
          ? CLIENT_TIMEOUT_MS
          : random.between(10, 150);
    const leftMs = patienceOf(call);
    await clock.sleep(Math.min(ms, leftMs(), CLIENT_TIMEOUT_MS));
    if (bad === 'lost' || leftMs() <= 0 || ms > CLIENT_TIMEOUT_MS) return TIMEOUT;
    return bad === '500' ? { kind: 'unknown', why: 'http500' } : answer();
  }

  /** How long the caller still waits, whenever it is asked: until its time is up, or its turn's own signal has struck. */
  function patienceOf({ timeoutMs = Number.POSITIVE_INFINITY, signal }: Call = {}): () => number {
    const until = clock.now() + timeoutMs;
    return () => (signal?.aborted ? 0 : Math.max(0, until - clock.now()));
  }
}

function asPaid({ from, to, amount }: TransferRequest): Paid {
  return { kind: 'transfer', from, to, amount, what: nameOf('transfer', to, amount) };
}

/** Transfers and payments to merchants and banks end after their answer. */
const ENDS_LATER: ReadonlySet<Paid['kind']> = new Set([
  ...(['transfer', 'merchant-payment', 'bank-transfer', 'payout-transfer'] as const),
  ...(['card-cash-in', 'card-payment', 'float-card'] as const),
]);
/** Executed once, by whoever comes first. */
const BY_REFERENCE: ReadonlySet<Paid['kind']> = new Set(['agent-cash-in', 'agent-cash-out', 'payout']);

/** Transfers, bills and payments to merchants are announced; of top-ups and vouchers nothing is ever said (open question 8). */
function eventOf({ order: { kind, till }, status, reversedAt }: Moved): string | undefined {
  if (till) {
    if (till === 'agent' || status !== COMPLETED) return undefined;
    return kind === 'agent-cash-in' ? 'cashin.network.executed' : 'cashout.network.executed';
  }
  if (kind === 'transfer') return 'transfer.received';
  if (kind === 'merchant-payment') return 'payment.received';
  if (TYPES[kind] === OPERATION_TYPES.BANK_TRANSFER)
    return status === OPEN ? 'bank-transfer.initiated' : 'bank-transfer.completed';
  if (kind === 'card-cash-in' || kind === 'float-card') return 'cashin.card.authorized';
  if (kind === 'card-payment') return 'payment.card.authorized';
  if (kind !== 'bill-payment') return undefined;
  if (status === FAILED) return 'payment.failed';
  if (status === COMPLETED) return 'payment.confirmed';
  return reversedAt === undefined ? 'payment.cancelled' : 'payment.refunded';
}

function operationFor(phone: Msisdn, { id, order, at, status }: Moved): Operation {
  const debit = order.from === phone && !isCredit(order);
  const fees = centimes(debit ? 200 : 0);
  return {
    id,
    type: TYPES[order.kind],
    status,
    direction: debit ? 2 : 1,
    amount: order.amount,
    fees,
    total: centimes(order.amount + fees),
    at,
    sender: isCredit(order) ? MASKED_CARD : order.kind === 'payout' ? PRINCIPAL_CODE : order.from,
    receiver: order.kind === 'card-refund' ? 'card' : order.to,
  };
}

function receivedBy(phone: Msisdn, now: number): { operations: readonly Operation[]; count: number } {
  const operations = RECEIVED.map(
    ({ id, payer, amount }): Operation => ({
      ...{ id, amount, total: amount, fees: centimes(0), type: OPERATION_TYPES.MOBILE_PAYMENT },
      ...{ status: COMPLETED, direction: CREDIT, at: now - HOUR_MS, sender: payer, receiver: phone },
    }),
  );
  return { operations, count: operations.length };
}

function ok<T>(value: T): Answer<T> {
  return { kind: 'ok', value };
}
