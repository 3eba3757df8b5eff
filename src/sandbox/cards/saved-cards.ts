import { findAgent } from '../agents/agents.ts';
import type { Core, SomeHandlers, Tenant } from '../core/core.ts';
import { pageOf } from '../core/paging.ts';
import { refuse } from '../core/refusal.ts';
import { getCustomer } from '../customers/customer.ts';
import type { Card } from './test-cards.ts';

/** A saved card as a row. It belongs to an account: a customer's, a merchant's or an agent's. */
export interface SavedCard extends Card {
  readonly id: number;
  readonly account: number;
  readonly cardName: string;
}

const MINE = 'account = ? AND removed = 0';

/** Saving the same card again gives it its new name. Not shown in v2.3. Cards are distinguished by what is kept of them. */
export function saveCard({ db }: Core, account: number, card: Card, cardName: string): void {
  const { last4, scheme, issuer, kind, expiryDate } = card;
  db.run(
    `INSERT INTO savedCards (account, last4, scheme, issuer, kind, expiryDate, cardName)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account, last4, scheme, expiryDate) WHERE removed = 0
     DO UPDATE SET cardName = excluded.cardName`,
    ...[account, last4, scheme, issuer, kind, expiryDate, cardName],
  );
}

/** A card that an account has saved, or 90203. */
export function findSavedCard({ db }: Core, account: number, id: number): SavedCard {
  const sql = `SELECT * FROM savedCards WHERE ${MINE} AND id = ?`;
  return db.get<SavedCard>(sql, account, id) ?? refuse('savedCardUnknown');
}

function page({ db }: Core, account: number, number: number, size: number) {
  return pageOf<SavedCard>(db, {
    from: 'savedCards',
    where: [[MINE, account]],
    orderBy: 'id',
    number,
    size,
  });
}

/** For good. The row stays, so that no other card gets its id. */
function remove({ db }: Core, { id }: SavedCard): void {
  db.run('UPDATE savedCards SET removed = 1 WHERE id = ?', id);
}

/** Partner API v2.3, "Tokenized cards". A merchant's are read as a customer's. */
export const savedCards = {
  listCustomerCards(core, { tenant, query }) {
    const customer = getCustomer(core, tenant, query.PhoneNumber);
    const { rows, count } = page(core, customer.account, query.PageNumber, query.PageSize);
    return { collection: rows.map(asCustomers), count };
  },

  readCustomerCard(core, { tenant, params, query }) {
    return asCustomers(ofCustomer(core, tenant, query.PhoneNumber, params.id));
  },

  deleteCustomerCard(core, { tenant, params, query }) {
    const card = ofCustomer(core, tenant, query.phoneNumber, params.cardId);
    remove(core, card);
    return true;
  },

  listAgentCards(core, { tenant, query }) {
    const agent = findAgent(core, tenant, query.code);
    const { rows, count } = page(core, agent.account, query.pageNumber, query.pageSize);
    return { collection: rows.map(asAgents), count };
  },

  readAgentCard(core, { tenant, params, query }) {
    return asAgents(ofAgent(core, tenant, query.code, params.cardId));
  },

  renameAgentCard(core, { tenant, params, query, body }) {
    const card = ofAgent(core, tenant, query.code, params.cardId);
    core.db.run('UPDATE savedCards SET cardName = ? WHERE id = ?', body.cardName, card.id);
    return null;
  },

  deleteAgentCard(core, { tenant, params, query }) {
    const card = ofAgent(core, tenant, query.code, params.cardId);
    remove(core, card);
    return null;
  },
} satisfies SomeHandlers;

function ofCustomer(core: Core, tenant: Tenant, phone: string, id: number): SavedCard {
  return findSavedCard(core, getCustomer(core, tenant, phone).account, id);
}

function ofAgent(core: Core, tenant: Tenant, code: string, id: number): SavedCard {
  return findSavedCard(core, findAgent(core, tenant, code).account, id);
}

function asCustomers({ id, last4, issuer, scheme, cardName }: SavedCard) {
  return { customerBankCardId: id, maskedPan: last4, issuer, scheme, cardName };
}

/** Not shown in v2.3: which cards need their CVV again. Here all do but one test card. */
function asAgents({ id, last4, kind, cardName }: SavedCard) {
  const requiredCvv = kind !== 'withoutCvv';
  return { customerTokenizedCardId: id, maskedPan: last4, requiredCvv, cardName };
}
