import { z } from 'zod';
import { STATUSES } from '../../wallet/contract/fields.ts';
import type { Database } from '../core/database.ts';
import { jsonColumn } from '../core/json-column.ts';
import { BILL_MAGIC, type BillMagicName, type Magic, magicOf, type Way } from './magic.ts';

const BILLS_MAX = 10;
const DIRHAMS_MAX = 1_000_000;

/** A contract number with bills or an outcome of its own, at any creditor. */
export const contractOrder = z
  .strictObject({
    contract: z.string().regex(/^[\w-]{1,40}$/, 'must be a contract number'),
    /** The outcome of paying, as that of a magic contract. */
    like: z.enum(Object.keys(BILL_MAGIC) as [BillMagicName, ...BillMagicName[]]).optional(),
    /** The amounts that are due, in dirhams, the oldest first. */
    bills: z.array(z.number().min(0.01).max(DIRHAMS_MAX)).max(BILLS_MAX).optional(),
  })
  .refine(({ like, bills }) => like || bills, 'must have like, bills or both');

/** Under which name they are kept. */
export const CONTRACTS = 'contracts';
const column = jsonColumn(`meta.${CONTRACTS}`, z.array(contractOrder));

/** The scenario's order for a contract. @param contract the number, and after a space the rest of its name */
export function contractOf(db: Database, contract: string): z.output<typeof contractOrder> | undefined {
  const [number] = contract.split(' ');
  return column.read(db.meta(CONTRACTS) ?? '[]').find((each) => each.contract === number);
}

/** The outcome that a contract forces, by its number or by the scenario. Undefined for any other contract. */
export function forcedBy(db: Database, contract: string): Magic | undefined {
  const like = contractOf(db, contract)?.like;
  return like ? BILL_MAGIC[like] : magicOf(contract);
}

/** At once, at the creditor. */
const PAID: Way = { codeRetour: '000', settlesAs: STATUSES.COMPLETED };

/** The course of a payment for this contract: paid, unless it forces something else. */
export function wayOf(db: Database, contract: string): Way {
  return forcedBy(db, contract)?.way ?? PAID;
}
