import { describe, expect, test } from 'vitest';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { atmosphere } from '../kernel/atmosphere.ts';
import { joulesPerMftlb } from '../kernel/units.ts';
import { referenceEnergy } from '../landing/energy.ts';
import { takeoff } from '../fixtures/takeoff-cases.ts';
import type { Change } from '../fixtures/takeoff-cases.ts';

const massKg = 60_000;

/** Gradients of the answer, percent: second segment and all engines at full and reduced thrust, final segment. */
const gradients = (change: Change): number[] => {
  const { full, reduced, finalSegmentPercent } = takeoff({ massKg, ...change });
  const columns = [full, reduced].map(
    (column) => column ?? { secondSegmentPercent: 0, allEnginesPercent: 0 },
  );
  return [
    ...columns.flatMap(({ secondSegmentPercent, allEnginesPercent }) => [
      secondSegmentPercent,
      allEnginesPercent,
    ]),
    finalSegmentPercent ?? 0,
  ];
};

describe('inoperative and missing items', () => {
  test('An item reduces each gradient of the answer by its own amount and that of its weight penalty (G-07)', () => {
    const assumed = { assumedTemperature: 40 };
    const gear = profile('737-800-7B26').mel.find(({ value }) => value === '32-09-01');
    const less = gear?.effect.gradientDecrementPercent ?? 0;
    expect(less).toBe(2.4);
    const plain = gradients(assumed);
    expect(Math.min(...plain)).toBeGreaterThan(3);
    for (const [i, percent] of gradients({ ...assumed, mel: ['32-09-01'] }).entries())
      expect(percent).toBeCloseTo((plain[i] ?? 0) - less, 9);
    const [missing, heavier] = [gradients({ cdl: ['57-01'] }), takeoff({ massKg: massKg + 360 })];
    expect(missing[0]).toBeCloseTo(heavier.full?.secondSegmentPercent ?? 0, 9);
    expect(missing[1]).toBeCloseTo(heavier.full?.allEnginesPercent ?? 0, 9);
    expect(missing[4]).toBeCloseTo(heavier.finalSegmentPercent ?? 0, 9);
  });

  test('Where an item makes the second segment limiting, the answer has the minimum gradient at that weight (G-07)', () => {
    const gear = { mel: ['32-09-01'], elevationFt: 4000, metres: 3000 };
    const { climbKg } = takeoff(gear).limits;
    const { full, leastSecondSegmentPercent } = takeoff({ ...gear, massKg: climbKg ?? 0 });
    expect(full?.secondSegmentPercent).toBeCloseTo(leastSecondSegmentPercent, 1);
  });

  test('A deactivated brake leaves its share of the stopping energy to the others, on every type (G-07)', () => {
    let seen = 0;
    for (const id of profiles.keys()) {
      const { mel, weight } = profile(id);
      const flap = profile(id).takeoff.flaps[0] ?? '';
      const kg = weight.oew * 1.2;
      for (const { value, effect } of mel) {
        const { brakeEnergyFactor: factor = 1 } = effect;
        if (factor === 1) continue;
        const { full } = takeoff({ id, flap, metres: 4000, celsius: 15, massKg: kg, mel: [value] });
        const mftlb = referenceEnergy(profile(id), kg, full?.speeds.v1Kt ?? 0, atmosphere(0, 288.15));
        expect(full?.stopCooling.energyJ, `${id} ${value}`).toBeCloseTo(factor * mftlb * joulesPerMftlb, 0);
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThanOrEqual(profiles.size);
  });
});
