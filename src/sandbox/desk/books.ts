import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { centimes, toDecimal } from '../../wallet/money.ts';
import type { Core, Tenant } from '../core.ts';
import type { Database } from '../database.ts';
import type { Operation } from '../operation.ts';
import type { Delivery } from '../webhooks.ts';

const OPERATIONS_MAX = 100;

const nameIn = (names: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(names).find((name) => names[name] === value) ?? String(value);
export const typeName = (type: number): string => nameIn(OPERATION_TYPES, type);
export const statusName = (status: number): string => nameIn(STATUSES, status);

/** One line of a list of operations. */
export type ListedOperation = ReturnType<typeof line>;

function line({ id, type, status, amount, fees, sender, receiver, reference, requestId, createdAt, reason }: Operation) {
  return {
    id,
    type,
    typeName: typeName(type),
    status,
    statusName: statusName(status),
    amount: toDecimal(amount),
    fees: toDecimal(fees),
    sender,
    receiver,
    reference,
    requestId,
    reason,
    createdAt,
  };
}

/** Operations that a condition holds for, newest first, those too that a fault keeps out of the API's lists. */
export function listed(db: Database, where: string, values: readonly (string | number)[], most: number): ListedOperation[] {
  const sql = `SELECT * FROM operations WHERE ${where} ORDER BY id DESC LIMIT ?`;
  return db.all<Operation>(sql, ...values, most).map(line);
}

/** The ledger as a partner's: its accounts and operations, and what each of these has posted. */
export function createBooks({ db }: Core) {
  const amounts = (sql: string, ...values: (string | number)[]) =>
    db.all<{ id: number; kind: string; owner: string | null; amount: number }>(sql, ...values).map(({ amount, ...row }) => ({
      ...row,
      amount: toDecimal(centimes(amount)),
    }));
  const owners = `LEFT JOIN customers ON customers.account = accounts.id
    LEFT JOIN agents ON agents.account = accounts.id`;
  const owner = `COALESCE(customers.firstName || ' ' || customers.lastName, agents.name || ' ' || agents.code) AS owner`;

  return {
    /** Every account but the wallets, and the sum of these as one. */
    accounts(tenant: Tenant) {
      const own = amounts(
        `SELECT accounts.id, accounts.kind, ${owner}, balance AS amount FROM accounts ${owners}
         WHERE accounts.tenant = ? AND accounts.kind <> 'wallet' ORDER BY accounts.id`,
        tenant.id,
      );
      const sql = `SELECT COUNT(*) AS n, COALESCE(SUM(balance), 0) AS total FROM accounts WHERE tenant = ? AND kind = 'wallet'`;
      const wallets = db.get<{ n: number; total: number }>(sql, tenant.id) ?? { n: 0, total: 0 };
      return { accounts: own, wallets: { count: wallets.n, total: toDecimal(centimes(wallets.total)) } };
    },

    /** @param search a part of a reference, a reason, a number or a request id; or an operation's id */
    operations(tenant: Tenant, search = ''): ListedOperation[] {
      const like = `%${search.trim().replace(/^0(?=\d{9}$)/, '')}%`;
      const words = `reference || ' ' || reason || ' ' || sender || ' ' || receiver || ' ' || requestId LIKE ?`;
      return listed(db, `tenant = ? AND (${words} OR id = ?)`, [tenant.id, like, Number(search) || 0], OPERATIONS_MAX);
    },

    /** An operation, what it has posted, and the webhooks it has given rise to. */
    operation(tenant: Tenant, id: number) {
      const row = db.get<Operation>('SELECT * FROM operations WHERE tenant = ? AND id = ?', tenant.id, id);
      if (!row) return undefined;
      const transactions = db.all<{ id: number; at: number }>(
        'SELECT id, at FROM transactions WHERE operation = ? ORDER BY id',
        id,
      );
      return {
        ...line(row),
        executedAt: row.executedAt,
        next: row.status === row.settlesAs ? undefined : { statusName: statusName(row.settlesAs), at: row.settleAt },
        struck: Object.keys(JSON.parse(row.faults)),
        transactions: transactions.map((each) => ({
          ...each,
          postings: amounts(
            `SELECT accounts.id, accounts.kind, ${owner}, amount FROM postings
             JOIN accounts ON accounts.id = postings.account ${owners}
             WHERE "transaction" = ? ORDER BY postings.id`,
            each.id,
          ),
        })),
        webhooks: db.all<Pick<Delivery, 'id' | 'event' | 'state'>>(
          `SELECT id, event, state FROM deliveries WHERE tenant = ? AND body ->> '$.data.OperationId' = ? ORDER BY id`,
          ...[tenant.id, id],
        ),
      };
    },
  };
}
export type Books = ReturnType<typeof createBooks>;
