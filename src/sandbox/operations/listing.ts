import type { SQLInputValue } from 'node:sqlite';
import type { z } from 'zod';
import type { operationDetail, operationItem } from '../../wallet/contract/operations.ts';
import type { Core, SomeHandlers } from '../core/core.ts';
import { type Condition, containing, PAGE_SIZE_MAX, since, until } from '../core/paging.ts';
import { refuse } from '../core/refusal.ts';
import { getCustomer } from '../customers/customer.ts';
import { detailFor, type Operation } from './operation.ts';

/** The text in which keywords are looked for. */
const WITHOUT_SIDES = `reference || ' ' || reason`;
const KEYWORDS = `${WITHOUT_SIDES} || ' ' || sender || ' ' || receiver`;

/** Keywords are looked for in so many operations of a side, the newest: everybody else waits meanwhile. */
export const SEARCHED_MAX = 5_000;
export const NEWEST_FIRST = 'ORDER BY createdAt DESC, id DESC';

/** The owner of operations: a column that is the beginning of an index and a side of the tallies. */
interface Side {
  readonly column: 'senderId' | 'receiverId' | 'tenant';
  readonly owner: number;
  /** Absent: all of them. */
  readonly where?: Condition | undefined;
}

/** All conditions hold. Those that are undefined were not asked for. */
interface Wanted {
  /** An operation is on one of them at most. */
  readonly sides: readonly Side[];
  /** About what the tallies know. */
  readonly where: readonly (Condition | undefined)[];
  readonly when: readonly (Condition | undefined)[];
  readonly keyword: Condition | undefined;
  /** Pages start at 1. */
  readonly number: number;
  readonly size: number;
}

/**
 * Reading operations (Partner API v2.3, "Reading operations"). Not shown in v2.3: the newest come first, and a recipient sees an operation once it is
 * completed. Keywords are looked for in reference, reason and both numbers, of the newest operations that the other filters leave.
 */
export const listing = {
  listOperations(core, { tenant, query }) {
    const customer = getCustomer(core, tenant, query.PhoneNumber);
    const { rows, count } = page(core, {
      sides: SIDES.filter(({ sens }) => (query.Sens ?? sens) === sens).map((side) => ({
        ...side,
        owner: customer.id,
      })),
      where: [
        oneOf('type', query.OperationType),
        oneOf('status', query.TransactionStatus && [query.TransactionStatus]),
      ],
      when: [since(query.From), until(query.To, core)],
      keyword: containing(KEYWORDS, query.Keyword),
      number: query.PageNumber,
      size: query.PageSize,
    });
    return { collection: rows.map((row) => detailFor(customer.id, row)), count };
  },

  readOperation(core, { tenant, params, query }) {
    const customer = getCustomer(core, tenant, query.PhoneNumber);
    const isAll = core.settings.heldPayment === 'shown';
    const seen = SIDES.map(
      ({ column, where }) => `(${column} = ?${where && !isAll ? ` AND ${where[0]}` : ''})`,
    ).join(' OR ');
    const sql = `SELECT * FROM operations WHERE id = ? AND (${seen})`;
    const row = core.db.get<Operation>(sql, params.id, customer.id, customer.id);
    return row ? detailFor(customer.id, row) : refuse('operationNotFound');
  },

  /** As their customers see them, the sender first. */
  listAllOperations(core, { tenant, query }) {
    const hasDetails = query.includeDetails && core.settings.includeDetails === 'more';
    const { rows, count } = page(core, {
      sides: [{ column: 'tenant', owner: tenant.id }],
      where: [
        oneOf('type', query.operationType),
        oneOf('status', query.operationStatus),
        query.openLoop === undefined ? undefined : ['openLoop = ?', query.openLoop ? 1 : 0],
        query.method === undefined ? undefined : ['method = ? COLLATE NOCASE', query.method],
      ],
      when: [since(query.from), until(query.to, core), ofCustomers(core)],
      keyword: containing(core.settings.operationSearch === 'sides' ? KEYWORDS : WITHOUT_SIDES, query.search),
      number: query.pageNumber,
      size: query.pageSize,
    });
    return { collection: rows.map(hasDetails ? itemOf : asFirstSeen), count };
  },
} satisfies SomeHandlers;

/** Each side is read by its own index, newest first and no further than the page, so that a long past costs nothing. */
function page(core: Core, { sides, where, when, keyword, number, size }: Wanted) {
  const now = core.clock.now();
  const take = Math.min(size, PAGE_SIZE_MAX);
  const skip = (number - 1) * take;
  const isTallied = !keyword && when.every((each) => each === undefined);
  const each = sides.map(({ column, owner, where: more }) => {
    const known = joined([more, ...where]);
    const all = joined([[`${column} = ?`, owner], known, listedAt(now), ...when]);
    const found = searched(all, keyword);
    return { ...found, count: isTallied ? tallied(core, column, owner, known) : counted(core, found) };
  });
  const count = each.reduce((sum, side) => sum + side.count, 0);
  if (count <= skip) return { rows: [], count };
  const ids = each.map(({ from }) => `SELECT * FROM (SELECT id, createdAt ${from} ${NEWEST_FIRST} LIMIT ?)`);
  const rows = core.db.all<Operation>(
    `SELECT * FROM operations WHERE id IN (
       SELECT id FROM (${ids.join(' UNION ALL ')}) ${NEWEST_FIRST} LIMIT ? OFFSET ?) ${NEWEST_FIRST}`,
    ...each.flatMap(({ values }) => [...values, skip + take]),
    take,
    skip,
  );
  return { rows, count };
}

function number(core: Core, sql: string, ...values: SQLInputValue[]): number {
  return core.db.get<{ n: number }>(sql, ...values)?.n ?? 0;
}

function counted(core: Core, { from, values }: Source): number {
  return number(core, `SELECT COUNT(*) AS n ${from}`, ...values);
}

/** How many there are, without looking at them. Those that are open, or that a fault keeps out of lists, are few. */
function tallied(core: Core, side: Side['column'], owner: number, [sql, ...values]: Condition): number {
  const rest = `${side} = ? AND ${sql}`;
  const done = `SELECT COALESCE(SUM(n), 0) AS n FROM tallies WHERE side = ? AND owner = ? AND ${sql}`;
  const open = `SELECT COUNT(*) AS n FROM operations INDEXED BY movingOperations
    WHERE status <> settlesAs AND status = 1 AND ${rest}`;
  const late = `SELECT COUNT(*) AS n FROM operations INDEXED BY lateInLists
    WHERE listedAt > createdAt AND listedAt > ? AND ${rest}`;
  return (
    number(core, done, side, owner, ...values) +
    number(core, open, owner, ...values) -
    number(core, late, core.clock.now(), owner, ...values)
  );
}

/** A recipient still sees an operation that was completed and cancelled afterwards. */
const SIDES = [
  { sens: 2, column: 'senderId', where: undefined },
  { sens: 1, column: 'receiverId', where: ['status IN (2, 4)'] },
] as const;

/** The source of rows, with the values of its places. */
interface Source {
  readonly from: string;
  readonly values: readonly SQLInputValue[];
}

/** Those of the newest that have the keyword, or all where none is asked for. */
function searched([sql, ...values]: Condition, keyword: Condition | undefined): Source {
  const all = `FROM operations WHERE ${sql}`;
  if (!keyword) return { from: all, values };
  const [has, ...words] = keyword;
  const newest = `SELECT * ${all} ${NEWEST_FIRST} LIMIT ${SEARCHED_MAX}`;
  return { from: `FROM (${newest}) WHERE ${has}`, values: [...values, ...words] };
}

function joined(conditions: readonly (Condition | undefined)[]): Condition {
  const asked = conditions.filter((each) => each !== undefined);
  const sql = asked.map(([each]) => `(${each})`).join(' AND ');
  return [sql || 'true', ...asked.flatMap(([, ...values]) => values)];
}

function asFirstSeen(operation: Operation): z.input<typeof operationDetail> {
  return detailFor(operation.senderId ?? operation.receiverId, operation);
}

/** v2.3 does not show what `includeDetails` adds. Here fields that the document shows elsewhere. */
function itemOf(operation: Operation): z.input<typeof operationItem> {
  const { method, reason, openLoop, requestId } = operation;
  return { ...asFirstSeen(operation), method, reason, openLoop: openLoop === 1, cRequestId: requestId };
}

/** A fault can keep an operation out of lists for a while. By its id it is read all the same. */
function listedAt(now: number): Condition {
  return ['listedAt <= ?', now];
}

/** Whether operations without a customer, so of agents alone, are listed. */
function ofCustomers({ settings }: Core): Condition | undefined {
  const isAll = settings.agentOperations === 'listed';
  return isAll ? undefined : ['senderId IS NOT NULL OR receiverId IS NOT NULL'];
}

function oneOf(column: string, values: readonly number[] | undefined): Condition | undefined {
  return values?.length ? [`${column} IN (${values.map(() => '?').join(', ')})`, ...values] : undefined;
}
