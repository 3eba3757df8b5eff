import { z } from 'zod';
import { STATUSES } from '../../wallet/contract/fields.ts';
import {
  WEBHOOK_RETRIES_MS,
  WEBHOOK_RETRY_EVERY_MS,
  WEBHOOK_RETRY_HORIZON_MS,
} from '../../wallet/contract/limits.ts';
import { type EventKind, WEBHOOK_HEADERS } from '../../wallet/contract/webhooks.ts';
import { toDecimal } from '../../wallet/money.ts';
import type { CARD_NOTIFICATION } from '../cards/notification.ts';
import type { Core, Tenant } from '../core/core.ts';
import { jsonColumn } from '../core/json-column.ts';
import type { Operation } from '../operations/operation.ts';
import { isInternalAddress } from './targets.ts';

/** `told` of an operation: what its webhooks carry in addition to the common fields. */
const extraFields = jsonColumn('operations.told', z.record(z.string(), z.unknown()));

/** An event that v2.3 does not list, where a partner wants to meet one (open question 8). */
export const UNLISTED_EVENT = 'operation.completed';

export type OperationEvent = Exclude<EventKind, 'customer.level.updated'> | typeof UNLISTED_EVENT;

/** An event on its way to the partner. */
export interface Delivery {
  readonly id: number;
  readonly tenant: number;
  readonly webhookId: string;
  readonly event: EventKind | typeof CARD_NOTIFICATION | typeof UNLISTED_EVENT;
  readonly body: string;
  /** The key of a forger. Null for the partner's own. */
  readonly key: string | null;
  /** Its target, if that is not the partner's webhook: an address of a single payment, which gets no key. */
  readonly url: string | null;
  readonly state: 'due' | 'delivered' | 'dead';
  readonly attempts: number;
  readonly firstAt: number | null;
  readonly dueAt: number;
  /** The last HTTP status, or why there was none. */
  readonly lastAnswer: string | null;
}

/**
 * When an event is tried again, or undefined when it is given up (Partner API v2.3, "Delivery contract").
 * Not shown in v2.3: whether the waits count from the first attempt or from one to the next. Here from one to the next.
 * @param attempts how many there were
 */
export function nextAttemptAt(attempts: number, firstAt: number, now: number): number | undefined {
  const next = now + (WEBHOOK_RETRIES_MS[attempts - 1] ?? WEBHOOK_RETRY_EVERY_MS);
  return next <= firstAt + WEBHOOK_RETRY_HORIZON_MS ? next : undefined;
}

/** How an event is delivered. By default once, at once, with the partner's key. */
export interface DeliveryOptions {
  readonly afterMs?: number;
  readonly copies?: number;
  readonly key?: string;
}

/** A change that was requested and has no operation. */
interface Change {
  readonly tenant: number;
  readonly requestId: string;
  /** Whom it is about. */
  readonly phone: string;
  readonly askedAt: number;
  readonly doneAt: number;
}

/** More than there are attempts in 72 hours. Keeps the ids of calls apart. */
const ATTEMPTS_MAX = 100;

/**
 * Writes down an event of an operation, in the transaction that made it happen: events are rows, so that they outlive a
 * restart. Partners without an address get none.
 */
export function announce(
  core: Core,
  event: OperationEvent,
  operation: Operation,
  options: DeliveryOptions = {},
): void {
  write(core, operation.tenant, event, () => propertiesOf(operation), options);
}

/** Writes down an event that belongs to no operation. */
export function announceChange(core: Core, event: Exclude<EventKind, OperationEvent>, change: Change): void {
  const isBare = core.settings.levelEvent === 'bare';
  const properties = () => ({ ...(isBare ? {} : NO_OPERATION), ...changeProperties(change) });
  write(core, change.tenant, event, properties, {});
}

function write(
  core: Core,
  tenant: number,
  event: EventKind | typeof UNLISTED_EVENT,
  properties: () => object,
  { afterMs = 0, copies = 1, key }: DeliveryOptions,
): void {
  const { db, clock, random } = core;
  if (!tenantOf(core, tenant).webhookUrl) return;
  const due = { tenant, event, key: key ?? null, state: 'due', dueAt: clock.now() + afterMs };
  const id = db.insert('deliveries', { ...due, webhookId: '', body: '' });
  const webhookId = random.uuid('webhook', id);
  const body = JSON.stringify({ data: { EventId: event, WebhookId: webhookId, ...properties() } });
  db.update('deliveries', id, { webhookId, body });
  for (let copy = 1; copy < copies; copy++) db.insert('deliveries', { ...due, webhookId, body });
}

function tenantOf({ db }: Core, id: number): Tenant {
  const tenant = db.lasting<Tenant>('SELECT * FROM tenants WHERE id = ?', id);
  if (!tenant) throw new Error(`no tenant ${id}`);
  return tenant;
}

/**
 * One attempt to deliver an event. Only a 200 ends them (open question 25). A forger makes but one.
 * @param stopped ends the attempt, of which then nothing is written down
 */
export async function attempt(core: Core, delivery: Delivery, stopped: AbortSignal): Promise<void> {
  const { db, clock } = core;
  const startedAt = clock.now();
  const era = db.era();
  const answer = await post(core, delivery, stopped);
  // After a reset the row number may be another event's.
  if (stopped.aborted || db.era() !== era) return;
  db.run('INSERT INTO attempts (delivery, at, answer) VALUES (?, ?, ?)', delivery.id, startedAt, answer);
  const attempts = delivery.attempts + 1;
  const firstAt = delivery.firstAt ?? startedAt;
  const isTaken = answer === '200' || (core.settings.webhookEnds === 'any2xx' && /^2\d\d$/.test(answer));
  const last = isTaken || delivery.key !== null;
  const next = last ? undefined : nextAttemptAt(attempts, firstAt, startedAt);
  const state = isTaken ? 'delivered' : next === undefined ? 'dead' : 'due';
  // One that was dropped meanwhile stays so.
  db.run(
    `UPDATE deliveries SET state = ?, attempts = ?, firstAt = ?, dueAt = ?, lastAnswer = ?
     WHERE id = ? AND state = 'due'`,
    ...[state, attempts, firstAt, next ?? delivery.dueAt, answer, delivery.id],
  );
}

/** Gives the HTTP status, or why there was none. */
async function post(core: Core, delivery: Delivery, stopped: AbortSignal): Promise<string> {
  const { id, attempts, body, key, url } = delivery;
  const tenant = tenantOf(core, delivery.tenant);
  const address = url ?? tenant.webhookUrl;
  if (!address) return 'no address';
  const call = id * ATTEMPTS_MAX + attempts;
  const isNew = attempts > 0 && core.settings.webhookIds === 'new';
  try {
    const status = await core.targets.post(address, {
      signal: AbortSignal.any([stopped, AbortSignal.timeout(core.settings.webhookTimeoutMs)]),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Wasl-Sandbox-Webhooks',
        // New for every call. Only the WebhookId of the body stays the same (open question 31).
        [WEBHOOK_HEADERS.id]: core.random.uuid('call', call),
        ...(url === null && { [WEBHOOK_HEADERS.key]: key ?? tenant.webhookKey ?? '' }),
      },
      body: isNew ? body.replace(delivery.webhookId, core.random.uuid('webhook again', call)) : body,
    });
    return String(status);
  } catch (error) {
    if (isInternalAddress(error)) return 'internal address';
    return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable';
  }
}

/** The deliveries to try now, the longest due first, a hundred at most. */
export function deliveriesDueAt({ db }: Core, now: number): Delivery[] {
  const sql = `SELECT * FROM deliveries WHERE state = 'due' AND dueAt <= ? ORDER BY dueAt, id LIMIT 100`;
  return db.all<Delivery>(sql, now);
}

/** When the next attempt falls due after a moment. Undefined where none does. */
export function nextDeliveryAfter({ db }: Core, now: number): number | undefined {
  const sql = `SELECT MIN(dueAt) AS at FROM deliveries WHERE state = 'due' AND dueAt > ?`;
  return db.get<{ at: number | null }>(sql, now)?.at ?? undefined;
}

/** One attempt to deliver an event, and how it was answered. */
export interface Attempt extends Pick<Delivery, 'event' | 'body'> {
  readonly id: number;
  readonly at: number;
  readonly answer: string;
}

/** The newest attempts of a partner's events, newest first. */
export function attemptsOf({ db }: Core, tenant: Pick<Tenant, 'id'>, most: number): Attempt[] {
  return db.all<Attempt>(
    `SELECT attempts.id, attempts.at, attempts.answer, event, body FROM attempts
     JOIN deliveries ON deliveries.id = delivery WHERE tenant = ? ORDER BY attempts.id DESC LIMIT ?`,
    ...[tenant.id, most],
  );
}

/** Oldest first, of all partners. */
export function allDeliveries({ db }: Core): Delivery[] {
  return db.all<Delivery>('SELECT * FROM deliveries ORDER BY id');
}

/** Partner API v2.3, "Common properties", without the kind and the id. */
function propertiesOf(operation: Operation): object {
  return {
    CRequestId: operation.requestId,
    OperationId: operation.id,
    TransactionId: operation.transactionId,
    OperationType: operation.type,
    OperationStatus: operation.status,
    CreatedAt: new Date(operation.createdAt).toISOString(),
    ExecutedAt: new Date(operation.executedAt ?? operation.createdAt).toISOString(),
    Amount: toDecimal(operation.amount),
    FeeAmount: toDecimal(operation.fees),
    PrimaryAccountNumber: operation.sender,
    SecondaryAccountNumber: operation.receiver,
    Method: operation.method,
    ...extraFields.read(operation.told),
  };
}

/** v2.3 requires type, status and amounts even without an operation, and shows no values for them. */
const NO_OPERATION = {
  OperationId: 0,
  OperationType: 0,
  OperationStatus: STATUSES.COMPLETED,
  Amount: 0,
  FeeAmount: 0,
};

function changeProperties({ requestId, phone, askedAt, doneAt }: Change): object {
  return {
    CRequestId: requestId,
    CreatedAt: new Date(askedAt).toISOString(),
    ExecutedAt: new Date(doneAt).toISOString(),
    PrimaryAccountNumber: phone,
  };
}
