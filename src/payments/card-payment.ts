import type { GatewayIds } from '../wallet/bank-cards.ts';
import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import type { Centimes } from '../wallet/money.ts';
import { MASKED_PAN, toOurPages } from './card-cash-in.ts';
import { ENDED, type PaymentMethod, type Placed } from './payment.ts';

/** A merchant's card payment. Capture, release and refund name it by all of its ids. */
export interface CardPayment extends GatewayIds {
  readonly id: string;
  /** The wallet's operation. */
  readonly operationId: number;
  readonly amount: Centimes;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Money for a merchant from a stranger's card, that is typed on the page of a link. Its `from` is the merchant. */
export interface CardPaymentOrder extends Placed {
  readonly kind: 'card-payment';
  /** The link: it is paid once. Absent where the payment was rebuilt from its event. */
  readonly link?: string;
  /** The card is not charged yet: the merchant takes the money later, or releases it. */
  readonly isReserved?: true;
}

/** Partner API v2.3 does not show how long 3D Secure stays open. After this time the merchant reads that nothing came. */
const FOLLOWED_MS = 3_600_000;
/** The preview of it has this type (open question 15). */
const { CARD_PAYMENT, MOBILE_PAYMENT } = OPERATION_TYPES;

/**
 * A payer pays a merchant by card. No wallet is debited, so no PIN is asked, and the payer confirms on their bank's
 * page. Only the wallet's event, with its operation, says that money has come. A reservation is visible to nobody until
 * it is captured (not shown in v2.3; the sandbox refuses to read it), so its event is all there is.
 */
export const cardPayment = {
  type: CARD_PAYMENT,
  guard: 'list',
  waitsFor: 'other',

  said: {
    called: 'card-payment.called',
    values: () => ({}),
    done: (_facts, { isReserved }) => (isReserved ? 'card-payment.reserved' : 'card-payment.done'),
  },
  /** Two people may pay one merchant the same: each has a link of their own. */
  alike: { beneficiary: ({ link = '' }) => link },
  listed: {
    statementName: 'statement.payment',
    otherType: MOBILE_PAYMENT,
    side: 'credit',
    beneficiary: ({ from }) => from,
    receiver: ({ from }) => from,
    isFrom: (sender) => MASKED_PAN.test(sender.trim()),
  },
  followed: {
    takenBack: 'read',
    events: { 'payment.card.authorized': ENDED },
    forMs: FOLLOWED_MS,
    endByEvent: ({ isReserved }) => (isReserved ? 'succeeded' : undefined),
    isChangedLater: ({ isReserved = false }) => isReserved,
    async rebuild({ amount }, from) {
      return { kind: 'ok', value: { kind: 'card-payment', from, amount } };
    },
  },

  preview: ({ from: merchant, amount }, { api, call }) => api.previewCardPayment({ merchant, amount }, call),
  async execute({ from: merchant, amount, isReserved = false }, { api, call, backAt, takeCard }) {
    const card = takeCard();
    // Nobody has typed a card: the process that was given one has ended, and with it the card.
    if (!card || !('pan' in card)) return { kind: 'unsent', why: 'no card' };
    const order = { merchant, amount, card, isReserved, reference: call.requestId, ...toOurPages(backAt()) };
    return api.payByCard(order, call);
  },
} satisfies PaymentMethod<CardPaymentOrder>;
