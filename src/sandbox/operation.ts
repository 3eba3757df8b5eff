import type { z } from 'zod';
import { type OperationStatus, STATUSES } from '../wallet/contract/fields.ts';
import type { operationDetail } from '../wallet/contract/operations.ts';
import { type Centimes, centimes, toDecimal } from '../wallet/money.ts';
import type { Core } from './core.ts';
import type { Webhooks } from './webhooks.ts';

/** An operation as a row. */
export interface Operation {
  readonly id: number;
  readonly tenant: number;
  readonly type: number;
  readonly status: OperationStatus;
  readonly amount: Centimes;
  readonly fees: Centimes;
  /** The ledger transaction that took the money from the sender. */
  readonly transactionId: number;
  readonly reference: string;
  readonly reason: string;
  readonly senderId: number;
  readonly sender: string;
  /** Null where the recipient's wallet is another provider's. */
  readonly receiverId: number | null;
  readonly receiver: string;
  readonly openLoop: 0 | 1;
  readonly requestId: string;
  readonly createdAt: number;
  readonly settleAt: number;
  /** How it will end when it settles. */
  readonly settlesAs: OperationStatus;
  readonly executedAt: number | null;
}
type NewOperation = Omit<
  Operation,
  'id' | 'status' | 'transactionId' | 'reference' | 'createdAt' | 'executedAt'
>;

/** Operations in the database: opened with the sender's money in transit, then settled. */
export function createOperations({ db, ledger, clock, random }: Core, webhooks: Webhooks) {
  const byId = (id: number): Operation => {
    const operation = db.get<Operation>('SELECT * FROM operations WHERE id = ?', id);
    if (!operation) throw new Error(`no operation ${id}`);
    return operation;
  };
  const accountOf = (customer: number): number => {
    const row = db.get<{ account: number }>('SELECT account FROM customers WHERE id = ?', customer);
    if (!row) throw new Error(`no customer ${customer}`);
    return row.account;
  };

  return {
    byId,

    /** Begins an operation: amount and fees leave the sender for transit. Whoever calls has checked the balance. */
    open(operation: NewOperation): Operation {
      const { tenant, senderId, amount, fees } = operation;
      const row = { ...operation, status: STATUSES.OPEN, createdAt: clock.now() };
      const names = Object.keys(row);
      const sql = `INSERT INTO operations (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
      const id = db.run(sql, ...Object.values(row));
      const transactionId = ledger.post(tenant, row.createdAt, id, [
        [accountOf(senderId), -(amount + fees)],
        [ledger.own(tenant, 'transit'), amount + fees],
      ]);
      db.run(
        'UPDATE operations SET transactionId = ?, reference = ? WHERE id = ?',
        transactionId,
        random.reference(id),
        id,
      );
      return byId(id);
    },

    /** Ends an open operation: the money in transit goes to its recipient and the fees, or back to its sender. */
    settle({ id, tenant, amount, fees, senderId, receiverId, settlesAs }: Operation): void {
      const now = clock.now();
      const transit = ledger.own(tenant, 'transit');
      const recipient = receiverId === null ? ledger.own(tenant, 'switch') : accountOf(receiverId);
      const total = centimes(amount + fees);
      ledger.post(
        tenant,
        now,
        id,
        settlesAs === STATUSES.COMPLETED
          ? [
              [transit, -total],
              [recipient, amount],
              [ledger.own(tenant, 'fees'), fees],
            ]
          : [
              [transit, -total],
              [accountOf(senderId), total],
            ],
      );
      db.run('UPDATE operations SET status = ?, executedAt = ? WHERE id = ?', settlesAs, now, id);
      webhooks.announce('transfer.received', byId(id));
    },

    dueAt: (now: number): Operation[] =>
      db.all<Operation>(
        'SELECT * FROM operations WHERE status = 1 AND settleAt <= ? ORDER BY settleAt, id LIMIT 100',
        now,
      ),
    nextAfter: (now: number): number | undefined =>
      db.get<{ at: number | null }>(
        'SELECT MIN(settleAt) AS at FROM operations WHERE status = 1 AND settleAt > ?',
        now,
      )?.at ?? undefined,
  };
}
export type Operations = ReturnType<typeof createOperations>;

/** An operation as one of its two customers sees it: who receives sees the amount, who sends also pays the fees. */
export function detailFor(customer: number, operation: Operation): z.input<typeof operationDetail> {
  const credited = operation.receiverId === customer;
  const fees = credited ? 0 : operation.fees;
  return {
    operationId: operation.id,
    transactionId: operation.transactionId,
    transactionReference: operation.reference,
    amount: toDecimal(operation.amount),
    operationType: operation.type,
    transactionDate: new Date(operation.createdAt).toISOString(),
    sens: credited ? 1 : 2,
    transactionStatus: operation.status,
    feesAmount: toDecimal(centimes(fees)),
    totalAmount: toDecimal(centimes(operation.amount + fees)),
    sender: operation.sender,
    receiver: operation.receiver,
  };
}
