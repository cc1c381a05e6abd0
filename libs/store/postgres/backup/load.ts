import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from } from 'pg-copy-streams';
import { migrateQueues } from '../../queue/pg-boss.ts';
import { withClient } from '../client.ts';
import { migrate } from '../migrate.ts';
import { squashed, titleOf } from '../migrations.ts';
import { queueVersionOf } from './catalog.ts';
import type { Dump } from './dump.ts';
import { unpaced } from './pace.ts';
import type { Pace } from './pace.ts';

export class RestoreError extends Error {
  override name = 'RestoreError';
}

interface ForeignKey {
  name: string;
  table: string;
  definition: string;
}

/** Rows are loaded table by table, so references are checked at the end. */
const withoutForeignKeys = async (client: Client, load: () => Promise<void>): Promise<void> => {
  const { rows } = await client.query<ForeignKey>(`
    SELECT format('%I', o.conname) AS name, format('%I.%I', n.nspname, c.relname) AS table,
      pg_get_constraintdef(o.oid) AS definition
    FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE o.contype = 'f' AND o.conparentid = 0 AND n.nspname IN ('public', 'pgboss')`);
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  await load();
  for (const { table, name, definition } of rows)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
};

/** Reports progress: rows loaded, and rows in all. */
export type OnRows = (rows: number, ofRows: number) => void;

interface LoadOptions {
  signal?: AbortSignal | undefined;
  onRows?: OnRows | undefined;
  pace?: Pace;
}

const load = async (
  client: Client,
  dump: Omit<Dump, 'takenAt'>,
  folder: string,
  onRows: OnRows,
  pace: Pace,
): Promise<void> => {
  const ofRows = dump.tables.reduce((sum, { rows }) => sum + rows, 0);
  let loaded = 0;
  for (const { name, parent, bound, key } of dump.partitions)
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${parent} ${bound}${key === null ? '' : ` PARTITION BY ${key}`}`,
    );
  // Migrations have filled some tables.
  await client.query(`TRUNCATE ${dump.tables.map(({ name }) => name).join(', ')}`);
  for (const { name, columns, file, rows } of dump.tables) {
    await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    const copying = client.query(from(`COPY ${name} (${columns.join(', ')}) FROM STDIN`));
    const source = createReadStream(join(folder, file));
    const { size } = await stat(join(folder, file));
    // Assumes rows of similar size within a table.
    source.on('data', () => onRows(loaded + Math.floor((rows * source.bytesRead) / size), ofRows));
    await pipeline(source, pace, copying);
    loaded += rows;
    await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    if (copying.rowCount !== rows)
      throw new RestoreError(`${name}: ${copying.rowCount} rows were loaded of ${rows}.`);
  }
  for (const { name, value } of dump.sequences) await client.query('SELECT setval($1, $2)', [name, value]);
};

/**
 * Loads a dump into an empty database in one transaction, with the schema it was made with, and migrates that
 * schema to the current version.
 */
export const loadDatabase = async (
  connectionString: string,
  dump: Omit<Dump, 'takenAt'>,
  folder: string,
  { signal, onRows = () => {}, pace = unpaced }: LoadOptions = {},
): Promise<void> => {
  signal?.throwIfAborted();
  const upTo = dump.migrations.at(-1) ?? '';
  if (upTo < squashed.last.slice(0, 4))
    throw new RestoreError(
      `The backup ends with migration ${titleOf(upTo)}: restore with the version that made it, then upgrade.`,
    );
  await migrate(connectionString, undefined, { upTo });
  await migrateQueues(connectionString);
  await withClient(connectionString, 'restore', async (client) => {
    // Also in the middle of a statement.
    signal?.addEventListener('abort', () => void client.end());
    signal?.throwIfAborted();
    const version = await queueVersionOf(client);
    if (version !== dump.queueVersion)
      throw new RestoreError(
        `The queues of the backup have version ${dump.queueVersion}, those of this service ${version}: restore with the version that made it, then upgrade.`,
      );
    await client.query('BEGIN');
    await withoutForeignKeys(client, () => load(client, dump, folder, onRows, pace));
    await client.query('COMMIT');
    await client.query('ANALYZE');
  });
  signal?.throwIfAborted();
  await migrate(connectionString);
};
