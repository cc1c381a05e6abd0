import { airportStatusSchema, databaseStatus } from '#domain/airports/status.ts';
import { notAfter, wireTimeOrNull } from '#domain/time.ts';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'airportStatus',
  aliases: ['get_airport_status'],
  get: { maxAgeSeconds: 60 },
  spec: ['2.12', '4.7', '9.3'],
  summary: 'Age, counts and latest changes of the airport database, and the last run of its jobs.',
  auth: 'none',
  dialect: 'bare',
  output: airportStatusSchema,
  handler: async ({ caches, revisions, db, now, config }) => {
    // Without a token, no other statement of the call reads the revisions.
    await revisions.refresh();
    const [{ counts, changes, mapPath }, runwayClosedByNotam, states] = await Promise.all([
      caches.airportDatabase.get('all'),
      caches.closedRunwayEnds.get(Math.floor(now.getTime() / 60_000)),
      feedRepo(db).states(),
    ]);
    const lastSuccess = (feed: string) =>
      notAfter(states.find((state) => state.feed === feed)?.lastSuccessAt ?? null, now);
    const imported = lastSuccess('airports');
    const seedDate = states.find((state) => state.feed === 'airports')?.seedDate ?? null;
    return {
      airportDatabaseStatus: {
        status: {
          ...databaseStatus(imported, now, seedDate),
          lastUpdated: wireTimeOrNull(imported ?? (seedDate === null ? null : new Date(seedDate))),
        },
        statistics: { ...counts, runwayClosedByNotam },
        changelog: changes.map(({ icao, changedAt, runways }) => ({
          AirportChanged: icao,
          AirportDate: wireTimeOrNull(changedAt) ?? '',
          RunwayChanged: runways,
        })),
        cronMonitoring: {
          notam: wireTimeOrNull(lastSuccess('notam')),
          airportsTimezone: wireTimeOrNull(lastSuccess('timezones')),
          airportOSM: wireTimeOrNull(lastSuccess('osm')),
          magneticVariation: wireTimeOrNull(lastSuccess('magvar')),
        },
        mapGeoJsonUrl: `${config.BASE_URL}${mapPath}`,
      },
    };
  },
});
