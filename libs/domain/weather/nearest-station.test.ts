import { expect, test } from 'vitest';
import { courseTo, nearestStation } from './nearest-station.ts';

const kjfk = { icao: 'KJFK', latitudeDeg: 40.6398, longitudeDeg: -73.7789 };
const now = new Date('2026-09-16T12:00Z');
const station = (icao: string, latitudeDeg: number, longitudeDeg: number, observedAt = now) => ({
  icao,
  name: icao,
  latitudeDeg,
  longitudeDeg,
  observedAt,
});

test('Great-circle distances between airports are as published', () => {
  const egll = { latitudeDeg: 51.4706, longitudeDeg: -0.4619 };
  const klax = { latitudeDeg: 33.9425, longitudeDeg: -118.4081 };
  expect(Math.abs(courseTo(kjfk, egll).distanceNm - 2_991)).toBeLessThan(9);
  expect(Math.abs(courseTo(klax, kjfk).distanceNm - 2_146)).toBeLessThan(7);
  // Eastward across the date line.
  const fiji = courseTo({ latitudeDeg: 0, longitudeDeg: 179.5 }, { latitudeDeg: 0, longitudeDeg: -179.5 });
  expect([Math.round(fiji.distanceNm), Math.round(fiji.bearingDeg)]).toEqual([60, 90]);
});

test('The nearest station has a recent report and lies within 200 NM', () => {
  const old = new Date('2026-09-16T09:00Z');
  const stations = [
    station('KLGA', 40.7772, -73.8726, old),
    station('KEWR', 40.6925, -74.1687),
    station('KBOS', 42.3643, -71.0052),
    { ...kjfk, name: 'itself', observedAt: now },
  ];
  const since = new Date('2026-09-16T10:45Z');
  const found = nearestStation(kjfk, stations, since);
  expect(found).toMatchObject({ icao: 'KEWR' });
  expect(Math.abs((found?.distanceNm ?? 0) - 18)).toBeLessThan(1);
  expect(Math.abs((found?.bearingDeg ?? 0) - 280)).toBeLessThan(2);
  expect(nearestStation(kjfk, stations, old)?.icao).toBe('KLGA');
  expect(nearestStation({ icao: 'X', latitudeDeg: -40, longitudeDeg: -140 }, stations, old)).toBeNull();
});
