import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';
import type { Airport } from '#domain/airports/types.ts';

export interface AvailableAirport extends Pick<
  Airport,
  'icao' | 'iata' | 'name' | 'municipality' | 'formerIcaos'
> {
  longestRunwayM: number;
}

export const availableAirportRepo = (db: ReadDb) => ({
  /** Version that changes with every change of an airport. */
  version: (): Promise<string> =>
    db.value<string>(sql`
      SELECT concat((SELECT max(updated_at) FROM airport), ' ', (SELECT max(id) FROM airport_change)) AS version`),

  /** All available airports: in service, with an open runway. Some 8,000. */
  list: (): Promise<AvailableAirport[]> =>
    db.any<AvailableAirport>(sql`
      SELECT a.icao, a.iata, a.name, a.municipality, a.former_icaos, e.longest AS longest_runway_m
      FROM airport a JOIN (
        SELECT r.icao, max(r.length_m) AS longest
        FROM runway_end r LEFT JOIN runway_operator o ON o.icao = r.icao AND o.ident = r.ident
        WHERE NOT coalesce(o.is_closed, r.is_closed) GROUP BY r.icao) e USING (icao)
      WHERE a.removed_at IS NULL ORDER BY a.icao COLLATE "C"`),
});
