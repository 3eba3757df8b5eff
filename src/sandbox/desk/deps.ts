import { hash } from 'node:crypto';
import type { Core } from '../core/core.ts';
import type { SettingsStore } from '../core/settings.ts';
import type { RequestLog } from '../door/request-log.ts';
import type { Faults } from '../faults/fault-control.ts';
import type { DueWork } from '../time/due.ts';
import type { Snapshots } from './snapshots.ts';

const VERSION_LENGTH = 16;

/** What a reset may ask for beyond the beginning. */
export interface ResetOrder {
  /** Absent: the seed that the sandbox was started with, or a new one. */
  readonly seed?: string | undefined;
  /** The clock is then stopped at this moment, in ms since 1970. Absent: it shows the time of day. */
  readonly frozenAt?: number | undefined;
}

/** All that the desk's pages and the admin API work with. */
export interface DeskDeps {
  readonly core: Core;
  readonly due: DueWork;
  readonly faults: Faults;
  readonly settings: SettingsStore;
  readonly log: RequestLog;
  readonly snapshots: Snapshots;
  /** True where the customers of a new partner have used their wallets before. */
  readonly past: boolean;
  reset(order?: ResetOrder): void;
}

/** Another text whenever something that the desk shows may have changed, but for the time. */
export function versionOf({ core, faults, settings, log }: DeskDeps): string {
  const { db, clock } = core;
  const all = [db.era(), db.changes(), log.count(), faults.list(), settings.all(), clock.isFrozen()];
  return hash('sha256', JSON.stringify(all), 'base64url').slice(0, VERSION_LENGTH);
}
