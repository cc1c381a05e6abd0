/** Prints the result of seeding and importing airports by the process's clock; started under libfaketime. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSeedAirports, readWorldAirports } from '#data/feeds/airports/import.ts';
import { isModelCurrent, wmm2025 } from '#domain/geomagnetism/wmm.ts';

const world = join(import.meta.dirname, '../../libs/simulated/world');
const now = new Date();
const seed = await readSeedAirports(now);
const imported = await readWorldAirports(
  {
    airports: await readFile(join(world, 'airports.csv')),
    runways: await readFile(join(world, 'runways.csv')),
  },
  now,
);
process.stdout.write(
  JSON.stringify({
    time: now.toISOString(),
    seeded: seed.bySource.reduce((sum, { airports }) => sum + airports.length, 0),
    imported: imported.airports.length,
    isVariationCurrent: isModelCurrent(wmm2025.name, now),
  }),
);
