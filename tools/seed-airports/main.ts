/** Writes the airports that the service bundles. Run after an update of their npm packages: `npx node tools/seed-airports/main.ts`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundledPath } from '#data/feeds/airports/bundled.ts';
import { packagedAirports } from './packages.ts';

for (const [name, airports] of await packagedAirports()) {
  const path = bundledPath(name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, gzipSync(JSON.stringify(airports), { level: 9 }));
}
