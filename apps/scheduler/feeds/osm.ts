import { airportOsmWrites } from '#store/postgres/airports/osm.ts';
import { airportRepo } from '#store/postgres/airports/airports.ts';
import { computeExits } from '#domain/exits/compute.ts';
import type { ExitComputation } from '#domain/exits/types.ts';
import { addSeconds } from '#domain/time.ts';
import type { Reject } from '#domain/weather/types.ts';
import { defineFeed } from '../define-feed.ts';
import { newestOf } from '../sources/reports.ts';
import { daySeconds, osmSource, turnDays } from '../sources/osm.ts';
import type { MapOf } from '../sources/osm.ts';

type ExitsOf = { icao: string; computed: ExitComputation } | { icao: string; problem: string };

/** Failures are retried after half a day. */
const retryDays = 0.5;
/** Private servers may lag by months; taxiways rarely change within a year. */
const oldestMapMinutes = 366 * 1_440;

/** Runway exits and takeoff intersections from OpenStreetMap, for a few airports per run. */
export default defineFeed<MapOf[], ExitsOf[]>({
  name: 'osm',
  schedule: '4-59/10 * * * *',
  graceMinutes: 120,
  staleMinutes: 48 * 60,
  timeoutSeconds: 300,
  maxBytes: 40_000_000,
  content: 'text',
  // A rejected airport is recorded as such and retried later.
  guards: { compareWith: 'nothing', rejectedShare: null, ageMinutes: oldestMapMinutes, dataName: 'map' },
  sources: (scope) => [osmSource(scope)],
  parse: async (maps, { db }) => {
    const records: ExitsOf[] = [];
    const rejects: Reject[] = [];
    for (const each of maps) {
      if ('problem' in each) {
        records.push(each);
        rejects.push({ reason: each.problem, sample: each.icao });
        continue;
      }
      const airport = await airportRepo(db).findByIcao(each.icao);
      if (airport) records.push({ icao: each.icao, computed: computeExits(each.map, airport.ends) });
    }
    const times = maps.flatMap((each) => ('map' in each && each.map.timestamp ? [each.map.timestamp] : []));
    return { records, count: records.length - rejects.length, rejects, dataAt: newestOf(times) };
  },
  store: async (tx, records, { now }) => {
    const writes = airportOsmWrites(tx);
    const triedAt = addSeconds(now, -(turnDays - retryDays) * daySeconds);
    let written = 0;
    for (const each of records)
      written +=
        'problem' in each
          ? await writes.storeFailure(each.icao, each.problem, triedAt)
          : await writes.storeExits(each.icao, each.computed, now);
    return written;
  },
});
