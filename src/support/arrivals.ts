import { READINGS } from '../conversation/chart/readings.ts';
import { methodOf, PAYMENT_KINDS } from '../payments/payments.ts';

/** The states in which the money is sent. How the payment ends is counted apart (`records/tallies.ts`). */
const SENT = ['settled', 'processing', 'notConfirmed'] as const;
/** The goals of a conversation: states, or the way on to the next conversation (`ends`). */
export const ARRIVES: Readonly<Record<string, readonly string[] | 'ends'>> = {
  ...Object.fromEntries(PAYMENT_KINDS.map((kind) => [methodOf({ kind }).madeIn ?? kind, SENT])),
  ...Object.fromEntries(READINGS.map(({ id }) => [id, ['shown']])),
  // These take longer than anybody waits.
  'bank-transfer': ['settled', 'accepted', 'notConfirmed'],
  'card-cash-in': ['settled', 'accepted', 'notConfirmed'],
  balance: ['shown', 'empty'],
  beneficiaries: ['listing', 'saved'],
  'cash-in': ['shown'],
  'cash-out': ['shown'],
  references: ['listing', 'empty'],
  'saved-cards': ['choosing', 'none'],
  'voucher-codes': ['listing', 'none'],
  profile: ['shown'],
  receipt: ['shown'],
  'receive-payment': ['shown'],
  'card-payment': ['shown'],
  documents: ['listing', 'elsewhere'],
  takings: ['shown'],
  statement: ['listing', 'empty'],
  cards: ['listing', 'showing'],
  'card-order': ['applied'],
  upgrade: ['explaining', 'linkSent'],
  freeze: ['frozen', 'thawed'],
  'lost-card': ['suspended', 'blocked'],
  onboarding: ['opened'],
  closing: ['closed'],
  'pin-change': ['changed'],
  'pin-reset': 'ends',
  'link-chat': ['shown'],
  linking: 'ends',
  unlocking: 'ends',
  agent: ['welcomed'],
  'agent-check': ['shown'],
  'agent-day': ['shown', 'listing'],
  'agent-record': ['shown'],
  payouts: ['listing', 'showing', 'released'],
  'principal-agents': ['listing', 'asked'],
  'principal-float': ['shown', 'given'],
  unlink: 'ends',
  consent: 'ends',
};
/** Ways between conversations: nobody completes or drops them. */
export const PASSAGES: ReadonlySet<string> = new Set([
  ...['menu', 'account', 'agent-account', 'cash', 'principal', 'sales', 'services', 'shopping'],
]);
