import { STATUSES } from '../../wallet/contract/fields.ts';
import type { Core } from '../core/core.ts';
import { PAGE_SIZE_MAX } from '../core/paging.ts';
import type { Operation } from '../operations/operation.ts';
import type { Account, Article, GlobalParam } from './unpaid.ts';

/** Partner API v2.3, "Limits": 7 calendar days. That they count from the moment of the search is not shown. */
const ASSOCIATION_VALID_MS = 7 * 24 * 60 * 60_000;

/** Partner API v2.3, "Bill transaction". */
export type BillState = 'EN_ATTENTE' | 'AUTORISE' | 'CONFIRME' | 'ANNULE' | 'REMBOURSE' | 'FAILED';

interface Row {
  readonly id: number;
  readonly tenant: number;
  readonly customer: number;
  /** `refTxNetwork`. */
  readonly reference: string;
  readonly creditor: string;
  readonly receivable: string;
  readonly contract: string;
  /** Items, params and the ids of what was paid, as JSON. */
  readonly items: string;
  readonly params: string;
  readonly createdAt: number;
  readonly operation: number | null;
  /** The `codeRetour` of its confirmation. */
  readonly answered: string | null;
  readonly paid: string | null;
}

/** What a search found unpaid for one customer and contract, and the payment that came of it. */
export interface Bill extends Omit<Row, 'items' | 'params' | 'operation' | 'paid'> {
  readonly items: readonly Article[];
  readonly params: readonly GlobalParam[];
  /** Ids of items; none until it is confirmed. */
  readonly paid: readonly string[];
  readonly operation: Operation | undefined;
  readonly expiresAt: number;
}

/** The associations of the bill network as rows: written by a search, paid once. */
export function createBook({ db, clock, random }: Core) {
  const read = (row: Row): Bill => ({
    ...row,
    items: JSON.parse(row.items),
    params: JSON.parse(row.params),
    paid: JSON.parse(row.paid ?? '[]'),
    operation: db.get<Operation>('SELECT * FROM operations WHERE id = ?', row.operation),
    expiresAt: row.createdAt + ASSOCIATION_VALID_MS,
  });

  return {
    /** Gives the new `refTxNetwork`. */
    associate(tenant: number, customer: number, account: Account, found: Pick<Bill, 'items' | 'params'>) {
      const id = db.run(
        `INSERT INTO bills (tenant, customer, creditor, receivable, contract, items, params, createdAt)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        tenant,
        customer,
        account.creditor.code,
        account.receivable.code,
        account.contract,
        JSON.stringify(found.items),
        JSON.stringify(found.params),
        clock.now(),
      );
      const reference = random.reference(id, 'bill');
      db.run('UPDATE bills SET reference = ? WHERE id = ?', reference, id);
      return reference;
    },

    find(tenant: number, reference: string): Bill | undefined {
      const row = db.get<Row>('SELECT * FROM bills WHERE reference = ? AND tenant = ?', reference, tenant);
      return row && read(row);
    },

    ofOperation(customer: number, operation: number): Bill | undefined {
      const sql = 'SELECT * FROM bills WHERE operation = ? AND customer = ?';
      const row = db.get<Row>(sql, operation, customer);
      return row && read(row);
    },

    /** The ids of a contract's items that are paid or about to be; those of a payment that came to nothing are due again. */
    taken(tenant: number, { creditor, receivable, contract }: Account): ReadonlySet<string> {
      const rows = db.all<{ paid: string }>(
        `SELECT paid FROM bills JOIN operations ON operations.id = operation
         WHERE creditor = ? AND contract = ? AND receivable = ? AND bills.tenant = ? AND status IN (?, ?)`,
        creditor.code,
        contract,
        receivable.code,
        tenant,
        STATUSES.OPEN,
        STATUSES.COMPLETED,
      );
      return new Set(rows.flatMap(({ paid }) => JSON.parse(paid) as string[]));
    },

    pay(bill: Bill, operation: Operation, answered: string, items: readonly Article[]): Bill {
      const paid = items.map(({ idArticle }) => idArticle);
      const sql = 'UPDATE bills SET operation = ?, answered = ?, paid = ? WHERE id = ?';
      db.run(sql, operation.id, answered, JSON.stringify(paid), bill.id);
      return { ...bill, operation, answered, paid };
    },

    /** What a customer paid, newest first, and how often in all. */
    payments(customer: number, page: number, size: number): { bills: readonly Bill[]; count: number } {
      const where =
        'FROM bills JOIN operations ON operations.id = operation WHERE customer = ? AND listedAt <= ?';
      const now = clock.now();
      const counted = db.get<{ n: number }>(`SELECT COUNT(*) AS n ${where}`, customer, now);
      const take = Math.min(size, PAGE_SIZE_MAX);
      const rows = db.all<Row>(
        `SELECT bills.* ${where} ORDER BY operation DESC LIMIT ? OFFSET ?`,
        customer,
        now,
        take,
        (page - 1) * take,
      );
      return { bills: rows.map(read), count: counted?.n ?? 0 };
    },
  };
}
export type Book = ReturnType<typeof createBook>;

export function stateOf({ operation }: Pick<Bill, 'operation'>): BillState {
  if (!operation) return 'EN_ATTENTE';
  const { status, refunds } = operation;
  if (status === STATUSES.OPEN) return 'AUTORISE';
  if (status === STATUSES.COMPLETED) return 'CONFIRME';
  if (status === STATUSES.FAILED) return 'FAILED';
  return refunds ? 'REMBOURSE' : 'ANNULE';
}
