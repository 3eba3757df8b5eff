import type { ApiName } from '../../wallet/contract/api.ts';
import { type OperationStatus, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, centimes, fromDecimal } from '../../wallet/money.ts';
import type { Core, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { REFERENCE_EXECUTIONS, REFERENCE_REQUESTS } from '../faults/magic.ts';
import { type Operation, operationById } from '../operations/operation.ts';

interface Row {
  readonly id: number;
  readonly tenant: number;
  /** Operation type: 1 cash-in, 2 cash-out. */
  readonly type: 1 | 2;
  /** 1 where it is paid at the bill network, and so by nobody else. */
  readonly billNetwork: 0 | 1;
  readonly reference: string;
  /** The owner's number: a customer's. Null: a principal agent, of which there is only the code. */
  readonly phone: string | null;
  readonly code: string | null;
  readonly amount: Centimes;
  /** On top of the amount, paid by whoever pays the amount. */
  readonly fees: Centimes;
  readonly description: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly operation: number | null;
}

/** A reference to pay in or draw with, and the operation that executed it. */
export interface Reference extends Omit<Row, 'operation'> {
  readonly operation: Operation | undefined;
}
export type NewReference = Pick<
  Row,
  'tenant' | 'type' | 'billNetwork' | 'phone' | 'code' | 'amount' | 'fees' | 'description'
>;

/** Partner API v2.3, "Reference request" and "Bill-network variant". */
const BILL_PREFIX = 'BILLREF-';

export function openReference({ db, clock, random, settings }: Core, order: NewReference): Reference {
  const createdAt = clock.now();
  const row = { ...order, createdAt, expiresAt: createdAt + settings.referenceValidMs };
  const id = db.insert('cashReferences', row);
  const digits = `${settings.referenceForm === 'digits' ? '' : 'R'}${random.reference(id, 'cash')}`;
  const reference = order.billNetwork ? `${BILL_PREFIX}${digits}` : digits;
  db.run('UPDATE cashReferences SET reference = ? WHERE id = ?', reference, id);
  return { ...row, id, reference, operation: undefined };
}

/** The reference that somebody names, or 90120. */
export function findReference(core: Core, tenant: Tenant, type: Row['type'], reference: string): Reference {
  const sql = 'SELECT * FROM cashReferences WHERE reference = ? AND tenant = ? AND type = ?';
  const row = core.db.get<Row>(sql, reference, tenant.id, type) ?? refuse('referenceUnknown');
  return { ...row, operation: operationById(core, row.operation) };
}

const LISTED_MAX = 100;

/** The newest references, of one wallet where its number is given. */
export function listReferences(core: Core, tenant: Tenant, phone = '%'): Reference[] {
  const sql = `SELECT * FROM cashReferences WHERE tenant = ? AND COALESCE(phone, '') LIKE ? ORDER BY id DESC LIMIT ?`;
  const rows = core.db.all<Row>(sql, tenant.id, phone, LISTED_MAX);
  return rows.map((row) => ({ ...row, operation: operationById(core, row.operation) }));
}

/** A reference by its id here. Undefined where there is none. */
export function findReferenceById(core: Core, tenant: Tenant, id: number): Reference | undefined {
  const sql = 'SELECT * FROM cashReferences WHERE tenant = ? AND id = ?';
  const row = core.db.get<Row>(sql, tenant.id, id);
  return row && { ...row, operation: operationById(core, row.operation) };
}

/** The amount of the reference that a request asks for, or names. Undefined where it does neither. */
export function amountOfReference(
  { db }: Core,
  { id }: Tenant,
  operation: ApiName,
  body: Readonly<Record<string, unknown>>,
): Centimes | undefined {
  if (REFERENCE_REQUESTS.includes(operation)) return fromDecimal(Number(body.Amount));
  const named = body.Reference ?? body.reference;
  if (!REFERENCE_EXECUTIONS.includes(operation) || typeof named !== 'string') return undefined;
  const sql = 'SELECT amount FROM cashReferences WHERE reference = ? AND tenant = ?';
  return db.get<Pick<Row, 'amount'>>(sql, named, id)?.amount;
}

/** Writes down which operation has executed a reference. */
export function markExecuted({ db }: Core, reference: Reference, operation: Operation): Reference {
  db.run('UPDATE cashReferences SET operation = ? WHERE id = ?', operation.id, reference.id);
  return { ...reference, operation };
}

/** Open until it is executed. Then the status of its operation. "It expires over time": what that makes it is not shown. */
export function statusOf({ clock, settings }: Core, { operation, expiresAt }: Reference): OperationStatus {
  const isUndone = operation?.status === STATUSES.CANCELED;
  if (isUndone && settings.undoneReference === 'failed') return STATUSES.FAILED;
  if (operation) return operation.status;
  if (clock.now() < expiresAt) return STATUSES.OPEN;
  return settings.expiredReference === 'failed' ? STATUSES.FAILED : STATUSES.CANCELED;
}

/** Refuses a reference that cannot be executed any more. */
export function requireUsable({ clock }: Core, { operation, expiresAt }: Reference): void {
  if (operation) refuse('referenceUsed');
  if (clock.now() >= expiresAt) refuse('referenceExpired');
}

/** A share of an amount, in whole centimes. */
export function percentOf(amount: Centimes, percent: number): Centimes {
  return centimes(Math.round((amount * percent) / 100));
}
