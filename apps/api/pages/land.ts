import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

type Position = number[];

interface LandOutline {
  type: 'Feature';
  properties: object;
  geometry: { type: 'MultiPolygon'; coordinates: Position[][][] };
}

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
const copies = (rings: readonly (readonly Position[])[]): Position[][][] => {
  const whole = rings.map(unwrapped);
  const longitudes = (whole[0] ?? []).map(([lon = 0]) => lon);
  const beyond = [
    ...(Math.max(...longitudes) > 180 ? [-360] : []),
    ...(Math.min(...longitudes) < -180 ? [360] : []),
  ];
  return [whole, ...beyond.map((byDeg) => whole.map((ring) => shifted(ring, byDeg)))];
};

/** The outline of the land (topology of the atlas package) as GeoJSON for a flat map. */
export const landOutline = (topologyText: string): LandOutline => {
  const topology = JSON.parse(topologyText) as Topology<{ land: GeometryCollection }>;
  const land = feature(topology, topology.objects.land);
  const polygons = land.features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return [geometry.coordinates];
    return geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
  });
  return {
    type: 'Feature',
    properties: {},
    geometry: { type: 'MultiPolygon', coordinates: polygons.flatMap(copies) },
  };
};
