import { CARD_STATUSES } from '../../wallet/contract/card-management.ts';
import type { Core } from '../core/core.ts';
import type { Customer } from '../customers/customer.ts';
import type { Program } from './programs.ts';

/** Issues a card of a programme and gives its id. All of its services are on. */
export function issueCard(
  { db, clock, random }: Core,
  { id: customer, tenant, account, phone }: Customer,
  program: Program,
): number {
  const createdAt = clock.now();
  const row = {
    ...{ tenant, customer, account, phone, program: program.id },
    ...{ type: program.cardType, scheme: program.schemaId, status: CARD_STATUSES.ISSUED },
    ...{ allowAtm: 1, allowOnline: 1, allowPos: 1, contactlessEnabled: 1 },
    createdAt,
    expiresAt: endOfMonth(createdAt, program.validityMonths),
  };
  const id = db.insert('issuedCards', row);
  db.update('issuedCards', id, { last4: random.reference(id, 'issued card').slice(0, 4) });
  return id;
}

/** A card is good until the end of the month that is printed on it. */
function endOfMonth(from: number, months: number): number {
  const date = new Date(from);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1);
}
