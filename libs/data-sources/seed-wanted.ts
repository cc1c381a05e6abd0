import type { Logger } from 'pino';
import type { Config } from '#platform/config/config.ts';
import { airportSeedRepo } from './postgres/airports/seed.ts';
import { developerKeyRepo } from './postgres/developer-keys/developer-keys.ts';
import { createPostgres } from './postgres/pool.ts';

/** Whether the seed has anything to add. Apart from the seed, whose import reads the world's airports into memory. */
export const isSeedWanted = async (
  config: Pick<Config, 'DATABASE_URL' | 'SEED_DEMO' | 'TRY_DEVELOPER_KEY'>,
  log: Logger,
): Promise<boolean> => {
  if (config.SEED_DEMO) return true;
  const postgres = createPostgres(
    { connectionString: config.DATABASE_URL, applicationName: 'seed', max: 1, statementTimeoutMs: 60_000 },
    log,
  );
  try {
    const { db } = postgres;
    const { TRY_DEVELOPER_KEY: key } = config;
    return (
      (await airportSeedRepo(db).isWanted()) ||
      (key !== undefined && !(await developerKeyRepo(db).isKnown(key)))
    );
  } finally {
    await postgres.close();
  }
};
