import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SourceError } from '#domain/source-error.ts';
import { airportsCsv, runwaysCsv, runwaysFile } from '#test/support/airport-csv.ts';
import { readOurAirports } from '../airports/ourairports.ts';
import { parseObstacles } from '../obstacles/dof.ts';
import { parseOverpass } from '../osm/overpass.ts';
import { readNavdata } from './read.ts';

const samples = [
  'ident,name,type,frequency_khz,latitude_deg,longitude_deg\nTST,Test,VOR,113100,50.1,8.2\nNB,Beacon,NDB,373,51.5,-0.5\n',
  'I\n1200 Version - data cycle 2608, build 1\n\n 50.88 12.58 PACEC ENRT ZZ 2115159\n 51.0 8.0 TSTFX EDXA ED 1\n99\n',
  'I\n1200 Version - data cycle 2608, build 1\n\n 3  50.0  8.0  100  11360  130  1.0 TST ENRT ED TEST VOR-DME\n99\n',
  '{"meta":{"nasrCycleDate":"2026-08-06"},"records":[{"identifier":"AABBZ","icaoRegionCode":"K5","lat":1,"lon":2}]}',
  '{"version":0.6,"elements":[{"type":"node","id":1,"lat":50,"lon":8},{"type":"way","id":2,"nodes":[1,1],"tags":{"aeroway":"runway","ref":"09/27"}}]}',
];

/** A sample truncated at random, with some bytes replaced. */
const damaged = fc
  .record({
    sample: fc.constantFrom(...samples),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    flips: fc.array(fc.tuple(fc.nat(1_000), fc.nat(255)), { maxLength: 6 }),
  })
  .map(({ sample, cut, flips }) => {
    const bytes = Buffer.from(sample);
    for (const [at, value] of flips) bytes[at % bytes.length] = value;
    return bytes.subarray(0, Math.ceil(bytes.length * cut));
  });

/** The reader returns a value or throws a typed error that describes the problem. */
const settles = async (read: () => unknown): Promise<boolean> => {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof SourceError) return true;
    throw error;
  }
};

test('Any damage yields points in range or a typed error', async () => {
  await fc.assert(
    fc.asyncProperty(damaged, async (bytes) => {
      expect(
        await settles(async () => {
          const { points } = readNavdata(bytes);
          for (const { ident, latitudeDeg, longitudeDeg, frequencyMhz } of points) {
            expect(ident).toMatch(/^[A-Z0-9]{1,5}$/);
            expect(Math.abs(latitudeDeg)).toBeLessThanOrEqual(90);
            expect(Math.abs(longitudeDeg)).toBeLessThanOrEqual(180);
            expect(frequencyMhz === null || frequencyMhz > 0).toBe(true);
          }
        }),
      ).toBe(true);
      expect(await settles(() => parseObstacles(bytes))).toBe(true);
      expect(await settles(() => parseOverpass(bytes.toString()))).toBe(true);
    }),
    { numRuns: 400 },
  );
});

test('Damaged airport files yield airports in range or a typed error', async () => {
  const airports = airportsCsv([
    { id: 1, icao: 'EDXA' },
    { id: 2, icao: 'EDXB' },
  ]);
  const runways = runwaysFile(runwaysCsv(1, [{ low: ['09', 50, 8], high: ['27', 50, 8.04] }]));
  const flips = fc.array(fc.tuple(fc.nat(2_000), fc.nat(255)), { maxLength: 5 });
  const damage = (text: string, list: [number, number][]): Buffer => {
    const bytes = Buffer.from(text);
    for (const [at, value] of list) bytes[at % bytes.length] = value;
    return bytes;
  };
  await fc.assert(
    fc.asyncProperty(flips, flips, async (a, r) => {
      expect(
        await settles(async () => {
          const world = readOurAirports({ airports: damage(airports, a), runways: damage(runways, r) });
          for (const airport of world.airports) expect(Math.abs(airport.latitudeDeg)).toBeLessThanOrEqual(90);
        }),
      ).toBe(true);
    }),
    { numRuns: 300 },
  );
});
