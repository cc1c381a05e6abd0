/** Child process of `lookup.ts`: receives positions once, answers with the zones of each, ends. */
import { find, setCache } from 'geo-tz/all';
import type { Position } from '#domain/airports/types.ts';

// geo-tz keeps every part of the map that it decodes, which is 400 MB for the whole world.
setCache({ store: { get: () => undefined, set: () => undefined } });

process.once('message', (positions: readonly Position[]) => {
  const zones = positions.map(({ latitudeDeg, longitudeDeg }) => find(latitudeDeg, longitudeDeg));
  process.send?.(zones, () => process.disconnect());
});
