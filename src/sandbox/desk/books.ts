import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { centimes, toDecimal } from '../../wallet/money.ts';
import type { Core, Tenant } from '../core/core.ts';
import type { Database } from '../core/database.ts';
import type { Logged } from '../door/request-log.ts';
import { struckColumn } from '../faults/faults.ts';
import { NEWEST_FIRST, SEARCHED_MAX } from '../operations/listing.ts';
import type { Operation } from '../operations/operation.ts';
import type { Delivery } from '../webhooks/webhooks.ts';

const OPERATIONS_MAX = 100;
const UPCOMING_MAX = 20;
const CHECKED_POSTINGS_MAX = 50_000;

const nameIn = (names: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(names).find((name) => names[name] === value) ?? String(value);
const typeName = (type: number): string => nameIn(OPERATION_TYPES, type);
const statusName = (status: number): string => nameIn(STATUSES, status);

export type ListedOperation = ReturnType<typeof bookLine>;

type Line = Pick<Operation, 'id' | 'type' | 'status' | 'amount' | 'fees' | 'sender' | 'receiver'> &
  Pick<Operation, 'reference' | 'requestId' | 'reason' | 'createdAt'>;
const LINE = 'id, type, status, amount, fees, sender, receiver, reference, requestId, reason, createdAt';

function bookLine({ amount, fees, ...line }: Line) {
  return {
    ...line,
    typeName: typeName(line.type),
    statusName: statusName(line.status),
    amount: toDecimal(amount),
    fees: toDecimal(fees),
  };
}

/** Operations that a condition holds for, newest first, those too that a fault keeps out of the API's lists. */
export function listed(
  db: Database,
  where: string,
  values: readonly (string | number)[],
  most: number,
): ListedOperation[] {
  const sql = `SELECT ${LINE} FROM operations WHERE ${where} ${NEWEST_FIRST} LIMIT ?`;
  return db.all<Line>(sql, ...values, most).map(bookLine);
}

const OWNERS = `LEFT JOIN customers ON customers.account = accounts.id
  LEFT JOIN agents ON agents.account = accounts.id`;
const OWNER = `COALESCE(customers.firstName || ' ' || customers.lastName, agents.name || ' ' || agents.code) AS owner`;

interface AccountRow {
  readonly id: number;
  readonly kind: string;
  readonly owner: string | null;
  readonly amount: number;
}

/** Accounts with an amount each, in dirhams. */
function amounts({ db }: Core, sql: string, ...values: (string | number)[]): AccountRow[] {
  const rows = db.all<AccountRow>(sql, ...values);
  return rows.map(({ amount, ...row }) => ({ ...row, amount: toDecimal(centimes(amount)) }));
}

/**
 * The check of the ledger of all partners, for a page. A long one is not read from its first posting for every page: only its
 * balances are added up then, and `isWhole` is false.
 */
export function ledgerVerdict({ db, ledger }: Core) {
  const postings = db.get<{ n: number }>('SELECT COALESCE(MAX(id), 0) AS n FROM postings')?.n ?? 0;
  if (postings <= CHECKED_POSTINGS_MAX) return { ...ledger.check(), isWhole: true };
  const sum = db.get<{ n: number }>('SELECT SUM(balance) AS n FROM accounts')?.n ?? 0;
  const faults = sum === 0 ? [] : ['the balances do not add up to zero'];
  return { balanced: sum === 0, faults, isWhole: false };
}

/** Every account of a partner but the wallets, and the sum of these as one. */
export function accountsOf(core: Core, tenant: Tenant) {
  const accounts = amounts(
    core,
    `SELECT accounts.id, accounts.kind, ${OWNER}, balance AS amount FROM accounts ${OWNERS}
     WHERE accounts.tenant = ? AND accounts.kind <> 'wallet' ORDER BY accounts.id`,
    tenant.id,
  );
  const sql = `SELECT COUNT(*) AS n, COALESCE(SUM(balance), 0) AS total FROM accounts WHERE tenant = ? AND kind = 'wallet'`;
  const wallets = core.db.get<{ n: number; total: number }>(sql, tenant.id) ?? { n: 0, total: 0 };
  return { accounts, wallets: { count: wallets.n, total: toDecimal(centimes(wallets.total)) } };
}

/** @param search a part of a reference, a reason, a number or a request id of a newer one, or an operation's id */
export function operationsOf({ db }: Core, tenant: Tenant, search = ''): ListedOperation[] {
  const text = search.trim();
  if (text === '') return listed(db, 'tenant = ?', [tenant.id], OPERATIONS_MAX);
  const like = `%${text.replace(/^0(?=\d{9}$)/, '')}%`;
  const words = `reference || ' ' || reason || ' ' || sender || ' ' || receiver || ' ' || requestId LIKE ?`;
  const newest = `SELECT * FROM operations WHERE tenant = ? ${NEWEST_FIRST} LIMIT ${SEARCHED_MAX}`;
  return listed(
    db,
    `(tenant = ? AND id = ?) OR id IN (SELECT id FROM (${newest}) WHERE ${words})`,
    [tenant.id, Number(text) || 0, tenant.id, like],
    OPERATIONS_MAX,
  );
}

/** The operations of a request: the one that it was answered with, and those of its request id. */
export function operationsOfRequest(
  { db }: Core,
  { id }: Tenant,
  { requestId, answer }: Logged,
): ListedOperation[] {
  const { data } = (answer ?? {}) as { readonly data?: { readonly operationId?: number } };
  const where = `tenant = ? AND (id = ? OR (requestId = ? AND requestId <> ''))`;
  return listed(db, where, [id, data?.operationId ?? 0, requestId], OPERATIONS_MAX);
}

/** The changes of operations and webhooks that will come by themselves, soonest first. */
export function upcomingOf({ db }: Core, tenant: Tenant) {
  return db.all<{ kind: 'operations' | 'webhooks'; id: number; what: string; at: number }>(
    `SELECT 'operations' AS kind, id, 'operation ' || reference || ' settles' AS what, settleAt AS at
     FROM operations WHERE tenant = ? AND status <> settlesAs
     UNION ALL
     SELECT 'webhooks', id, 'webhook ' || event || ', attempt ' || (attempts + 1), dueAt
     FROM deliveries WHERE tenant = ? AND state = 'due' ORDER BY 4, 2 LIMIT ?`,
    ...[tenant.id, tenant.id, UPCOMING_MAX],
  );
}

/** An operation, what it has posted, and the webhooks it has given rise to. Undefined where there is none. */
export function operationFile(core: Core, tenant: Tenant, id: number) {
  const { db } = core;
  const row = db.get<Operation>('SELECT * FROM operations WHERE tenant = ? AND id = ?', tenant.id, id);
  const [line] = listed(db, 'id = ?', [id], 1);
  if (!row || !line) return undefined;
  const isFinal = row.status === row.settlesAs;
  return {
    ...line,
    executedAt: row.executedAt,
    next: isFinal ? undefined : { statusName: statusName(row.settlesAs), at: row.settleAt },
    struck: Object.keys(struckColumn.read(row.faults)),
    transactions: transactionsOf(core, id),
    webhooks: db.all<Pick<Delivery, 'id' | 'event' | 'state'>>(
      `SELECT id, event, state FROM deliveries WHERE tenant = ? AND body ->> '$.data.OperationId' = ? ORDER BY id`,
      ...[tenant.id, id],
    ),
  };
}

/** The postings of an operation, oldest first. */
function transactionsOf(core: Core, operation: number) {
  const sql = 'SELECT id, at FROM transactions WHERE operation = ? ORDER BY id';
  return core.db.all<{ id: number; at: number }>(sql, operation).map((each) => ({
    ...each,
    postings: amounts(
      core,
      `SELECT accounts.id, accounts.kind, ${OWNER}, amount FROM postings
       JOIN accounts ON accounts.id = postings.account ${OWNERS}
       WHERE "transaction" = ? ORDER BY postings.id`,
      each.id,
    ),
  }));
}
