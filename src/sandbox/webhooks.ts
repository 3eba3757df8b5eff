import {
  WEBHOOK_RETRIES_MS,
  WEBHOOK_RETRY_EVERY_MS,
  WEBHOOK_RETRY_HORIZON_MS,
} from '../wallet/contract/limits.ts';
import { type WalletEvent, WEBHOOK_HEADERS } from '../wallet/contract/webhooks.ts';
import { toDecimal } from '../wallet/money.ts';
import type { Core, Tenant } from './core.ts';
import type { Operation } from './operation.ts';

/** Events that an operation gives rise to. */
export type OperationEvent = Exclude<WalletEvent['EventId'], 'customer.level.updated'>;

/** An event on its way to the partner. */
export interface Delivery {
  readonly id: number;
  readonly tenant: number;
  readonly webhookId: string;
  readonly event: OperationEvent;
  readonly body: string;
  /** The key of a forger; null for the partner's own. */
  readonly key: string | null;
  readonly state: 'due' | 'delivered' | 'dead';
  readonly attempts: number;
  readonly firstAt: number | null;
  readonly dueAt: number;
  /** The last HTTP status, or why there was none. */
  readonly lastAnswer: string | null;
}

/**
 * When an event is tried again, or undefined when it is given up (Partner API v2.3, "Delivery contract").
 * Not shown in v2.3: whether the waits count from the first attempt or from one to the next; here from one to the next.
 * @param attempts how many there were
 */
export function nextAttemptAt(attempts: number, firstAt: number, now: number): number | undefined {
  const next = now + (WEBHOOK_RETRIES_MS[attempts - 1] ?? WEBHOOK_RETRY_EVERY_MS);
  return next <= firstAt + WEBHOOK_RETRY_HORIZON_MS ? next : undefined;
}

/** How an event is told; by default once, at once, with the partner's key. */
export interface Telling {
  readonly afterMs?: number;
  readonly copies?: number;
  readonly key?: string;
}

/** More than there are attempts in 72 hours; keeps the ids of calls apart. */
const ATTEMPTS_MAX = 100;

/** Webhooks: events are rows, so that they outlive a restart, and each attempt is made when the clock says so. */
export function createWebhooks({ db, clock, random, settings }: Core) {
  const stopping = new AbortController();

  const tenantOf = (id: number): Tenant => {
    const tenant = db.lasting<Tenant>('SELECT * FROM tenants WHERE id = ?', id);
    if (!tenant) throw new Error(`no tenant ${id}`);
    return tenant;
  };

  async function post(tenant: Tenant, { id, attempts, body, key }: Delivery): Promise<string> {
    if (!tenant.webhookUrl) return 'no address';
    try {
      const response = await fetch(tenant.webhookUrl, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(settings.webhookTimeoutMs)]),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Wasl-Sandbox-Webhooks',
          // New for every call; only the WebhookId of the body stays the same (open question 31).
          [WEBHOOK_HEADERS.id]: random.uuid('call', id * ATTEMPTS_MAX + attempts),
          [WEBHOOK_HEADERS.key]: key ?? tenant.webhookKey ?? '',
        },
        body,
      });
      await response.body?.cancel();
      return String(response.status);
    } catch (error) {
      return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable';
    }
  }

  return {
    /** Writes down an event, in the transaction that made it happen. Partners without an address get none. */
    announce(event: OperationEvent, operation: Operation, telling: Telling = {}): void {
      const { afterMs = 0, copies = 1, key = null } = telling;
      if (!tenantOf(operation.tenant).webhookUrl) return;
      const id = db.run(
        `INSERT INTO deliveries (tenant, webhookId, event, body, key, state, dueAt)
         VALUES (?, '', ?, '', ?, 'due', ?)`,
        operation.tenant,
        event,
        key,
        clock.now() + afterMs,
      );
      const webhookId = random.uuid('webhook', id);
      const body = JSON.stringify({ data: toEvent(event, webhookId, operation) });
      db.run('UPDATE deliveries SET webhookId = ?, body = ? WHERE id = ?', webhookId, body, id);
      for (let copy = 1; copy < copies; copy++) {
        db.run(
          `INSERT INTO deliveries (tenant, webhookId, event, body, key, state, dueAt)
           SELECT tenant, webhookId, event, body, key, state, dueAt FROM deliveries WHERE id = ?`,
          id,
        );
      }
    },

    /** One attempt. Only a 200 ends them (open question 25); a forger makes but one. */
    async attempt(delivery: Delivery): Promise<void> {
      const startedAt = clock.now();
      const answer = await post(tenantOf(delivery.tenant), delivery);
      if (stopping.signal.aborted) return;
      const attempts = delivery.attempts + 1;
      const firstAt = delivery.firstAt ?? startedAt;
      const last = answer === '200' || delivery.key !== null;
      const next = last ? undefined : nextAttemptAt(attempts, firstAt, startedAt);
      const state = answer === '200' ? 'delivered' : next === undefined ? 'dead' : 'due';
      // The id of the event too: after a reset the row number may be another event's.
      db.run(
        `UPDATE deliveries SET state = ?, attempts = ?, firstAt = ?, dueAt = ?, lastAnswer = ?
         WHERE id = ? AND webhookId = ?`,
        state,
        attempts,
        firstAt,
        next ?? delivery.dueAt,
        answer,
        delivery.id,
        delivery.webhookId,
      );
    },

    dueAt: (now: number): Delivery[] =>
      db.all<Delivery>(
        `SELECT * FROM deliveries WHERE state = 'due' AND dueAt <= ? ORDER BY dueAt, id LIMIT 100`,
        now,
      ),
    nextAfter: (now: number): number | undefined =>
      db.get<{ at: number | null }>(
        `SELECT MIN(dueAt) AS at FROM deliveries WHERE state = 'due' AND dueAt > ?`,
        now,
      )?.at ?? undefined,
    stop: () => stopping.abort(),
    all: (): Delivery[] => db.all<Delivery>('SELECT * FROM deliveries ORDER BY id'),
  };
}
export type Webhooks = ReturnType<typeof createWebhooks>;

function toEvent(
  event: OperationEvent,
  webhookId: string,
  operation: Operation,
): Omit<WalletEvent, 'EventId'> & { EventId: OperationEvent } {
  return {
    EventId: event,
    WebhookId: webhookId,
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
  };
}
