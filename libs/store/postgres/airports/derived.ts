/** Values computed from the position of airports: time zone and magnetic variation. */
import type { Airport, Position } from '#domain/airports/types.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import { airportTurnWrites } from './rows.ts';

type MagneticTarget = Pick<Airport, 'icao' | 'latitudeDeg' | 'longitudeDeg' | 'elevationFt'>;

export interface AirportVariation {
  icao: string;
  /** East positive, two decimals. */
  variationDeg: number;
}

export interface TimeZoneTarget extends Position {
  icao: string;
}

export interface AirportTimeZone extends TimeZoneTarget {
  /** IANA name; null where no aerodrome is near, or when this version of Node does not support the zone. */
  timeZone: string | null;
}

export const airportDerivedRepo = (db: ReadDb) => ({
  /** Airports without a zone, or that have moved since it was looked up. */
  withoutTimeZone: (): Promise<TimeZoneTarget[]> =>
    db.any<TimeZoneTarget>(sql`
      SELECT icao, latitude AS latitude_deg, longitude AS longitude_deg FROM airport
      WHERE removed_at IS NULL AND (time_zone IS NULL OR time_zone_latitude IS DISTINCT FROM latitude
        OR time_zone_longitude IS DISTINCT FROM longitude)
      ORDER BY icao`),

  magneticTargets: (): Promise<MagneticTarget[]> =>
    db.any<MagneticTarget>(sql`
      SELECT icao, latitude AS latitude_deg, longitude AS longitude_deg, elevation_ft
      FROM airport WHERE removed_at IS NULL ORDER BY icao`),
});

export const airportDerivedWrites = (tx: Tx) => ({
  /** Returns the number of airports written. */
  storeTimeZones: async (zones: readonly AirportTimeZone[]): Promise<number> => {
    await airportTurnWrites(tx).take();
    return tx.run(sql`
      UPDATE airport a SET time_zone = z.zone, time_zone_latitude = z.lat, time_zone_longitude = z.lon
      FROM unnest(${zones.map((z) => z.icao)}::text[], ${zones.map((z) => z.timeZone)}::text[],
        ${zones.map((z) => z.latitudeDeg)}::float8[], ${zones.map((z) => z.longitudeDeg)}::float8[])
        AS z (icao, zone, lat, lon)
      WHERE a.icao = z.icao AND (a.time_zone, a.time_zone_latitude, a.time_zone_longitude)
        IS DISTINCT FROM (z.zone, z.lat, z.lon)`);
  },

  /** Writes only values that changed. Returns their number. */
  storeVariations: async (variations: readonly AirportVariation[], model: string): Promise<number> => {
    await airportTurnWrites(tx).take();
    return tx.run(sql`
      UPDATE airport a SET magnetic_variation_deg = v.variation, magnetic_model = ${model}
      FROM unnest(${variations.map((v) => v.icao)}::text[], ${variations.map((v) => v.variationDeg)}::float8[])
        AS v (icao, variation)
      WHERE a.icao = v.icao AND (a.magnetic_variation_deg, a.magnetic_model) IS DISTINCT FROM (v.variation, ${model})`);
  },
});
