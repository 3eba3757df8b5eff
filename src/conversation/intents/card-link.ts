import { codec, isObject, type KeyedDoc } from '../../store/codec.ts';
import type { Write } from '../../store/store.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address } from '../incoming.ts';

const HOUR_MS = 3_600_000;
/** How long somebody can pay by a link. */
const CARD_LINK_MS = 24 * HOUR_MS;
/** It is known for a while after that, so that its page can say why nothing can be paid there. */
const KEPT_MS = 30 * 24 * HOUR_MS;
/** Cards that are refused by one link: whoever tries stolen ones is stopped. */
const REFUSED_MAX = 5;
/**
 * Cards that did not reach the wallet, as while it is away: each has written a payment down, so that nobody tries for ever. More than an
 * honest payer tries.
 */
const UNSENT_MAX = 20;

/** A page on which somebody pays a merchant by card, once. Its id is the address: whoever has it can do nothing but pay. */
export interface CardLink {
  readonly id: string;
  readonly wallet: Msisdn;
  /** Where the merchant has asked for it, and is told. */
  readonly address: Address;
  /** As the wallet calls the merchant, or their number. */
  readonly merchant: string;
  readonly amount: Centimes;
  readonly fees: Centimes;
  /** Absent: what is paid is taken at once. */
  readonly isReserved?: true;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The payment that was begun by it. One that is proven not to have moved anything leaves it again. */
  readonly payment?: string;
  /** How many cards were refused. */
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

/** Whether it can be paid: `used` once a payment was begun, `over` when its time or its tries are over. */
export function stateOf(
  { payment, at, refused = 0, unsent = 0 }: CardLink,
  now: number,
): 'open' | 'used' | 'over' {
  if (payment !== undefined) return 'used';
  const isTried = refused >= REFUSED_MAX || unsent >= UNSENT_MAX;
  return now < at + CARD_LINK_MS && !isTried ? 'open' : 'over';
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
