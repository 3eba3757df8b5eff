import type { Centimes } from './money.ts';

/** A kind of card that can be applied for. v2.3 does not show its fields, so only its id is required. */
export interface CardProgram {
  readonly id: number;
  readonly name?: string;
  readonly kind?: CardKind;
}
/** Partner API v2.3, "CardType". */
export type CardKind = 'physical' | 'virtual' | 'digital';

/** Partner API v2.3, "CardApplicationStatus". `unknown` is one that it does not show. */
export type ApplicationState = 'pending' | 'accepted' | 'rejected' | 'unknown';

export interface CardApplication {
  readonly id: number;
  readonly programId?: number;
  readonly state: ApplicationState;
  /** "A rejected application carries rejectionReason." */
  readonly reason?: string;
}

/** Partner API v2.3, "CardStatus". `unknown` is one that it does not show. */
export type CardState = 'issued' | 'active' | 'blocked' | 'suspended' | 'expired' | 'cancelled' | 'unknown';
/** Partner API v2.3, "DeliveryStatus". */
export type DeliveryState = 'preparing' | 'producing' | 'ready' | 'delivered';

/** The uses of a card. All four must be sent together: one that is left out is refused. */
export const CARD_SERVICES = ['allowAtm', 'allowOnline', 'allowPos', 'contactlessEnabled'] as const;
export type CardService = (typeof CARD_SERVICES)[number];
export type CardServices = Readonly<Record<CardService, boolean>>;

/** A card of the customer's. The API gives neither its number nor its CVV nor its PIN: only the last digits are known. */
export interface IssuedCard {
  readonly id: number;
  readonly state: CardState;
  readonly last4?: string;
  readonly programId?: number;
  /** Of a card that somebody makes and hands over. */
  readonly delivery?: DeliveryState;
  /** Absent where the wallet does not say all four. */
  readonly services?: CardServices;
}

/** A payment with an issued card. It is no operation of the wallet's list, and no event tells of it. */
export interface CardTransaction {
  readonly amount: Centimes;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly merchant?: string;
  /** True where the card was not accepted. */
  readonly declined: boolean;
}

/** Partner API v2.3, "States and transitions / Card": the five calls that change a card's status. */
export type CardAction = 'activate' | 'block' | 'suspend' | 'reactivate' | 'cancel';
