import { expect, test } from 'vitest';
import { profile } from '../fixtures/aircraft.ts';
import { calculateLanding } from './calculate.ts';
import type { LandingCase } from './types.ts';

test.each(['DRY_SNOW', 'WET_SNOW', 'SLUSH', 'STANDING_WATER'])(
  '%s up to 3 mm has code 5 and the distances of a wet runway, more than 3 mm does not',
  (state) => {
    const aircraft = profile('737-700-7B24');
    for (const mode of ['inflight', 'dispatch'] as const) {
      const at = (condition: LandingCase['condition']) =>
        calculateLanding(aircraft, {
          mode,
          runway: { ldaM: 3000, elevationM: 0, slope: 0 },
          weather: { headwindMps: 0, temperatureK: 270, qnhPa: 101_325 },
          condition,
          configuration: {
            flap: aircraft.flaps.find((entry) => entry.landing && entry.isDefault)?.code ?? '',
            autobrake: 'ALL',
            vrefAdditiveKt: 5,
            autoland: false,
            autothrust: true,
            missedApproachGradient: 0.025,
            nonNormal: [],
            mel: [],
            cdl: [],
          },
          massKg: aircraft.weight.mslw,
        });
      const wet = at({ state: 'WET', depthM: 0 });
      for (const depthMm of [0.5, 2, 3]) {
        expect(at({ state, depthM: depthMm / 1000 }), `${mode} ${depthMm} mm`).toEqual(wet);
      }
      const thick = at({ state, depthM: 0.0031 });
      expect(thick.ok && thick.result.rwycc).toBeLessThan(5);
      expect(at({ state, depthM: 0 })).toMatchObject({ ok: false, code: 'DEPTH_OUTSIDE_RANGE' });
    }
  },
);
