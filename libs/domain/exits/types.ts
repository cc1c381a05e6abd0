import type { Position } from '../airports/types.ts';

/** Aeroways of one airport from OpenStreetMap; ids are OSM's. */
export interface AerowayMap {
  nodes: ReadonlyMap<number, Position>;
  /** Centre lines of runways, blast pads and areas left out. */
  runways: readonly Aeroway[];
  taxiways: readonly Aeroway[];
  /** State of the map data, ISO 8601. */
  timestamp: string | null;
}

export interface Aeroway {
  id: number;
  /** `ref`, else `name`, trimmed and in upper case; null when the way has neither. */
  name: string | null;
  nodeIds: readonly number[];
}

/** Where a taxiway leaves a runway, seen along the axis from the low to the high end. */
export interface ExitLeg {
  /** `unnamed` when no way of the path has a name. */
  name: string;
  /** Metres from the beginning of the axis. */
  alongM: number;
  /** Angle to the axis direction, 0 to 180 degrees. */
  angleDeg: number;
  side: 'left' | 'right';
}

export interface ComputedExit {
  ident: string;
  name: string;
  side: 'left' | 'right';
  /** From the landing threshold. */
  distanceM: number;
  angleDeg: number;
}

export interface ComputedIntersection {
  ident: string;
  name: string;
  /** From the beginning of the take-off run. */
  entryM: number;
}

export interface RunwayVerdict {
  runway: string;
  publishedLengthM: number;
  /** Null: not on the map. */
  osmLengthM: number | null;
  accepted: boolean;
}

export interface ExitComputation {
  exits: ComputedExit[];
  intersections: ComputedIntersection[];
  runways: RunwayVerdict[];
  /** `ok`: every runway passed and has two exits a direction; `rejected`: none passed the length gate. */
  state: 'ok' | 'incomplete' | 'rejected';
  message: string | null;
}
