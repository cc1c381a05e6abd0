import { describe, expect, test } from 'vitest';
import { buildAirports } from '#domain/airports/build.ts';
import type { RawRunwayEnd } from '#domain/airports/types.ts';
import { readBundledFaaNasr } from './faa-nasr.ts';
import { airportsCsv, runwaysCsv, runwaysFile } from '#test/support/airport-csv.ts';
import { readWorldAirports } from './import.ts';
import { formerIcaosOf, readOurAirports } from './ourairports.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

const airports = airportsCsv([
  { id: 1, icao: 'EDXA', iata: 'DXA', elevationFt: 364 },
  { id: 2, icao: 'KXYZ', country: 'US', type: 'medium_airport' },
  { id: 3, icao: '', name: 'Farm strip', type: 'small_airport' },
  { id: 4, icao: 'EDXC', type: 'closed' },
]);
const runways = runwaysFile(
  runwaysCsv(1, [
    {
      low: ['7L', 50.0, 8.0, 360, 70, 300],
      high: ['25R'],
    },
    { low: ['H1'], high: [''] },
  ]),
  runwaysCsv(2, [{ low: ['04L'], high: ['22R'], lengthFt: 12_079 }]),
  runwaysCsv(3, [{ low: ['09'], high: ['27'] }]),
  runwaysCsv(9, [{ low: ['09'], high: ['27'] }]),
);

test('Airports with an ICAO code are read by column name with their runways', async () => {
  const world = readOurAirports({ airports: bytes(airports), runways: bytes(runways) });
  expect(world).toMatchObject({ runwayRows: 5, orphanRunways: 1, rejects: [] });
  expect(world.airports.map((airport) => airport.icao)).toEqual(['EDXA', 'KXYZ']);
  expect(world.airports[0]).toMatchObject({
    iata: 'DXA',
    name: 'EDXA "Field", Test',
    type: 'large',
    elevationFt: 364,
  });
  expect(world.airports[0]?.runways[0]?.low).toEqual({
    ident: '7L',
    latitudeDeg: 50,
    longitudeDeg: 8,
    elevationFt: 360,
    headingTrueDeg: 70,
    displacedThresholdFt: 300,
  });
  expect(world.airports[0]?.runways[0]?.high.latitudeDeg).toBeNull();
});

const official = (ident: string, displacedThresholdFt: number, ldaFt: number): [string, RawRunwayEnd] => [
  ident,
  {
    ident,
    latitudeDeg: null,
    longitudeDeg: null,
    elevationFt: null,
    headingTrueDeg: null,
    displacedThresholdFt,
    official: { source: 'faa_nasr', asOf: '2026-09-03', toraFt: 12_079, todaFt: null, asdaFt: null, ldaFt },
  },
];
const officialOfXyz = new Map([
  ['KXYZ', new Map([official('04L', 460, 11_010), official('22R', 3_424, 7_795)])],
]);

test('FAA declared distances and thresholds override the worldwide import', async () => {
  const world = readOurAirports({ airports: bytes(airports), runways: bytes(runways) });
  const built = buildAirports(world.airports, officialOfXyz, new Date('2026-09-16T00:00:00Z'));
  expect(built.rejects).toEqual({ ident: 1, length: 0, duplicate: 0, orphan: 0 });
  const ends = built.airports.find((airport) => airport.icao === 'KXYZ')?.ends ?? [];
  expect(ends.map((end) => [end.ident, end.distances.lda, end.distances.asOf])).toEqual([
    ['04L', { valueM: 3355.8, source: 'faa_nasr' }, '2026-09-03'],
    ['22R', { valueM: 2375.9, source: 'faa_nasr' }, '2026-09-03'],
  ]);
  expect(ends[1]?.displacedThresholdM).toBe(1043.6);
});

test('Runways of the United States are those of the FAA, whatever names and lengths the worldwide file has', async () => {
  const { officialEnds } = await readBundledFaaNasr();
  const files = {
    airports: bytes(
      airportsCsv([
        { id: 1, icao: 'KCLT', country: 'US' },
        { id: 2, icao: 'KOFF', country: 'US' },
        { id: 3, icao: 'PAMC', country: 'US' },
        { id: 4, icao: 'CYQB', country: 'CA' },
      ]),
    ),
    runways: bytes(
      runwaysFile(
        runwaysCsv(1, [
          { low: ['18C'], high: ['36C'], lengthFt: 10_000 },
          { low: ['05'], high: ['23'], lengthFt: 7_502, closed: 1 },
        ]),
        runwaysCsv(2, [{ low: ['12'], high: ['30'], lengthFt: 11_700, closed: 1 }]),
        runwaysCsv(3, [{ low: ['16'], high: ['34'], lengthFt: 5_936 }]),
        runwaysCsv(4, [{ low: ['11'], high: ['29'], lengthFt: 5_700 }]),
      ),
    ),
  };
  const world = await readWorldAirports(files, new Date('2026-09-16T00:00:00Z'));
  const endsOf = (code: string) => world.airports.find(({ icao }) => icao === code)?.ends ?? [];
  const open = (code: string) => endsOf(code).flatMap(({ ident, isClosed }) => (isClosed ? [] : [ident]));
  const ofFaa = (code: string) => [...(officialEnds.get(code)?.keys() ?? [])].toSorted();
  for (const code of ['KCLT', 'KOFF', 'PAMC']) expect(open(code)).toEqual(ofFaa(code));
  expect(open('KCLT')).toContain('01L');
  expect(endsOf('KCLT').flatMap(({ ident, isClosed }) => (isClosed ? [ident] : []))).toEqual(['05', '23']);
  expect(endsOf('KOFF').some(({ ident }) => ident === '12')).toBe(false);
  expect(endsOf('PAMC').find(({ ident }) => ident === '17')?.distances.lda).toMatchObject({
    valueM: expect.closeTo(1476.1, 0) as number,
  });
  expect(open('CYQB')).toEqual(['11', '29']);
});

describe('invalid files', () => {
  const read = (a: string, r: string) => () => readOurAirports({ airports: bytes(a), runways: bytes(r) });

  test.each([
    ['a login page', '<!DOCTYPE html><html><body>Sign in</body></html>', runways, 'web page'],
    ['another CSV', 'a,b\n1,2\n', runways, 'airports.csv has no column id, ident'],
    ['exchanged files', runways, airports, 'airports.csv has no column'],
    ['no rows', `${airports.split('\n')[0]}\n`, runways, 'airports.csv has no rows'],
    ['nothing', '', runways, 'airports.csv has no rows'],
    [
      'a truncated record',
      airports.slice(0, airports.indexOf('Farm') + 2),
      runways,
      'ends in the middle of a record',
    ],
  ])('%s', async (_, a, r, message) => {
    expect(read(a, r)).toThrow(message);
  });
});

test('An airport without a position is rejected with a reason, and the others are kept', async () => {
  const broken = airports.replace('50,8,364', ',,364');
  const world = readOurAirports({ airports: bytes(broken), runways: bytes(runways) });
  expect(world.rejects.map((reject) => reject.reason)).toEqual(['no position']);
  expect(world.airports).toHaveLength(1);
});

test('A short row does not invalidate the file', async () => {
  const short = airports.replace(/\n2,"KXYZ".*\n/, '\n2,"KXYZ"\n');
  expect(short).not.toBe(airports);
  const world = readOurAirports({
    airports: bytes(short),
    runways: bytes(`${runways}77,1,"X",9000\n`),
  });
  expect(world.airports.map((airport) => airport.icao)).toEqual(['EDXA']);
  expect(world.airports[0]?.runways).toHaveLength(3);
});

test('The bundled seed has the official distances of KJFK', async () => {
  const faa = await readBundledFaaNasr();
  expect(faa.airports.length).toBeGreaterThan(2_500);
  expect(faa.officialEnds.get('KJFK')?.get('22R')?.official).toMatchObject({
    ldaFt: 7_795,
    source: 'faa_nasr',
  });
});

test('Former codes are the identifier and any code of the same region among the keywords', () => {
  expect(formerIcaosOf('SPJC', 'SPIM', 'SPIM')).toEqual(['SPIM']);
  expect(formerIcaosOf('UZFN', 'UTFN', 'UTFN, UTKN')).toEqual(['UTFN', 'UTKN']);
  expect(formerIcaosOf('UCFM', 'UAFM', 'FRU, UAFM, Manas Air Force Base')).toEqual(['UAFM']);
  expect(formerIcaosOf('FLKK', 'FLLS', '')).toEqual(['FLLS']);
  // Abbreviations of names, identifiers of OurAirports and the code itself.
  expect(formerIcaosOf('WMKK', 'WMKK', 'KLIA')).toEqual([]);
  expect(formerIcaosOf('SBVC', 'BR-0569', '')).toEqual([]);
});
