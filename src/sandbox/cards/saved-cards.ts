import type { z } from 'zod';
import type { Api } from '../../wallet/contract/api.ts';
import { findAgent } from '../agents/agents.ts';
import { type Core, type Handlers, isRefusal, type Refusal, refuse, type Tenant } from '../core/core.ts';
import { pageOf } from '../core/paging.ts';
import type { Customers } from '../customers/customer.ts';
import type { Card } from './test-cards.ts';

/** A saved card as a row. It belongs to an account: a customer's, a merchant's or an agent's. */
export interface SavedCard extends Card {
  readonly id: number;
  readonly account: number;
  readonly cardName: string;
}

const MINE = 'account = ? AND removed = 0';

/** Saved cards in the database. */
export function createSavedCards({ db }: Core) {
  return {
    /** Saving the same card again gives it its new name. Not shown in v2.3; cards are told apart by what is kept of them. */
    keep(account: number, card: Card, cardName: string): void {
      const { last4, scheme, issuer, kind, expiryDate } = card;
      db.run(
        `INSERT INTO savedCards (account, last4, scheme, issuer, kind, expiryDate, cardName)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (account, last4, scheme, expiryDate) WHERE removed = 0
         DO UPDATE SET cardName = excluded.cardName`,
        ...[account, last4, scheme, issuer, kind, expiryDate, cardName],
      );
    },

    find: (account: number, id: number): SavedCard | Refusal =>
      db.get<SavedCard>(`SELECT * FROM savedCards WHERE ${MINE} AND id = ?`, account, id) ??
      refuse('savedCardUnknown'),

    page: (account: number, number: number, size: number) =>
      pageOf<SavedCard>(db, {
        from: 'savedCards',
        where: [[MINE, account]],
        orderBy: 'id',
        number,
        size,
      }),

    rename: (id: number, cardName: string): void => {
      db.run('UPDATE savedCards SET cardName = ? WHERE id = ?', cardName, id);
    },
    /** For good. The row stays, so that no other card gets its id. */
    remove: (id: number): void => {
      db.run('UPDATE savedCards SET removed = 1 WHERE id = ?', id);
    },
  };
}

type Calls =
  | 'listCustomerCards'
  | 'readCustomerCard'
  | 'deleteCustomerCard'
  | 'listAgentCards'
  | 'readAgentCard'
  | 'renameAgentCard'
  | 'deleteAgentCard';

/** Partner API v2.3, "Tokenized cards". A merchant's are read as a customer's. */
export function savedCards(core: Core, customers: Customers): Handlers<Calls> {
  const saved = createSavedCards(core);

  function ofCustomer(tenant: Tenant, phone: string, id: number): SavedCard | Refusal {
    const customer = customers.get(tenant, phone);
    return isRefusal(customer) ? customer : saved.find(customer.account, id);
  }
  function ofAgent(tenant: Tenant, code: string, id: number): SavedCard | Refusal {
    const agent = findAgent(core, tenant, code);
    return isRefusal(agent) ? agent : saved.find(agent.account, id);
  }

  return {
    listCustomerCards({ tenant, query }) {
      const customer = customers.get(tenant, query.PhoneNumber);
      if (isRefusal(customer)) return customer;
      const { rows, count } = saved.page(customer.account, query.PageNumber, query.PageSize);
      return { collection: rows.map(asCustomers), count };
    },

    readCustomerCard({ tenant, params, query }) {
      const card = ofCustomer(tenant, query.PhoneNumber, params.id);
      return isRefusal(card) ? card : asCustomers(card);
    },

    deleteCustomerCard({ tenant, params, query }) {
      const card = ofCustomer(tenant, query.phoneNumber, params.cardId);
      if (isRefusal(card)) return card;
      saved.remove(card.id);
      return true;
    },

    listAgentCards({ tenant, query }) {
      const agent = findAgent(core, tenant, query.code);
      if (isRefusal(agent)) return agent;
      const { rows, count } = saved.page(agent.account, query.pageNumber, query.pageSize);
      return { collection: rows.map(asAgents), count };
    },

    readAgentCard({ tenant, params, query }) {
      const card = ofAgent(tenant, query.code, params.cardId);
      return isRefusal(card) ? card : asAgents(card);
    },

    renameAgentCard({ tenant, params, query, body }) {
      const card = ofAgent(tenant, query.code, params.cardId);
      if (isRefusal(card)) return card;
      saved.rename(card.id, body.cardName);
      return null;
    },

    deleteAgentCard({ tenant, params, query }) {
      const card = ofAgent(tenant, query.code, params.cardId);
      if (isRefusal(card)) return card;
      saved.remove(card.id);
      return null;
    },
  };
}

function asCustomers({
  id,
  last4,
  issuer,
  scheme,
  cardName,
}: SavedCard): z.input<Api['readCustomerCard']['data']> {
  return { customerBankCardId: id, maskedPan: last4, issuer, scheme, cardName };
}

/** Not shown in v2.3: which cards need their CVV again; here all do but one test card. */
function asAgents({ id, last4, kind, cardName }: SavedCard): z.input<Api['readAgentCard']['data']> {
  return {
    customerTokenizedCardId: id,
    maskedPan: last4,
    requiredCvv: kind !== 'withoutCvv',
    cardName,
  };
}
