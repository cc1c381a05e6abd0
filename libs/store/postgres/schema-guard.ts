import { SchemaError, compareSchema, squashed, readMigrations } from './migrations.ts';
import type { AppliedMigration, SchemaComparison } from './migrations.ts';
import { sql } from './sql.ts';
import type { ReadDb } from './sql.ts';

export interface SchemaGuard {
  compare: () => Promise<SchemaComparison>;
}

/**
 * Compares the migrations known when this process started with those of the database: two small queries,
 * cheap enough for every readiness check. Files that change while the process runs are ignored.
 */
export const createSchemaGuard = async (db: ReadDb, folder?: string): Promise<SchemaGuard> => {
  const known = (await readMigrations(folder)).map(({ name, stage }) => ({ name, stage }));
  return {
    compare: async () => {
      const found = await db.value<boolean>(sql`SELECT to_regclass('migration') IS NOT NULL AS found`);
      const rows = found
        ? await db.any<Pick<AppliedMigration, 'name' | 'isCompatible'>>(sql`
            SELECT name, is_compatible FROM migration
            WHERE name > ${squashed.last} OR name = ANY(${known.map(({ name }) => name)})`)
        : [];
      return compareSchema(known, rows);
    },
  };
};

/** Throws `SchemaError` when this version must not use the database. */
export const assertSchema = async (guard: SchemaGuard): Promise<void> => {
  const { problem } = await guard.compare();
  if (problem !== null) throw new SchemaError(problem);
};
