import type { Operator } from '../../wallet/contract/telco.ts';
import { toDecimal } from '../../wallet/money.ts';
import type { SomeHandlers } from '../core/core.ts';
import { PAGE_SIZE_MAX } from '../core/paging.ts';
import { getCustomer } from '../customers/customer.ts';
import type { Operation } from '../operations/operation.ts';

interface Row extends Pick<Operation, 'id' | 'amount' | 'receiver' | 'createdAt' | 'executedAt'> {
  readonly operator: Operator;
  readonly rechargeType: 0 | 1;
  readonly product: string | null;
  /** 0 created (it waits for the operator), 1 open, 2 completed, 3 failed, 4 cancelled: open question 30. */
  readonly state: number;
}

/** Only those that a customer paid for. A fault can keep one out of the list for a while. */
const SQL = `
  SELECT id, amount, receiver, createdAt, executedAt, operator, rechargeType, product,
         CASE WHEN status = 1 AND waits = ? THEN 0 ELSE status END AS state
  FROM operations JOIN topUps ON operation = id
  WHERE senderId = ? AND listedAt <= ? AND (? = '[]' OR state IN (SELECT value FROM json_each(?)))
  ORDER BY id DESC LIMIT ? OFFSET ?`;

/** A wallet's top-ups, newest first (Partner API v2.3, "Telco top-up"). */
export const topUpHistory = {
  listTopUps(core, { tenant, query }) {
    const customer = getCustomer(core, tenant, query.phoneNumber);
    // None waits in the other reading.
    const waits = core.settings.topUpStatuses === 'created' ? 1 : 2;
    const states = JSON.stringify(query.status ?? []);
    const take = Math.min(query.pageSize, PAGE_SIZE_MAX);
    const skip = (query.pageNumber - 1) * take;
    return core.db
      .all<Row>(SQL, ...[waits, customer.id, core.clock.now(), states, states, take, skip])
      .map((row) => ({
        telcoRechargeOperationId: row.id,
        customerId: customer.id,
        createdAt: new Date(row.createdAt).toISOString(),
        completedAt: row.executedAt && row.state !== 3 ? new Date(row.executedAt).toISOString() : null,
        operatorId: row.operator,
        amount: toDecimal(row.amount),
        product: row.product,
        type: row.rechargeType,
        status: row.state,
        destinationPhoneNumber: row.receiver,
      }));
  },
} satisfies SomeHandlers;
