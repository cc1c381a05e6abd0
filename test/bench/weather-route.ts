/** `weatherRoute` with 100 points and `briefing` over HTTP: 200 SIGMETs, the airports of the seed, each with a report. */
import { seedAirports } from '#operator/seed.ts';
import { airportRepo } from '#store/postgres/airports/airports.ts';
import { metarWrites } from '#store/postgres/weather/reports.ts';
import { sigmetWrites } from '#store/postgres/weather/sigmets.ts';
import { windCycleWrites } from '#store/postgres/winds/cycles.ts';
import { longHaul, planDocument } from '#test/support/ofp.ts';
import { sigmetOver } from '#test/support/route.ts';
import { benchUsers } from './support/accounts.ts';
import { cpuOf } from './support/cpu.ts';
import { benchPostgres, compare } from './support/latency.ts';
import { createStand } from './support/servers.ts';
import { lastCycleMs, wholeCycle } from './winds-http.ts';

const requests = 500;
const barMs = 10;
const briefingBarMs = 50;

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
      await sigmetWrites(tx).store('isigmet', sigmets);
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
    const { url, child } = await stand.start('apps/api/main.ts');
    const [token = ''] = tokens;
    const imported = await fetch(`${url}/api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        query: 'ofpImport',
        data: { source: 'json', document: planDocument(longHaul) },
      }),
    });
    const { ofpId } = (await imported.json()) as { ofpId: string };
    const bodies = Array.from({ length: 16 }, (_, r) => bodyOf(r));
    /** On a busy machine the CPU time of the API is more meaningful than elapsed time. */
    const ask = async (name: string, count: number, limitMs: number, body: (i: number) => string) => {
      const before = cpuOf(child.pid ?? 0);
      await compare(name, url, { count, barMs: limitMs, tokens: [token], bodyOf: body });
      const cpuMs = ((cpuOf(child.pid ?? 0) - before) * 1_000) / count;
      console.log(`  ${name.padEnd(28)} ${cpuMs.toFixed(2)} ms CPU of the API, a bare request included`);
    };
    const route = (i: number): string => bodies[i % bodies.length] ?? '';
    const briefing = (performance: boolean) => () =>
      JSON.stringify({ query: 'briefing', data: { ofpId, performance } });
    console.log(`${airports.length} airports with a report, ${sigmets.length} SIGMETs`);
    await ask('warm-up', 200, barMs, route);
    await ask('weatherRoute, 100 points', requests, barMs, route);
    await ask('warm-up', 100, briefingBarMs, briefing(true));
    await ask('briefing of 40 fixes', 300, briefingBarMs, briefing(true));
    await ask('the same without performance', 300, briefingBarMs, briefing(false));
    await postgres.close();
  } finally {
    await stand.close();
  }
};
