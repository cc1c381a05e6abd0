/**
 * Airports as the service presents them: the import, operator data merged over it, and what is computed from
 * maps.
 */
import type { Airport, RunwayEnd } from './types.ts';

/** PANS-OPS: the missed-approach climb gradient that an approach has when nothing else is published. */
export const defaultMacgPercent = 2.5;

/** Operator data of a direction, or the defaults. */
export interface RunwayProcedures {
  /** Engine-failure procedure: `std` = runway track, no special text. */
  efpKind: 'std' | 'custom';
  efpText: string | null;
  efpAccelerationAltitudeFt: number | null;
  efpTurn: 'none' | 'left' | 'right' | null;
  macgPercent: number;
}

export type ServedRunwayEnd = RunwayEnd & RunwayProcedures;

export interface ServedAirport extends Omit<Airport, 'ends'> {
  ends: ServedRunwayEnd[];
  timeZone: string | null;
  /** East positive. */
  magneticVariationDeg: number | null;
  /** Name of its model, `WMM2025`. */
  magneticModel: string | null;
  updatedAt: Date;
  osmState: 'ok' | 'incomplete' | 'rejected' | 'failed' | null;
}

export interface RunwayExit {
  ident: string;
  name: string;
  source: 'osm' | 'operator';
  side: 'left' | 'right' | null;
  /** From the landing threshold. */
  distanceM: number;
  angleDeg: number | null;
}

export interface RunwayIntersection {
  ident: string;
  name: string;
  source: 'osm' | 'operator';
  /** From the beginning of the take-off run. */
  entryM: number;
}

/** An airport in service with all the data for answers and calculations, except NOTAM. */
export interface KnownAirport {
  airport: ServedAirport;
  /** Of every direction, nearest first. */
  exits: readonly RunwayExit[];
  intersections: readonly RunwayIntersection[];
  /** Current designators by old ones. */
  aliases: ReadonlyMap<string, string>;
}

/** One direction; an old designator finds the runway's present one. */
export const runwayEndOf = ({ airport, aliases }: KnownAirport, ident: string): ServedRunwayEnd | null => {
  const named = (name: string | undefined) => airport.ends.find((end) => end.ident === name);
  return named(ident) ?? named(aliases.get(ident)) ?? null;
};
