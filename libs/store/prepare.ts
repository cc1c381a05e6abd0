import { migrate } from './postgres/migrate.ts';
import type { MigrateOptions } from './postgres/migrate.ts';
import { migrateQueues } from './queue/pg-boss.ts';

/** Migrates a database to the schema of this version: tables and queues. Safe to run from several processes at once. */
export const prepareDatabase = async (
  { DATABASE_URL }: { DATABASE_URL: string },
  after: MigrateOptions['after'] = 'alone',
): Promise<string[]> => {
  const ran = await migrate(DATABASE_URL, undefined, { after });
  await migrateQueues(DATABASE_URL);
  return ran;
};
