import { z } from 'zod';
import { STATUSES } from '../../wallet/contract/fields.ts';
import { type EventKind, walletEvent } from '../../wallet/contract/webhooks.ts';
import type { Core, Tenant } from '../core/core.ts';
import type { Attempt, Delivery } from '../webhooks/webhooks.ts';

const DELAY_MAX_MS = 366 * 24 * 60 * 60_000;
/** A list shows so many of them, newest first. */
const LISTED_MAX = 200;
export const FORGERS_KEY = 'the-key-of-a-forger';

export const EVENT_KINDS = walletEvent.options.map(({ shape }) => shape.EventId.value) as [
  EventKind,
  ...EventKind[],
];

/** The acts with an event. */
export const webhookAct = z.discriminatedUnion('act', [
  /** Once more, now. */
  z.strictObject({ act: z.literal('resend') }),
  /** A second one with the same id. */
  z.strictObject({ act: z.literal('duplicate') }),
  /** So much later than it would come. */
  z.strictObject({ act: z.literal('delay'), ms: z.int().min(1).max(DELAY_MAX_MS) }),
  z.strictObject({ act: z.literal('drop') }),
]);
type WebhookAct = z.output<typeof webhookAct>;

/** An event that did not happen. */
export const forgery = z.strictObject({
  event: z.enum(EVENT_KINDS),
  /** Absent: a forger's. Null: the partner's own, as if it had leaked. */
  key: z.string().min(1).max(200).nullable().default(FORGERS_KEY),
  /** In place of those that a forger would make up. */
  properties: z.record(z.string().max(100), z.unknown()).default({}),
});
type Forgery = z.output<typeof forgery>;

/** A webhook of a partner. Undefined where there is none. */
export function findDelivery({ db }: Core, tenant: Tenant, id: number): Delivery | undefined {
  return db.get<Delivery>('SELECT * FROM deliveries WHERE tenant = ? AND id = ?', tenant.id, id);
}

/** The newest first. */
export function deliveriesOf({ db }: Core, tenant: Tenant): Delivery[] {
  const sql = 'SELECT * FROM deliveries WHERE tenant = ? ORDER BY id DESC LIMIT ?';
  return db.all<Delivery>(sql, tenant.id, LISTED_MAX);
}

/** Oldest first. Each has the HTTP status, or why there was none. */
export function attemptsOf({ db }: Core, { id }: Pick<Delivery, 'id'>) {
  return db.all<Pick<Attempt, 'at' | 'answer'>>(
    'SELECT at, answer FROM attempts WHERE delivery = ? ORDER BY id',
    id,
  );
}

/** Gives the webhook. Undefined where only a waiting one could be delayed or dropped. */
export function actOnWebhook(
  core: Core,
  tenant: Tenant,
  delivery: Delivery,
  order: WebhookAct,
): Delivery | undefined {
  const { db, clock } = core;
  const { id, event, webhookId, body, key, url, state } = delivery;
  if (order.act === 'resend') {
    db.run(`UPDATE deliveries SET state = 'due', dueAt = ? WHERE id = ?`, clock.now(), id);
    return findDelivery(core, tenant, id);
  }
  if (order.act === 'duplicate') {
    const copy = insert(core, { tenant: tenant.id, webhookId, event, body, key, url });
    return findDelivery(core, tenant, copy);
  }
  if (state !== 'due') return undefined;
  if (order.act === 'delay') {
    const dueAt = Math.max(delivery.dueAt, clock.now()) + order.ms;
    db.run('UPDATE deliveries SET dueAt = ? WHERE id = ?', dueAt, id);
  } else {
    db.run(`UPDATE deliveries SET state = 'dead', lastAnswer = 'dropped' WHERE id = ?`, id);
  }
  return findDelivery(core, tenant, id);
}

/** Sends an event that nothing has given rise to. A forger's key makes one attempt, the partner's as many as any. */
export function forgeWebhook(core: Core, tenant: Tenant, forged: Forgery): Delivery | undefined {
  const { db, clock, random } = core;
  const { event, key, properties } = forged;
  const id = insert(core, { tenant: tenant.id, webhookId: '', event, body: '', key, url: null });
  const webhookId = random.uuid('webhook', id);
  const body = JSON.stringify({
    data: { EventId: event, WebhookId: webhookId, ...forgedProperties(clock.now()), ...properties },
  });
  db.update('deliveries', id, { webhookId, body });
  return findDelivery(core, tenant, id);
}

type NewDelivery = Pick<Delivery, 'tenant' | 'webhookId' | 'event' | 'body' | 'key' | 'url'>;

/** Gives the id of the new webhook, which is due now. */
function insert({ db, clock }: Core, delivery: NewDelivery): number {
  return db.insert('deliveries', { ...delivery, state: 'due', dueAt: clock.now() });
}

/** The claim of a forger: 1,000 dirhams have come. */
export function forgedProperties(now: number): Readonly<Record<string, unknown>> {
  const at = new Date(now).toISOString();
  return {
    CRequestId: 'forged',
    OperationId: 999_999,
    TransactionId: 999_999,
    OperationType: 3,
    OperationStatus: STATUSES.COMPLETED,
    CreatedAt: at,
    ExecutedAt: at,
    Amount: 1_000,
    FeeAmount: 0,
    PrimaryAccountNumber: '+212600000002',
    SecondaryAccountNumber: '+212600000001',
    Method: null,
  };
}
