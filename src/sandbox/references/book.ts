import { type OperationStatus, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, centimes } from '../../wallet/money.ts';
import { type Core, type Refusal, refuse, type Tenant } from '../core/core.ts';
import type { Operation } from '../operations/operation.ts';

/** A reference as a row. */
interface Row {
  readonly id: number;
  readonly tenant: number;
  /** Operation type: 1 cash-in, 2 cash-out. */
  readonly type: 1 | 2;
  /** 1 where it is paid at the bill network, and so by nobody else. */
  readonly billNetwork: 0 | 1;
  readonly reference: string;
  /** Whose wallet it is for: a customer's, or that of a principal agent, of which there is only the code. */
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

/** What somebody may pay in or draw with, and the operation that came of it. */
export interface Reference extends Omit<Row, 'operation'> {
  readonly operation: Operation | undefined;
}
export type NewReference = Pick<
  Row,
  'tenant' | 'type' | 'billNetwork' | 'phone' | 'code' | 'amount' | 'fees' | 'description'
>;

/** Partner API v2.3, "Reference request" and "Bill-network variant". */
const BILL_PREFIX = 'BILLREF-';

/** References as rows: made by a request, executed once, and worth nothing once they are too old or the wallet is closed. */
export function createBook({ db, clock, random, settings }: Core) {
  const withOperation = (row: Row): Reference => ({
    ...row,
    operation: db.get<Operation>('SELECT * FROM operations WHERE id = ?', row.operation),
  });

  return {
    open(order: NewReference): Reference {
      const createdAt = clock.now();
      const row = { ...order, createdAt, expiresAt: createdAt + settings.referenceValidMs };
      const names = Object.keys(row);
      const sql = `INSERT INTO cashReferences (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
      const id = db.run(sql, ...Object.values(row));
      const digits = random.reference(id, 'cash');
      const reference = order.billNetwork ? `${BILL_PREFIX}${digits}` : digits;
      db.run('UPDATE cashReferences SET reference = ? WHERE id = ?', reference, id);
      return { ...row, id, reference, operation: undefined };
    },

    find(tenant: Tenant, type: Row['type'], reference: string): Reference | Refusal {
      const sql = 'SELECT * FROM cashReferences WHERE reference = ? AND tenant = ? AND type = ?';
      const row = db.get<Row>(sql, reference, tenant.id, type);
      return row ? withOperation(row) : refuse('referenceUnknown');
    },

    executed(reference: Reference, operation: Operation): Reference {
      db.run('UPDATE cashReferences SET operation = ? WHERE id = ?', operation.id, reference.id);
      return { ...reference, operation };
    },

    /** Open until it is executed; then as its operation stands. "It expires over time": what that makes it is not shown. */
    statusOf({ operation, expiresAt }: Reference): OperationStatus {
      if (operation) return operation.status;
      return clock.now() < expiresAt ? STATUSES.OPEN : STATUSES.FAILED;
    },

    /** Why it cannot be executed any more; undefined where it can. */
    spent(reference: Reference): Refusal | undefined {
      if (reference.operation) return refuse('referenceUsed');
      return clock.now() < reference.expiresAt ? undefined : refuse('referenceExpired');
    },
  };
}
export type Book = ReturnType<typeof createBook>;

/** A share of an amount, in whole centimes. */
export function percentOf(amount: Centimes, percent: number): Centimes {
  return centimes(Math.round((amount * percent) / 100));
}
