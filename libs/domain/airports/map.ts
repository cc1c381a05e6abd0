import { wireTime } from '../time.ts';
import type { Airport } from './types.ts';
import { round } from './units.ts';

/** An airport on the map. */
export interface MapPoint extends Pick<Airport, 'icao' | 'iata' | 'name' | 'latitudeDeg' | 'longitudeDeg'> {
  /** Physical runways in use. */
  runways: number;
  longestRunwayM: number | null;
  updatedAt: Date;
}

/** URL path of the map files. */
const mapFolder = '/map/';
/** Name of the current map; files with other names never change. */
export const latestMap = 'airports.geojson';

/** Path of a map file; null: generated on request. */
export const mapPath = (file: { name: string } | null): string => `${mapFolder}${file?.name ?? latestMap}`;

/** GeoJSON FeatureCollection (RFC 7946, longitude first) with one point per airport; the same airports give the same text. */
export const airportMap = (airports: readonly MapPoint[]): string => {
  const features = airports.map((airport) =>
    JSON.stringify({
      type: 'Feature',
      geometry: {
        type: 'Point',
        // Accurate to a metre.
        coordinates: [round(airport.longitudeDeg, 5), round(airport.latitudeDeg, 5)],
      },
      properties: {
        icao: airport.icao,
        iata: airport.iata,
        name: airport.name,
        runways: airport.runways,
        longestRunway_m: airport.longestRunwayM === null ? null : Math.round(airport.longestRunwayM),
        updatedAt: wireTime(airport.updatedAt),
      },
    }),
  );
  return `{"type":"FeatureCollection","features":[\n${features.join(',\n')}\n]}\n`;
};
