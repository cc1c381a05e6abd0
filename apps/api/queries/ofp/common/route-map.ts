import { distanceNm, vectorOf } from '#domain/geography/sphere.ts';
import type { MapScene } from '#domain/prints/content.ts';
import { mapOf } from '#domain/prints/map.ts';
import type { Flight } from '#data/ofp/export/flight.ts';
import { landRings } from '../../../services/land-rings.ts';

/** The map of a flight with what is said about it, and the length of the route. */
export const routeMap = async ({
  origin,
  destination,
  waypoints,
}: Pick<Flight, 'origin' | 'destination' | 'waypoints'>): Promise<{ scene: MapScene; miles: number }> => {
  const ends = [origin, destination].map((end) => ({ ...end, ident: end.icao }));
  const points = [...ends.slice(0, 1), ...waypoints, ...ends.slice(1)];
  const places = points.map(({ latitude, longitude }) => vectorOf(latitude, longitude));
  const miles = places.slice(1).reduce((sum, place, i) => sum + distanceNm(places[i] ?? place, place), 0);
  const scene = {
    title: `${origin.icao} – ${destination.icao}`,
    facts: [
      { name: 'Route', value: `${Math.round(miles)} NM, ${waypoints.length} points between the airports` },
    ],
    ...mapOf(points, await landRings()),
    notes: ['Great circles between the points. Land: Natural Earth, 1:110 million; not for navigation.'],
  };
  return { scene, miles };
};
