import type { Position } from '../airports/types.ts';

/** Aeroways of one airport from OpenStreetMap; ids are OSM's. */
export interface AerowayMap {
  nodes: ReadonlyMap<number, Position>;
  /** Runway centre lines, without blast pads and areas. */
  runways: readonly Aeroway[];
  taxiways: readonly Aeroway[];
  /** Age of the map data, ISO 8601. */
  timestamp: string | null;
}

export interface Aeroway {
  id: number;
  /** `ref`, else `name`, trimmed and in upper case; null for neither. */
  name: string | null;
  nodeIds: readonly number[];
}

/** Where a taxiway leaves a runway, along the axis from the lower-numbered end. */
export interface ExitLeg {
  /** `unnamed` if no way of the path has a name. */
  name: string;
  /** Metres from the start of the axis. */
  alongM: number;
  /** Angle to the axis direction, 0 to 180 degrees. */
  angleDeg: number;
  side: 'left' | 'right';
}

/** `high`: rapid exit; `reverse`: only after a backtrack or from the other runway end. */
type ExitClass = 'high' | 'mid' | 'right' | 'reverse' | 'unknown';

/** Class by the angle between landing direction and taxiway, 0 to 180 degrees. */
export const exitClass = (angleDeg: number | null): ExitClass => {
  if (angleDeg === null) return 'unknown';
  if (angleDeg <= 45) return 'high';
  if (angleDeg <= 75) return 'mid';
  return angleDeg <= 105 ? 'right' : 'reverse';
};
