import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../log/lines.ts';
import { openSqliteStore } from './sqlite.ts';
import { STORE_FILE } from './sqlite-database.ts';
import type { Store } from './store.ts';

/** The place of the store, by the settings. */
interface StoreConfig {
  readonly REDIS_URL?: string | undefined;
  readonly REDIS_CLUSTER: boolean;
  readonly REDIS_SENTINELS?: string | undefined;
  readonly REDIS_CA?: string | undefined;
  readonly REDIS_PREFIX: string;
  readonly REDIS_REPLICAS_MIN: number;
  readonly DATA_DIR: string;
  readonly TURNS_MAX?: number | undefined;
  /** The records of turns. Without it only turns of the embedded store are recorded. */
  readonly RECORDS_URL?: string | undefined;
}

/** A sentence if the embedded store was never made there. Undefined for a Redis. Makes nothing. */
export function missingStore({
  REDIS_URL,
  DATA_DIR: directory,
}: Pick<StoreConfig, 'REDIS_URL' | 'DATA_DIR'>): string | undefined {
  if (REDIS_URL || existsSync(join(directory, STORE_FILE))) return undefined;
  return `There is no store in ${directory} (no ${STORE_FILE}): set DATA_DIR to the folder that Wasl runs on.`;
}

/** Opens the store that is configured: Redis, else the embedded one. Rejects with a sentence. */
export async function openStore(config: StoreConfig, warn: (sentence: string) => void): Promise<Store> {
  const {
    REDIS_URL: url,
    REDIS_CLUSTER: cluster,
    REDIS_SENTINELS: sentinels,
    REDIS_CA: ca,
    REDIS_PREFIX: prefix,
    REDIS_REPLICAS_MIN: replicasMin,
    DATA_DIR: directory,
    TURNS_MAX: turnsMax,
    RECORDS_URL: recordsUrl,
  } = config;
  const turns = { recorded: !url || recordsUrl !== undefined, ...(turnsMax && { turnsMax }) };
  if (!url) return openSqliteStore({ directory, ...turns });
  if (replicasMin === 0)
    warn('payments do not wait for replicas of Redis: a failover can lose them (set REDIS_REPLICAS_MIN)');
  // Loaded only where it is used: it would be a fifth of the start-up.
  const { openRedisStore } = await import('./redis.ts');
  return openRedisStore({ ...turns, url, cluster, sentinels, ca, prefix, replicasMin, warn });
}

/**
 * The store, and two connections of its own: neither the search for what is due nor a page of the console holds up a turn. The
 * embedded store has one connection.
 */
export async function open(config: StoreConfig, { log }: { readonly log: Log }) {
  const store = await openStore(config, (warning) =>
    log.say('The store is not set up as it must be', { warning }),
  );
  const [workerStore, consoleStore] = config.REDIS_URL
    ? await Promise.all([openStore(config, () => {}), openStore(config, () => {})])
    : [store, store];
  return { store, workerStore, consoleStore };
}
