import type { z } from 'zod';
import { type OperationStatus, STATUSES } from '../../wallet/contract/fields.ts';
import type { operationDetail } from '../../wallet/contract/operations.ts';
import { type Centimes, centimes, toDecimal } from '../../wallet/money.ts';
import type { Core, Request, Tenant } from '../core/core.ts';
import type { Database } from '../core/database.ts';
import type { Customer } from '../customers/customer.ts';
import { struckColumn } from '../faults/faults.ts';
import { MAGIC } from '../faults/magic.ts';
import { nowIso } from '../time/clock.ts';
import type { Timed } from '../time/due.ts';
import { announceMoved, announceOpened } from '../webhooks/notices.ts';

export interface Operation {
  readonly id: number;
  readonly tenant: number;
  readonly type: number;
  readonly status: OperationStatus;
  readonly amount: Centimes;
  readonly fees: Centimes;
  /** The ledger transaction that took the money from the sender. */
  readonly transactionId: number;
  readonly reference: string;
  readonly reason: string;
  /** The account that the money comes from. */
  readonly payer: number;
  /** Null where no customer pays: an agent, a network, a card. */
  readonly senderId: number | null;
  readonly sender: string;
  /** The account that gets the money where it is not that of `receiverId`. Null otherwise. */
  readonly payee: number | null;
  /** Null where the recipient's wallet is another provider's, or who is paid has none: an operator, a shop. */
  readonly receiverId: number | null;
  readonly receiver: string;
  /** Partner API v2.3, "Common properties": Card, Agent or Network. Null where it is none of them. */
  readonly method: 'Card' | 'Agent' | 'Network' | null;
  /** The operation whose money this one gives back. */
  readonly original: number | null;
  /** Fields that its webhooks carry in addition to the common ones, as JSON. */
  readonly told: string;
  readonly openLoop: 0 | 1;
  /** 1 where a cancellation is announced as a refund: a bill whose money comes back from the creditor (REMBOURSE). */
  readonly refunds: 0 | 1;
  readonly requestId: string;
  readonly createdAt: number;
  /** When lists show it. */
  readonly listedAt: number;
  /** Its next status and when it gets it. Once nothing more will happen, the status that it has. */
  readonly settlesAs: OperationStatus;
  readonly settleAt: number;
  readonly executedAt: number | null;
  /** The faults of its request, `Struck` as JSON. */
  readonly faults: string;
}
type NewOperation = Pick<Operation, 'type' | 'amount' | 'reason' | 'payer' | 'sender' | 'receiver'> &
  Partial<Pick<Operation, keyof typeof DEFAULTS | 'settlesAs'>>;

/** Whom an operation is made for, and what strikes it. */
export type Asked = Pick<Request, 'requestId' | 'struck'> & { readonly tenant: Pick<Tenant, 'id'> };

/** An execution as those see it who count executions. Amounts are centimes. */
export interface Executed {
  readonly operationId: number;
  readonly requestId: string;
  readonly type: number;
  readonly amount: Centimes;
  readonly sender: string;
  readonly receiver: string;
  readonly status: OperationStatus;
  /** When it was made, and when it got its status, in ms since 1970. */
  readonly createdAt: number;
  readonly executedAt: number | null;
}

/**
 * Executes an operation: amount and fees leave the sender for transit, until it settles. The caller has checked the balance.
 * @param afterMs when it settles. 0 is before the answer, which is then final. Absent: as the settings say
 */
export function executeOperation(
  core: Core,
  { tenant: { id: tenant }, requestId, struck }: Asked,
  order: NewOperation,
  afterMs?: number,
): Operation {
  const { db, ledger, clock, random, settings } = core;
  const { payer, amount, fees = DEFAULTS.fees } = order;
  const createdAt = clock.now();
  const early = 'webhookEarly' in struck && afterMs !== 0;
  const settleAfterMs = struck.staysOpen ?? (early ? 0 : (afterMs ?? settings.settleAfterMs));
  // Known beforehand, so that the row is written once.
  const id = (db.get<{ last: number | null }>('SELECT MAX(id) AS last FROM operations')?.last ?? 0) + 1;
  const transactionId = ledger.post(tenant, createdAt, id, [
    [payer, -(amount + fees)],
    [ledger.own(tenant, 'transit'), amount + fees],
  ]);
  const row = {
    id,
    transactionId,
    reference: random.reference(id),
    ...DEFAULTS,
    settlesAs: order.receiver === MAGIC.failsLater ? STATUSES.FAILED : STATUSES.COMPLETED,
    ...order,
    ...{ tenant, requestId },
    status: STATUSES.OPEN,
    createdAt,
    listedAt: createdAt + (struck.listLag ?? 0),
    settleAt: createdAt + settleAfterMs,
    faults: JSON.stringify(struck),
  };
  db.insert('operations', row);
  const opened = { ...row, executedAt: null };
  announceOpened(core, opened, struck);
  // A webhook that overtakes the answer finds one that still says OPEN.
  return settleAfterMs === 0 && !early ? settle(core, opened) : opened;
}

const DEFAULTS: Pick<
  Operation,
  'fees' | 'senderId' | 'receiverId' | 'openLoop' | 'refunds' | 'payee' | 'method' | 'original' | 'told'
> = {
  ...{ fees: centimes(0), senderId: null, receiverId: null, openLoop: 0, refunds: 0 },
  ...{ payee: null, method: null, original: null, told: '{}' },
};

/** The sides of an operation that a customer pays. */
export function paidBy({ account, id, phone }: Pick<Customer, 'account' | 'id' | 'phone'>) {
  return { payer: account, senderId: id, sender: phone };
}

/** The order as its preview echoes it: each field under its name with a small letter. */
export function echoed(body: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [`${name[0]?.toLowerCase()}${name.slice(1)}`, value]),
  );
}

/** Partner API v2.3, "Preview result". */
export function quoted<T>(core: Core, type: number, operation: T, fees: Centimes, openLoop = false) {
  return { type, operation, feesAmount: toDecimal(fees), checkedAt: nowIso(core), openLoop };
}

/** Settles operations when their moment comes. */
export const SETTLEMENTS: Timed = {
  work(core, now) {
    const due = core.db.all<Operation>(
      'SELECT * FROM operations WHERE status <> settlesAs AND settleAt <= ? ORDER BY settleAt, id LIMIT 100',
      now,
    );
    for (const each of due) settle(core, each);
    return due.length > 0;
  },
  nextAfter({ db }, now) {
    const sql = 'SELECT MIN(settleAt) AS at FROM operations WHERE status <> settlesAs AND settleAt > ?';
    return db.get<{ at: number | null }>(sql, now)?.at ?? undefined;
  },
};

/** Oldest first. Of one request or of all, of one partner or of all. */
export function executed({ db }: Core, requestId = '', tenant = 0): Executed[] {
  return db.all<Executed>(
    `SELECT id AS operationId, requestId, type, amount, sender, receiver, status, createdAt, executedAt
     FROM operations WHERE ? IN ('', requestId) AND ? IN (0, tenant) ORDER BY id`,
    requestId,
    tenant,
  );
}

/**
 * Gives an operation its next status: the money in transit goes to its recipient and the fees, or back to its sender.
 * A reversal takes it from there again, but for what refunds and chargebacks have given back.
 */
function settle(core: Core, operation: Operation): Operation {
  const { db, ledger, clock } = core;
  const { id, tenant, status: before, settlesAs: status } = operation;
  const now = clock.now();
  const struck = struckColumn.read(operation.faults);
  const sides = sidesOf(core, operation);
  // All of it may have gone back before.
  if (sides.some(([, amount]) => amount !== 0)) ledger.post(tenant, now, id, sides);
  const reverses = status === STATUSES.COMPLETED && struck.reversal !== undefined;
  const settlesAs = reverses ? STATUSES.CANCELED : status;
  const settleAt = now + (struck.reversal ?? 0);
  const to = { status, executedAt: now, settlesAs, settleAt };
  db.update('operations', id, to);
  const settled = { ...operation, ...to };
  announceMoved(core, settled, before, struck);
  return settled;
}

type Sides = readonly (readonly [account: number, amount: number])[];

/** The effect of a change of status on the accounts. */
function sidesOf(core: Core, operation: Operation): Sides {
  const { ledger } = core;
  const { tenant, status, settlesAs, amount, fees, payer } = operation;
  if (status === STATUSES.COMPLETED) return reversedSides(core, operation);
  const fromTransit = [ledger.own(tenant, 'transit'), -(amount + fees)] as const;
  const income = ledger.own(tenant, 'fees');
  const kept = keptFees(core, operation);
  if (settlesAs !== STATUSES.COMPLETED) return [fromTransit, [payer, amount + fees - kept], [income, kept]];
  return [fromTransit, [payeeOf(core, operation), amount], [income, fees]];
}

/** The payee may have spent the money. The float pays what is missing. */
function reversedSides(core: Core, operation: Operation): Sides {
  const { ledger } = core;
  const { tenant, fees, payer } = operation;
  const payee = payeeOf(core, operation);
  const back = reversible(core, operation);
  const kept = keptFees(core, operation);
  const left = isHeld(core, payee) ? Math.min(back, ledger.balance(payee)) : back;
  return [
    [payee, -left],
    [ledger.own(tenant, 'float'), left - back],
    [ledger.own(tenant, 'fees'), kept - fees],
    [payer, back + fees - kept],
  ];
}

/** The part of the fees that does not come back with the payment. */
function keptFees({ settings }: Core, { fees }: Operation): number {
  return settings.feesBack === 'back' ? 0 : fees;
}

/** How much of its amount a reversal gives back: what has gone back another way does not go back twice. */
function reversible({ db }: Core, operation: Operation): Centimes {
  const sql = 'SELECT 1 FROM operations WHERE id = ? AND status = ?';
  // An original that was reversed has left out what this operation gave back: it stays where it is.
  if (db.get(sql, operation.original, STATUSES.CANCELED)) return centimes(0);
  return centimes(operation.amount - refundedAmount(db, operation));
}

/** The account that an operation pays. */
function payeeOf({ db, ledger }: Core, { tenant, payee, receiverId }: Operation): number {
  if (payee !== null) return payee;
  if (receiverId === null) return ledger.own(tenant, 'switch');
  const row = db.lasting<{ account: number }>('SELECT account FROM customers WHERE id = ?', receiverId);
  if (!row) throw new Error(`no customer ${receiverId}`);
  return row.account;
}

/** True for the accounts that may not fall below zero: those of customers and agents. */
function isHeld({ db }: Core, account: number): boolean {
  const row = db.lasting<{ kind: string }>('SELECT kind FROM accounts WHERE id = ?', account);
  return row?.kind === 'wallet' || row?.kind === 'agent';
}

/** The operation of an id. Undefined where there is none. */
export function operationById({ db }: Core, id: number | null): Operation | undefined {
  return db.get<Operation>('SELECT * FROM operations WHERE id = ?', id);
}

/**
 * An operation as one of its two customers sees it: who receives sees the amount, who sends also pays the fees.
 * @param customer null for a principal agent, who only sends
 */
export function detailFor(customer: number | null, operation: Operation): z.input<typeof operationDetail> {
  const credited = customer !== null && operation.receiverId === customer;
  const fees = credited ? 0 : operation.fees;
  return {
    operationId: operation.id,
    transactionId: operation.transactionId,
    transactionReference: operation.reference,
    amount: toDecimal(operation.amount),
    operationType: operation.type,
    transactionDate: new Date(operation.createdAt).toISOString(),
    sens: credited ? 1 : 2,
    transactionStatus: operation.status,
    feesAmount: toDecimal(centimes(fees)),
    totalAmount: toDecimal(centimes(operation.amount + fees)),
    sender: operation.sender,
    receiver: operation.receiver,
  };
}

/** How much of an operation's amount other operations have given back or are about to. */
export function refundedAmount(db: Database, { id }: Pick<Operation, 'id'>): Centimes {
  const sql =
    'SELECT COALESCE(SUM(amount), 0) AS sum FROM operations WHERE original = ? AND status IN (1, 2)';
  return centimes(db.get<{ sum: number }>(sql, id)?.sum ?? 0);
}
