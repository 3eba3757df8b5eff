import type { CardStatus, CardType } from '../../wallet/contract/card-management.ts';

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
