import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { to } from 'pg-copy-streams';
import { withClient } from '../client.ts';
import { partitionsOf, queueVersionOf, sequencesOf, tablesOf } from './catalog.ts';
import type { Partition, Sequence } from './catalog.ts';
import { unpaced } from './pace.ts';

export interface DumpedTable {
  name: string;
  columns: string[];
  rows: number;
  /** Name of the file with its rows, in the text format of COPY. */
  file: string;
}

export interface Dump {
  /** Everything that was committed before this time is in the dump. */
  takenAt: Date;
  migrations: string[];
  queueVersion: number;
  tables: DumpedTable[];
  partitions: Partition[];
  sequences: Sequence[];
}

/**
 * Writes a consistent snapshot of every table into files of the folder, while the service runs. `onSnapshot` is called
 * once the snapshot is fixed; `takenAt` is a little earlier.
 */
export const dumpDatabase = (
  connectionString: string,
  folder: string,
  onSnapshot: () => Promise<void>,
  pace = unpaced,
): Promise<Dump> =>
  withClient(connectionString, 'backup', async (client) => {
    const takenAt = new Date();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows: migrations } = await client.query<{ name: string }>(
      'SELECT name FROM migration ORDER BY name',
    );
    await onSnapshot();
    const tables: DumpedTable[] = [];
    for (const [index, { name, columns }] of (await tablesOf(client)).entries()) {
      const file = `${String(index).padStart(3, '0')}.copy`;
      // Partitioned tables cannot be copied by name.
      const rows = client.query(to(`COPY (SELECT ${columns.join(', ')} FROM ${name}) TO STDOUT`));
      await pipeline(rows, pace, createWriteStream(join(folder, file), { mode: 0o600 }));
      tables.push({ name, columns, rows: rows.rowCount, file });
    }
    const partitions = await partitionsOf(client);
    const queueVersion = await queueVersionOf(client);
    // Sequences are not transactional: read last, they are never behind the rows.
    const sequences = await sequencesOf(client);
    await client.query('COMMIT');
    return {
      takenAt,
      migrations: migrations.map(({ name }) => name),
      queueVersion,
      tables,
      partitions,
      sequences,
    };
  });
