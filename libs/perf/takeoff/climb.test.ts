import { describe, expect, test } from 'vitest';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { atmosphere, isaTemperature } from '../kernel/atmosphere.ts';
import { ftToM } from '../kernel/units.ts';
import { largest } from '../kernel/search.ts';
import {
  finalSegment,
  firstSegment,
  leastFinalSegment,
  leastFirstSegment,
  leastSecondSegment,
  secondSegment,
} from './climb.ts';
import type { Machine } from './machine.ts';
import { machineOf } from './surface.ts';

/** The aircraft with a flap in the air of a pressure altitude (ft), degrees above the standard day. */
const machineAt = (id: string, flap: string, feet: number, warmerC: number): Machine => {
  const { takeoffPerformance: model } = profile(id);
  if (!model) throw new Error('no model');
  const metres = ftToM(feet);
  const air = atmosphere(metres, isaTemperature(metres) + warmerC);
  const setting = { rating: 1, packsOff: false, antiIce: 'OFF' };
  const machine = machineOf(profile(id), model, flap, air, setting, air);
  if (!machine) throw new Error(`no flap ${flap}`);
  return machine;
};

describe('climb segments', () => {
  test('Where the second segment is at its minimum gradient, the first and the final segment exceed theirs, as in climb tables (G-07)', () => {
    for (const id of profiles.keys())
      for (const flap of profile(id).takeoffPerformance?.fittedFlaps ?? [])
        for (const [feet, warmerC] of [
          [0, 0],
          [0, 30],
          [8000, 15],
        ] as const) {
          const machine = machineAt(id, flap, feet, warmerC);
          const { engines } = machine;
          const { oew, mstow } = profile(id).weight;
          const holds = (kg: number): boolean => secondSegment(machine, kg) >= leastSecondSegment(engines);
          const kg = largest(0.5 * oew, 2 * mstow, holds, 1) ?? 0;
          const at = `${id} ${flap} ${feet} ft ${kg} kg`;
          expect(firstSegment(machine, kg), at).toBeGreaterThan(leastFirstSegment(engines));
          expect(finalSegment(profile(id), machine, kg) ?? 1, at).toBeGreaterThan(leastFinalSegment(engines));
        }
  });

  test('A bank of 15 degrees costs about half a percent of gradient, 20 and 25 twice and three times as much (G-07)', () => {
    const b738 = machineAt('737-800-7B26', '5', 0, 0);
    const lossOf = (bankDeg: number): number =>
      secondSegment(b738, 70_000) - secondSegment(b738, 70_000, bankDeg);
    expect(lossOf(15)).toBeGreaterThan(0.003);
    expect(lossOf(15)).toBeLessThan(0.007);
    expect(lossOf(20) / lossOf(15)).toBeCloseTo(1.85, 1);
    expect(lossOf(25) / lossOf(15)).toBeCloseTo(3, 1);
  });

  test('The final segment uses maximum continuous thrust, and is unknown without a clean speed (G-07)', () => {
    const neo = machineAt('A320-251N', '2', 0, 0);
    const light = finalSegment(profile('A320-251N'), neo, 60_000) ?? 0;
    expect(light).toBeGreaterThan(finalSegment(profile('A320-251N'), neo, 75_000) ?? 1);
    expect(light).toBeLessThan(0.12);
    expect(finalSegment(profile('A330-343'), machineAt('A330-343', '2', 0, 0), 200_000)).toBeNull();
  });
});
