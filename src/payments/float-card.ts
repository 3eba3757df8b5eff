import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { inAgentList } from './agent-list.ts';
import { toOurPages } from './card-cash-in.ts';
import type { PaymentMethod, Placed } from './payment.ts';

/**
 * Money for the float of the principal agent from a card, that an administrator types on the page of a link. `from` is a number that acts
 * for it, which hears how it ended and of whose wallet nothing moves.
 */
export interface FloatCardOrder extends Placed {
  readonly kind: 'float-card';
  /** The principal agent's. */
  readonly code: string;
  /** The link: it is paid once. */
  readonly link: string;
}

/** Partner API v2.3 does not show for how long 3D Secure stays open; after this it is said that there is no trace of it. */
const FOLLOWED_MS = 3_600_000;
/** Partner API v2.3: sens 1 CREDIT. */
const CREDIT = 1;

/**
 * The float loaded by card. The call only begins it: it is confirmed on the bank's page, and only the wallet's event, with our request
 * id, says that money has come. Its operation is read where the key may read the list of all operations; two loads of one amount cannot
 * be told apart there, so that nothing is found by that list (open question 127).
 */
export const floatCard = {
  type: OPERATION_TYPES.CASHIN,
  ofAgent: 'principal',
  madeIn: 'principal-float',
  guard: 'payer',
  // That of a customer's own deposit says how it ended: it is found by our request id.
  events: {},
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
  followed: { forMs: FOLLOWED_MS, ...inAgentList(OPERATION_TYPES.CASHIN, CREDIT) },

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
