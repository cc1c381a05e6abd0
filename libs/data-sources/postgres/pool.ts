import pg from 'pg';
import type { Logger } from 'pino';
import { translated } from './constraints.ts';
import { readDbOver, txOver } from './sql.ts';
import type { Queryable, ReadDb, Tx } from './sql.ts';

// int8 (ids, counts) and numeric fit a double here; dates stay text so that no time zone is guessed.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

export interface PoolOptions {
  connectionString: string;
  applicationName: string;
  /** Connections that read, and as many again that write. */
  max: number;
  statementTimeoutMs: number;
}

export interface Postgres {
  /** Connections of the pool, and the number of calls waiting for one. */
  connections: () => { open: number; idle: number; waiting: number };
  /** Reads only: Postgres itself refuses a statement that writes. */
  db: ReadDb;
  /** Runs `work` in one transaction; hooks run after it has ended. A failure rolls back and is rethrown. */
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /**
   * Runs `work` with one statement, which is a transaction by itself: it is committed when it resolves, whatever
   * `work` does afterwards, and BEGIN and COMMIT are saved. A second statement is refused.
   */
  single: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /**
   * Runs `work` while no other process is in `exclusive` with the same key; waits 2 s for its turn, then rejects. The
   * lock ends with the connection, and so with a process that is killed; no transaction is open meanwhile.
   */
  exclusive: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
}

/** Violations of known constraints become domain errors, including those raised by the COMMIT. */
const translating = (client: Queryable): Queryable => ({
  query: async (config) => {
    try {
      return await client.query(config);
    } catch (error) {
      throw translated(error);
    }
  },
});

const runHooks = async (hooks: (() => unknown)[], log: Logger) => {
  for (const hook of hooks) {
    try {
      await hook();
    } catch (error) {
      log.error({ err: error }, 'transaction hook failed');
    }
  }
};

/** The statement of `single`; any further one is a bug. */
const once = (client: Queryable, onSent: () => void): Queryable => {
  let isUsed = false;
  return {
    query: async (config) => {
      if (isUsed) throw new Error(`a second statement in a single one: ${config.text}`);
      isUsed = true;
      const result = await client.query(config);
      onSent();
      return result;
    },
  };
};

export const createPostgres = (options: PoolOptions, log: Logger): Postgres => {
  const settings: pg.PoolConfig = {
    connectionString: options.connectionString,
    application_name: options.applicationName,
    max: options.max,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + 2_000,
    idle_in_transaction_session_timeout: 10_000,
    lock_timeout: 2_000,
    keepAlive: true,
  };
  // A write outside a transaction would not be rolled back, so the connections of `db` cannot write.
  const reading = new pg.Pool({ ...settings, options: '-c default_transaction_read_only=on' });
  const writing = new pg.Pool(settings);
  // Separate, since a holder also needs a connection that writes: out of one pool they could wait for each other.
  const locking = new pg.Pool(settings);
  const pools = [reading, writing, locking];
  let isClosing = false;
  // Only the reason: pg attaches the whole client to the error.
  const lost = (what: string) => (error: Error) => {
    if (!isClosing) log.warn({ reason: error.message }, what);
  };
  // Without listeners a lost backend would end the process; the next query takes a fresh connection.
  for (const pool of pools) {
    pool.on('error', lost('idle database connection lost'));
    pool.on('connect', (client) => client.on('error', lost('database connection lost')));
  }

  const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const client = await writing.connect();
    const committed: (() => unknown)[] = [];
    const rolledBack: (() => unknown)[] = [];
    let broken: Error | undefined;
    const connection = translating(client);
    try {
      const tx = txOver(connection, {
        onCommit: (hook) => void committed.push(hook),
        onRollback: (hook) => void rolledBack.push(hook),
      });
      await connection.query({ text: 'BEGIN', values: [] });
      const result = await work(tx);
      await connection.query({ text: 'COMMIT', values: [] });
      client.release();
      await runHooks(committed, log);
      return result;
    } catch (error) {
      try {
        await client.query('ROLLBACK');
      } catch (rollbackError) {
        broken = rollbackError instanceof Error ? rollbackError : new Error(String(rollbackError));
        log.warn({ err: broken }, 'rollback failed, connection dropped');
      }
      client.release(broken);
      await runHooks(rolledBack, log);
      throw error;
    }
  };

  const single = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const committed: (() => unknown)[] = [];
    const rolledBack: (() => unknown)[] = [];
    let isCommitted = false;
    const connection = once(translating(writing), () => {
      isCommitted = true;
    });
    try {
      return await work(
        txOver(connection, {
          onCommit: (hook) => void committed.push(hook),
          onRollback: (hook) => void rolledBack.push(hook),
        }),
      );
    } finally {
      await runHooks(isCommitted ? committed : rolledBack, log);
    }
  };

  const exclusive = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const client = await locking.connect();
    let broken: Error | undefined;
    const query = async (text: string) => {
      try {
        await client.query({ text, values: [key] });
      } catch (error) {
        broken = error instanceof Error ? error : new Error(String(error));
        throw error;
      }
    };
    try {
      await query('SELECT pg_advisory_lock(hashtextextended($1, 0))');
      return await work();
    } finally {
      // A lost connection no longer has the lock; one that is dropped loses it.
      if (!broken)
        await query('SELECT pg_advisory_unlock(hashtextextended($1, 0))').catch(lost('unlock failed'));
      client.release(broken);
    }
  };

  const sum = (pick: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + pick(pool), 0);
  return {
    connections: () => ({
      open: sum((pool) => pool.totalCount),
      idle: sum((pool) => pool.idleCount),
      waiting: sum((pool) => pool.waitingCount),
    }),
    db: readDbOver(reading),
    transaction,
    single,
    exclusive,
    close: async () => {
      isClosing = true;
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
};

const unavailable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

/** True when the error means that the database cannot be reached, as opposed to a failing statement. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (unavailable.has(code) || code.startsWith('08')) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|Query read timeout/.test(
    error.message,
  );
};
