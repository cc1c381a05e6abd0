import type { AirportTimeZone } from '#store/postgres/airports/derived.ts';
import { airportDerivedWrites } from '#store/postgres/airports/derived.ts';
import { defineFeed } from '../define-feed.ts';
import { timeZoneSource } from '../sources/timezones.ts';
import type { Zones } from '../sources/timezones.ts';

/** Time zones of new or moved airports, by position. */
export default defineFeed<Zones, AirportTimeZone[]>({
  name: 'timezones',
  // Costs nothing while every airport has a zone.
  schedule: '52 * * * *',
  graceMinutes: 150,
  staleMinutes: 26 * 60,
  timeoutSeconds: 600,
  maxBytes: 16_000_000,
  content: 'text',
  guards: { compareWith: 'nothing' },
  sources: (scope) => [timeZoneSource(scope)],
  parse: ({ zones, rejects }) => ({ records: zones, count: zones.length, rejects }),
  store: (tx, zones) => airportDerivedWrites(tx).storeTimeZones(zones),
});
