import {
  CARD_STATUSES,
  type CardStatus,
  DELIVERY_STATUSES,
  type DeliveryStatus,
} from '../../wallet/contract/card-management.ts';
import type { IssuedCard } from './card.ts';
import { isVirtual } from './programs.ts';

const { ISSUED, ACTIVATED, BLOCKED, SUSPENDED, EXPIRED, CANCELLED } = CARD_STATUSES;

/** One of the five calls that change the status of a card. */
export type CardAction = 'activate' | 'block' | 'suspend' | 'reactivate' | 'cancel';

/**
 * Partner API v2.3, "States and transitions / Card". "Any usable" is read as issued, activated or suspended. A blocked card
 * can only be cancelled (open question 20), and a cancelled one nothing any more.
 */
export const CARD_ACTIONS: Readonly<
  Record<CardAction, { readonly from: readonly CardStatus[]; readonly to: CardStatus }>
> = {
  activate: { from: [ISSUED], to: ACTIVATED },
  block: { from: [ISSUED, ACTIVATED, SUSPENDED], to: BLOCKED },
  suspend: { from: [ISSUED, ACTIVATED], to: SUSPENDED },
  reactivate: { from: [SUSPENDED], to: ACTIVATED },
  cancel: { from: [ISSUED, ACTIVATED, BLOCKED, SUSPENDED, EXPIRED], to: CANCELLED },
};

/** Services can be changed while the card may still be used. */
export const SERVICEABLE: readonly CardStatus[] = [ISSUED, ACTIVATED, SUSPENDED];

/** As words, for a refusal. */
export const STATUS_NAMES: Readonly<Record<CardStatus, string>> = {
  [ISSUED]: 'issued',
  [ACTIVATED]: 'activated',
  [BLOCKED]: 'blocked',
  [SUSPENDED]: 'suspended',
  [EXPIRED]: 'expired',
  [CANCELLED]: 'cancelled',
};

/** The status that a card has now: it expires by itself, unless it was cancelled. */
export function statusAt({ status, expiresAt }: IssuedCard, now: number): CardStatus {
  return status !== CANCELLED && expiresAt <= now ? EXPIRED : status;
}

/**
 * How far the delivery of a card is ("the progression of DeliveryStatus: not shown"): one that no machine makes is there at
 * once, plastic goes on by a step after each while.
 * @param stepMs how long it stays in a step
 */
export function deliveryAt({ type, createdAt }: IssuedCard, now: number, stepMs: number): DeliveryStatus {
  if (isVirtual(type)) return DELIVERY_STATUSES.DELIVERED;
  const steps = Math.floor((now - createdAt) / stepMs);
  return Math.min(DELIVERY_STATUSES.PENDING + steps, DELIVERY_STATUSES.DELIVERED) as DeliveryStatus;
}
