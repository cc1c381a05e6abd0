import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { dispatchCase, isaC } from '../build.ts';
import { fieldLimit, requiredDistance } from '../field-limit.ts';
import type { Point } from '../types.ts';

/** Field limit weight in t by wind-corrected length (m): sea level dry, wet; 4000 ft dry, wet; 8000 ft dry, wet. */
const field: [number, ...(number | null)[]][] = [
  [1200, 46.0, 38.2, 40.9, null, 36.2, null],
  [1400, 55.7, 46.9, 49.9, 41.7, 44.3, 36.9],
  [1600, 63.7, 55.4, 58.1, 49.5, 52.4, 43.9],
  [1800, 72.3, 62.3, 65.2, 56.8, 59.3, 51.0],
  [2000, 81.3, 69.6, 73.2, 63.0, 65.8, 57.4],
  [2200, null, 77.4, 81.2, 69.7, 72.9, 62.9],
  [2400, null, null, null, 76.7, 80.1, 68.8],
  [2600, null, null, null, null, null, 75.1],
];

export const fieldPoints = (): Point[] =>
  field.flatMap(([lengthM, ...tonnes]) =>
    tonnes.flatMap((t, i) => {
      if (t === null) return [];
      const elevationFt = 4000 * Math.floor(i / 2);
      const state = i % 2 === 0 ? 'DRY' : 'WET';
      const input = dispatchCase(
        lengthM,
        state,
        { flap: '40' },
        { temperatureC: isaC(elevationFt) },
        { elevationFt },
      );
      return [
        {
          group: 'dispatch, field limit weight',
          name: `${lengthM} m ${elevationFt} ft ${state}`,
          expected: t * 1000,
          error: 'percent' as const,
          weight: t < 42 ? 0.3 : 1,
          evaluate: (profile: AircraftProfile) => fieldLimit(profile, input),
        },
      ];
    }),
  );

/** The same chart read as the required distance for the published weight; not fitted. */
export const requiredPoints = (): Point[] =>
  field.flatMap(([lengthM, ...tonnes]) =>
    tonnes.flatMap((t, i) => {
      if (t === null || t < 42) return [];
      const elevationFt = 4000 * Math.floor(i / 2);
      const input = dispatchCase(
        lengthM,
        i % 2 === 0 ? 'DRY' : 'WET',
        { flap: '40' },
        { temperatureC: isaC(elevationFt) },
        { elevationFt },
      );
      return [
        {
          group: 'dispatch, required distance',
          name: `${t} t ${elevationFt} ft ${i % 2 === 0 ? 'DRY' : 'WET'}`,
          expected: lengthM,
          error: 'percent' as const,
          weight: 0,
          evaluate: (profile: AircraftProfile) => requiredDistance(profile, input, t * 1000),
        },
      ];
    }),
  );

/** Zero-wind runway length equivalent to a length with wind (m). */
const wind: [number, number, number][] = [
  [1600, -15, 1250],
  [1600, -5, 1480],
  [1600, 10, 1680],
  [1600, 30, 1850],
  [2000, -15, 1610],
  [2000, -10, 1730],
  [2000, -5, 1860],
  [2000, 10, 2090],
  [2000, 20, 2190],
  [2000, 40, 2390],
];

export const windPoints = (): Point[] =>
  wind.map(([lengthM, headwindKt, worth]) => ({
    group: 'dispatch, wind-corrected length',
    name: `${lengthM} m ${headwindKt} kt`,
    expected: worth,
    error: 'percent' as const,
    weight: 0,
    evaluate: (profile: AircraftProfile) => {
      const withWind = fieldLimit(profile, dispatchCase(lengthM, 'DRY', { flap: '40' }, { headwindKt }));
      let low = 500;
      let high = 4000;
      while (high - low > 0.5) {
        const middle = 0.5 * (low + high);
        if (fieldLimit(profile, dispatchCase(middle, 'DRY', { flap: '40' })) < withWind) low = middle;
        else high = middle;
      }
      return 0.5 * (low + high);
    },
  }));
