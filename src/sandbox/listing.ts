import type { z } from 'zod';
import type { operationDetail, operationItem } from '../wallet/contract/operations.ts';
import { type Core, type Handlers, isRefusal, refuse } from './core.ts';
import type { Customers } from './customer.ts';
import { detailFor, type Operation } from './operation.ts';
import { type Condition, containing, PAGE_SIZE_MAX, since, until } from './paging.ts';

/** Where keywords are looked for. */
const KEYWORDS = `reference || ' ' || reason || ' ' || sender || ' ' || receiver`;

interface Wanted {
  /** An operation is on one of them at most; each is the beginning of an index. */
  readonly sides: readonly Condition[];
  /** All of them hold; those that are undefined were not asked for. */
  readonly where: readonly (Condition | undefined)[];
  /** Pages start at 1. */
  readonly number: number;
  readonly size: number;
}

/**
 * Reading operations (Partner API v2.3, "Reading operations"). Not shown in v2.3: the newest come first, a recipient
 * sees an operation once it is completed, and keywords are looked for in reference, reason and both numbers.
 */
export function listing(
  { db, clock }: Core,
  customers: Customers,
): Handlers<'listOperations' | 'readOperation' | 'listAllOperations'> {
  /** Each side is read by its own index, newest first and no further than the page, so that a long past costs nothing. */
  function page({ sides, where, number, size }: Wanted) {
    const rest = where.filter((condition) => condition !== undefined);
    const take = Math.min(size, PAGE_SIZE_MAX);
    const skip = (number - 1) * take;
    const each = sides.map((side) => {
      const all = [side, ...rest];
      const from = `FROM operations WHERE ${all.map(([sql]) => `(${sql})`).join(' AND ')}`;
      return { from, values: all.flatMap(([, ...values]) => values) };
    });
    const values = each.flatMap((side) => side.values);
    const counts = each.map(({ from }) => `(SELECT COUNT(*) ${from})`).join(' + ');
    const ids = each.map(({ from }) => `SELECT id FROM (SELECT id ${from} ORDER BY id DESC LIMIT ?)`);
    const reach = each.flatMap((side) => [...side.values, skip + take]);
    const rows = db.all<Operation>(
      `SELECT * FROM operations WHERE id IN (
         SELECT id FROM (${ids.join(' UNION ALL ')}) ORDER BY id DESC LIMIT ? OFFSET ?) ORDER BY id DESC`,
      ...reach,
      take,
      skip,
    );
    return { rows, count: db.get<{ count: number }>(`SELECT ${counts} AS count`, ...values)?.count ?? 0 };
  }

  return {
    listOperations({ tenant, query }) {
      const customer = customers.get(tenant, query.PhoneNumber);
      if (isRefusal(customer)) return customer;
      const { rows, count } = page({
        sides: SIDES.filter(({ sens }) => (query.Sens ?? sens) === sens).map(({ sql }) => [sql, customer.id]),
        where: [
          listedAt(clock.now()),
          oneOf('type', query.OperationType),
          oneOf('status', query.TransactionStatus && [query.TransactionStatus]),
          since(query.From),
          until(query.To),
          containing(KEYWORDS, query.Keyword),
        ],
        number: query.PageNumber,
        size: query.PageSize,
      });
      return { collection: rows.map((row) => detailFor(customer.id, row)), count };
    },

    readOperation({ tenant, params, query }) {
      const customer = customers.get(tenant, query.PhoneNumber);
      if (isRefusal(customer)) return customer;
      const seen = SIDES.map(({ sql }) => `(${sql})`).join(' OR ');
      const sql = `SELECT * FROM operations WHERE id = ? AND (${seen})`;
      const row = db.get<Operation>(sql, params.id, customer.id, customer.id);
      return row ? detailFor(customer.id, row) : refuse('operationNotFound');
    },

    /** As their customers see them, the sender first. */
    listAllOperations({ tenant, query }) {
      const { rows, count } = page({
        sides: [['tenant = ?', tenant.id]],
        where: [
          listedAt(clock.now()),
          oneOf('type', query.operationType),
          oneOf('status', query.operationStatus),
          since(query.from),
          until(query.to),
          containing(KEYWORDS, query.search),
          query.openLoop === undefined ? undefined : ['openLoop = ?', query.openLoop ? 1 : 0],
          query.method === undefined ? undefined : ['method = ? COLLATE NOCASE', query.method],
        ],
        number: query.pageNumber,
        size: query.pageSize,
      });
      return { collection: rows.map(query.includeDetails ? itemOf : asFirstSeen), count };
    },
  };
}

/** What was completed is still seen by who received it when it was cancelled afterwards. */
const SIDES = [
  { sens: 2, sql: 'senderId = ?' },
  { sens: 1, sql: 'receiverId = ? AND status IN (2, 4)' },
] as const;

function asFirstSeen(operation: Operation): z.input<typeof operationDetail> {
  return detailFor(operation.senderId ?? operation.receiverId, operation);
}

/** What `includeDetails` adds is not shown in v2.3: here what is not in the detail and stands elsewhere in the document. */
function itemOf(operation: Operation): z.input<typeof operationItem> {
  const { method, reason, openLoop, requestId } = operation;
  return { ...asFirstSeen(operation), method, reason, openLoop: openLoop === 1, cRequestId: requestId };
}

/** A fault can keep an operation out of lists for a while; by its id it is read all the same. */
function listedAt(now: number): Condition {
  return ['listedAt <= ?', now];
}

function oneOf(column: string, values: readonly number[] | undefined): Condition | undefined {
  return values?.length ? [`${column} IN (${values.map(() => '?').join(', ')})`, ...values] : undefined;
}
