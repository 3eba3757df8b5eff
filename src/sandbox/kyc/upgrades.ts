import type { AccountLevel } from '../../wallet/contract/limits.ts';
import { type Core, isRefusal, type Refusal, type Tenant } from '../core/core.ts';
import { barred, type Customer, type Customers } from '../customers/customer.ts';
import type { Timed } from '../time/due.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/**
 * The way of a customer to a higher level, as a row: begun with a token for the identity provider, verifying once the upgrade is
 * requested, then done or rejected. That of a merchant begins with the verification of its documents.
 */
export interface Upgrade {
  readonly id: number;
  readonly tenant: number;
  readonly customer: number;
  readonly level: AccountLevel | null;
  readonly state: 'begun' | 'verifying' | 'done' | 'rejected';
  readonly requestId: string;
  readonly askedAt: number;
  readonly dueAt: number | null;
}

/** The identity provider finds fault with national ID numbers that begin like this. Invented, like the provider. */
const REJECTED_CIN = 'XX';

/** Upgrades in the database: begun, requested, and verified when their moment comes. */
export function createUpgrades({ db, clock, settings }: Core) {
  return {
    /** The one that is not over; a customer has one at most. */
    current: (customer: Customer): Upgrade | undefined =>
      db.get<Upgrade>(
        `SELECT * FROM upgrades WHERE customer = ? AND state IN ('begun', 'verifying')`,
        customer.id,
      ),

    /** Gives its id. */
    begin: (customer: Customer, requestId: string): number =>
      db.run(
        `INSERT INTO upgrades (tenant, customer, state, requestId, askedAt) VALUES (?, ?, 'begun', ?, ?)`,
        customer.tenant,
        customer.id,
        requestId,
        clock.now(),
      ),

    request(id: number, level: AccountLevel, requestId: string): void {
      const now = clock.now();
      db.run(
        `UPDATE upgrades SET level = ?, state = 'verifying', requestId = ?, askedAt = ?, dueAt = ? WHERE id = ?`,
        level,
        requestId,
        now,
        now + settings.verifyAfterMs,
        id,
      );
    },
  };
}
export type Upgrades = ReturnType<typeof createUpgrades>;

/**
 * What the identity provider, and for merchants the back office, finds out in its own time: the level is raised and told
 * (`customer.level.updated`). Not shown in v2.3: how a rejection is told; here by nothing.
 */
export function createVerification({ db }: Core, customers: Customers, webhooks: Webhooks): Timed {
  function verify({ id, tenant, customer: who, level, requestId, askedAt, dueAt }: Upgrade): void {
    const customer = db.get<Customer>('SELECT * FROM customers WHERE id = ? AND status <> 0', who);
    const passes = customer && level && !customer.cin.startsWith(REJECTED_CIN);
    db.run('UPDATE upgrades SET state = ? WHERE id = ?', passes ? 'done' : 'rejected', id);
    if (!passes) return;
    customers.change(customer, { level });
    const change = { tenant, requestId, phone: customer.phone, askedAt, doneAt: dueAt ?? askedAt };
    webhooks.announceChange('customer.level.updated', change);
  }

  return {
    work(now) {
      const due = db.all<Upgrade>(
        `SELECT * FROM upgrades WHERE state = 'verifying' AND dueAt <= ? ORDER BY dueAt, id LIMIT 100`,
        now,
      );
      for (const each of due) verify(each);
      return due.length > 0;
    },
    nextAfter: (now) =>
      db.get<{ at: number | null }>(
        `SELECT MIN(dueAt) AS at FROM upgrades WHERE state = 'verifying' AND dueAt > ?`,
        now,
      )?.at ?? undefined,
  };
}

/** A customer who can be verified now, also one who has no PIN yet; else why not. */
export function verifiable(customers: Customers, tenant: Tenant, phone: string): Customer | Refusal {
  const customer = customers.get(tenant, phone);
  if (isRefusal(customer) || customer.status === 2) return customer;
  return barred(customer) ?? customer;
}
