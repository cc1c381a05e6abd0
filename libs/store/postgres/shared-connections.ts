/**
 * Connections that a pooler shares between sessions, transaction by transaction (ADR 3): each transaction begins with what a session
 * would have asked for at its start.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Config } from '#platform/config/config.ts';
import { sessionSettings } from './session-settings.ts';
import type { Queryable } from './sql.ts';

export interface Pooler {
  /** Address of the server itself: for locks of sessions, which a pooler does not keep. */
  directConnectionString: string;
  /** Statements that were prepared in one connection of the server are known in the others. */
  keepsStatements: boolean;
}

/** `BEGIN` or `BEGIN READ ONLY` with what `limitsText` answers. */
export const begun = (begin: string, limits: string): string => begin + limits;

/** Follows a BEGIN in the same message. */
export const limitsText = (statementTimeoutMs: number): string =>
  Object.entries(sessionSettings(statementTimeoutMs))
    .map(([name, value]) => `; SET LOCAL ${name} = ${value}`)
    .join('');

export const withoutNames = (client: Queryable): Queryable => ({
  query: (config) => {
    const { name: _, ...unnamed } = config;
    return client.query(unnamed);
  },
});

/** Reads one by one, each in a transaction that cannot write. */
export const readingInTransactions = (
  pool: pg.Pool,
  limits: string,
  named: (client: Queryable) => Queryable,
): Queryable => ({
  query: async (config) => {
    const client = await pool.connect();
    // Nobody waits for the end of it; a notification is sent there.
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
 * The pooler to which DATABASE_URL leads when there is a DATABASE_DIRECT_URL. One that keeps statements gives them names of its own
 * (PgBouncer from 1.21 on); before, a name is that of whichever connection of the server a transaction gets.
 */
export const poolerOf = async ({
  DATABASE_URL,
  DATABASE_DIRECT_URL,
  DATABASE_WAIT_SECONDS,
}: Pick<Config, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_WAIT_SECONDS'>): Promise<
  Pooler | undefined
> => {
  if (DATABASE_DIRECT_URL === undefined || DATABASE_DIRECT_URL === DATABASE_URL) return undefined;
  const client = new pg.Client({
    connectionString: DATABASE_URL,
    connectionTimeoutMillis: DATABASE_WAIT_SECONDS * 1_000,
  });
  await client.connect();
  try {
    const name = `probe_${randomUUID()}`;
    await client.query('BEGIN');
    await client.query({ name, text: 'SELECT 1' });
    const { rows } = await client.query('SELECT FROM pg_prepared_statements WHERE name = $1', [name]);
    const keepsStatements = rows.length === 0;
    if (!keepsStatements) await client.query(`DEALLOCATE ${client.escapeIdentifier(name)}`);
    await client.query('COMMIT');
    return { directConnectionString: DATABASE_DIRECT_URL, keepsStatements };
  } finally {
    await client.end();
  }
};
