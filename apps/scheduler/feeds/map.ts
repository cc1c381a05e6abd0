import { createHash } from 'node:crypto';
import { SourceError } from '#domain/source-error.ts';
import { airportRepo } from '#store/postgres/airports/airports.ts';
import { mapFileKey, mapFileRepo, mapFileWrites } from '#store/postgres/airports/map-file.ts';
import { airportMap } from '#domain/airports/map.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';

interface NewMap {
  name: string;
  text: string;
  features: number;
}

/** Null if the served file is up to date. */
const draw = async ({ db, override, force }: FeedScope): Promise<NewMap | null> => {
  if (override !== undefined)
    throw new SourceError('CORRUPT', 'The map is generated from the stored airports; it accepts no file.');
  const airports = await airportRepo(db).mapAirports();
  const text = airportMap(airports);
  const name = `airports-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.geojson`;
  const current = await mapFileRepo(db).current();
  if (airports.length === 0 || (current?.name === name && !force)) return null;
  return { name, text, features: airports.length };
};

/** The static map of all airports: written under a new name, then activated. */
export default defineFeed<NewMap, NewMap>({
  name: 'map',
  schedule: '2-59/5 * * * *',
  graceMinutes: 30,
  staleMinutes: 24 * 60,
  timeoutSeconds: 120,
  maxBytes: 1_000_000,
  // The import of airports has its own guard.
  guards: { compareWith: 'nothing' },
  sources: (scope) => [{ label: 'airports', read: () => draw(scope) }],
  parse: (map) => ({ records: map, count: map.features, rejects: [] }),
  store: async (tx, { name, text, features }, { storage, now }) => {
    const bytes = Buffer.from(text);
    await storage.put(mapFileKey(name), bytes, 'application/geo+json');
    const old = await mapFileWrites(tx).switchTo({ name, features, bytes: bytes.length, createdAt: now });
    for (const each of old) await storage.delete(mapFileKey(each));
    return features;
  },
});
