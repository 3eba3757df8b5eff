import {
  CARD_STATUSES,
  type CardStatus,
  type CardType,
  DELIVERY_STATUSES,
  type DeliveryStatus,
} from '../../wallet/contract/card-management.ts';
import type { Core } from '../core/core.ts';
import type { Customer } from '../customers/customer.ts';
import { isVirtual, type Program } from './programs.ts';

/** A card of a customer as a row. It has no number: nobody could pay with it, so only the last digits are made up. */
export interface IssuedCard {
  readonly id: number;
  readonly tenant: number;
  readonly customer: number;
  readonly account: number;
  readonly phone: string;
  readonly program: number;
  readonly type: CardType;
  /** `schemaId` of its programme. */
  readonly scheme: number;
  readonly last4: string;
  /** As last set. Whether it has expired since is the clock's to say. */
  readonly status: CardStatus;
  readonly reason: string | null;
  readonly allowAtm: 0 | 1;
  readonly allowOnline: 0 | 1;
  readonly allowPos: 0 | 1;
  readonly contactlessEnabled: 0 | 1;
  readonly createdAt: number;
  readonly expiresAt: number;
}

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
 * How far the delivery of a card is ("the progression of DeliveryStatus: not shown"). A card without plastic is there at once, and plastic goes on by
 * a step after each while.
 * @param stepMs how long it stays in a step
 */
export function deliveryAt({ type, createdAt }: IssuedCard, now: number, stepMs: number): DeliveryStatus {
  if (isVirtual(type)) return DELIVERY_STATUSES.DELIVERED;
  const steps = Math.floor((now - createdAt) / stepMs);
  return Math.min(DELIVERY_STATUSES.PENDING + steps, DELIVERY_STATUSES.DELIVERED) as DeliveryStatus;
}

/** Issues a card of a programme and gives its id. All of its services are on. */
export function issueCard(
  { db, clock, random }: Core,
  { id: customer, tenant, account, phone }: Customer,
  program: Program,
): number {
  const createdAt = clock.now();
  const row = {
    ...{ tenant, customer, account, phone, program: program.id },
    ...{ type: program.cardType, scheme: program.schemaId, status: CARD_STATUSES.ISSUED },
    ...{ allowAtm: 1, allowOnline: 1, allowPos: 1, contactlessEnabled: 1 },
    createdAt,
    expiresAt: endOfMonth(createdAt, program.validityMonths),
  };
  const id = db.insert('issuedCards', row);
  db.update('issuedCards', id, { last4: random.reference(id, 'issued card').slice(0, 4) });
  return id;
}

/** A card is good until the end of the month that is printed on it. */
function endOfMonth(from: number, months: number): number {
  const date = new Date(from);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1);
}
