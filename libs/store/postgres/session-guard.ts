import { OperatorError } from '#platform/errors.ts';
import type { Postgres } from './pool.ts';
import { sql } from './sql.ts';

/** Sessions are not this service's own; the message is one sentence for the operator. */
export class SessionError extends OperatorError {
  override name = 'SessionError';
}

/** A prepared statement of this connection belongs to another one, or no longer exists. */
const isOfAnother = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === '42P05' || error.code === '26000')) || isOfAnother(error.cause));

/**
 * Throws `SessionError` if a pooler gives the session of one connection to others between its transactions: statements
 * could lose their timeouts, and reading connections could write.
 */
export const assertSessions = async ({
  db,
  transaction,
}: Pick<Postgres, 'db' | 'transaction'>): Promise<void> => {
  const session = sql`SELECT pg_backend_pid() AS session`;
  try {
    const before = await db.value<number>(session);
    // A shared session is now in use by the transaction.
    const during = await transaction(async (tx) => {
      await tx.value(session);
      return db.value<number>(session);
    });
    if (before === during) return;
  } catch (error) {
    if (!isOfAnother(error)) throw error;
  }
  throw new SessionError(
    'DATABASE_URL: a pooler shares sessions between connections. Give the address of the server itself, or of a pooler in session mode.',
  );
};
