import type { BackTo, CardCashInRequest, SavedCard } from '../wallet/bank-cards.ts';
import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { ENDED, type PaymentEnv, type PaymentMethod, type Placed } from './payment.ts';

/** Money for the customer's own wallet, from a card: one that the wallet has saved, or one that is typed on the form. */
export interface CardCashInOrder extends Placed {
  readonly kind: 'card-cash-in';
  /** Absent: it is typed, and nothing of it is part of the order. */
  readonly card?: SavedCard;
}

/** Partner API v2.3 does not show how long 3D Secure stays open. After this time the customer reads that nothing came. */
const FOLLOWED_MS = 3_600_000;
/** More than an honest customer types; whoever tries lists of stolen cards is stopped. */
const CARDS_PER_DAY_MAX = 10;
/** How lists show a card: four digits behind some that are hidden. */
export const MASKED_PAN = /[*•xX](?:[^\p{L}\d]*)(\d{4})$/u;

/**
 * A deposit by card. The call only begins it: the customer confirms it on their bank's page, and the wallet's event or list
 * says whether money has come. Nothing that a browser brings back does.
 */
export const cardCashIn = {
  type: OPERATION_TYPES.CASHIN,
  guard: 'list',
  waitsFor: 'customer',
  perDayMax: CARDS_PER_DAY_MAX,

  said: {
    called: 'card-cash-in.called',
    values: () => ({}),
    accepted: 'card-cash-in.atBank',
    unfinished: 'card-cash-in.unfinished',
  },
  alike: { beneficiary: ({ from }) => from },
  listed: {
    statementName: 'statement.deposit',
    side: 'credit',
    beneficiary: ({ from }) => from,
    receiver: ({ from }) => from,
    // A deposit in cash is of the same type, on the same side: only the card tells them apart (open question 77).
    isFrom(sender, { card }) {
      const [, last4] = MASKED_PAN.exec(sender.trim()) ?? [];
      return last4 !== undefined && (card === undefined || card.last4.endsWith(last4));
    },
  },
  followed: {
    takenBack: 'read',
    events: { 'cashin.card.authorized': ENDED },
    forMs: FOLLOWED_MS,
    async rebuild({ amount }, from) {
      return { kind: 'ok', value: { kind: 'card-cash-in', from, amount } };
    },
  },

  preview: ({ from, amount }, { api, call }) => api.previewCardCashIn({ wallet: from, amount }, call),
  async execute(order, env) {
    const request = requestOf(order, env);
    // Nobody has typed a card: the process that was given one has ended, and with it the card.
    return request ? env.api.cashInByCard(request, env.call) : { kind: 'unsent', why: 'no card' };
  },
} satisfies PaymentMethod<CardCashInOrder>;

function requestOf(
  { from, amount, card: saved }: CardCashInOrder,
  env: PaymentEnv,
): CardCashInRequest | undefined {
  const typed = env.takeCard();
  if (!typed || 'pan' in typed !== (saved === undefined)) return undefined;
  const { backAt, call } = env;
  return {
    wallet: from,
    amount,
    card: 'pan' in typed ? typed : { id: saved?.id ?? 0, cvv: typed.cvv },
    reference: call.requestId,
    ...toOurPages(backAt()),
  };
}

/** Where the payer's browser comes back to, if browsers can reach us. */
export function toOurPages(backAt: string | undefined): { readonly backTo?: BackTo } {
  if (backAt === undefined) return {};
  const [accepted, declined, notified] = [`${backAt}/accepted`, `${backAt}/declined`, `${backAt}/notified`];
  return { backTo: { accepted, declined, notified } };
}
