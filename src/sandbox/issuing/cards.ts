import type { z } from 'zod';
import type { Api } from '../../wallet/contract/api.ts';
import { CARD_STATUSES, CARD_TYPES, DELIVERY_STATUSES } from '../../wallet/contract/card-management.ts';
import { CARD_SERVICES, type CardServices } from '../../wallet/issued-cards.ts';
import { type Centimes, toDecimal } from '../../wallet/money.ts';
import { maskedPan } from '../cards/test-cards.ts';
import type { Core, Request, SomeHandlers, Tenant } from '../core/core.ts';
import { type Condition, pageOf, since, until } from '../core/paging.ts';
import { refuse } from '../core/refusal.ts';
import { getCustomer } from '../customers/customer.ts';
import {
  CARD_ACTIONS,
  type CardAction,
  deliveryAt,
  type IssuedCard,
  SERVICEABLE,
  STATUS_NAMES,
  statusAt,
} from './card.ts';
import { isVirtual } from './programs.ts';

/** A payment with an issued card, as a row. */
interface CardTransaction {
  readonly id: number;
  readonly card: number;
  readonly amount: Centimes;
  readonly merchant: string;
  readonly channel: 'ATM' | 'ONLINE' | 'POS';
  readonly status: number;
  readonly createdAt: number;
}
type CardAnswer = z.input<Api['readCard']['data']>;

/** Issued cards (Partner API v2.3, "Card management (beta)"). They say whose they are by phone number where it is asked. */
export const issuedCards = {
  listCards(core, { tenant, query }) {
    const { settings } = core;
    const { rows, count } = pageOf<IssuedCard>(core.db, {
      from: 'issuedCards',
      where: [
        ['tenant = ?', tenant.id],
        settings.cardsListed === 'own' ? equals('customer', query.customerId) : undefined,
        equals('account', query.accountId),
        equals('program', query.cardProgramId),
        equals('scheme', query.schemaId),
        hasStatus(core, query.status),
        isDelivered(core, query.deliveryStatusId),
        query.isVirtual === undefined
          ? undefined
          : [`type ${query.isVirtual ? '<>' : '='} ?`, CARD_TYPES.PHYSICAL],
      ],
      orderBy: 'id DESC',
      number: query.pageNumber,
      size: query.pageSize,
    });
    return { collection: rows.map((card) => cardAnswer(core, card)), count };
  },

  readCard(core, { tenant, params }) {
    return cardAnswer(core, find(core, tenant, params.id));
  },

  activateCard: (core, request) => change(core, 'activate', { ...request, body: {} }),
  blockCard: (core, request) => change(core, 'block', request),
  suspendCard: (core, request) => change(core, 'suspend', request),
  reactivateCard: (core, request) => change(core, 'reactivate', { ...request, body: {} }),
  cancelCard: (core, request) => change(core, 'cancel', request),

  setCardServices(core, { tenant, params, query, body }) {
    const card = findOf(core, tenant, params.id, query.PhoneNumber);
    const now = statusAt(card, core.clock.now());
    if (!SERVICEABLE.includes(now)) refuse('issuedCardState', { detail: `it is ${STATUS_NAMES[now]}` });
    const services = CARD_SERVICES.map((name) => [name, Number(body[name])]);
    core.db.update('issuedCards', card.id, Object.fromEntries(services));
    return true;
  },

  /** The newest come first. Not shown in v2.3. */
  listCardTransactions(core, { tenant, params, query }) {
    const card = findOf(core, tenant, params.cardId, query.PhoneNumber);
    const { rows, count } = pageOf<CardTransaction>(core.db, {
      from: 'cardTransactions',
      where: [['card = ?', card.id], since(query.From), until(query.To, core)],
      orderBy: 'createdAt DESC, id DESC',
      number: query.PageNumber,
      size: query.PageSize,
    });
    const collection = rows.map(({ card: cardId, amount, status, createdAt, ...same }) => ({
      ...same,
      cardId,
      amount: toDecimal(amount),
      transactionDate: new Date(createdAt).toISOString(),
      transactionStatus: status,
    }));
    return { collection, count };
  },
} satisfies SomeHandlers;

function find({ db }: Core, tenant: Tenant, id: number): IssuedCard {
  const sql = 'SELECT * FROM issuedCards WHERE tenant = ? AND id = ?';
  return db.get<IssuedCard>(sql, tenant.id, id) ?? refuse('issuedCardUnknown');
}

/** The card, if it is that customer's. Whoever has closed the wallet since has none. */
function findOf(core: Core, tenant: Tenant, id: number, phone: string): IssuedCard {
  const customer = getCustomer(core, tenant, phone);
  const card = find(core, tenant, id);
  return card.customer === customer.id ? card : refuse('issuedCardUnknown');
}

function cardAnswer(core: Core, card: IssuedCard): CardAnswer {
  const now = core.clock.now();
  const { id, customer, account, phone, program, type, scheme, reason, createdAt, expiresAt } = card;
  return {
    id,
    maskedPan: maskedPan(card.last4),
    // It is good until the end of the month before.
    expiryDate: new Date(expiresAt - 1).toISOString().slice(2, 7).replace('-', ''),
    customerId: customer,
    accountId: account,
    phoneNumber: phone,
    cardProgramId: program,
    cardType: type,
    isVirtual: isVirtual(type),
    schemaId: scheme,
    cardStatus: statusAt(card, now),
    deliveryStatus: deliveryAt(card, now, core.settings.cardDeliveryStepMs),
    reason,
    ...(Object.fromEntries(CARD_SERVICES.map((name) => [name, card[name] === 1])) as CardServices),
    createdAt: new Date(createdAt).toISOString(),
  };
}

type Changing = Pick<Request<Api['blockCard']>, 'tenant' | 'params' | 'query'> & {
  readonly body: { readonly Reason?: string | undefined };
};

/** A call that changes the status, by the table of them. */
function change(core: Core, action: CardAction, { tenant, params, query, body }: Changing): CardAnswer {
  const card = findOf(core, tenant, params.id, query.PhoneNumber);
  const { from, to } = CARD_ACTIONS[action];
  const now = statusAt(card, core.clock.now());
  const { repeatedBlock, blockedCard } = core.settings;
  if (now === to && repeatedBlock === 'accepted') return cardAnswer(core, card);
  const isFreed = action === 'reactivate' && now === CARD_STATUSES.BLOCKED && blockedCard === 'reactivated';
  if (!isFreed && !from.includes(now)) refuse('issuedCardState', { detail: `it is ${STATUS_NAMES[now]}` });
  const reason = body.Reason ?? null;
  core.db.update('issuedCards', card.id, { status: to, reason });
  return cardAnswer(core, { ...card, status: to, reason });
}

/** The statuses that the clock decides, said in SQL, so that pages of such cards are full. */
function hasStatus(core: Core, status: number | undefined): Condition | undefined {
  const { EXPIRED, CANCELLED } = CARD_STATUSES;
  const sql = `CASE WHEN status <> ${CANCELLED} AND expiresAt <= ? THEN ${EXPIRED} ELSE status END = ?`;
  return status === undefined ? undefined : [sql, core.clock.now(), status];
}
function isDelivered(core: Core, status: number | undefined): Condition | undefined {
  const { PENDING, DELIVERED } = DELIVERY_STATUSES;
  // Node.js binds a number as REAL, by which SQLite would divide with a fraction left over.
  const steps = `min(${PENDING} + CAST((? - createdAt) / ? AS INTEGER), ${DELIVERED})`;
  const sql = `CASE WHEN type = ${CARD_TYPES.PHYSICAL} THEN ${steps} ELSE ${DELIVERED} END = ?`;
  return status === undefined ? undefined : [sql, core.clock.now(), core.settings.cardDeliveryStepMs, status];
}
function equals(column: string, value: number | undefined): Condition | undefined {
  return value === undefined ? undefined : [`${column} = ?`, value];
}
