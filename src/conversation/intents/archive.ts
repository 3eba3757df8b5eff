import type { Partition, TurnEntry } from '../../store/store.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Address } from '../channel.ts';
import type { Intent } from './intent.ts';

/** A turn record that was kept, as JSON, with the partition and the id that it had in its stream. */
export interface ArchivedTurn extends TurnEntry {
  readonly partition: Partition;
}

/** Selects the turns at one address, or those of a wallet over all its addresses. */
export type Whose = { readonly address: Address } | { readonly wallet: Msisdn };

/** Payments that are over, and turns, once the store does not keep them any more. Each method rejects with `StoreDown`. */
export interface Archive {
  /** A payment by its id. Undefined where it was never there. */
  find(id: string): Promise<Intent | undefined>;
  /** The ids of the payments with this name, by any reference that customers read, newest first. */
  named(name: string, limit: number): Promise<readonly string[]>;
  /** The payments of a wallet, newest first. @param before when those that are asked for were sent, in ms since 1970 */
  ofWallet(wallet: string, limit: number, before?: number): Promise<readonly Intent[]>;
  /** The newest turn records of a partition that are older than an id (absent: all of them), newest first. */
  turns(partition: Partition, limit: number, before?: string): Promise<readonly ArchivedTurn[]>;
  /** The newest turn records of a customer, newest first. @param before when those that are asked for happened, in ms since 1970 */
  turnsOf(whose: Whose, limit: number, before?: number): Promise<readonly ArchivedTurn[]>;
  /** The newest turn records that name something, newest first: a payment, or one of our ids of a call. */
  turnsNaming(ref: string, limit: number): Promise<readonly ArchivedTurn[]>;
}

/** Where nothing leaves the store. */
export const NO_ARCHIVE: Archive = {
  find: async () => undefined,
  named: async () => [],
  ofWallet: async () => [],
  turns: async () => [],
  turnsOf: async () => [],
  turnsNaming: async () => [],
};
