import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { inAgentList } from './agent-list.ts';
import { toOurPages } from './card-cash-in.ts';
import type { PaymentMethod, Placed } from './payment.ts';

/**
 * Money for the principal agent's float from a card, which an administrator types on the page of a link. `from` is a
 * number that acts for the principal agent. It is told how the payment ended, and none of its wallet's money moves.
 */
export interface FloatCardOrder extends Placed {
  readonly kind: 'float-card';
  /** The principal agent's. */
  readonly code: string;
  /** The link: it is paid once. */
  readonly link: string;
}

/** v2.3 does not show how long 3D Secure stays open. After this, the number reads of no trace of it. */
const FOLLOWED_MS = 3_600_000;
/** Partner API v2.3: sens 1 CREDIT. */
const CREDIT = 1;

/**
 * The float loaded by card. The call only begins it, and the bank's page confirms it. Only the wallet's event, with our
 * request id, says that money has come. Its operation is read where the key may read the list of all operations. Two
 * loads of one amount cannot be told apart in that list, so it is not used to find one (open question 127).
 */
export const floatCard = {
  type: OPERATION_TYPES.CASHIN,
  ofAgent: 'principal',
  madeIn: 'principal-float',
  guard: 'payer',
  waitsFor: 'other',

  said: { called: 'float-card.called', values: ({ code }) => ({ code: { code } }) },
  alike: { beneficiary: ({ link }) => link },
  listed: {
    statementName: 'statement.deposit',
    side: 'credit',
    beneficiary: ({ link }) => link,
    // No number and no RIB: a code is nothing that the list could contradict.
    receiver: () => undefined,
  },
  followed: {
    takenBack: 'read',
    // The event of a customer's own deposit tells how it ended. Our request id finds it.
    events: {},
    forMs: FOLLOWED_MS,
    ...inAgentList(OPERATION_TYPES.CASHIN, CREDIT),
  },

  preview: ({ code, amount }, { api, call }) => api.previewFloatByCard({ code, amount }, call),
  async execute({ code, amount }, { api, call, backAt, takeCard }) {
    const card = takeCard();
    // Nobody has typed a card: the process that was given one has ended, and with it the card.
    if (!card || !('pan' in card)) return { kind: 'unsent', why: 'no card' };
    return api.loadFloatByCard(
      { code, amount, card, reference: call.requestId, ...toOurPages(backAt()) },
      call,
    );
  },
} satisfies PaymentMethod<FloatCardOrder>;
