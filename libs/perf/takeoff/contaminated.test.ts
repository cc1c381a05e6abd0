import { describe, expect, test } from 'vitest';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { anyCase, randomFrom } from '../fixtures/everywhere.ts';
import { outcome } from '../fixtures/takeoff-cases.ts';
import { calculateLanding } from '../landing/calculate.ts';

const deepestMm: readonly [string, number | null][] = [
  ['SLUSH', 13],
  ['STANDING_WATER', 13],
  ['WET_SNOW', 30],
  ['DRY_SNOW', null],
];

describe('contaminated runways', () => {
  test.each(deepestMm)(
    '%s is refused beyond one depth, of a takeoff and of a landing (G-07)',
    (state, mm) => {
      for (const id of profiles.keys()) {
        const aircraft = profile(id);
        const maxMm = mm ?? aircraft.limits.drySnowMm;
        const landing = anyCase(aircraft, 'dispatch', {}, randomFrom(7));
        const answers = (depthMm: number) => [
          outcome({ id, flap: 'OPTIMUM', metres: 3500, celsius: 0, state, depthMm }),
          calculateLanding(aircraft, { ...landing, condition: { state, depthM: depthMm / 1000 } }),
        ];
        for (const answer of answers(maxMm)) expect(answer.ok, id).toBe(true);
        for (const answer of answers(maxMm + 0.1))
          expect(answer, id).toMatchObject({ ok: false, code: 'DEPTH_OUTSIDE_RANGE', params: { maxMm } });
      }
    },
  );
});
