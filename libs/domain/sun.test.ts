import { describe, expect, test } from 'vitest';
import { solarDayStart, sunOfDay } from './sun.ts';

const clock = (ms: number | null): string =>
  new Date(Math.round((ms ?? 0) / 60_000) * 60_000).toISOString().slice(11, 16);
const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

describe('sunrise and sunset', () => {
  // Finnish Meteorological Institute (December) and British Astronomical Association (June), in UTC.
  test.each([
    ['London', '2015-12-22', 51.51, -0.13, '08:04', '15:53'],
    ['London', '2019-06-21', 51.51, -0.13, '03:43', '20:21'],
    ['Helsinki', '2022-12-21', 60.17, 24.94, '07:23', '13:12'],
    ['Rovaniemi', '2022-12-21', 66.5, 25.73, '09:07', '11:22'],
    ['Reykjavik', '2022-12-21', 64.15, -21.94, '11:21', '15:29'],
    ['Lisbon', '2015-12-22', 38.72, -9.14, '07:51', '17:18'],
    ['Nairobi', '2015-12-22', -1.29, 36.82, '03:25', '15:37'],
  ])(
    'Sunrise and sunset in %s on %s are within two minutes of the published times',
    (_, day, latitudeDeg, longitudeDeg, rise, set) => {
      const { sunriseMs, sunsetMs, polar } = sunOfDay(Date.parse(day), { latitudeDeg, longitudeDeg });
      expect(polar).toBeNull();
      for (const [found, published] of [
        [clock(sunriseMs), rise],
        [clock(sunsetMs), set],
      ] as const)
        expect(Math.abs(minutesOf(found) - minutesOf(published)), `${found} ${published}`).toBeLessThan(3);
    },
  );

  test.each([
    ['Murmansk in December', '2022-12-21', 68.97, 'night'],
    ['Murmansk in June', '2022-06-21', 68.97, 'day'],
    ['the South Pole in December', '2022-12-21', -90, 'day'],
    ['the South Pole in June', '2022-06-21', -90, 'night'],
  ])('%s has polar %s', (_, day, latitudeDeg, polar) => {
    expect(sunOfDay(Date.parse(day), { latitudeDeg, longitudeDeg: 33 })).toEqual({
      sunriseMs: null,
      sunsetMs: null,
      polar,
    });
  });

  test('The day is the local one, as in a Los Angeles evening and an Auckland morning', () => {
    const at = Date.parse('2026-06-22T03:00Z');
    const dayOf = (longitudeDeg: number) =>
      new Date(solarDayStart(at, { latitudeDeg: 0, longitudeDeg })).toISOString().slice(0, 10);
    expect([dayOf(-118.4), dayOf(174.8), dayOf(0)]).toEqual(['2026-06-21', '2026-06-22', '2026-06-22']);
    const evening = sunOfDay(Date.parse('2026-06-21'), { latitudeDeg: 33.94, longitudeDeg: -118.4 });
    // 20:08 summer time.
    expect(new Date(evening.sunsetMs ?? 0).toISOString().slice(0, 15)).toBe('2026-06-22T03:0');
  });
});
