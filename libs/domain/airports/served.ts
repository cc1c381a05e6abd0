/** Airports as served: the import, merged with operator data and values computed from maps. */
import type { Airport, RunwayEnd } from './types.ts';

/** PANS-OPS: missed approach climb gradient unless another is published. */
export const defaultMacgPercent = 2.5;

/** Operator data of a runway end, or defaults. */
interface RunwayProcedures {
  /** Engine-failure procedure: `std` is straight ahead, without a text. */
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
  /** Name of the magnetic model, `WMM2025`. */
  magneticModel: string | null;
  updatedAt: Date;
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
  /** From the start of the takeoff run. */
  entryM: number;
}

/** An airport in service with all data for answers and calculations except NOTAM. */
export interface KnownAirport {
  airport: ServedAirport;
  /** For all runway ends, nearest first. */
  exits: readonly RunwayExit[];
  intersections: readonly RunwayIntersection[];
  /** Current designators by former ones. */
  aliases: ReadonlyMap<string, string>;
}

/** A runway end by its current or former designator. */
export const runwayEndOf = ({ airport, aliases }: KnownAirport, ident: string): ServedRunwayEnd | null => {
  const named = (name: string | undefined) => airport.ends.find((end) => end.ident === name);
  return named(ident) ?? named(aliases.get(ident)) ?? null;
};
