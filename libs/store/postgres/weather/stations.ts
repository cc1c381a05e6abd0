import type { StationPlace } from '#domain/weather/stations.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';

export const stationRepo = (db: ReadDb) => ({
  /** Every airport in service, whether or not it reports. */
  places: (): Promise<StationPlace[]> =>
    db.any<StationPlace>(
      sql`SELECT icao, latitude AS latitude_deg, longitude AS longitude_deg FROM airport WHERE removed_at IS NULL`,
    ),
});
