import type { Records } from './records.ts';
import { openSqliteRecords } from './sqlite.ts';

/** Where the records are, as the settings say it. */
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
