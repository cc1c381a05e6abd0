/** `weatherRoute` over HTTP: 100 points, 200 SIGMETs, the airports of the seed, each with a report. */
import { seedAirports } from '#data/seed.ts';
import { airportRepo } from '#data/postgres/airports/airports.ts';
import { metarWrites } from '#data/postgres/weather/metars.ts';
import { sigmetWrites } from '#data/postgres/weather/sigmets.ts';
import { windCycleWrites } from '#data/postgres/winds/cycles.ts';
import { sigmetOver } from '#test/support/route.ts';
import { benchUsers } from './support/accounts.ts';
import { benchPostgres, compare } from './support/latency.ts';
import { createStand } from './support/servers.ts';
import { lastCycleMs, wholeCycle } from './winds-http.ts';

const requests = 1_000;
const barMs = 10;

/** Across the Atlantic and the United States, climbing and descending. */
const bodyOf = (r: number): string =>
  JSON.stringify({
    query: 'weatherRoute',
    data: {
      time: new Date(lastCycleMs + 8 * 3_600_000).toISOString(),
      waypoints: Array.from({ length: 100 }, (_, i) => ({
        ident: `W${i}`,
        latitude: 50 - (i / 99) * 16 + 6 * Math.sin((i / 99) * Math.PI) + (r % 7) / 5,
        longitude: 8.5 - (i / 99) * 127,
        flightLevel: Math.min(360, i * 30, (99 - i) * 30),
      })),
    },
  });

export const run = async (): Promise<void> => {
  const stand = await createStand();
  try {
    const postgres = benchPostgres(stand);
    const tokens = await benchUsers(stand, postgres);
    const now = new Date();
    const valid = {
      validFrom: new Date(lastCycleMs).toISOString(),
      validTo: new Date(lastCycleMs + 40 * 3_600_000).toISOString(),
    };
    const sigmets = Array.from({ length: 200 }, (_, i) => {
      const [south, west] = [((i * 37) % 140) - 70, ((i * 53) % 350) - 175];
      return sigmetOver([south, west, south + 4, west + 5], { ...valid, series: String(i) });
    });
    await seedAirports(postgres, now);
    const airports = await airportRepo(postgres.db).mapAirports();
    await postgres.transaction(async (tx) => {
      await windCycleWrites(tx).store(wholeCycle(lastCycleMs), 'bench', now);
      await sigmetWrites(tx).store('isigmet', sigmets, { now, source: 'bench' });
      await metarWrites(tx).store(
        airports.map(({ icao }) => ({
          icao,
          observedAt: now.toISOString(),
          raw: `METAR ${icao} 161151Z 03012G20KT 2SM -RA BKN030 12/09 A3002`,
          source: 'BENCH',
        })),
        now,
      );
    });
    const { url } = await stand.start('apps/api/main.ts');
    const bodies = Array.from({ length: 16 }, (_, r) => bodyOf(r));
    const ask = (name: string, count: number) =>
      compare(name, url, { count, barMs, tokens, bodyOf: (i) => bodies[i % bodies.length] ?? '' });
    console.log(`${airports.length} airports with a report, ${sigmets.length} SIGMETs`);
    await ask('warm-up', 200);
    await ask('weatherRoute, 100 points', requests);
    await postgres.close();
  } finally {
    await stand.close();
  }
};
