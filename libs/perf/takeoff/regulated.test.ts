import { describe, expect, test } from 'vitest';
import { atmosphere } from '../kernel/atmosphere.ts';
import { ftToM } from '../kernel/units.ts';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { fieldLength, regulatedTakeoff, v2 } from './regulated.ts';
import type { TakeoffCase, TakeoffLimits } from './regulated.ts';

const b738 = profile('737-800-7B26');

const takeoff = (
  change: Partial<TakeoffCase> & { celsius?: number; elevationFt?: number } = {},
): TakeoffCase => {
  const { celsius = 15, elevationFt = 0, ...rest } = change;
  return {
    flap: '15',
    runwayM: 2500,
    slope: 0,
    windMps: 0,
    air: atmosphere(ftToM(elevationFt), celsius + 273.15),
    gradientCorrectionPercent: 0,
    ...rest,
  };
};

const limits = (change: Parameters<typeof takeoff>[0] = {}, aircraft = b738): TakeoffLimits => {
  const out = regulatedTakeoff(aircraft, takeoff(change));
  if (!out) throw new Error('no limits');
  return out;
};

describe('regulated takeoff weight', () => {
  test('The field limit uses exactly the runway', () => {
    const short = limits({ runwayM: 1600 });
    expect(fieldLength(b738, takeoff({ runwayM: 1600 }), short.fieldKg ?? 0)).toBeCloseTo(1600, -1);
  });

  test('Each limit moves the way it must', () => {
    const base = limits();
    expect(limits({ runwayM: 2000 }).fieldKg).toBeLessThan(base.fieldKg ?? 0);
    expect(limits({ celsius: 40 }).secondSegmentKg).toBeLessThan(base.secondSegmentKg ?? 0);
    expect(limits({ elevationFt: 6000 }).fieldKg).toBeLessThan(base.fieldKg ?? 0);
    expect(limits({ windMps: -5 }).fieldKg).toBeLessThan(base.fieldKg ?? 0);
    expect(limits({ slope: 0.015 }).fieldKg).toBeLessThan(base.fieldKg ?? 0);
    expect(limits({ elevationFt: 8000, celsius: 35 }).tireKg).toBeLessThan(base.tireKg ?? 0);
    expect(limits({ elevationFt: 8000, celsius: 35 }).brakeEnergyKg).toBeLessThan(base.brakeEnergyKg ?? 0);
    expect(limits({ runwayM: 900 }).vmcgKg ?? 0).toBeLessThan(base.vmcgKg ?? 0);
  });

  test('The regulated weight is the lowest of all and never above the structural one', () => {
    const long = limits({ runwayM: 4000, flap: '5' });
    const all = [
      long.fieldKg,
      long.secondSegmentKg,
      long.brakeEnergyKg,
      long.tireKg,
      long.vmcgKg,
      long.structKg,
    ].filter((kg) => kg !== null);
    expect(long.regulatedKg).toBe(Math.min(...all));
    expect(long.regulatedKg).toBeLessThanOrEqual(b738.weight.mstow);
  });

  test('Plausible: a 737-800 takes off from 2300 m at sea level with 70 to 82 t', () => {
    const { regulatedKg } = limits({ runwayM: 2300, flap: '5' });
    expect(regulatedKg).toBeGreaterThan(68_000);
    expect(regulatedKg).toBeLessThan(82_000);
    expect(v2(b738, '5', 70_000)).toBeGreaterThan(140);
    expect(v2(b738, '5', 70_000)).toBeLessThan(165);
  });

  test('A flap without takeoff data has no answer; a runway that is too short has no regulated weight', () => {
    expect(regulatedTakeoff(b738, takeoff({ flap: '40' }))).toBeNull();
    expect(limits({ runwayM: 300 }).regulatedKg).toBeNull();
  });

  test.each([...profiles.keys()])(
    '%s has a regulated weight for its go-around flaps on a long runway',
    (id) => {
      const aircraft = profile(id);
      const flaps = aircraft.family === 'A' ? ['3', '2'] : [aircraft.landing.goAroundFlap ?? '15'];
      for (const flap of flaps) {
        const out = limits({ flap, runwayM: 3500 }, aircraft);
        expect(out.regulatedKg).toBeGreaterThan(aircraft.weight.oew);
      }
    },
  );
});
