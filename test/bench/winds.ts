import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCycleBuilder } from '#data/feeds/winds/build.ts';
import { addMessages } from '#data/feeds/winds/files.ts';
import {
  fieldsPerLevel,
  forecastHours,
  checkedSnapshot,
  packTemperature,
  packWind,
} from '#domain/winds/snapshot.ts';
import type { WindHeader, WindSnapshot } from '#domain/winds/snapshot.ts';
import { windAloft, windAloftInputSchema } from '#domain/winds/wind-aloft.ts';

const runs = 400;
const cycleMs = Date.UTC(2026, 8, 16, 6);
/** Upper limit of the median for 100 waypoints. */
const targetMs = 1;

/** A complete cycle of one degree and 21 levels (74 MB), filled with synthetic winds. */
const wholeCycle = (): WindSnapshot => {
  const header: WindHeader = {
    cycleMs,
    stepsHours: [...forecastHours],
    levelsHpa: [
      100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 925, 950, 975,
      1000,
    ],
    grid: { ni: 360, nj: 181, northDeg: 90, westDeg: 0, diDeg: 1, djDeg: 1 },
  };
  const columns = 360 * 181 * header.levelsHpa.length;
  const steps = header.stepsHours.map((hour) => {
    const data = new Int16Array(columns * fieldsPerLevel);
    for (let k = 0; k < columns; k++) {
      data[k * 3] = packWind(20 + (k % 41) - hour / 6);
      data[k * 3 + 1] = packWind((k % 23) - 11);
      data[k * 3 + 2] = packTemperature(210 + (k % 90));
    }
    return data;
  });
  return checkedSnapshot(header, steps);
};

const routes = (waypoints: number): { waypoints: Record<string, unknown>[] }[] =>
  Array.from({ length: 32 }, (_, r) => ({
    waypoints: Array.from({ length: waypoints }, (_point, i) => ({
      name: `W${i}`,
      latitude: ((r * 37 + i * 1.7) % 170) - 85,
      longitude: ((r * 91 + i * 2.3) % 360) - 180,
      cruiseLevel: 180 + ((i * 10) % 260),
      eto: new Date(cycleMs + ((i * 17) % 2880) * 60_000).toISOString(),
    })),
  }));

const measure = (work: (round: number) => unknown): { median: number; p99: number; first: number } => {
  const times: number[] = [];
  for (let round = 0; round < runs; round++) {
    const start = performance.now();
    work(round);
    times.push(performance.now() - start);
  }
  const first = times[0] ?? Number.NaN;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99), first };
};

const ingestSpeed = (): void => {
  const file = join(
    process.env.SHARED_DATA ?? '../shared/data',
    'grib/constructed/gfslike-1p00-2017032200-f006.grib2',
  );
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  const times: number[] = [];
  for (let hour = 0; hour < 9; hour++) {
    const start = performance.now();
    addMessages(createCycleBuilder(), bytes, file);
    times.push(performance.now() - start);
  }
  const total = times.reduce((sum, ms) => sum + ms, 0);
  console.log(`  nine hours of 1 degree (63 fields each) into int16: ${total.toFixed(0)} ms (target 2000)`);
};

/** windAloft in process: medians and 99th percentiles, and the time to turn a cycle's files into a snapshot. */
export const run = async (): Promise<void> => {
  console.log('winds: windAloft in process, whole cycle of 1 degree');
  await Promise.resolve();
  const snapshot = wholeCycle();
  for (const count of [100, 500]) {
    const inputs = routes(count).map((data) => windAloftInputSchema.parse(data));
    const { median, p99, first } = measure((round) =>
      windAloft(snapshot, inputs[round % inputs.length]?.waypoints ?? [], cycleMs),
    );
    const limit = (targetMs * count) / 100;
    console.log(
      `  ${count} waypoints x 5 levels: median ${median.toFixed(3)} ms (target ${limit}, ratio ` +
        `${(limit / median).toFixed(1)}), p99 ${p99.toFixed(3)} ms, first ${first.toFixed(2)} ms`,
    );
  }
  const raw = routes(100);
  const checked = measure((round) =>
    JSON.stringify(
      windAloft(snapshot, windAloftInputSchema.parse(raw[round % raw.length]).waypoints, cycleMs),
    ),
  );
  console.log(
    `  100 waypoints with input check and JSON text: median ${checked.median.toFixed(3)} ms, p99 ${checked.p99.toFixed(3)} ms`,
  );
  ingestSpeed();
};
