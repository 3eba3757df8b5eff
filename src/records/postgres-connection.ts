import { hash } from 'node:crypto';
import pg from 'pg';
import { RecordsDown } from './records.ts';

/** How long it is tried to reach the server. */
const CONNECT_MS = 5_000;
/** A page that waits longer has lost its reader. A batch may take longer. */
const READ_MS = 5_000;
export const WRITE_MS = 30_000;
const CONNECTIONS_MAX = 8;
/** How long a connection is used: the address may lead to another server by then, and an old one may still answer reads. */
const CONNECTION_MAX_SECONDS = 60;
/** Classes of errors that are bugs of ours: data, syntax, constraints (PostgreSQL, appendix A). */
const BUGS = /^(?:22|23|42)/;
/** The server is not reached, does not let us in, or has no such database. */
const CONNECTING = /^(?:E[A-Z]+|28...|3D000)$/;

/** A runner of SQL: the pool, or one connection in a transaction. */
export type Queries = Pick<pg.Pool, 'query'>;

export interface Connections {
  /** Reads, or writes one statement. Rejects with `RecordsDown`. */
  run<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Does all of it, or nothing. Rejects with `RecordsDown`. A bug stays a bug. */
  inTransaction<T>(work: (client: Queries) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** @param url `postgres://user:password@host:port/database`, with `?sslmode=verify-full` and the like */
export function connectPostgres(url: string, connectMs = CONNECT_MS): Connections {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: connectMs,
    maxLifetimeSeconds: CONNECTION_MAX_SECONDS,
    query_timeout: WRITE_MS,
    application_name: 'wasl',
    keepAlive: true,
    allowExitOnIdle: true,
    idleTimeoutMillis: CONNECTION_MAX_SECONDS * 1_000,
    // Among many weeks of events the server takes a search for an expensive one. It compiles it (400 ms instead of 3), and it plans it
    // anew for its values (10 ms instead of none).
    onConnect: async (client) =>
      void (await client.query('SET jit = off; SET plan_cache_mode = force_generic_plan').catch(() => {})),
  });
  // A connection that is lost while nobody uses it: the next one is made when it is needed.
  pool.on('error', () => {});
  // One that is lost between two statements of a transaction: the next statement says so.
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    run: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      orDown(async () => {
        const query = { name: nameOf(text), text, values: [...values], query_timeout: READ_MS };
        return (await pool.query<Row>(query)).rows;
      }),
    inTransaction: (work) => orDown(() => inTransaction(pool, work)),
    close: () => pool.end(),
  };
}

/** The name of a prepared statement: a connection plans each text once. */
function nameOf(text: string): string {
  return hash('sha1', text);
}

async function inTransaction<T>(pool: pg.Pool, work: (client: Queries) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // Its server rolls back. It may be a standby by now, or silent: the next transaction is begun on another connection.
    client.release(true);
    throw error;
  }
}

/** True for an error that a statement or its values have caused: it comes again. */
export function isBug(error: unknown): boolean {
  return BUGS.test((error as { code?: string }).code ?? '');
}

/** Any error but a bug is the world's fault: the network, the disk, a server that starts or ends. */
async function orDown<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (isBug(error)) throw error;
    // A message about a statement may quote a value. Its code does not, and neither does a message about connecting.
    const says = code && !(CONNECTING.test(code) && message) ? code : message;
    throw new RecordsDown(`PostgreSQL: ${says}`, { cause: code ? undefined : error });
  }
}
