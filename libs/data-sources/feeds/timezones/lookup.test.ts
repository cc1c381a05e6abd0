import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { findTimeZones } from './lookup.ts';
import type { AirportTimeZone } from '#store/postgres/airports/derived.ts';

/** Parses lines `icao,latitude,longitude,zone` under a header. */
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

const wrongOf = (expected: readonly AirportTimeZone[]) => {
  const found = findTimeZones(expected.map(targetOf));
  return found.filter(({ timeZone }, at) => timeZone !== expected[at]?.timeZone);
};

describe('time zone lookup', () => {
  test('Every airport within 11 km of a border has the zone of its own side', () => {
    const rows = rowsOf(readFileSync(join(import.meta.dirname, 'fixtures/border-airports.csv'), 'utf8'));
    expect(rows.length).toBeGreaterThanOrEqual(500);
    expect(wrongOf(rows)).toEqual([]);
  });

  test('All reference airports have their time zone', () => {
    const data = sharedData('airports/reference');
    const rows = rowsOf(data.text('airport-timezone-magvar.csv.gz'));
    expect(rows.length).toBeGreaterThanOrEqual(data.either(10_000, 30));
    expect(wrongOf(rows)).toEqual([]);
  });

  test('Far from any aerodrome the zone is unknown, and the nearest is found across the date line and at a pole', () => {
    const zoneAt = (latitudeDeg: number, longitudeDeg: number) =>
      findTimeZones([{ icao: 'XXXX', latitudeDeg, longitudeDeg }])[0]?.timeZone;
    expect(zoneAt(30, -40)).toBeNull();
    expect(zoneAt(-16.69, 180)).toBe('Pacific/Fiji');
    expect(zoneAt(-16.69, -180)).toBe('Pacific/Fiji');
    expect(zoneAt(-90, 0)).toBe('Antarctica/McMurdo');
    expect(findTimeZones([])).toEqual([]);
  });
});
