/** Winds, warnings and reports along a route, as the feeds store them. */
import { createCycleBuilder } from '#data/feeds/winds/build.ts';
import { addMessages } from '#data/feeds/winds/files.ts';
import { metarWrites, tafWrites } from '#store/postgres/weather/reports.ts';
import { sigmetWrites } from '#store/postgres/weather/sigmets.ts';
import { windCycleWrites } from '#store/postgres/winds/cycles.ts';
import type { Sigmet } from '#domain/weather/sigmet.ts';
import { forecastHours } from '#domain/winds/snapshot.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { makeHour, testCycleMs } from './grib/gfs.ts';
import type { TestCycle } from './grib/gfs.ts';
import { planDocument } from './ofp.ts';
import { runSql } from './sql.ts';
import { until } from './until.ts';

const levelsHpa = [100, 150, 200, 250, 300, 400, 500, 700, 850, 1000];

/** A cycle on ten levels, in use when this returns. */
export const storeWinds = async (api: TestApi, value?: TestCycle['value']): Promise<void> => {
  const builder = createCycleBuilder();
  const cycle = { cycleMs: testCycleMs, levelsHpa, ...(value ? { value } : {}) };
  for (const hour of forecastHours) addMessages(builder, makeHour(cycle, hour).grib, 'fixture');
  await api.context.postgres.transaction((tx) =>
    windCycleWrites(tx).store(builder.finish(), 'test', api.context.clock.now()),
  );
  await until('the cycle is loaded', () => api.running.services.winds.current() !== null);
};

type Corners = readonly [south: number, west: number, north: number, east: number];

/** A box that lasts the whole day of the test clock, from FL300 to FL400 unless changed. */
export const sigmetOver = ([south, west, north, east]: Corners, change: Partial<Sigmet> = {}): Sigmet => ({
  product: 'isigmet',
  kind: 'SIGMET',
  fir: 'EGGX',
  firName: 'EGGX SHANWICK OCEANIC',
  series: '1',
  hazard: 'TURB',
  qualifier: 'SEV',
  validFrom: '2026-09-16T00:00:00.000Z',
  validTo: '2026-09-17T00:00:00.000Z',
  baseFt: 30_000,
  topFt: 40_000,
  shape: 'area',
  parts: [
    [
      [south, west],
      [north, west],
      [north, east],
      [south, east],
    ],
  ],
  movement: { towardDeg: 90, speedKt: 20 },
  change: 'NC',
  raw: 'EGGX SIGMET 1 VALID 160000/170000 EGRR- SEV TURB FL300/400',
  ...change,
});

export const storeSigmets = async ({ context }: TestApi, sigmets: readonly Sigmet[]): Promise<void> => {
  const now = context.clock.now();
  await context.postgres.transaction((tx) => sigmetWrites(tx).store('isigmet', sigmets));
  await runSql(context.postgres)`
    INSERT INTO feed_state (feed, last_success_at) VALUES ('sigmet', ${now})
    ON CONFLICT (feed) DO UPDATE SET last_success_at = excluded.last_success_at`;
};

/** A report and a forecast for each station, an hour before noon. */
export const storeReports = async ({ context }: TestApi, icaos: readonly string[]): Promise<void> => {
  const now = context.clock.now();
  await context.postgres.transaction(async (tx) => {
    await metarWrites(tx).store(
      icaos.map((icao) => ({
        icao,
        observedAt: '2026-09-16T11:51:00.000Z',
        raw: `METAR ${icao} 161151Z 03012G20KT 2SM -RA BKN030 12/09 A3002`,
        source: 'AWC',
      })),
      now,
    );
    await tafWrites(tx).store(
      icaos.map((icao) => ({
        icao,
        issuedAt: '2026-09-16T11:20:00.000Z',
        validFrom: '2026-09-16T12:00:00.000Z',
        validTo: '2026-09-17T18:00:00.000Z',
        raw: `TAF ${icao} 161120Z 1612/1718 03010KT P6SM BKN030`,
        source: 'AWC',
      })),
      now,
    );
  });
};

const equator = [0, 10].map((longitude) => ({ latitude: 0, longitude, flightLevel: 350 }));

/** Inputs refused by every operation with a route. */
export const refusedRoutes: readonly (readonly [what: string, data: object, refusal: [number, string]])[] = [
  ['No route', {}, [400, 'MISSING_FIELD']],
  ['One waypoint', { waypoints: equator.slice(1) }, [400, 'INVALID_WAYPOINTS']],
  [
    'A latitude beyond the pole',
    { waypoints: [...equator, { latitude: 91, longitude: 2 }] },
    [400, 'INVALID_WAYPOINTS'],
  ],
  [
    'Too many waypoints',
    { waypoints: Array.from({ length: 501 }, () => ({ latitude: 1, longitude: 2 })) },
    [400, 'TOO_MANY_WAYPOINTS'],
  ],
  ['A time that is none', { waypoints: equator, time: 'noon' }, [400, 'INVALID_FIELD']],
  ['A ground speed of 5 kt', { waypoints: equator, groundSpeed: 5 }, [400, 'INVALID_FIELD']],
  ['An id with a space', { ofpId: 'no plan' }, [400, 'INVALID_OFP_ID']],
  ['A plan that is not there', { ofpId: 'OFP-none' }, [404, 'OFP_NOT_FOUND']],
];

/** Id of a stored plan without positions. */
export const planWithoutRoute = async (api: TestApi, { token }: TestUser): Promise<string> => {
  const document = planDocument({ requestId: '184000099' });
  const placeless = (name: string) => ({ ...document[name], pos_lat: '' });
  const bare = {
    ...document,
    navlog: [],
    origin: placeless('origin'),
    destination: placeless('destination'),
  };
  const { body } = await api.call('ofpImport', { token, data: { source: 'json', document: bare } });
  return String(body['ofpId']);
};
