/**
 * `windAloft` with 100 waypoints over HTTP, a complete cycle in memory, compared with a bare request; and a
 * change of cycle under load.
 */
import { windCycleWrites } from '#store/postgres/winds/cycles.ts';
import { forecastHours, packTemperature, packWind } from '#domain/winds/snapshot.ts';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { benchUsers } from './support/accounts.ts';
import { benchPostgres, compare } from './support/latency.ts';
import { createStand } from './support/servers.ts';

const requests = 3_000;
const barMs = 5;
const hourMs = 3_600_000;
export const lastCycleMs = Math.floor(Date.now() / (6 * hourMs)) * 6 * hourMs - 6 * hourMs;

/** One degree, 21 levels, nine hours: 74 MB. */
export const wholeCycle = (startMs: number): WindSnapshot => {
  const header = {
    cycleMs: startMs,
    stepsHours: [...forecastHours],
    levelsHpa: [
      100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 925, 950, 975,
      1000,
    ],
    grid: { ni: 360, nj: 181, northDeg: 90, westDeg: 0, diDeg: 1, djDeg: 1 },
  };
  const columns = 360 * 181 * header.levelsHpa.length;
  const steps = header.stepsHours.map((hour) => {
    const data = new Int16Array(columns * 3);
    for (let k = 0; k < columns; k += 1) {
      data[k * 3] = packWind(20 + (k % 41) - hour / 6);
      data[k * 3 + 1] = packWind((k % 23) - 11);
      data[k * 3 + 2] = packTemperature(210 + (k % 90));
    }
    return data;
  });
  return { header, steps };
};

const bodyOf = (r: number): string =>
  JSON.stringify({
    query: 'windAloft',
    data: {
      waypoints: Array.from({ length: 100 }, (_, i) => ({
        name: `W${i}`,
        latitude: ((r * 37 + i * 1.7) % 170) - 85,
        longitude: ((r * 91 + i * 2.3) % 360) - 180,
        cruiseLevel: 180 + ((i * 10) % 260),
        eto: new Date(lastCycleMs + ((i * 17) % 2_880) * 60_000).toISOString(),
      })),
    },
  });

export const run = async (): Promise<void> => {
  const stand = await createStand();
  try {
    const postgres = benchPostgres(stand);
    const tokens = await benchUsers(stand, postgres);
    const store = (startMs: number) =>
      postgres.transaction((tx) => windCycleWrites(tx).store(wholeCycle(startMs), 'bench', new Date()));
    await store(lastCycleMs);
    const { url } = await stand.start('apps/api/main.ts');
    const bodies = Array.from({ length: 64 }, (_, r) => bodyOf(r));
    const ask = (name: string, count: number) =>
      compare(name, url, { count, barMs, tokens, bodyOf: (i) => bodies[i % bodies.length] ?? '' });
    await ask('warm-up', 500);
    await ask('windAloft, 100 waypoints', requests);
    const switching = store(lastCycleMs + 6 * hourMs);
    await ask('the same with a switch', requests);
    await switching;
    await postgres.close();
  } finally {
    await stand.close();
  }
};
