/** World land outlines for maps drawn by the service: Natural Earth, public domain. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { LandRing } from '#domain/prints/map.ts';

let loading: Promise<readonly LandRing[]> | undefined;

const load = async (): Promise<readonly LandRing[]> => {
  const text = await readFile(fileURLToPath(import.meta.resolve('world-atlas/land-110m.json')), 'utf8');
  const topology = JSON.parse(text) as Topology<{ land: GeometryCollection }>;
  return feature(topology, topology.objects.land).features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return geometry.coordinates as unknown as LandRing[];
    return geometry.type === 'MultiPolygon' ? (geometry.coordinates.flat() as unknown as LandRing[]) : [];
  });
};

/** Loads the outlines once. */
export const landRings = (): Promise<readonly LandRing[]> => (loading ??= load());
