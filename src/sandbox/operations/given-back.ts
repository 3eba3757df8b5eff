import { type Centimes, centimes } from '../../wallet/money.ts';
import type { Database } from '../core/database.ts';
import type { Operation } from './operation.ts';

/** How much of an operation's amount other operations have given back or are about to. */
export function refundedAmount(db: Database, { id }: Pick<Operation, 'id'>): Centimes {
  const sql =
    'SELECT COALESCE(SUM(amount), 0) AS sum FROM operations WHERE original = ? AND status IN (1, 2)';
  return centimes(db.get<{ sum: number }>(sql, id)?.sum ?? 0);
}
