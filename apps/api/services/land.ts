/** World land outlines: Natural Earth, public domain. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { LandRing } from '#domain/prints/map.ts';

type Position = number[];
type Polygon = Position[][];

let loading: Promise<readonly Polygon[]> | undefined;

const load = async (): Promise<readonly Polygon[]> => {
  const text = await readFile(fileURLToPath(import.meta.resolve('world-atlas/land-110m.json')), 'utf8');
  const topology = JSON.parse(text) as Topology<{ land: GeometryCollection }>;
  return feature(topology, topology.objects.land).features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return [geometry.coordinates];
    return geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
  });
};

/** Reads the outlines once. */
const polygons = (): Promise<readonly Polygon[]> => (loading ??= load());

/** For maps drawn by the service. */
export const landRings = async (): Promise<readonly LandRing[]> =>
  (await polygons()).flat() as unknown as LandRing[];

/** Makes longitudes continuous across the date line, beyond 180 degrees. */
const unwrapped = (ring: readonly Position[]): Position[] => {
  const out: Position[] = [];
  let turn = 0;
  let before: number | undefined;
  for (const [lon = 0, lat = 0] of ring) {
    if (before !== undefined && lon - before > 180) turn -= 360;
    if (before !== undefined && lon - before < -180) turn += 360;
    before = lon;
    out.push([lon + turn, lat]);
  }
  const first = out[0]?.[0] ?? 0;
  const last = out.at(-1)?.[0] ?? 0;
  // A ring around the pole (Antarctica) is closed along the map's edge.
  return Math.abs(last - first) > 180 ? [...out, [last, -90], [first, -90], out[0] ?? [first, -90]] : out;
};

const shifted = (ring: readonly Position[], byDeg: number): Position[] =>
  ring.map(([lon = 0, lat = 0]) => [lon + byDeg, lat]);

/** A polygon that crosses the date line appears on both sides of the map. */
const copies = (rings: readonly (readonly Position[])[]): Polygon[] => {
  const whole = rings.map(unwrapped);
  const longitudes = (whole[0] ?? []).map(([lon = 0]) => lon);
  const beyond = [
    ...(Math.max(...longitudes) > 180 ? [-360] : []),
    ...(Math.min(...longitudes) < -180 ? [360] : []),
  ];
  return [whole, ...beyond.map((byDeg) => whole.map((ring) => shifted(ring, byDeg)))];
};

/** GeoJSON for a flat map. */
export const landOutline = async () => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'MultiPolygon', coordinates: (await polygons()).flatMap(copies) },
});
