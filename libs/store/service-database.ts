import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { startEmbedded } from '#platform/embedded/server.ts';
import type { EmbeddedServer } from '#platform/embedded/server.ts';

const databaseName = 'efb';

/** The server under `DATA_DIR/postgres`, with the service's database. */
export const startServiceDatabase = async (
  dataDir: string,
  onLog?: (line: string) => void,
): Promise<{ server: EmbeddedServer; url: string }> => {
  await mkdir(dataDir, { recursive: true });
  const server = await startEmbedded({
    folder: join(dataDir, 'postgres'),
    durable: true,
    ...(onLog ? { onLog } : {}),
  });
  const admin = new Client({ connectionString: server.urlOf('postgres') });
  try {
    await admin.connect();
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
    if (rowCount === 0) await admin.query(`CREATE DATABASE ${escapeIdentifier(databaseName)}`);
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    await admin.end();
  }
  return { server, url: server.urlOf(databaseName) };
};
