import { CARD_STATUSES } from '../../wallet/contract/card-management.ts';
import { STATUSES } from '../../wallet/contract/fields.ts';
import type { Core, Tenant } from '../core/core.ts';
import { findCustomer } from '../customers/customer.ts';
import { SEEDED } from '../partners/seed.ts';
import { issueCard } from './card.ts';
import { PROGRAMS } from './programs.ts';

const DAY_MS = 24 * 60 * 60_000;
const ISSUED_DAYS_AGO = 40;

/**
 * The payments with the seeded card, oldest first: days ago, centimes, where, how, status. They are over: the seeded balance
 * is the rest, so nothing of them is on the ledger.
 */
const SEEDED_TRANSACTIONS = [
  [31, 149_00, 'Librairie Porte d’Anfa (test)', 'ONLINE', STATUSES.COMPLETED],
  [24, 62_50, 'Supérette du Port (test)', 'POS', STATUSES.COMPLETED],
  [17, 300_00, 'Guichet Derb Omar (test)', 'ATM', STATUSES.COMPLETED],
  [12, 899_00, 'Électro Maârif (test)', 'ONLINE', STATUSES.FAILED],
  [6, 35_00, 'Café Atlas (test)', 'POS', STATUSES.COMPLETED],
  [2, 79_90, 'Musique en ligne (test)', 'ONLINE', STATUSES.COMPLETED],
] as const;

/** Gives the first customer a virtual card that has been used: without one, a list of transactions could not be tried. */
export function seedCard(core: Core, tenant: Tenant): void {
  const { db, clock } = core;
  const [first] = SEEDED;
  const customer = first && findCustomer(core, tenant, first.phone);
  const now = clock.now();
  const program = PROGRAMS[1];
  if (!customer || !program) throw new Error('there is a first customer and a second programme');
  const then: Core = { ...core, clock: { ...clock, now: () => now - ISSUED_DAYS_AGO * DAY_MS } };
  const card = issueCard(then, customer, program);
  db.run('UPDATE issuedCards SET status = ? WHERE id = ?', CARD_STATUSES.ACTIVATED, card);
  for (const [daysAgo, amount, merchant, channel, status] of SEEDED_TRANSACTIONS) {
    const createdAt = now - daysAgo * DAY_MS;
    db.insert('cardTransactions', { card, amount, merchant, channel, status, createdAt });
  }
}
