import type { Config } from '#platform/config/config.ts';
import { createLogger } from '#platform/log/log.ts';
import { createPostgres } from './postgres/pool.ts';
import { migrate } from './postgres/migrate.ts';
import type { MigrateOptions } from './postgres/migrate.ts';
import { migrateQueues } from './queue/pg-boss.ts';
import { reseal } from './reseal.ts';

/** Seals what an older version has stored in clear, or without the id of its key. */
const sealStored = async (connectionString: string, keys: readonly string[]): Promise<void> => {
  const connection = { connectionString, applicationName: 'prepare', max: 1, statementTimeoutMs: 60_000 };
  const postgres = createPostgres(connection, createLogger('prepare', 'warn'));
  try {
    await postgres.transaction((tx) =>
      reseal(tx, { keys, isRotation: false, discards: false, now: new Date() }),
    );
  } finally {
    await postgres.close();
  }
};

/**
 * Migrates a database to the schema of this version: tables, queues, and values that this version seals. Safe to run from several
 * processes at once.
 */
export const prepareDatabase = async (
  { DATABASE_URL, ENCRYPTION_KEYS }: Pick<Config, 'DATABASE_URL' | 'ENCRYPTION_KEYS'>,
  after: MigrateOptions['after'] = 'alone',
): Promise<string[]> => {
  const ran = await migrate(DATABASE_URL, undefined, { after });
  await migrateQueues(DATABASE_URL);
  await sealStored(DATABASE_URL, ENCRYPTION_KEYS);
  return ran;
};
