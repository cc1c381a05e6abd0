import { OperatorError } from '#platform/errors.ts';
import type { Postgres } from './pool.ts';
import { sql } from './sql.ts';
import type { ReadDb } from './sql.ts';
import { sessionSettings } from './shared-connections.ts';

/** The sessions lack settings that this service needs; the message is one sentence for the operator. */
export class SessionError extends OperatorError {
  override name = 'SessionError';
}

const cure =
  'Give the address of the server itself, or of a pooler that passes on what a session requests at its start; or set DATABASE_DIRECT_URL to the server itself';

const settingsOf = async (db: ReadDb, names: readonly string[]): Promise<Map<string, string>> => {
  const rows = await db.any<{ name: string; setting: string }>(
    sql`SELECT name, setting FROM pg_settings WHERE name = ANY(${names})`,
  );
  return new Map(rows.map(({ name, setting }) => [name, setting]));
};

const differences = async (
  db: ReadDb,
  asked: Readonly<Record<string, number | string>>,
): Promise<string[]> => {
  const found = await settingsOf(db, Object.keys(asked));
  return Object.entries(asked)
    .filter(([name, value]) => found.get(name) !== String(value))
    .map(([name, value]) => `${name} is ${found.get(name) ?? 'unknown'} instead of ${value}`);
};

/** Errors that only a pooler can cause. */
const actOfPooler = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null;
  const name = /unsupported startup parameter(?: in options)?: (\w+)/.exec(error.message)?.[1];
  if (name !== undefined) return `refuses ${name}, which sessions request at their start`;
  // A prepared statement of this connection belongs to another one, or no longer exists.
  const isShared = 'code' in error && (error.code === '42P05' || error.code === '26000');
  return isShared ? 'shares connections between sessions' : actOfPooler(error.cause);
};

/**
 * Throws `SessionError` if a pooler between this service and its database drops or refuses the session settings:
 * statements would have no timeout, and reading connections could write.
 */
export const assertSessions = async (
  { db, transaction }: Pick<Postgres, 'db' | 'transaction'>,
  statementTimeoutMs: number,
  isShared = false,
): Promise<void> => {
  const asked = sessionSettings(statementTimeoutMs);
  const readOnly = isShared ? 'transaction_read_only' : 'default_transaction_read_only';
  try {
    const found = [
      ...(await transaction((tx) => differences(tx, asked))),
      ...(await differences(db, { [readOnly]: 'on' })),
    ];
    if (found.length === 0) return;
    throw new SessionError(`DATABASE_URL: in its sessions ${found.join(', ')}, as behind a pooler. ${cure}.`);
  } catch (error) {
    const act = actOfPooler(error);
    if (act === null) throw error;
    throw new SessionError(`DATABASE_URL: a pooler ${act}. ${cure}.`);
  }
};
