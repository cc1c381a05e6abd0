import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '#platform/embedded/server.ts';
import type { EmbeddedOptions, EmbeddedServer } from '#platform/embedded/server.ts';
import { withClient } from './postgres/client.ts';
import { migrate } from './postgres/migrate.ts';
import type { MigrateOptions } from './postgres/migrate.ts';
import { migrateQueues } from './queue/pg-boss.ts';

const databaseName = 'efb';

/** The server under `DATA_DIR/postgres`, with the service's database. */
export const startServiceDatabase = async (
  dataDir: string,
  options: Pick<EmbeddedOptions, 'onLog' | 'onCreating'> = {},
): Promise<{ server: EmbeddedServer; url: string }> => {
  await mkdir(dataDir, { recursive: true });
  const server = await startEmbedded({
    folder: join(dataDir, 'postgres'),
    durable: true,
    ...options,
  });
  try {
    await withClient(server.urlOf('postgres'), 'start', async (admin) => {
      const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
      if (rowCount === 0) await admin.query('CREATE DATABASE efb');
    });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { server, url: server.urlOf(databaseName) };
};

/** Migrates a database to the schema of this version: tables and queues. Safe to run from several processes at once. */
export const prepareDatabase = async (
  { DATABASE_URL }: { DATABASE_URL: string },
  after?: MigrateOptions['after'],
): Promise<string[]> => {
  const ran = await migrate(DATABASE_URL, undefined, after && { after });
  await migrateQueues(DATABASE_URL);
  return ran;
};
