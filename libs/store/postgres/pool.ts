import pg from 'pg';
import type { Logger } from 'pino';
import { OutcomeUnknownError } from '#domain/errors.ts';
import { statementRun } from '#platform/metrics/activities.ts';
import { translated } from './constraints.ts';
import { createSnapshot } from './snapshot.ts';
import type { RunSnapshot } from './snapshot.ts';
import { readDbOver, txOver } from './sql.ts';
import type { Queryable, ReadDb, Tx } from './sql.ts';
import {
  createTrouble,
  DatabaseUnavailableError,
  isOutcomeUnknown,
  withUnavailability,
} from './unavailable.ts';

interface PoolOptions {
  connectionString: string;
  applicationName: string;
  /** Number of reading connections, and of writing ones. */
  max: number;
  statementTimeoutMs: number;
  /** Longest wait for a free connection, 2 s by default. */
  waitMs?: number;
}

const createPools = ({
  connectionString,
  applicationName,
  max,
  statementTimeoutMs,
  waitMs = 2_000,
}: PoolOptions) => {
  const sessionSettings = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
  };
  const createPool = (more: Record<string, string> = {}) => {
    const settings = Object.entries({ ...sessionSettings, ...more });
    return new pg.Pool({
      connectionString,
      application_name: applicationName,
      max,
      connectionTimeoutMillis: waitMs,
      idleTimeoutMillis: 30_000,
      query_timeout: statementTimeoutMs + 2_000,
      keepAlive: true,
      // By statements, since poolers refuse most start-up parameters.
      // oxlint-disable-next-line typescript/no-misused-promises -- The pool awaits it, which its types omit.
      onConnect: (client) =>
        client.query(
          'SELECT set_config(name, setting, false) FROM unnest($1::text[], $2::text[]) AS s (name, setting)',
          [settings.map(([name]) => name), settings.map(([, value]) => String(value))],
        ),
    });
  };
  return {
    // A write outside a transaction could not be rolled back, so the connections of `db` cannot write. Their statements
    // take milliseconds: starting parallel workers took 20 ms of the 27 ms of the statistics of a user with 50,000
    // calculations.
    reading: createPool({ default_transaction_read_only: 'on', max_parallel_workers_per_gather: '0' }),
    writing: createPool(),
    // Separate, since a lock holder also needs a writing connection: sharing one pool they could deadlock.
    locking: createPool(),
  };
};

type Exclusive = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** `Postgres.exclusive`: an advisory lock, held by one connection of the pool while the work runs. */
const createExclusive =
  (
    locking: pg.Pool,
    translate: (error: unknown) => unknown,
    unlockFailed: (error: Error) => void,
  ): Exclusive =>
  async (key, work) => {
    const client = await locking.connect().catch((error: unknown) => {
      throw translate(error);
    });
    let broken: Error | undefined;
    const query = async (text: string) => {
      try {
        await client.query({ text, values: [key] });
      } catch (error) {
        broken = error instanceof Error ? error : new Error(String(error));
        throw translate(error);
      }
    };
    try {
      await query('SELECT pg_advisory_lock(hashtextextended($1, 0))');
      return await work();
    } finally {
      // A lost connection has lost the lock; a dropped one releases it.
      if (!broken) await query('SELECT pg_advisory_unlock(hashtextextended($1, 0))').catch(unlockFailed);
      client.release(broken);
    }
  };

type Translate = (error: unknown) => unknown;

const translating = (client: Queryable, translate: Translate): Queryable => ({
  query: async (config) => {
    try {
      return await client.query(config);
    } catch (error) {
      throw translate(error);
    }
  },
});

/** The statement of `single`; any further one is a bug. */
const once = (client: Queryable): Queryable => {
  let isUsed = false;
  return {
    query: async (config) => {
      if (isUsed) throw new Error(`a second statement in a single one: ${config.text}`);
      isUsed = true;
      return client.query(config);
    },
  };
};

/** Begins a transaction, in one message with the user for whom it runs, whom `acting_user` of the migrations reads. */
const beginText = (actor: { userId: number } | undefined): string =>
  actor ? `BEGIN; SET LOCAL app.actor = ${Math.trunc(actor.userId)}` : 'BEGIN';

// int8 (ids, counts) and numeric fit a double here; dates stay text so that no time zone is guessed.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

export interface Postgres {
  /** Connections of the pool, and the number of calls waiting for one. */
  connections: () => { open: number; idle: number; waiting: number };
  /** The reason of a recent failure that a read would not show, such as `disk full`, or null. */
  trouble: () => string | null;
  /** Reads only: Postgres itself refuses a statement that writes. */
  db: ReadDb;
  snapshot: RunSnapshot;
  /**
   * Runs `work` in one transaction, in the name of `actor`; hooks run after it has ended. A failure rolls back and is
   * rethrown. A commit without an answer throws OutcomeUnknownError and runs no hooks.
   */
  transaction: <T>(work: (tx: Tx) => Promise<T>, actor?: { userId: number }) => Promise<T>;
  /**
   * Runs `work` with one statement, which is a transaction by itself and committed when it resolves, whatever `work`
   * does afterwards. A second statement is refused. Without an answer it throws OutcomeUnknownError.
   */
  single: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Runs `work` while no other process does with this key; rejects after 2 s of waiting. The lock ends with its connection. */
  exclusive: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
}

/** The change ended without an answer: it may have been committed. */
const unknownOutcome = (cause: unknown): OutcomeUnknownError => {
  const reason = 'the connection was lost while the change was being committed';
  return new OutcomeUnknownError('the database', { reason, code: '40003', retryAfterSeconds: 2, cause });
};

/** After an error that was swallowed the first statement fails; COMMIT alone would roll back in silence. */
const commitText = 'SELECT; COMMIT';

const runHooks = async (hooks: (() => unknown)[], log: Logger) => {
  for (const hook of hooks) {
    try {
      await hook();
    } catch (error) {
      log.error({ err: error }, 'transaction hook failed');
    }
  }
};

export const createPostgres = (options: PoolOptions, log: Logger): Postgres => {
  const { reading, writing, locking } = createPools(options);
  const pools = [reading, writing, locking];
  const trouble = createTrouble();
  /** Violations of known constraints become domain errors, a temporarily unavailable database an UnavailableError. */
  const translateOf =
    (mayWrite: boolean): Translate =>
    (error) => {
      const known = withUnavailability(translated(error), { mayWrite });
      trouble.note(known);
      return known;
    };
  const readError = translateOf(false);
  const writeError = translateOf(true);
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

  const connect = async (): Promise<pg.PoolClient> => {
    try {
      return await writing.connect();
    } catch (error) {
      throw writeError(error);
    }
  };

  const commit = async (client: pg.PoolClient): Promise<void> => {
    try {
      await statementRun.run({ text: 'COMMIT' }, () => client.query(commitText));
    } catch (error) {
      throw isOutcomeUnknown(error) ? unknownOutcome(error) : writeError(error);
    }
  };

  /** The reason why the connection cannot be used again, if there is one. */
  const rollback = async (client: pg.PoolClient): Promise<Error | undefined> => {
    try {
      await client.query('ROLLBACK');
      return undefined;
    } catch (error) {
      const broken = error instanceof Error ? error : new Error(String(error));
      log.warn({ err: broken }, 'rollback failed, connection dropped');
      return broken;
    }
  };

  const transaction: Postgres['transaction'] = async (work, actor) => {
    const client = await connect();
    const committed: (() => unknown)[] = [];
    const connection = translating(client, writeError);
    try {
      const tx = txOver(connection, (hook) => void committed.push(hook));
      await statementRun.run({ text: 'BEGIN' }, () =>
        connection.query({ text: beginText(actor), values: [] }),
      );
      const result = await work(tx);
      await commit(client);
      client.release();
      await runHooks(committed, log);
      return result;
    } catch (error) {
      if (error instanceof OutcomeUnknownError) {
        client.release(true);
        throw error;
      }
      client.release(await rollback(client));
      throw error;
    }
  };

  const single = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const committed: (() => unknown)[] = [];
    let isCommitted = false;
    const statement: Queryable = {
      query: async (config) => {
        const client = await connect();
        try {
          const result = await client.query(config);
          client.release();
          isCommitted = true;
          return result;
        } catch (error) {
          const known = writeError(error);
          // A value that cannot be serialised fails here, too.
          const isUnknown = known instanceof DatabaseUnavailableError && isOutcomeUnknown(error);
          client.release(isUnknown);
          if (!isUnknown) throw known;
          throw unknownOutcome(error);
        }
      },
    };
    try {
      return await work(txOver(once(statement), (hook) => void committed.push(hook)));
    } finally {
      if (isCommitted) await runHooks(committed, log);
    }
  };

  const sum = (pick: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + pick(pool), 0);
  return {
    connections: () => ({
      open: sum((pool) => pool.totalCount),
      idle: sum((pool) => pool.idleCount),
      waiting: sum((pool) => pool.waitingCount),
    }),
    trouble: trouble.current,
    db: readDbOver(translating(reading, readError)),
    snapshot: createSnapshot(
      () =>
        reading.connect().catch((error: unknown) => {
          throw readError(error);
        }),
      (client) => translating(client, readError),
    ),
    transaction,
    single,
    exclusive: createExclusive(locking, writeError, lost('unlock failed')),
    close: async () => {
      isClosing = true;
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
};
