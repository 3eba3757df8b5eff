import { NO_ARCHIVE } from '../conversation/intents/archive.ts';
import { type Log, thrown } from '../log/thrown.ts';
import { type Store, StoreDown } from '../store/store.ts';
import { createArchive } from './archive.ts';
import { meetRecords } from './older-store.ts';
import type { Records } from './records.ts';
import { openSqliteRecords } from './sqlite.ts';

/** The place of the records, by the settings. */
interface RecordsConfig {
  readonly RECORDS_URL?: string | undefined;
  readonly REDIS_URL?: string | undefined;
  readonly DATA_DIR: string;
}

/** True where turns are recorded at all: a Redis without a database beside it keeps the last ones, and no more. */
function areKept({ RECORDS_URL, REDIS_URL }: RecordsConfig): boolean {
  return RECORDS_URL !== undefined || REDIS_URL === undefined;
}

/** Opens the records that are configured: PostgreSQL, else a file beside the embedded store. Rejects with a sentence. */
export async function openRecords(config: RecordsConfig): Promise<Records | undefined> {
  const { RECORDS_URL: url, DATA_DIR: directory } = config;
  if (!areKept(config)) return undefined;
  if (!url) return openSqliteRecords(directory);
  // Loaded only where it is used, as the driver of Redis is.
  const { openPostgresRecords } = await import('./postgres.ts');
  return openPostgresRecords(url);
}

/**
 * The records, where there are any, and what the store has lost of them is in it again. Rejects with an old copy of the store that
 * nobody has meant.
 */
export async function open(
  config: RecordsConfig & { readonly STORE_RESTORED: Parameters<typeof meetRecords>[1] },
  { stores, log }: { readonly stores: readonly [Store, ...Store[]]; readonly log: Log },
) {
  const records = await openRecords(config);
  if (!records) return { archive: NO_ARCHIVE };
  try {
    const [store] = stores;
    const sentence = await meetRecords({ store, records, now: Date.now }, config.STORE_RESTORED);
    if (sentence) log.say('The live store is older than the records', { sentence });
  } catch (error) {
    if (!(error instanceof StoreDown)) {
      await Promise.all([...new Set(stores), records].map((each) => each.close()));
      throw error;
    }
    log.say('The records did not answer at the start', thrown(error));
  }
  return { records, archive: createArchive(records) };
}
