import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { MigrationFile } from './migrations.ts';

/** In the first lines of a file whose statements run one by one: indexes that are built without locking their table, and changes in batches. */
const outside = /^(?:--.*\r?\n)*-- Outside a transaction\b/;
const concurrently = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+)/i;
/** Runs until it changes nothing: each run is a batch, which is committed, of rows that the next no longer finds. */
const inBatches = /^(?:UPDATE|DELETE)\b[^]*\bLIMIT\b/i;
const firstPauseMs = 250;
const longestPauseMs = 15_000;

const statementsOf = (text: string): string[] =>
  text
    .replace(/^--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

/** 0: no limit. */
const limitLocks = (client: pg.Client, milliseconds: number) =>
  client.query(`SELECT set_config('lock_timeout', $1, false)`, [String(milliseconds)]);

/** An interrupted build leaves an index that is not valid, and that IF NOT EXISTS would keep. */
const dropInvalid = async (client: pg.Client, name: string): Promise<void> => {
  const { rows } = await client.query(
    'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [name],
  );
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY ${pg.escapeIdentifier(name)}`);
};

const noteRun = (client: pg.Client, { name, checksum, stage }: MigrationFile) =>
  client.query('INSERT INTO migration (name, checksum, is_compatible) VALUES ($1, $2, $3)', [
    name,
    checksum,
    stage === 'before',
  ]);

/** Each statement can be repeated; the file counts as run when all have. */
const runOutside = async (client: pg.Client, file: MigrationFile): Promise<void> => {
  for (const statement of statementsOf(file.text)) {
    const index = concurrently.exec(statement)?.[1];
    if (index !== undefined) await dropInvalid(client, index);
    // It waits for older transactions and holds up nothing.
    if (index !== undefined) await limitLocks(client, 0);
    for (let changed = true; changed;) {
      const { rowCount } = await client.query(statement);
      changed = inBatches.test(statement) && rowCount !== 0;
    }
  }
  await noteRun(client, file);
};

const runInside = async (client: pg.Client, file: MigrationFile): Promise<void> => {
  try {
    await client.query('BEGIN');
    await client.query(file.text);
    await noteRun(client, file);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
};

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03';

export interface Patience {
  /** Longest wait of one attempt for a lock: others wait behind it. */
  lockTimeoutMs: number;
  /** Time after which a migration that gets no lock fails. */
  patienceMs: number;
}

/** Runs one migration; tries again while a lock is not to be had. Throws an error with the name of the file. */
export const runMigration = async (
  client: pg.Client,
  file: MigrationFile,
  { lockTimeoutMs, patienceMs }: Patience,
): Promise<void> => {
  const startedMs = performance.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      await limitLocks(client, lockTimeoutMs);
      await (outside.test(file.text) ? runOutside(client, file) : runInside(client, file));
      return;
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() - startedMs + pauseMs > patienceMs) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`migration ${file.name} failed: ${reason}`, { cause: error });
      }
      await setTimeout(pauseMs);
    }
  }
};
