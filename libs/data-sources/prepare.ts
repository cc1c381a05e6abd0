import { migrate } from './postgres/migrate.ts';
import { migrateQueues } from './queue/pg-boss.ts';

/**
 * Migrates a database to the schema of this version: tables and queues. Safe to run from several processes at
 * once.
 */
export const prepareDatabase = async (databaseUrl: string): Promise<string[]> => {
  const ran = await migrate(databaseUrl);
  await migrateQueues(databaseUrl);
  return ran;
};
