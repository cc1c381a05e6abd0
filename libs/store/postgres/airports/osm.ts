/** Exits and intersections from OpenStreetMap; those of the operator are never changed here. */
import type { ExitComputation } from '#domain/exits/compute.ts';
import { recordOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export const airportOsmRepo = (db: ReadDb) => ({
  /**
   * Airports with an open paved runway of at least 1,500 m that were not tried since `before`, longest
   * waiting first, large ones before small ones.
   */
  due: (before: Date, limit: number): Promise<string[]> =>
    db.values<string>(sql`
      SELECT a.icao FROM airport a
      WHERE a.removed_at IS NULL AND (a.osm_tried_at IS NULL OR a.osm_tried_at < ${before})
        AND EXISTS (SELECT 1 FROM runway_end e WHERE e.icao = a.icao AND NOT e.is_closed
          AND e.surface IN ('paved', 'unknown') AND e.length_m >= 1500)
      ORDER BY a.osm_tried_at NULLS FIRST,
        array_position(ARRAY['large', 'medium', 'small'], a.type) NULLS LAST, a.icao
      LIMIT ${limit}`),
});

export const airportOsmWrites = (tx: Tx) => ({
  /**
   * Replaces the computed exits of the runways that passed the length gate; the others keep the last good ones.
   * Unchanged rows are not written. Returns the number of rows written or deleted.
   */
  storeExits: async (icao: string, computed: ExitComputation, at: Date): Promise<number> => {
    const { idents } = computed;
    const exits = sql`(SELECT DISTINCT ON (ident, name, side, distance_m) ident, name, side, distance_m, angle_deg
      FROM jsonb_populate_recordset(NULL::runway_exit, ${JSON.stringify(computed.exits.map(recordOf))}::jsonb)
      ORDER BY ident, name, side, distance_m, angle_deg)`;
    const same = sql`x.ident = n.ident AND x.name = n.name AND x.side = n.side AND x.distance_m = n.distance_m
      AND x.angle_deg = n.angle_deg`;
    let written = await tx.run(sql`
      DELETE FROM runway_exit x WHERE x.icao = ${icao} AND x.source = 'osm' AND x.ident = ANY(${idents}::text[])
        AND NOT EXISTS (SELECT 1 FROM ${exits} n WHERE ${same})`);
    written += await tx.run(sql`
      INSERT INTO runway_exit (icao, ident, name, source, side, distance_m, angle_deg, updated_at)
      SELECT ${icao}, n.ident, n.name, 'osm', n.side, n.distance_m, n.angle_deg, ${at}
      FROM ${exits} n
      WHERE NOT EXISTS (SELECT 1 FROM runway_exit x WHERE x.icao = ${icao} AND x.source = 'osm' AND ${same})`);
    const entries = sql`jsonb_populate_recordset(
      NULL::runway_intersection, ${JSON.stringify(computed.intersections.map(recordOf))}::jsonb) n`;
    written += await tx.run(sql`
      DELETE FROM runway_intersection x
      WHERE x.icao = ${icao} AND x.source = 'osm' AND x.ident = ANY(${idents}::text[])
        AND NOT EXISTS (SELECT 1 FROM ${entries} WHERE n.ident = x.ident AND n.name = x.name)`);
    written += await tx.run(sql`
      INSERT INTO runway_intersection (icao, ident, name, source, entry_m, updated_at)
      SELECT ${icao}, n.ident, n.name, 'osm', n.entry_m, ${at}
      FROM ${entries}
      ON CONFLICT (icao, ident, name) DO UPDATE SET entry_m = excluded.entry_m, updated_at = excluded.updated_at
        WHERE runway_intersection.source = 'osm' AND runway_intersection.entry_m <> excluded.entry_m`);
    await tx.run(sql`UPDATE airport SET osm_tried_at = ${at} WHERE icao = ${icao}`);
    return written;
  },

  /** The airport could not be fetched or read: the last good exits remain, it is retried later. */
  storeFailure: (icao: string, at: Date): Promise<number> =>
    tx.run(sql`UPDATE airport SET osm_tried_at = ${at} WHERE icao = ${icao}`),
});
