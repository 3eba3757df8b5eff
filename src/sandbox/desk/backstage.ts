import { hash } from 'node:crypto';
import type { Core } from '../core/core.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { Customers } from '../customers/customer.ts';
import type { RequestLog } from '../door/request-log.ts';
import type { Faults } from '../faults/fault-control.ts';
import type { Operations } from '../operations/operation.ts';
import type { Partners } from '../partners/partners.ts';
import type { DueWork } from '../time/due.ts';
import { createBooks } from './books.ts';
import type { Snapshots } from './snapshots.ts';
import { createWallets } from './wallets.ts';
import { createWebhookActs } from './webhook-acts.ts';

const VERSION_LENGTH = 16;

/** What a reset may say beside "begin again". */
export interface ResetOrder {
  /** Absent: the seed that the sandbox was started with, or a new one. */
  readonly seed?: string | undefined;
  /** The clock then stands still at this moment, in ms since 1970. Absent: it shows the time of day. */
  readonly frozenAt?: number | undefined;
}

/** The rooms behind the API that the desk looks into. */
export interface Rooms {
  readonly core: Core;
  readonly customers: Customers;
  readonly partners: Partners;
  readonly operations: Operations;
  readonly due: DueWork;
  readonly faults: Faults;
  readonly settings: SettingsStore;
  readonly log: RequestLog;
  readonly snapshots: Snapshots;
  reset(order?: ResetOrder): void;
}

/** All that the desk's pages and the admin API work with. */
export function backstage(rooms: Rooms) {
  const { core, faults, settings, log } = rooms;
  return {
    ...rooms,
    wallets: createWallets(core),
    books: createBooks(core),
    webhooks: createWebhookActs(core),
    /** Another text whenever something that the desk shows may have changed, but for the time. */
    version(): string {
      const { db, clock } = core;
      const all = [db.era(), db.changes(), log.count(), faults.list(), settings.all(), clock.isFrozen()];
      return hash('sha256', JSON.stringify(all), 'base64url').slice(0, VERSION_LENGTH);
    },
  };
}
export type Backstage = ReturnType<typeof backstage>;
