/** Warnings (SIGMET, AIRMET) as GeoJSON for a map. */
import type { Sigmet } from './sigmet.ts';

type Position = [longitude: number, latitude: number];

/** Longitudes that continue across the date line, so that maps draw no line around the world. */
const unwrapped = (points: readonly [number, number][]): Position[] => {
  let before: number | null = null;
  return points.map(([latitude, longitude]) => {
    const turns: number = before === null ? 0 : Math.round((before - longitude) / 360);
    before = longitude + turns * 360;
    return [before, latitude];
  });
};

/** A closed ring; around a pole it is extended to the pole, which is an edge on the map. */
const ringOf = (points: readonly [number, number][]): Position[] => {
  const [first] = points;
  if (!first) return [];
  const ring = unwrapped([...points, first]);
  const [from, to] = [ring[0]?.[0] ?? 0, ring.at(-1)?.[0] ?? 0];
  if (Math.abs(to - from) < 180) return ring;
  const pole = first[0] < 0 ? -90 : 90;
  return [...ring, [to, pole], [from, pole], [from, first[0]]];
};

const level = (feet: number | null, none: string): string =>
  feet === null ? none : feet === 0 ? 'surface' : `FL${String(Math.round(feet / 100)).padStart(3, '0')}`;

/** A feature for each part of a warning. */
export const hazardFeatures = (sigmets: readonly Sigmet[]) =>
  sigmets.flatMap(({ kind, qualifier, hazard, fir, baseFt, topFt, validTo, shape, parts }) =>
    parts.map((part) => ({
      type: 'Feature',
      geometry:
        shape === 'area'
          ? { type: 'Polygon', coordinates: [ringOf(part)] }
          : { type: 'LineString', coordinates: unwrapped(part) },
      properties: {
        kind,
        hazard: [qualifier, hazard].filter(Boolean).join(' '),
        fir,
        levels: `${level(baseFt, 'surface')} to ${level(topFt, 'no upper limit given')}`,
        validTo,
      },
    })),
  );
