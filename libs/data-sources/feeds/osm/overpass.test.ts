import { describe, expect, test } from 'vitest';
import { axisBetween, groupRunways } from '#domain/exits/axis.ts';
import { computeExits } from '#domain/exits/compute.ts';
import type { ExitComputation } from '#domain/exits/compute.ts';
import { sharedData } from '#test/support/shared-data.ts';
import { readWorldAirports } from '../airports/import.ts';
import { overpassQuery, parseOverpass } from './overpass.ts';

const answer = (elements: unknown[], rest: Record<string, unknown> = {}): string =>
  JSON.stringify({ version: 0.6, osm3s: { timestamp_osm_base: '2026-01-01T00:00:00Z' }, elements, ...rest });

const node = (id: number, lat: number, lon: number) => ({ type: 'node', id, lat, lon });

test('The query covers the bounding box of the runways with a margin', () => {
  const query = overpassQuery([
    { latitudeDeg: 50, longitudeDeg: 8 },
    { latitudeDeg: 50.02, longitudeDeg: 8.05 },
  ]);
  expect(query).toContain('[out:json]');
  expect(query).toContain('(49.98500,7.97666,50.03500,8.07334)');
  expect(query).toContain('out body;>;out skel qt;');
});

test('An answer yields runways with their parts and taxiways with their names, without blast pads', () => {
  const map = parseOverpass(
    answer([
      node(1, 50, 8),
      node(2, 50, 8.04),
      { type: 'way', id: 10, nodes: [1, 2], tags: { aeroway: 'runway', ref: '9L/27R' } },
      {
        type: 'way',
        id: 11,
        nodes: [1, 2],
        tags: { aeroway: 'runway', ref: '9L/27R', runway: 'displaced_threshold' },
      },
      { type: 'way', id: 12, nodes: [1, 2], tags: { aeroway: 'runway', ref: '9L/27R', runway: 'blast_pad' } },
      { type: 'way', id: 13, nodes: [1, 2], tags: { aeroway: 'stopway', ref: '9L/27R' } },
      { type: 'way', id: 14, nodes: [1, 2], tags: { aeroway: 'taxiway', ref: 'e11' } },
      { type: 'way', id: 15, nodes: [1, 2], tags: { aeroway: 'taxilane', name: 'Taxiway A5' } },
      { type: 'way', id: 16, nodes: [1, 2], tags: { aeroway: 'taxiway' } },
      { type: 'way', id: 17 },
      'not an element',
    ]),
  );
  expect(map.runways.map((way) => [way.id, way.name])).toEqual([
    [10, '9L/27R'],
    [11, '9L/27R'],
  ]);
  expect(map.taxiways.map((way) => way.name)).toEqual(['E11', 'A5', null]);
  expect(map.timestamp).toBe('2026-01-01T00:00:00Z');
});

describe('invalid answers', () => {
  test.each([
    ['a web page', '<html><body>504</body></html>', 'web page'],
    ['truncated JSON', answer([node(1, 50, 8)]).slice(0, -4), 'not valid JSON'],
    ['a time-out with status 200', answer([], { remark: 'runtime error: Query timed out' }), 'not complete'],
    ['no elements', '{"version":0.6}', 'no list of elements'],
    ['an empty list', answer([]), 'no aeroways'],
  ])('%s', (_, text, message) => {
    expect(() => parseOverpass(text)).toThrow(message);
  });
});

describe('whole airports', () => {
  test('KATL 08R has its exits, nine of ten taxiway segments have names, and lengths are within 2 % except for known runways', async () => {
    const data = sharedData('airports');
    const named = data.names('overpass').map((name) => ({ name, icao: name.slice(0, 4) }));
    const wanted = new RegExp(`\\b(?:${named.map(({ icao }) => icao).join('|')})\\b`);
    // The whole world takes ten times as long to read.
    const rowsOf = (file: string): Buffer => {
      const [header = '', ...rows] = data.lines(file);
      return Buffer.from([header, ...rows.filter((row) => wanted.test(row))].join('\n'));
    };
    const { airports } = await readWorldAirports(
      {
        airports: rowsOf('ourairports/airports-2026-08-07.csv.gz'),
        runways: rowsOf('ourairports/runways-2026-08-22.csv.gz'),
      },
      new Date('2026-09-16T00:00:00Z'),
    );
    const off: string[] = [];
    const katl: ExitComputation['exits'] = [];
    let exits = 0;
    let withName = 0;
    for (const { name, icao } of named) {
      const ends = airports.find((airport) => airport.icao === icao)?.ends ?? [];
      const map = parseOverpass(data.text(`overpass/${name}`));
      const result = computeExits(map, ends);
      for (const low of ends) {
        const high = ends.find((end) => end.ident === low.reciprocalIdent);
        if (!high || low.isClosed || !low.runway.startsWith(`${low.ident}/`)) continue;
        const axis = axisBetween(low, high, groupRunways(map.runways), map.nodes);
        if (Math.abs((axis?.lengthM ?? 0) - low.lengthM) / low.lengthM > 0.02)
          off.push(`${icao} ${low.runway}`);
      }
      exits += result.exits.length;
      withName += result.exits.filter((exit) => exit.name !== 'unnamed').length;
      if (icao === 'KATL') katl.push(...result.exits.filter((exit) => exit.ident === '08R'));
    }
    const of = (exit: string) => katl.find(({ name }) => name === exit);
    expect(Math.abs((of('E11')?.distanceM ?? 0) - 1855)).toBeLessThan(10);
    expect(of('E11')?.side).toBe('right');
    expect(of('E11')?.angleDeg).toBeLessThanOrEqual(30);
    expect(Math.abs((of('B10')?.distanceM ?? 0) - 1941)).toBeLessThan(10);
    expect(of('B10')).toMatchObject({ side: 'left', angleDeg: 30 });
    expect(off.sort()).toEqual(
      // KCLT's runways were renumbered, and one was built, after this file was made.
      data.either(['KCLT 18/36', 'KLAS 08L/26R', 'KORD 09R/27L'], ['KCLT 18/36']),
    );
    expect(exits).toBeGreaterThan(data.either(1_000, 10));
    expect(withName / exits).toBeGreaterThan(0.9);
  });
});
