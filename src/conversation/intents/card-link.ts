import { codec, isObject, type KeyedDoc } from '../../store/codec.ts';
import type { Write } from '../../store/store.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Charge } from '../budgets.ts';
import type { Address } from '../incoming.ts';

const HOUR_MS = 3_600_000;
/** How long a payer can pay by a link. An administrator types the card at once. */
const CARD_LINK_MS = 24 * HOUR_MS;
const FLOAT_LINK_MS = 10 * 60_000;
/** It is known for a while after that, so that its page can say why nothing can be paid there. */
const KEPT_MS = 30 * 24 * HOUR_MS;
/** The number of refused cards after which a link is closed. It stops a payer who tries stolen cards. */
const REFUSED_MAX = 5;
/**
 * Cards that did not reach the wallet, as while it is away: each has written a payment down, so that nobody tries for ever. More than an
 * honest payer tries.
 */
const UNSENT_MAX = 20;

/**
 * A page on which a payer pays a merchant by card, or an administrator loads the float of the principal agent, once.
 * Its id is the address: a person who has it can do nothing but pay.
 */
export interface CardLink {
  readonly id: string;
  /** The merchant's wallet. For a float, the number that hears of the payment. */
  readonly wallet: Msisdn;
  readonly address: Address;
  /** The wallet's name for the merchant, or their number. For a float, the agent's code. */
  readonly merchant: string;
  readonly amount: Centimes;
  readonly fees: Centimes;
  /** Absent: the payment is collected at once. */
  readonly isReserved?: true;
  /** Present where the link loads the float of this principal agent. `by`: the account at the console that has begun it. */
  readonly float?: { readonly code: string; readonly by: string };
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The payment that was begun by it. One that is proven not to have moved anything leaves it again. */
  readonly payment?: string;
  readonly refused?: number;
  /** How many never reached the wallet. */
  readonly unsent?: number;
}

export const cardLinkCodec = codec<CardLink>('card link', (value) => {
  if (!isObject(value)) return false;
  const { id, wallet, address, merchant, amount, fees, at } = value;
  return (
    [id, wallet, address, merchant].every((each) => typeof each === 'string') &&
    [amount, fees, at].every((each) => typeof each === 'number')
  );
});

export function cardLinkKey(id: string): string {
  return `card-link:${id}`;
}

export function cardLinkWrite(doc: KeyedDoc | undefined, link: CardLink): Write {
  return cardLinkCodec.write(doc, link, { keepUntil: link.at + KEPT_MS });
}

/** The different cards that were refused on all links of a merchant in a day. Once there is no room, no card is taken there. */
export function refusedCardsOf(merchant: Msisdn): Charge {
  return { budget: 'refusedCards', of: merchant };
}

/** Whether it can be paid: `used` once a payment was begun, `over` when its time or its tries are over. */
export function stateOf(
  { payment, at, refused = 0, unsent = 0, float }: CardLink,
  now: number,
): 'open' | 'used' | 'over' {
  if (payment !== undefined) return 'used';
  const isTried = refused >= REFUSED_MAX || unsent >= UNSENT_MAX;
  const validMs = float ? FLOAT_LINK_MS : CARD_LINK_MS;
  return now < at + validMs && !isTried ? 'open' : 'over';
}

/** The link after a payment that has moved nothing: another card can be tried. */
export function reopened(
  { payment: _none, refused = 0, unsent = 0, ...link }: CardLink,
  why: 'rejected' | 'unsent',
): CardLink {
  return why === 'rejected'
    ? { ...link, unsent, refused: refused + 1 }
    : { ...link, refused, unsent: unsent + 1 };
}
