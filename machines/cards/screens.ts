import {
  type ApplicationState,
  CARD_SERVICES,
  type CardApplication,
  type CardTransaction,
  type DeliveryState,
  type IssuedCard,
} from '../../src/wallet/issued-cards.ts';
import { type ChangingCard, cardName, isUsable, SERVICES, STATES } from '../kit/card-change.ts';
import { known } from '../kit/conversation.ts';
import type { Cards } from '../kit/effects.ts';
import type { Choice, Screen, Sentence, Value } from '../kit/screen.ts';
import type { SentenceKey } from '../kit/sentence-key.ts';

/** The context of the conversation about a customer's cards. */
export interface Listed extends ChangingCard, Cards {
  application?: number;
  /** Payments are frozen: no card can begin to pay. */
  readonly isFrozen?: true;
  /** Of the card's payments, from 1. */
  page: number;
  isLast?: boolean;
  transactions?: readonly CardTransaction[];
}

const APPLICATIONS: Readonly<Record<ApplicationState, SentenceKey>> = {
  pending: 'cards.pending',
  accepted: 'cards.accepted',
  rejected: 'cards.rejected',
  unknown: 'cards.unknown',
};
const DELIVERIES: Readonly<Record<Exclude<DeliveryState, 'delivered'>, SentenceKey>> = {
  preparing: 'cards.preparing',
  producing: 'cards.producing',
  ready: 'cards.ready',
};
/** The applications listed beside the cards. An accepted one has become a card. */
const APPLICATIONS_MAX = 3;

export function showsApplication({ state }: CardApplication): boolean {
  return state !== 'accepted';
}

export function list(context: Listed): Screen {
  const { cards, applications, programs } = context;
  const shown = applications.filter(showsApplication).slice(0, APPLICATIONS_MAX);
  return {
    key: cards.length > 0 ? 'cards.list' : 'cards.none',
    choices: [
      ...cards.map(
        (card): Choice => ({
          id: String(card.id),
          key: 'cards.line',
          values: { card: cardName({ card }), state: { say: STATES[card.state] } },
          listed: true,
        }),
      ),
      ...shown.map(
        (each): Choice => ({
          id: `application${each.id}`,
          key: 'cards.applicationLine',
          values: applicationValues(context, each),
          listed: true,
        }),
      ),
      ...(programs.length > 0 ? [{ id: 'order', key: 'cards.order', varies: true } as const] : []),
    ],
    expects: 'choice',
  };
}

export function application(context: Listed): Screen {
  const chosen = known(context.applications.find(({ id }) => id === context.application));
  const values = applicationValues(context, chosen);
  return {
    ...(chosen.reason === undefined
      ? { key: 'cards.application', values }
      : { key: 'cards.applicationWhy', values: { ...values, reason: { text: chosen.reason } } }),
    choices: [{ id: 'list', key: 'cards.backToList' }],
    expects: 'choice',
  };
}

function applicationValues({ programs }: Listed, { programId, state }: CardApplication) {
  const name = programs.find(({ id }) => id === programId)?.name;
  const program: Value = name === undefined ? { say: 'cards.newCard' } : { name };
  return { program, state: { say: APPLICATIONS[state] } } as const;
}

/** A card with the actions that its state permits (Partner API v2.3, "Card"; open question 20). */
export function card(context: Listed): Screen {
  const chosen = known(context.card);
  const { state, delivery } = chosen;
  const values = { card: cardName(context), state: { say: STATES[state] } } as const;
  const isUnderWay = delivery !== undefined && delivery !== 'delivered' && isUsable(chosen);
  return {
    ...(isUnderWay
      ? { key: 'cards.cardOnItsWay', values: { ...values, delivery: { say: DELIVERIES[delivery] } } }
      : { key: 'cards.card', values }),
    choices: [
      // A card that is blocked for good is replaced.
      ...(context.programs.length > 0 && !isUsable(chosen)
        ? [{ id: 'order', key: 'cards.order' } as const]
        : []),
      ...waysOf(chosen),
    ].map((each) => ({ ...each, varies: true })),
    expects: 'choice',
  };
}

/** They depend on the card, and the only card of a list can change. */
function waysOf(chosen: IssuedCard): Choice[] {
  const { state, services } = chosen;
  return [
    ...(state === 'issued' ? [{ id: 'activate', key: 'cards.activate' } as const] : []),
    ...(state === 'suspended' ? [{ id: 'reactivate', key: 'cards.reactivate' } as const] : []),
    ...(isUsable(chosen) && state !== 'suspended' ? [{ id: 'suspend', key: 'cards.suspend' } as const] : []),
    ...(isUsable(chosen) ? [{ id: 'block', key: 'cards.block' } as const] : []),
    { id: 'transactions', key: 'cards.transactions' },
    ...(isUsable(chosen) && services ? [{ id: 'services', key: 'cards.services' } as const] : []),
    ...(state === 'cancelled' ? [] : [{ id: 'cancel', key: 'cards.cancel' } as const]),
  ];
}

/** Each with whether it is on: choosing one turns it over. */
export function services(context: Listed): Screen {
  const now = known(context.card?.services);
  return {
    key: 'cards.chooseService',
    values: { card: cardName(context) },
    choices: CARD_SERVICES.map((service) => ({
      id: service,
      key: now[service] ? 'cards.serviceOn' : 'cards.serviceOff',
      values: { service: { say: SERVICES[service] } },
    })),
    expects: 'choice',
  };
}

export function transactions(context: Listed): Screen {
  const { transactions: listed = [], isLast, page } = context;
  const values = { card: cardName(context) };
  return {
    ...(listed.length === 0
      ? { key: 'cards.noTransactions', values }
      : { key: 'cards.paid', values: { ...values, payments: { lines: listed.map(payment) } } }),
    choices: [
      ...(isLast ? [] : [{ id: 'older', key: 'cards.older' } as const]),
      ...(page > 1 ? [{ id: 'newer', key: 'cards.newer' } as const] : []),
      { id: 'card', key: 'cards.backToCard' },
    ],
    expects: 'choice',
  };
}

function payment({ amount, at, merchant, declined }: CardTransaction): Sentence {
  return {
    key: declined ? 'cards.paymentDeclined' : 'cards.payment',
    values: {
      day: { day: at },
      amount: { money: amount },
      merchant: merchant === undefined ? { say: 'cards.noMerchant' } : { name: merchant },
    },
  };
}
