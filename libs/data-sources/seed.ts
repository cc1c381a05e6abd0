import type { Logger } from 'pino';
import { readSeedAirports } from './feeds/airports/import.ts';
import { demoPartners } from './demo-partners.ts';
import { airportSeedRepo } from './postgres/airports/seed.ts';
import { airportWrites } from './postgres/airports/import.ts';
import { airportTurnWrites } from './postgres/airports/turn.ts';
import { feedWrites } from './postgres/feeds/feeds.ts';
import { createPostgres } from './postgres/pool.ts';
import type { Postgres } from './postgres/pool.ts';
import { vaWrites } from './postgres/virtual-airlines/virtual-airlines.ts';

/**
 * Fills the airport table of a new database from the npm packages, so that a machine without a network can
 * calculate. Returns the number of airports, 0 when the table was not empty.
 */
export const seedAirports = async (postgres: Postgres, now: Date): Promise<number> => {
  // The usual case costs no lock and reads no file.
  if (!(await airportSeedRepo(postgres.db).isWanted())) return 0;
  const { date, bySource } = await readSeedAirports(now);
  return postgres.transaction(async (tx) => {
    await airportTurnWrites(tx).take();
    // Another process may have been faster.
    if (!(await airportSeedRepo(tx).isWanted())) return 0;
    for (const { source, airports } of bySource)
      await airportWrites(tx).storeImport(airports, { source, at: now });
    const count = bySource.reduce((sum, { airports }) => sum + airports.length, 0);
    await feedWrites(tx).seeded({ feed: 'airports', date, count });
    return count;
  });
};

/** Adds the fictional partner airlines of the demo that are not there yet. */
export const seedPartners = (postgres: Postgres): Promise<number> =>
  postgres.transaction((tx) => vaWrites(tx).addMissing(demoPartners));

/** What a migrated database contains before its first use. Safe to run from several processes at once. */
export const seedDatabase = async (
  config: { DATABASE_URL: string; SEED_DEMO: boolean },
  log: Logger,
): Promise<{ airports: number; partners: number }> => {
  const postgres = createPostgres(
    { connectionString: config.DATABASE_URL, applicationName: 'seed', max: 2, statementTimeoutMs: 60_000 },
    log,
  );
  try {
    const startedAt = performance.now();
    const airports = await seedAirports(postgres, new Date());
    const partners = config.SEED_DEMO ? await seedPartners(postgres) : 0;
    const durationMs = Math.round(performance.now() - startedAt);
    if (airports + partners > 0) log.info({ airports, partners, durationMs }, 'database seeded');
    return { airports, partners };
  } finally {
    await postgres.close();
  }
};
