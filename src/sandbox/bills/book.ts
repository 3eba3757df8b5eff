import { z } from 'zod';
import { article, globalParam } from '../../wallet/contract/bills.ts';
import { STATUSES } from '../../wallet/contract/fields.ts';
import type { Core, Tenant } from '../core/core.ts';
import { jsonColumn } from '../core/json-column.ts';
import { PAGE_SIZE_MAX } from '../core/paging.ts';
import type { Customer } from '../customers/customer.ts';
import { type Operation, operationById } from '../operations/operation.ts';
import { forcedBy } from './contracts.ts';
import type { Account, Article, GlobalParam } from './unpaid.ts';

/** Partner API v2.3, "Limits": 7 calendar days. It is not shown that they count from the moment of the search. */
const ASSOCIATION_VALID_MS = 7 * 24 * 60 * 60_000;

/** Partner API v2.3, "Bill transaction". */
type BillState = 'EN_ATTENTE' | 'AUTORISE' | 'CONFIRME' | 'ANNULE' | 'REMBOURSE' | 'FAILED';

const items = jsonColumn('bills.items', z.array(article));
const params = jsonColumn('bills.params', z.array(globalParam));
const paid = jsonColumn('bills.paid', z.array(z.string()));

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

/** The unpaid items that a search found for one customer and contract, and their payment. */
export interface Bill extends Omit<Row, 'items' | 'params' | 'operation' | 'paid'> {
  readonly items: readonly Article[];
  readonly params: readonly GlobalParam[];
  /** Ids of items. None until it is confirmed. */
  readonly paid: readonly string[];
  readonly operation: Operation | undefined;
  readonly expiresAt: number;
}

/** Writes down what a search has found. Gives the new `refTxNetwork`. */
export function associate(
  { db, clock, random }: Core,
  { id: customer, tenant }: Customer,
  { creditor, receivable, contract }: Account,
  found: Pick<Bill, 'items' | 'params'>,
): string {
  const id = db.insert('bills', {
    tenant,
    customer,
    creditor: creditor.code,
    receivable: receivable.code,
    contract,
    items: JSON.stringify(found.items),
    params: JSON.stringify(found.params),
    createdAt: clock.now(),
  });
  const reference = random.reference(id, 'bill');
  db.run('UPDATE bills SET reference = ? WHERE id = ?', reference, id);
  return reference;
}

/** A partner's own bill. Undefined for another partner's, too. */
export function findBill(core: Core, tenant: Tenant, reference: string): Bill | undefined {
  const sql = 'SELECT * FROM bills WHERE reference = ? AND tenant = ?';
  const row = core.db.get<Row>(sql, reference, tenant.id);
  return row && read(core, row);
}

export function billOfOperation(core: Core, customer: Customer, operation: number): Bill | undefined {
  const sql = 'SELECT * FROM bills WHERE operation = ? AND customer = ?';
  const row = core.db.get<Row>(sql, operation, customer.id);
  return row && read(core, row);
}

function read(core: Core, row: Row): Bill {
  return {
    ...row,
    items: items.read(row.items),
    params: params.read(row.params),
    paid: paid.read(row.paid ?? '[]'),
    operation: operationById(core, row.operation),
    expiresAt: row.createdAt + ASSOCIATION_VALID_MS,
  };
}

/**
 * The ids of a contract's items that are paid or about to be. Those of a payment that failed are due again. A magic contract
 * works every time: its bills are always due.
 */
export function takenItems(
  { db }: Core,
  tenant: Tenant,
  { creditor, receivable, contract }: Account,
): ReadonlySet<string> {
  if (forcedBy(db, contract)) return new Set();
  const rows = db.all<{ paid: string }>(
    `SELECT paid FROM bills JOIN operations ON operations.id = operation
     WHERE creditor = ? AND contract = ? AND receivable = ? AND bills.tenant = ? AND status IN (?, ?)`,
    ...[creditor.code, contract, receivable.code, tenant.id, STATUSES.OPEN, STATUSES.COMPLETED],
  );
  return new Set(rows.flatMap((row) => paid.read(row.paid)));
}

/** Writes down which operation has paid which items of a bill, and the `codeRetour` that was answered. */
export function markPaid(
  { db }: Core,
  bill: Bill,
  operation: Operation,
  answered: string,
  items: readonly Article[],
): Bill {
  const paid = items.map(({ idArticle }) => idArticle);
  db.update('bills', bill.id, { operation: operation.id, answered, paid: JSON.stringify(paid) });
  return { ...bill, operation, answered, paid };
}

/** A customer's payments, newest first, and their number in all. */
export function billPayments(core: Core, customer: Customer, page: number, size: number) {
  const { db, clock } = core;
  const where =
    'FROM bills JOIN operations ON operations.id = operation WHERE customer = ? AND listedAt <= ?';
  const asked = [customer.id, clock.now()];
  const counted = db.get<{ n: number }>(`SELECT COUNT(*) AS n ${where}`, ...asked);
  const take = Math.min(size, PAGE_SIZE_MAX);
  const sql = `SELECT bills.* ${where} ORDER BY operation DESC LIMIT ? OFFSET ?`;
  const rows = db.all<Row>(sql, ...asked, take, (page - 1) * take);
  return { bills: rows.map((row) => read(core, row)), count: counted?.n ?? 0 };
}

/** The state of a bill, in the words of the Partner API. */
export function stateOf({ operation }: Pick<Bill, 'operation'>): BillState {
  if (!operation) return 'EN_ATTENTE';
  const { status, refunds } = operation;
  if (status === STATUSES.OPEN) return 'AUTORISE';
  if (status === STATUSES.COMPLETED) return 'CONFIRME';
  if (status === STATUSES.FAILED) return 'FAILED';
  return refunds ? 'REMBOURSE' : 'ANNULE';
}
