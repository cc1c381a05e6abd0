/** Time zones by position, or from an operator's table. */
import { readCsv } from '#data/feeds/csv.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import { findTimeZones, isTimeZone } from '#data/feeds/timezones/lookup.ts';
import type { AirportTimeZone } from '#store/postgres/airports/derived.ts';
import { airportDerivedRepo } from '#store/postgres/airports/derived.ts';
import type { Reject } from '#domain/weather/types.ts';
import type { FeedScope, FeedSource } from '../define-feed.ts';
import { contentOf } from './content.ts';

export interface Zones {
  zones: AirportTimeZone[];
  rejects: Reject[];
}

const lookUp = async (scope: FeedScope): Promise<Zones | null> => {
  const airports = await airportDerivedRepo(scope.db).withoutTimeZone();
  const zones = findTimeZones(airports);
  return zones.length === 0 ? null : { zones, rejects: [] };
};

/** A CSV with the columns `icao` and `tz` (or `time_zone`): takes precedence until the airport moves. */
const readTable = async (scope: FeedScope, address: string): Promise<Zones> => {
  const { name, bytes } = await contentOf(scope, address);
  const positions = new Map(
    (await airportDerivedRepo(scope.db).magneticTargets()).map((airport) => [airport.icao, airport]),
  );
  const zones: AirportTimeZone[] = [];
  const rejects: Reject[] = [];
  const known = new Map<string, boolean>();
  for await (const row of readCsv(bytes, { required: ['icao'], what: name })) {
    if (row['tz'] === undefined && row['time_zone'] === undefined)
      throw new SourceError('CORRUPT', `${name} has no column tz or time_zone.`);
    const icao = (row['icao'] ?? '').toUpperCase();
    const timeZone = row['tz'] ?? row['time_zone'] ?? '';
    const position = positions.get(icao);
    const isKnown = known.get(timeZone) ?? isTimeZone(timeZone);
    known.set(timeZone, isKnown);
    if (!position) rejects.push({ reason: 'no such airport', sample: icao });
    else if (!isKnown) rejects.push({ reason: 'no such time zone', sample: `${icao} ${timeZone}` });
    else
      zones.push({
        icao,
        timeZone,
        latitudeDeg: position.latitudeDeg,
        longitudeDeg: position.longitudeDeg,
      });
  }
  if (zones.length === 0)
    throw new SourceError('CORRUPT', `${shownAddress(address)} has no time zone of a known airport.`);
  return { zones, rejects };
};

export const timeZoneSource = (scope: FeedScope): FeedSource<Zones> => {
  const { override } = scope;
  return override === undefined
    ? { label: 'aerodromes', read: () => lookUp(scope) }
    : { label: shownAddress(override), read: () => readTable(scope, override) };
};
