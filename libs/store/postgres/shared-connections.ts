/**
 * Connections that a pooler shares between sessions, transaction by transaction (ADR 3): each transaction begins with
 * the settings that a session would have requested at its start.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Config } from '#platform/config/config.ts';
import { withClient } from './client.ts';
import type { Queryable } from './sql.ts';

/** Longest time that an answer of the API may take. */
export const statementTimeoutMsOf = (application: string): number => (application === 'api' ? 5_000 : 60_000);

/** Requested settings of a session, in milliseconds. */
export const sessionSettings = (statementTimeoutMs: number) => ({
  statement_timeout: statementTimeoutMs,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
});

interface Pooler {
  /** Address of the server itself: for session locks, which a pooler loses. */
  directConnectionString: string;
  /** Statements prepared in one server connection are known in the others. */
  keepsStatements: boolean;
}

/** `BEGIN` or `BEGIN READ ONLY` with the result of `limitsText`. */
export const begun = (begin: string, limits: string): string => begin + limits;

/** Follows a BEGIN in the same message. */
const limitsText = (statementTimeoutMs: number): string =>
  Object.entries(sessionSettings(statementTimeoutMs))
    .map(([name, value]) => `; SET LOCAL ${name} = ${value}`)
    .join('');

const withoutNames = (client: Queryable): Queryable => ({
  query: (config) => {
    const { name: _, ...unnamed } = config;
    return client.query(unnamed);
  },
});

/** Reads one statement at a time, each in a read-only transaction. */
export const readingInTransactions = (
  pool: pg.Pool,
  limits: string,
  named: (client: Queryable) => Queryable,
): Queryable => ({
  query: async (config) => {
    const client = await pool.connect();
    // Nothing awaits its end; it sends a notification.
    const end = (): void => {
      client.query('COMMIT').then(
        () => client.release(),
        (error: unknown) => client.release(error instanceof Error ? error : true),
      );
    };
    try {
      await client.query(begun('BEGIN READ ONLY', limits));
      return await named(client).query(config);
    } finally {
      end();
    }
  },
});

/**
 * The pooler to which DATABASE_URL leads when there is a DATABASE_DIRECT_URL. A pooler that supports prepared
 * statements (PgBouncer from 1.21 on) gives them its own names; older ones pass names on to whichever server
 * connection a transaction gets.
 */
export const poolerOf = async ({
  DATABASE_URL,
  DATABASE_DIRECT_URL,
}: Pick<Config, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>): Promise<Pooler | undefined> => {
  if (DATABASE_DIRECT_URL === undefined || DATABASE_DIRECT_URL === DATABASE_URL) return undefined;
  return withClient(DATABASE_URL, 'probe', async (client) => {
    const name = `probe_${randomUUID()}`;
    await client.query('BEGIN');
    await client.query({ name, text: 'SELECT 1' });
    const { rows } = await client.query('SELECT FROM pg_prepared_statements WHERE name = $1', [name]);
    const keepsStatements = rows.length === 0;
    if (!keepsStatements) await client.query(`DEALLOCATE ${client.escapeIdentifier(name)}`);
    await client.query('COMMIT');
    return { directConnectionString: DATABASE_DIRECT_URL, keepsStatements };
  });
};

export interface PoolOptions {
  connectionString: string;
  applicationName: string;
  /** Number of reading connections, and of writing ones. */
  max: number;
  statementTimeoutMs: number;
  /** Longest wait for a free connection, 2 s by default. */
  waitMs?: number;
  /** The server that `connectionString` leads to. */
  pooler?: Pooler | undefined;
}

export const createPools = (options: PoolOptions) => {
  const { pooler } = options;
  const limits = pooler ? limitsText(options.statementTimeoutMs) : '';
  const named = pooler && !pooler.keepsStatements ? withoutNames : (client: Queryable): Queryable => client;
  const anywhere: pg.PoolConfig = {
    connectionString: options.connectionString,
    application_name: options.applicationName,
    max: options.max,
    connectionTimeoutMillis: options.waitMs ?? 2_000,
    idleTimeoutMillis: 30_000,
    query_timeout: options.statementTimeoutMs + 2_000,
    keepAlive: true,
  };
  const session = { ...anywhere, ...sessionSettings(options.statementTimeoutMs) };
  const shared = pooler ? anywhere : session;
  // A write outside a transaction could not be rolled back, so the connections of `db` cannot write. Their statements
  // take milliseconds: starting parallel workers took 20 ms of the 27 ms of the statistics of a user with 50,000
  // calculations.
  const reading = new pg.Pool(
    pooler
      ? shared
      : {
          ...shared,
          options: '-c default_transaction_read_only=on -c max_parallel_workers_per_gather=0',
        },
  );
  const writing = new pg.Pool(shared);
  // Separate, since a lock holder also needs a writing connection: sharing one pool they could deadlock.
  const locking = new pg.Pool({
    ...session,
    connectionString: pooler?.directConnectionString ?? options.connectionString,
  });
  return { pooler, limits, named, reading, writing, locking };
};
