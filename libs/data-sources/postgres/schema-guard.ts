import { SchemaError, migrationNames, schemaProblem } from './migrations.ts';
import { sql } from './sql.ts';
import type { ReadDb } from './sql.ts';

export interface SchemaGuard {
  /** Why this version must not use the database, in one sentence, or null. */
  problem: () => Promise<string | null>;
}

/**
 * Compares the migrations that this process was started with to those of the database: two small queries, so cheap
 * that readiness asks each time. Files that change below a running process do not count.
 */
export const createSchemaGuard = async (db: ReadDb, folder?: string): Promise<SchemaGuard> => {
  const known = await migrationNames(folder);
  return {
    problem: async () => {
      const { found } = await db.one<{ found: boolean }>(
        sql`SELECT to_regclass('migration') IS NOT NULL AS found`,
      );
      const rows = found ? await db.any<{ name: string }>(sql`SELECT name FROM migration`) : [];
      return schemaProblem(
        known,
        rows.map(({ name }) => name),
      );
    },
  };
};

/** Throws `SchemaError` when this version must not use the database. */
export const assertSchema = async (guard: SchemaGuard): Promise<void> => {
  const problem = await guard.problem();
  if (problem !== null) throw new SchemaError(problem);
};
