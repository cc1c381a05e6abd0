import { readCsv } from '#data/feeds/csv.ts';
import { findTimeZones, isTimeZone } from '#data/feeds/timezones/lookup.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import type { AirportTimeZone } from '#store/postgres/airports/derived.ts';
import { airportDerivedRepo, airportDerivedWrites } from '#store/postgres/airports/derived.ts';
import type { Reject } from '#domain/weather/types.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';

interface Zones {
  zones: AirportTimeZone[];
  rejects: Reject[];
}

const lookUp = async (scope: FeedScope): Promise<Zones | null> => {
  const zones = findTimeZones(await airportDerivedRepo(scope.db).withoutTimeZone());
  return zones.length === 0 ? null : { zones, rejects: [] };
};

/** A CSV with the columns `icao` and `tz` (or `time_zone`): takes precedence until the airport moves. */
const readTable = async (scope: FeedScope, address: string): Promise<Zones> => {
  const { name, bytes } = await scope.content(address);
  const airports = await airportDerivedRepo(scope.db).magneticTargets();
  const positions = new Map(airports.map((airport) => [airport.icao, airport]));
  const zones: AirportTimeZone[] = [];
  const rejects: Reject[] = [];
  const known = new Map<string, boolean>();
  for (const row of readCsv(bytes, { required: ['icao'], what: name })) {
    const icao = (row['icao'] ?? '').toUpperCase();
    const timeZone = row['tz'] ?? row['time_zone'];
    if (timeZone === undefined) throw new SourceError('CORRUPT', `${name} has no column tz or time_zone.`);
    const position = positions.get(icao);
    const isKnown = known.get(timeZone) ?? isTimeZone(timeZone);
    known.set(timeZone, isKnown);
    if (!position) rejects.push({ reason: 'no such airport', sample: icao });
    else if (!isKnown) rejects.push({ reason: 'no such time zone', sample: `${icao} ${timeZone}` });
    else
      zones.push({ icao, timeZone, latitudeDeg: position.latitudeDeg, longitudeDeg: position.longitudeDeg });
  }
  if (zones.length === 0)
    throw new SourceError('CORRUPT', `${shownAddress(address)} has no time zone of a known airport.`);
  return { zones, rejects };
};

/** Time zones of airports that are new or moved, from their position or from a table of an operator. */
export default defineFeed<Zones, AirportTimeZone[]>({
  name: 'timezones',
  // Costs nothing while every airport has a zone.
  schedule: '52 * * * *',
  graceMinutes: 150,
  staleMinutes: 26 * 60,
  timeoutSeconds: 600,
  maxBytes: 16_000_000,
  guards: { compareWith: 'nothing' },
  sources: (scope) => [{ label: 'aerodromes', read: () => lookUp(scope) }],
  readOverride: readTable,
  parse: ({ zones, rejects }) => ({ records: zones, count: zones.length, rejects }),
  store: (tx, zones) => airportDerivedWrites(tx).storeTimeZones(zones),
});
