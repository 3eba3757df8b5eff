import type { Partition, TurnEntry } from '../../store/store.ts';
import type { Address } from '../channel.ts';
import type { Intent } from './intent.ts';

/** A turn record that was kept, as JSON, with the partition and the id that it had in its stream. */
export interface ArchivedTurn extends TurnEntry {
  readonly partition: Partition;
}

/** What the store does not keep any more: payments that are over, and turns. Each rejects with `StoreDown`. */
export interface Archive {
  /** A payment by its id; undefined where it was never there. */
  find(id: string): Promise<Intent | undefined>;
  /** The id of the newest payment that is called so, by any reference that customers read. */
  named(name: string): Promise<string | undefined>;
  /** The payments of a wallet, newest first. */
  ofWallet(wallet: string, limit: number): Promise<readonly Intent[]>;
  /** The newest turn records of a partition that are older than an id (absent: all of them), newest first. */
  turns(partition: Partition, limit: number, before?: string): Promise<readonly ArchivedTurn[]>;
  /** The newest turn records of an address, newest first. */
  turnsOf(address: Address, limit: number): Promise<readonly ArchivedTurn[]>;
}

/** Where nothing leaves the store. */
export const NO_ARCHIVE: Archive = {
  find: async () => undefined,
  named: async () => undefined,
  ofWallet: async () => [],
  turns: async () => [],
  turnsOf: async () => [],
};
