/** The migrations of this version compared with those of a database. */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OperatorError } from '#platform/operator-error.ts';

export const migrationFolder = resolve(import.meta.dirname, '../../../db/migrations');

export interface MigrationFile {
  name: string;
  text: string;
  /** Hexadecimal SHA-256 of the text, with any line ends. */
  checksum: string;
}

/** One row of the table `migration`. */
export interface AppliedMigration {
  name: string;
  ranAt: Date;
  /** Null in rows older than checksums. */
  checksum: string | null;
}

export interface MigrationState {
  name: string;
  /** `unknown`: in the database only. `edited`: the file was changed after it had run. */
  state: 'applied' | 'pending' | 'unknown' | 'edited';
  ranAt: Date | null;
}

/** The schema of the database is not that of this version; the message is one sentence for the operator. */
export class SchemaError extends OperatorError {
  override name = 'SchemaError';
}

/** Names in the order in which they run. */
export const migrationNames = async (folder = migrationFolder): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();

/** The same file has other line ends on another system. */
const checksumOf = (text: string): string =>
  createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');

export const readMigrations = async (folder = migrationFolder): Promise<MigrationFile[]> => {
  const names = await migrationNames(folder);
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, checksum: checksumOf(text) };
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
  const ofFiles = files.map(({ name, checksum }): MigrationState => {
    const row = rows.get(name);
    if (!row) return { name, state: 'pending', ranAt: null };
    const isEdited = row.checksum !== null && row.checksum !== checksum;
    return { name, state: isEdited ? 'edited' : 'applied', ranAt: row.ranAt };
  });
  const ofRows = applied
    .filter(({ name }) => !known.has(name))
    .map(({ name, ranAt }): MigrationState => ({ name, state: 'unknown', ranAt }));
  return [...ofFiles, ...ofRows].toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

const titleOf = (name: string | undefined): string => (name ?? 'nothing').replace(/\.sql$/, '');

/** `0031_a`, `0031_a and 0032_b`, `0031_a to 0035_e`. */
const rangeOf = (names: readonly string[]): string => {
  if (names.length <= 2) return names.map(titleOf).join(' and ');
  return `${titleOf(names[0])} to ${titleOf(names.at(-1))}`;
};

/** Why a database with the applied migrations must not be used by a version that knows these, or null. */
export const schemaProblem = (known: readonly string[], applied: readonly string[]): string | null => {
  const unknown = applied.filter((name) => !known.includes(name)).toSorted();
  if (unknown.length > 0)
    return `The database has ${rangeOf(unknown)}, this version knows up to ${titleOf(known.at(-1))}: run a newer version.`;
  const missing = known.filter((name) => !applied.includes(name));
  if (missing.length === 0) return null;
  const has = applied.length === 0 ? 'no tables' : `nothing after ${titleOf(applied.toSorted().at(-1))}`;
  // A migration of a branch that was merged later may have a smaller number than the last one that ran.
  const isGap = applied.some((name) => name > (missing[0] ?? ''));
  return `The database ${isGap ? 'lacks' : `has ${has}, this version needs`} ${rangeOf(missing)}: run \`npm run migrate\`.`;
};

/** Why `migrate` must not change this database, or null. */
export const migrationProblem = (states: readonly MigrationState[]): string | null => {
  const named = (state: MigrationState['state']) =>
    states.filter((migration) => migration.state === state).map(({ name }) => name);
  const edited = named('edited');
  if (edited.length > 0)
    return (
      `${edited.map(titleOf).join(', ')} was edited after it ran on this database: ` +
      'restore the file, and put the change into a new migration.'
    );
  const files = states.filter(({ state }) => state !== 'unknown').map(({ name }) => name);
  const unknown = named('unknown');
  return unknown.length > 0 ? schemaProblem(files, unknown) : null;
};
