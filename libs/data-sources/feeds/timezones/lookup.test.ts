import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { findTimeZones } from './lookup.ts';
import type { AirportTimeZone } from './lookup.ts';

/** Lines `icao,latitude,longitude,zone` under a header. */
const rowsOf = (csv: string): AirportTimeZone[] =>
  csv
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [icao = '', latitude, longitude, timeZone = ''] = line.split(',');
      return { icao, latitudeDeg: Number(latitude), longitudeDeg: Number(longitude), timeZone };
    });

const targetOf = ({ icao, latitudeDeg, longitudeDeg }: AirportTimeZone) => ({
  icao,
  latitudeDeg,
  longitudeDeg,
});

const wrongOf = async (expected: readonly AirportTimeZone[]) => {
  const found = await findTimeZones(expected.map(targetOf));
  return found.filter(({ timeZone }, at) => timeZone !== expected[at]?.timeZone);
};

describe('time zone lookup', () => {
  test('Every airport within 11 km of a border has the zone of its side', async () => {
    const rows = rowsOf(readFileSync(join(import.meta.dirname, 'fixtures/border-airports.csv'), 'utf8'));
    expect(rows.length).toBeGreaterThanOrEqual(500);
    expect(await wrongOf(rows)).toEqual([]);
  });

  test('All airports of the reference have its zones', async () => {
    const data = sharedData('airports/reference');
    const rows = rowsOf(data.text('airport-timezone-magvar.csv.gz'));
    expect(rows.length).toBeGreaterThanOrEqual(data.either(10_000, 30));
    expect(await wrongOf(rows)).toEqual([]);
  });

  test('Away from every coast it is a zone of the sea, and no airport needs no process', async () => {
    const sea = { icao: 'SEA1', latitudeDeg: 30, longitudeDeg: -40 };
    expect(await findTimeZones([sea])).toEqual([{ ...sea, timeZone: 'Etc/GMT+3' }]);
    expect(await findTimeZones([])).toEqual([]);
  });

  test('An invalid position and an abort reject, instead of waiting for an answer', async () => {
    const wrong = { icao: 'XXXX', latitudeDeg: 91, longitudeDeg: 0 };
    await expect(findTimeZones([wrong])).rejects.toThrow(
      'ended without an answer: Error: Invalid latitude: 91',
    );
    await expect(findTimeZones([{ ...wrong, latitudeDeg: 1 }], AbortSignal.abort())).rejects.toThrow(
      /abort/i,
    );
  });
});
