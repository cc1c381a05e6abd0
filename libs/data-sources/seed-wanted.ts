import type { Logger } from 'pino';
import { airportSeedRepo } from './postgres/airports/seed.ts';
import { createPostgres } from './postgres/pool.ts';

/** Whether the seed has anything to add. Apart from the seed, whose import reads the world's airports into memory. */
export const isSeedWanted = async (
  config: { DATABASE_URL: string; SEED_DEMO: boolean },
  log: Logger,
): Promise<boolean> => {
  if (config.SEED_DEMO) return true;
  const postgres = createPostgres(
    { connectionString: config.DATABASE_URL, applicationName: 'seed', max: 1, statementTimeoutMs: 60_000 },
    log,
  );
  try {
    return await airportSeedRepo(postgres.db).isWanted();
  } finally {
    await postgres.close();
  }
};
