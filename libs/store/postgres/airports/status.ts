/** What airportStatus shows of the airport database. */
import { airportRepo } from './airports.ts';
import type { AirportStatistics } from './airports.ts';
import { airportChangeRepo } from './changes.ts';
import type { AirportChangeRow } from './changes.ts';
import { mapFileRepo } from './map-file.ts';
import type { ReadDb } from '../sql.ts';

interface AirportDatabase {
  counts: AirportStatistics;
  /** The last 20, newest first. */
  changes: readonly AirportChangeRow[];
  mapPath: string;
}

export const airportDatabaseRepo = (db: ReadDb) => ({
  current: async (): Promise<AirportDatabase> => {
    const [counts, changes, mapPath] = await Promise.all([
      airportRepo(db).statistics(),
      airportChangeRepo(db).latest(20),
      mapFileRepo(db).currentPath(),
    ]);
    return { counts, changes, mapPath };
  },
});
