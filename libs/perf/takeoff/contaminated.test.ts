import { describe, expect, test } from 'vitest';
import { isDeep } from '#test/support/deep.ts';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { anyCase, randomFrom } from '../fixtures/everywhere.ts';
import { outcome, takeoff } from '../fixtures/takeoff-cases.ts';
import type { Change } from '../fixtures/takeoff-cases.ts';
import { largest } from '../kernel/search.ts';
import { calculateLanding } from '../landing/calculate.ts';

const deepestMm: readonly [string, number | null][] = [
  ['SLUSH', 13],
  ['STANDING_WATER', 13],
  ['WET_SNOW', 30],
  ['DRY_SNOW', null],
];

/** Of the weights up to a limit. */
const stepKg = isDeep ? 1_000 : 4_000;

const fieldT = (change: Change): number => (takeoff(change).limits.fieldKg ?? Infinity) / 1000;

/** Change (t) of the field limit on a runway with a given dry field limit weight (t), on a standard day. */
const changeT = (change: Change, dryT: number): number => {
  const at = { ...change, celsius: 15 - 0.0019812 * (change.elevationFt ?? 0) };
  const isShort = (metres: number): boolean =>
    fieldT({ ...at, metres, state: 'DRY', depthMm: 0, reversers: 2 }) <= dryT;
  const metres = largest(500, 9000, isShort, 0.5) ?? 0;
  return fieldT({ ...at, metres }) - dryT;
};

describe('contaminated runways', () => {
  // Adjustments (t) of the 737-8 in slush by depth (mm), pressure altitude (ft) and dry field limit weight (t).
  test.each([
    [3, 0, 80, -5.2],
    [3, 5000, 70, -5.9],
    [6, 0, 90, -8.2],
    [6, 0, 70, -5.4],
    [6, 10_000, 80, -10.4],
    [13, 0, 60, -5.2],
    [13, 10_000, 70, -11.2],
  ])('With %d mm of slush at %d ft a 737-8 of %d t loses %f t, as published (G-07)', (...row) => {
    const [depthMm, elevationFt, dryT, publishedT] = row;
    const lossT = changeT({ id: '737-8-1B27', state: 'SLUSH', depthMm, elevationFt }, dryT);
    expect(Math.abs(lossT - publishedT)).toBeLessThan(0.6);
  });

  test('Two similar 737s lose about the same in slush (G-07)', () => {
    for (const metres of [1700, 2000, 2500])
      for (const depthMm of [4, 8, 13]) {
        const lossT = (id: string): number => {
          const at = { id, metres, celsius: 0 };
          return fieldT(at) - fieldT({ ...at, state: 'SLUSH', depthMm });
        };
        expect(Math.abs(lossT('737-8-1B27') - lossT('737-800-7B26'))).toBeLessThan(1.5);
      }
  });

  // Published wet decrements (t) by length, m.
  test.each([
    ['A319-112', 3048, 1.01],
    ['A319-112', 4267, 0.83],
    ['A320-214', 4267, 0.84],
    ['A321-211', 2438, 1.25],
    ['A321-211', 3658, 1.02],
  ])('The %s loses on %d m of wet runway %f t or little more (G-07)', (id, metres, publishedT) => {
    const at = { id, flap: '1+F', metres, celsius: 15 };
    const lossT = fieldT(at) - fieldT({ ...at, state: 'WET' });
    expect(lossT).toBeGreaterThan(publishedT - 0.05);
    expect(lossT).toBeLessThan(publishedT + 0.25);
  });

  test.each(['WET', 'COMPACTED_SNOW'])(
    'On %s every Airbus carries less than on a dry runway, and every twin less without reversers (G-07)',
    (state) => {
      for (const id of profiles.keys()) {
        const at = { id, flap: profile(id).takeoff.flaps[0] ?? '', metres: 2000, celsius: 0 };
        const [dry, all] = [fieldT(at), fieldT({ ...at, state })];
        expect(all, id).toBeLessThanOrEqual(id.startsWith('A') ? dry * 0.99 : dry);
        // On four engines the all-engine takeoff times 1.15 is limiting, which leaves room for the stop.
        const most = profile(id).engineCount === 2 ? all * 0.997 : all;
        expect(fieldT({ ...at, state, reversers: 0 }), id).toBeLessThanOrEqual(most);
      }
    },
  );

  test('One reverser costs the published 850 kg on a wet runway, and more where it is slippery (G-07)', () => {
    const lossT = (id: string, flap: string, state: string, depthMm = 0): number => {
      const at = { id, flap, metres: 2000, celsius: 15, state, depthMm };
      return fieldT(at) - fieldT({ ...at, reversers: 1 });
    };
    expect(Math.abs(lossT('737-800-7B26', '5', 'WET') - 0.85)).toBeLessThan(0.15);
    for (const [id, flap] of [
      ['A320-251N', '2'],
      ['A320-214', '1+F'],
      ['737-800-7B26', '5'],
    ] as const) {
      expect(lossT(id, flap, 'COMPACTED_SNOW'), id).toBeGreaterThan(0.6);
      expect(lossT(id, flap, 'SLUSH', 8), id).toBeGreaterThan(lossT(id, flap, 'COMPACTED_SNOW'));
    }
  });

  test.each(deepestMm)('%s is refused beyond the same depth for takeoff and landing (G-07)', (state, mm) => {
    for (const id of profiles.keys()) {
      const aircraft = profile(id);
      const maxMm = mm ?? aircraft.limits.drySnowMm;
      const landing = anyCase(aircraft, 'dispatch', {}, randomFrom(7));
      const answers = (depthMm: number) => [
        outcome({ id, flap: aircraft.takeoff.flaps[0] ?? '', metres: 3500, celsius: 0, state, depthMm }),
        calculateLanding(aircraft, { ...landing, condition: { state, depthM: depthMm / 1000 } }),
      ];
      for (const answer of answers(maxMm)) expect(answer.ok, id).toBe(true);
      for (const answer of answers(maxMm + 0.1))
        expect(answer, id).toMatchObject({ ok: false, code: 'DEPTH_OUTSIDE_RANGE', params: { maxMm } });
    }
  });

  test('Deep snow from which lighter aircraft cannot take off allows no heavier one on a hot, high runway (G-07)', () => {
    for (const [id, flap] of [
      ['A319-112', '2'],
      ['A320-214', '3'],
      ['757-200', '15'],
    ] as const)
      for (const depthMm of [30, 51.6, 80]) {
        const at = { id, flap, metres: 3789, elevationFt: 8000, celsius: 53, state: 'DRY_SNOW', depthMm };
        const { fieldKg } = takeoff(at).limits;
        for (let kg = profile(id).weight.oew; kg <= (fieldKg ?? 0); kg += stepKg)
          expect(
            takeoff({ ...at, massKg: kg }).full?.speeds.v1MinKt,
            `${id} ${depthMm} mm ${kg}`,
          ).toBeGreaterThan(0);
      }
  });
});
