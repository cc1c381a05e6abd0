/** A database as an older version left it, to test a migration with its rows. */
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '#platform/log/log.ts';
import { migrate } from '#store/postgres/migrate.ts';
import { createPostgres } from '#store/postgres/pool.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { createTestDatabase, testFolder } from '../harness.ts';

const migrations = join(import.meta.dirname, '../../db/migrations');

export interface OlderSchema {
  postgres: Postgres;
  url: string;
  /** Migrates the database to the current schema. */
  upgrade: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** An empty database migrated up to, but not including, this migration. */
export const schemaBefore = async (migration: string): Promise<OlderSchema> => {
  const database = await createTestDatabase('template0');
  const { url } = database;
  const postgres = createPostgres(
    { connectionString: url, applicationName: 'test', max: 2, statementTimeoutMs: 60_000, waitMs: 60_000 },
    createLogger('test', 'silent'),
  );
  const folder = join(await testFolder(), 'migrations');
  await mkdir(folder);
  for (const name of await readdir(migrations))
    if (name < migration) await cp(join(migrations, name), join(folder, name));
  await migrate(url, folder);
  return {
    postgres,
    url,
    upgrade: () => migrate(url),
    close: async () => {
      await postgres.close();
      await database.drop();
    },
  };
};
