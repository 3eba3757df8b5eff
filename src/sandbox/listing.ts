import type { SQLInputValue } from 'node:sqlite';
import { type Core, type Handlers, isRefusal, refuse } from './core.ts';
import type { Customers } from './customer.ts';
import { detailFor, type Operation } from './operation.ts';

/** Not shown in v2.3: larger pages are cut to this. */
export const PAGE_SIZE_MAX = 100;

type Condition = readonly [sql: string, ...values: SQLInputValue[]];

/**
 * Reading operations (Partner API v2.3, "Reading operations"). Not shown in v2.3: the newest come first, a recipient
 * sees an operation once it is completed, and keywords are looked for in reference, reason and both numbers.
 */
export function listing(
  { db, clock }: Core,
  customers: Customers,
): Handlers<'listOperations' | 'readOperation' | 'listAllOperations'> {
  function page(conditions: readonly (Condition | undefined)[], number: number, size: number) {
    const given = conditions.filter((condition) => condition !== undefined);
    const where = given.map(([sql]) => `(${sql})`).join(' AND ');
    const values = given.flatMap(([, ...each]) => each);
    const take = Math.min(size, PAGE_SIZE_MAX);
    const { count } = db.get<{ count: number }>(
      `SELECT COUNT(*) AS count FROM operations WHERE ${where}`,
      ...values,
    ) ?? {
      count: 0,
    };
    const sql = `SELECT * FROM operations WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`;
    return { rows: db.all<Operation>(sql, ...values, take, (number - 1) * take), count };
  }

  return {
    listOperations({ tenant, query }) {
      const customer = customers.get(tenant, query.PhoneNumber);
      if (isRefusal(customer)) return customer;
      const { rows, count } = page(
        [
          visibleTo(customer.id),
          listedAt(clock.now()),
          oneOf('type', query.OperationType),
          oneOf('status', query.TransactionStatus && [query.TransactionStatus]),
          query.Sens && [`${query.Sens === 1 ? 'receiverId' : 'senderId'} = ?`, customer.id],
          since(query.From),
          until(query.To),
          containing(query.Keyword),
        ],
        query.PageNumber,
        query.PageSize,
      );
      return { collection: rows.map((row) => detailFor(customer.id, row)), count };
    },

    readOperation({ tenant, params, query }) {
      const customer = customers.get(tenant, query.PhoneNumber);
      if (isRefusal(customer)) return customer;
      const [row] = page([['id = ?', params.id], visibleTo(customer.id)], 1, 1).rows;
      return row ? detailFor(customer.id, row) : refuse('operationNotFound');
    },

    /** As its senders see them; `includeDetails` adds nothing here. Transfers have no method. */
    listAllOperations({ tenant, query }) {
      const { rows, count } = page(
        [
          ['tenant = ?', tenant.id],
          listedAt(clock.now()),
          oneOf('type', query.operationType),
          oneOf('status', query.operationStatus),
          since(query.from),
          until(query.to),
          containing(query.search),
          query.openLoop === undefined ? undefined : ['openLoop = ?', query.openLoop ? 1 : 0],
          query.method === undefined ? undefined : ['FALSE'],
        ],
        query.pageNumber,
        query.pageSize,
      );
      return { collection: rows.map((row) => detailFor(row.senderId, row)), count };
    },
  };
}

/** What was completed is still seen when it was cancelled afterwards. */
function visibleTo(customer: number): Condition {
  return ['senderId = ? OR (receiverId = ? AND status IN (2, 4))', customer, customer];
}

/** A fault can keep an operation out of lists for a while; by its id it is read all the same. */
function listedAt(now: number): Condition {
  return ['listedAt <= ?', now];
}

function oneOf(column: string, values: readonly number[] | undefined): Condition | undefined {
  return values?.length ? [`${column} IN (${values.map(() => '?').join(', ')})`, ...values] : undefined;
}

function since(moment: string | undefined): Condition | undefined {
  return moment === undefined ? undefined : ['createdAt >= ?', Date.parse(moment)];
}

function until(moment: string | undefined): Condition | undefined {
  return moment === undefined ? undefined : ['createdAt <= ?', Date.parse(moment)];
}

function containing(keyword: string | undefined): Condition | undefined {
  if (!keyword) return undefined;
  const sql = `instr(lower(reference || ' ' || reason || ' ' || sender || ' ' || receiver), lower(?)) > 0`;
  return [sql, keyword];
}
