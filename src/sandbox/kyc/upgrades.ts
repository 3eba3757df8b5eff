import { createHmac } from 'node:crypto';
import type { AccountLevel } from '../../wallet/contract/limits.ts';
import type { Core, SomeHandlers, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { barred, type Customer, changeCustomer, customerById, getCustomer } from '../customers/customer.ts';
import type { Timed } from '../time/due.ts';
import { announceChange } from '../webhooks/webhooks.ts';

/**
 * A customer's way to a higher level, as a row. It begins with a token for the identity provider, verifies once the upgrade
 * is requested, and ends done or rejected. A merchant's way begins with the verification of its documents.
 */
interface Upgrade {
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
/** Nor does it ever decide about these. */
const UNDECIDED_CIN = 'ZZ';

/** The upgrade of a customer that is not over. There is one at most. */
export function currentUpgrade({ db }: Core, customer: Customer): Upgrade | undefined {
  const sql = `SELECT * FROM upgrades WHERE customer = ? AND state IN ('begun', 'verifying')`;
  return db.get<Upgrade>(sql, customer.id);
}

/** Gives the id of the new upgrade. */
export function beginUpgrade({ db, clock }: Core, { id, tenant }: Customer, requestId: string): number {
  return db.insert('upgrades', { tenant, customer: id, state: 'begun', requestId, askedAt: clock.now() });
}

export function requestUpgrade(core: Core, id: number, level: AccountLevel, requestId: string): void {
  const now = core.clock.now();
  const sql = 'SELECT cin FROM customers WHERE id = (SELECT customer FROM upgrades WHERE id = ?)';
  const isDecided = !core.db.get<{ cin: string }>(sql, id)?.cin.startsWith(UNDECIDED_CIN);
  core.db.run(
    `UPDATE upgrades SET level = ?, state = 'verifying', requestId = ?, askedAt = ?, dueAt = ? WHERE id = ?`,
    ...[level, requestId, now, isDecided ? now + core.settings.verifyAfterMs : null, id],
  );
}

/**
 * The decision of the identity provider, and for merchants of the back office, in its own time. The level is raised and announced
 * (`customer.level.updated`). v2.3 does not show how a rejection is announced. Here it is not.
 */
export const VERIFICATIONS: Timed = {
  work(core, now) {
    const due = core.db.all<Upgrade>(
      `SELECT * FROM upgrades WHERE state = 'verifying' AND dueAt <= ? ORDER BY dueAt, id LIMIT 100`,
      now,
    );
    for (const each of due) verify(core, each);
    return due.length > 0;
  },
  nextAfter({ db }, now) {
    const sql = `SELECT MIN(dueAt) AS at FROM upgrades WHERE state = 'verifying' AND dueAt > ?`;
    return db.get<{ at: number | null }>(sql, now)?.at ?? undefined;
  },
};

function verify(core: Core, { id, tenant, customer: who, level, requestId, askedAt, dueAt }: Upgrade): void {
  const customer = customerById(core, who);
  const passes = customer && customer.status !== 0 && level && !customer.cin.startsWith(REJECTED_CIN);
  core.db.run('UPDATE upgrades SET state = ? WHERE id = ?', passes ? 'done' : 'rejected', id);
  if (!passes) return;
  changeCustomer(core, customer, { level });
  const change = { tenant, requestId, phone: customer.phone, askedAt, doneAt: dueAt ?? askedAt };
  announceChange(core, 'customer.level.updated', change);
}

/** A customer who can be verified now, also one who has no PIN yet. Any other is refused. */
export function verifiable(core: Core, tenant: Tenant, phone: string): Customer {
  const customer = getCustomer(core, tenant, phone);
  const reason = barred(customer);
  return reason && reason !== 'pinNotCreated' ? refuse(reason) : customer;
}

/** There is no such provider: a partner's app finds nothing there, and the sandbox takes its scan and selfie as done. */
const PROVIDER_URL = 'https://idprovider.example';
/** "Short-lived". How short is not shown in v2.3. */
const TOKEN_VALID_MS = 10 * 60_000;

/**
 * Identification of a customer and the upgrade that follows (Partner API v2.3, "KYC flow"). Not shown in v2.3: the order is
 * held to. Levels may be skipped, but not lowered.
 */
export const identification = {
  /** Asked again before the upgrade is requested, it is the same applicant with a fresh token. */
  startIdentification(core, { tenant, requestId, query }) {
    const customer = verifiable(core, tenant, query.PhoneNumber);
    if (customer.walletType === 'C') refuse('merchantDocumentsOnly');
    const current = currentUpgrade(core, customer);
    if (current?.state === 'verifying') refuse('upgradePending');
    const applicant = core.random.uuid('applicant', current?.id ?? beginUpgrade(core, customer, requestId));
    return { baseUrl: PROVIDER_URL, applicant_id: applicant, token: tokenFor(core, applicant) };
  },

  requestUpgrade(core, { tenant, requestId, query }) {
    const customer = verifiable(core, tenant, query.PhoneNumber);
    if (customer.walletType === 'C') refuse('merchantDocumentsOnly');
    if (query.AccountLevel <= customer.level) refuse('levelNotHigher');
    const current = currentUpgrade(core, customer);
    if (!current) refuse('identificationMissing');
    if (current.state === 'verifying') refuse('upgradePending');
    requestUpgrade(core, current.id, query.AccountLevel, requestId);
    return true;
  },
} satisfies SomeHandlers;

/** A JWT (HS256) for one applicant. */
function tokenFor(core: Core, applicant: string): string {
  const seconds = (ms: number) => Math.floor(ms / 1000);
  const [iat, exp] = [seconds(core.clock.now()), seconds(core.clock.now() + TOKEN_VALID_MS)];
  const claims = [
    { alg: 'HS256', typ: 'JWT' },
    { iss: PROVIDER_URL, sub: applicant, iat, exp },
  ];
  const signed = claims.map((each) => Buffer.from(JSON.stringify(each)).toString('base64url')).join('.');
  const key = core.random.uuid('identity provider', 0);
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
