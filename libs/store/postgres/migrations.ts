/** Compares the migrations of this version with those of a database. */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OperatorError } from '#platform/errors.ts';

export const migrationFolder = resolve(import.meta.dirname, '../../../db/migrations');

/**
 * The files up to 0195 produce the schema of 122 earlier migrations that they replaced. They are not run on a
 * database that has those, and its rows in `migration` are kept for processes of the previous version. Can be
 * removed once no such database is left.
 */
export const squashed = { last: '0195_ofp_planned_settings.sql', count: 122 };

export interface MigrationFile {
  name: string;
  /**
   * `before`: only adds, so that processes of the previous version keep running. `after`: removes what only
   * that version needs, in a file that begins with the comment "After the upgrade".
   */
  stage: 'before' | 'after';
  text: string;
  /** Hexadecimal SHA-256 of the text, independent of line ends. */
  checksum: string;
}

/** One row of the table `migration`. */
export interface AppliedMigration {
  name: string;
  ranAt: Date;
  checksum: string;
  /** Whether a version that does not know the migration may keep running. */
  isCompatible: boolean;
}

export interface MigrationState extends Pick<MigrationFile, 'name' | 'stage'> {
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

/** Every migration of either side, by name. */
export const migrationStates = (
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): MigrationState[] => {
  const rows = new Map(applied.map((row) => [row.name, row]));
  const ofFiles = files.map(({ name, stage, checksum }): MigrationState => {
    const row = rows.get(name);
    rows.delete(name);
    const state = row ? (row.checksum === checksum ? 'applied' : 'edited') : 'pending';
    return { name, stage, state, ranAt: row?.ranAt ?? null };
  });
  const others = [...rows.values()].map(({ name, ranAt, isCompatible }): MigrationState => ({
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

export const tooNew = (unknown: readonly { name: string }[], known: readonly { name: string }[]): string =>
  `The database has ${rangeOf(unknown)}, this version knows up to ${titleOf(known.at(-1)?.name)}: run a newer version.`;

export interface SchemaComparison {
  /** Why a version must not use the database, in one sentence, or null. */
  problem: string | null;
  /** How the schema differs where that does not matter, or null. */
  note: string | null;
}

/**
 * Whether a version that knows some migrations can use a database with the applied ones: all additive migrations that it
 * knows must be applied, and any others must be additive.
 */
export const compareSchema = (
  known: readonly Pick<MigrationFile, 'name' | 'stage'>[],
  applied: readonly Pick<AppliedMigration, 'name' | 'isCompatible'>[],
): SchemaComparison => {
  const unknown = applied.filter(({ name }) => !known.some((each) => each.name === name));
  const missing = known.filter(({ name }) => !applied.some((each) => each.name === name));
  const breaking = unknown.filter(({ isCompatible }) => !isCompatible);
  const needed = missing.filter(({ stage }) => stage === 'before');
  if (breaking.length > 0) return { problem: tooNew(breaking, known), note: null };
  if (needed.length > 0)
    return { problem: `The database lacks ${rangeOf(needed)}: run \`npm run migrate\`.`, note: null };
  const notes = [
    unknown.length > 0 && `the database has ${rangeOf(unknown)} of a newer version`,
    missing.length > 0 && `${rangeOf(missing)} waits for \`npm run migrate -- finish\``,
  ];
  return { problem: null, note: notes.filter((note) => note !== false).join('; ') || null };
};
