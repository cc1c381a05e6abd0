/** The migrations of this version, and those of a database. */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OperatorError } from '#platform/errors.ts';
import { sql } from './sql.ts';
import type { ReadDb } from './sql.ts';

export const migrationFolder = resolve(import.meta.dirname, '../../../db/migrations');

/**
 * The files up to 0195 produce the schema of 122 earlier migrations that they replaced. They are not run on a
 * database that has those, and its rows in `migration` are kept for processes of the previous version. Can be
 * removed once no such database is left.
 */
export const squashed = { last: '0195_ofp_planned_settings.sql', count: 122 };

/**
 * `before`: only adds, so that processes of the previous version keep running. `after`: removes what only
 * that version needs, in a file that begins with the comment "After the upgrade".
 */
type Stage = 'before' | 'after';

export interface MigrationFile {
  name: string;
  stage: Stage;
  text: string;
  /** Hexadecimal SHA-256 of the text, independent of line ends. */
  checksum: string;
}

export interface MigrationState {
  name: string;
  stage: Stage;
  /** `unknown`: in the database only. `edited`: the file was changed after it had run. */
  state: 'applied' | 'pending' | 'unknown' | 'edited';
  ranAt: Date | null;
}

/** The database schema does not match this version; the message is one sentence for the operator. */
export class SchemaError extends OperatorError {
  override name = 'SchemaError';
}

const afterLine = /^(?:--.*\r?\n)*-- After the upgrade\b/;

/** The migration files in the order in which they run. */
export const readMigrations = async (folder = migrationFolder): Promise<MigrationFile[]> => {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      // Git may check the file out with other line ends on another system.
      const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
      return { name, stage: afterLine.test(text) ? 'after' : 'before', text, checksum };
    }),
  );
};

/** Every migration of the files and of the database, by name; without the rows of joined migrations. */
export const migrationStates = async (
  db: ReadDb,
  files: readonly MigrationFile[],
): Promise<MigrationState[]> => {
  const isEmpty = await db.value<boolean>(sql`SELECT to_regclass('migration') IS NULL AS is_empty`);
  const rows = isEmpty
    ? []
    : await db.any<{ name: string; ranAt: Date; checksum: string; isCompatible: boolean }>(sql`
        SELECT name, ran_at, checksum, is_compatible FROM migration
        WHERE name > ${squashed.last} OR name = ANY(${files.map(({ name }) => name)})`);
  const applied = new Map(rows.map((row) => [row.name, row]));
  const ofFiles = files.map(({ name, stage, checksum }): MigrationState => {
    const row = applied.get(name);
    applied.delete(name);
    const state = row ? (row.checksum === checksum ? 'applied' : 'edited') : 'pending';
    return { name, stage, state, ranAt: row?.ranAt ?? null };
  });
  const others = [...applied.values()].map(({ name, ranAt, isCompatible }): MigrationState => ({
    name,
    stage: isCompatible ? 'before' : 'after',
    state: 'unknown',
    ranAt,
  }));
  return [...ofFiles, ...others].toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

/** Name of a migration without the file extension. */
export const titleOf = (name = 'nothing'): string => name.replace(/\.sql$/, '');

/** `0031_a`, `0031_a and 0032_b`, `0031_a to 0035_e`. */
const rangeOf = (list: readonly { name: string }[]): string => {
  const names = list.map(({ name }) => titleOf(name)).sort();
  return names.length <= 2 ? names.join(' and ') : `${names[0]} to ${names.at(-1)}`;
};

export const tooNew = (unknown: readonly MigrationState[], all: readonly MigrationState[]): string => {
  const known = all.findLast(({ state }) => state !== 'unknown');
  return `The database has ${rangeOf(unknown)}, this version knows up to ${titleOf(known?.name)}: run a newer version.`;
};

export interface SchemaComparison {
  /** Why a version must not use the database, in one sentence, or null. */
  problem: string | null;
  /** How the schema differs where that does not matter, or null. */
  note: string | null;
}

/** A version can use a database that has all additive migrations it knows, and others only if they are additive. */
export const compareSchema = (states: readonly MigrationState[]): SchemaComparison => {
  const unknown = states.filter(({ state }) => state === 'unknown');
  const pending = states.filter(({ state }) => state === 'pending');
  const breaking = unknown.filter(({ stage }) => stage === 'after');
  const needed = pending.filter(({ stage }) => stage === 'before');
  if (breaking.length > 0) return { problem: tooNew(breaking, states), note: null };
  if (needed.length > 0)
    return { problem: `The database lacks ${rangeOf(needed)}: run \`npm run migrate\`.`, note: null };
  const notes = [
    unknown.length > 0 && `the database has ${rangeOf(unknown)} of a newer version`,
    pending.length > 0 && `${rangeOf(pending)} waits for \`npm run migrate -- finish\``,
  ];
  return { problem: null, note: notes.filter((note) => note !== false).join('; ') || null };
};

export interface SchemaGuard {
  compare: () => Promise<SchemaComparison>;
}

/**
 * Compares the migrations known when this process started with those of the database: two small queries,
 * cheap enough for every readiness check. Files that change while the process runs are ignored.
 */
export const createSchemaGuard = async (db: ReadDb, folder?: string): Promise<SchemaGuard> => {
  const known = await readMigrations(folder);
  return { compare: async () => compareSchema(await migrationStates(db, known)) };
};

/** Throws `SchemaError` when this version must not use the database. */
export const assertSchema = async (guard: SchemaGuard): Promise<void> => {
  const { problem } = await guard.compare();
  if (problem !== null) throw new SchemaError(problem);
};
