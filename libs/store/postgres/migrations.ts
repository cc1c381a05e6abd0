/** The migrations of this version compared with those of a database. */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OperatorError } from '#platform/operator-error.ts';

export const migrationFolder = resolve(import.meta.dirname, '../../../db/migrations');

/**
 * The schema that 122 earlier migrations had made is that of the files up to 0195. A database that has them is not given these, and keeps
 * their rows for processes of the version before. May go once no such database is left.
 */
export const joined = { last: '0195_ofp_planned_settings.sql', count: 122 };

/**
 * `before`: adds, so that processes of the previous version go on with it. `after`: takes away what only that version needs, in a file
 * that begins with the comment "After the upgrade".
 */
type MigrationStage = 'before' | 'after';

export interface MigrationFile {
  name: string;
  stage: MigrationStage;
  text: string;
  /** Hexadecimal SHA-256 of the text, with any line ends. */
  checksum: string;
}

/** One row of the table `migration`. */
export interface AppliedMigration {
  name: string;
  ranAt: Date;
  checksum: string;
  /** Whether a version that does not know it may go on. */
  isCompatible: boolean;
}

export interface MigrationState {
  name: string;
  /** `unknown`: in the database only. `edited`: the file was changed after it had run. */
  state: 'applied' | 'pending' | 'unknown' | 'edited';
  stage: MigrationStage;
  ranAt: Date | null;
}

/** The schema of the database is not that of this version; the message is one sentence for the operator. */
export class SchemaError extends OperatorError {
  override name = 'SchemaError';
}

/** Names in the order in which they run. */
export const migrationNames = async (folder = migrationFolder): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();

const afterLine = /^(?:--.*\r?\n)*-- After the upgrade\b/;

/** The same file has other line ends on another system. */
const checksumOf = (text: string): string =>
  createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');

export const readMigrations = async (folder = migrationFolder): Promise<MigrationFile[]> => {
  const names = await migrationNames(folder);
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, stage: afterLine.test(text) ? 'after' : 'before', text, checksum: checksumOf(text) };
    }),
  );
};

/** Every migration of either side, by name. */
export const migrationStates = (
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): MigrationState[] => {
  const rows = new Map(applied.map((row) => [row.name, row]));
  const known = new Set(files.map(({ name }) => name));
  const ofFiles = files.map(({ name, stage, checksum }): MigrationState => {
    const row = rows.get(name);
    if (!row) return { name, stage, state: 'pending', ranAt: null };
    return { name, stage, state: row.checksum === checksum ? 'applied' : 'edited', ranAt: row.ranAt };
  });
  const ofRows = applied
    .filter(({ name }) => !known.has(name))
    .map(({ name, ranAt, isCompatible }): MigrationState => ({
      name,
      stage: isCompatible ? 'before' : 'after',
      state: 'unknown',
      ranAt,
    }));
  return [...ofFiles, ...ofRows].toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

/** Name of a migration without the end of its file's. */
export const titleOf = (name: string | undefined): string => (name ?? 'nothing').replace(/\.sql$/, '');

/** `0031_a`, `0031_a and 0032_b`, `0031_a to 0035_e`. */
const rangeOf = (names: readonly string[]): string => {
  if (names.length <= 2) return names.map(titleOf).join(' and ');
  return `${titleOf(names[0])} to ${titleOf(names.at(-1))}`;
};

export interface SchemaComparison {
  /** Why a version must not use the database, in one sentence, or null. */
  problem: string | null;
  /** How the schema differs where that does not matter, or null. */
  note: string | null;
}

/**
 * A database with the applied migrations, seen by a version that knows these: it needs all of its own that add something, and can go on
 * with newer ones that only add.
 */
export const compareSchema = (
  known: readonly Pick<MigrationFile, 'name' | 'stage'>[],
  applied: readonly Pick<AppliedMigration, 'name' | 'isCompatible'>[],
): SchemaComparison => {
  const names = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name).toSorted();
  const [knownNames, appliedNames] = [names(known), names(applied)];
  const unknown = applied.filter(({ name }) => !knownNames.includes(name));
  const breaking = names(unknown.filter(({ isCompatible }) => !isCompatible));
  const upTo = titleOf(knownNames.at(-1));
  if (breaking.length > 0) {
    const problem = `The database has ${rangeOf(breaking)}, this version knows up to ${upTo}: run a newer version.`;
    return { problem, note: null };
  }
  const missing = known.filter(({ name }) => !appliedNames.includes(name));
  const needed = names(missing.filter(({ stage }) => stage === 'before'));
  if (needed.length > 0) {
    const has = applied.length === 0 ? 'no tables' : `nothing after ${titleOf(appliedNames.at(-1))}`;
    // A migration of a branch that was merged later may have a smaller number than the last one that ran.
    const isGap = appliedNames.some((name) => name > (needed[0] ?? ''));
    const problem = `The database ${isGap ? 'lacks' : `has ${has}, this version needs`} ${rangeOf(needed)}: run \`npm run migrate\`.`;
    return { problem, note: null };
  }
  const notes = [
    unknown.length > 0 && `the database has ${rangeOf(names(unknown))} of a newer version`,
    missing.length > 0 && `${rangeOf(names(missing))} waits for \`npm run migrate -- finish\``,
  ].filter((note) => note !== false);
  return { problem: null, note: notes.join('; ') || null };
};

/** Why `migrate` must not change this database, or null. */
export const migrationProblem = (
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): string | null => {
  const edited = migrationStates(files, applied).filter(({ state }) => state === 'edited');
  if (edited.length > 0)
    return (
      `${edited.map(({ name }) => titleOf(name)).join(', ')} was edited after it ran on this database: ` +
      'restore the file, and put the change into a new migration.'
    );
  const known = new Set(files.map(({ name }) => name));
  const unknown = applied.filter(({ name }) => !known.has(name));
  if (unknown.length === 0) return null;
  // Its own migrations were not tried on what the newer ones have changed.
  return compareSchema(
    files,
    unknown.map((row) => ({ ...row, isCompatible: false })),
  ).problem;
};
