import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';

export interface AvailableAirport {
  icao: string;
  iata: string | null;
  name: string;
  longestRunwayM: number;
}

interface AvailableList {
  version: string;
  airports: readonly AvailableAirport[];
}

const availableLists = new WeakMap<ReadDb, AvailableList>();

/** Changes with every change of an airport. */
export const airportsVersion = async (db: ReadDb): Promise<string> => {
  const { version } = await db.one<{ version: string }>(sql`
    SELECT concat((SELECT max(updated_at) FROM airport), ' ', (SELECT max(id) FROM airport_change)) AS version`);
  return version;
};

/**
 * All airports that can be chosen. The list of some 8,000 is asked for with every aircraft, so it is kept per
 * connection pool until an airport row or the changelog is newer.
 */
export const listAvailable = async (db: ReadDb): Promise<readonly AvailableAirport[]> => {
  const version = await airportsVersion(db);
  const kept = availableLists.get(db);
  if (kept?.version === version) return kept.airports;
  const airports = await db.any<AvailableAirport & { icao: string }>(sql`
    SELECT a.icao, a.iata, a.name, e.longest AS "longestRunwayM"
    FROM airport a JOIN (
      SELECT r.icao, max(r.length_m) AS longest
      FROM runway_end r LEFT JOIN runway_operator o ON o.icao = r.icao AND o.ident = r.ident
      WHERE NOT coalesce(o.is_closed, r.is_closed) GROUP BY r.icao) e USING (icao)
    WHERE a.removed_at IS NULL ORDER BY a.icao COLLATE "C"`);
  availableLists.set(db, { version, airports });
  return airports;
};
