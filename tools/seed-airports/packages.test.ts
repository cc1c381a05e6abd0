import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { readBundled } from '#data/feeds/airports/bundled.ts';
import { packagedAirports } from './packages.ts';

test('The bundled airports are those of the installed packages', async () => {
  for (const [name, airports] of await packagedAirports())
    expect(
      isDeepStrictEqual(await readBundled(name), airports),
      `run \`npx node tools/seed-airports/main.ts\`: ${name}`,
    ).toBe(true);
});
