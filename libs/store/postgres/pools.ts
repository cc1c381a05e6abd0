/** The connections of a process. */
import pg from 'pg';
import { sessionSettings } from './session-settings.ts';
import { limitsText, withoutNames } from './shared-connections.ts';
import type { Pooler } from './shared-connections.ts';
import type { Queryable } from './sql.ts';

export interface PoolOptions {
  connectionString: string;
  applicationName: string;
  /** Connections that read, and as many again that write. */
  max: number;
  statementTimeoutMs: number;
  /** Longest wait for a free connection, 2 s by default. */
  waitMs?: number;
  /** The one that `connectionString` leads to. */
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
  // A write outside a transaction would not be rolled back, so the connections of `db` cannot write. Their statements are of
  // milliseconds: to start parallel workers took 20 ms of the 27 of the statistics of somebody with 50,000 calculations.
  const reading = new pg.Pool(
    pooler
      ? shared
      : {
          ...shared,
          options: '-c default_transaction_read_only=on -c max_parallel_workers_per_gather=0',
        },
  );
  const writing = new pg.Pool(shared);
  // Separate, since a holder also needs a connection that writes: out of one pool they could wait for each other.
  const locking = new pg.Pool({
    ...session,
    connectionString: pooler?.directConnectionString ?? options.connectionString,
  });
  return { pooler, limits, named, reading, writing, locking };
};
