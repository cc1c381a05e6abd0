import { describe, expect, test } from 'vitest';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { calculateTakeoff } from './calculate.ts';
import { assumedC, caseOf, outcome, speeds, takeoff } from '../fixtures/takeoff-cases.ts';
import type { Change } from '../fixtures/takeoff-cases.ts';

describe('faults seen in other calculators', () => {
  test('A wet runway never carries more than a dry one', () => {
    for (const id of profiles.keys())
      for (const metres of [1600, 2200, 3000, 4000]) {
        const flap = profile(id).takeoff.flaps[0] ?? '';
        const [dry, wet] = [takeoff({ id, flap, metres }), takeoff({ id, flap, metres, state: 'WET' })];
        expect(wet.limits.fieldKg ?? Infinity, id).toBeLessThanOrEqual((dry.limits.fieldKg ?? Infinity) + 1);
      }
  });

  test('V1 is not a fixed offset from V2 but depends on the runway surface and weight', () => {
    const offset = (change: Change): number => {
      const { v1Kt, v2Kt } = speeds(change);
      return v2Kt - v1Kt;
    };
    const offsets = [offset({}), offset({ massKg: 78_000 }), offset({ state: 'WET' })];
    expect(Math.max(...offsets) - Math.min(...offsets)).toBeGreaterThan(3);
  });

  test('Thrust is not reduced on a contaminated runway', () => {
    expect(assumedC({ massKg: 55_000 })).toBeGreaterThan(30);
    const snow = takeoff({ massKg: 55_000, state: 'COMPACTED_SNOW' });
    expect(snow.reduced).toBeNull();
    expect(snow.cautions.map(({ code }) => code)).toContain('FULL_THRUST');
  });

  test('Bleed and anti-ice lower the assumed temperature before it is rounded', () => {
    const at = (change: Change): number => assumedC({ massKg: 70_000, celsius: 20, ...change }) ?? 0;
    expect(at({ antiIce: 'ENGINE_WING' })).toBeLessThan(at({}));
    expect(at({ packsOff: true })).toBeGreaterThanOrEqual(at({}));
    expect(Number.isInteger(at({}))).toBe(true);
  });

  test('One degree above the assumed temperature exceeds a limit, and thrust is never reduced by more than allowed', () => {
    const massKg = 74_000;
    const assumedTemperatureC = assumedC({ massKg });
    expect(takeoff({ celsius: assumedTemperatureC ?? 0 }).limitKg).toBeGreaterThanOrEqual(massKg);
    const more = outcome({ celsius: (assumedTemperatureC ?? 0) + 1 });
    expect(more.ok ? (more.result.limitKg ?? 0) : 0).toBeLessThan(massKg);
  });

  test('No assumed temperature is below the actual or the flat-rating one', () => {
    expect(assumedC({ massKg: 78_600, celsius: 30 }) ?? 30).toBeGreaterThanOrEqual(30);
    expect(assumedC({ massKg: 60_000, celsius: -10 })).toBeGreaterThan(15);
  });

  test('V2 falls with more flap and rises with weight, as published (kt)', () => {
    const published: [string, number, number][] = [
      ['5', 60_000, 142],
      ['15', 60_000, 138],
      ['1', 60_000, 148],
    ];
    for (const [flap, massKg, v2Kt] of published)
      expect(Math.abs(speeds({ flap, massKg }).v2Kt - v2Kt), flap).toBeLessThan(3);
  });

  test('V2 rises steadily with weight, without the misprint of a published table (137 between 133 and 135 kt)', () => {
    for (const flap of ['1+F', '2', '3']) {
      const v2 = [74_000, 75_000, 76_000, 77_000, 78_000].map(
        (massKg) => speeds({ id: 'A319-112', flap, massKg: massKg - 4_000, metres: 3500 }).v2Kt,
      );
      const steps = v2.slice(1).map((kt, i) => kt - (v2[i] ?? 0));
      for (const step of steps) expect(Math.abs(step - 1)).toBeLessThan(0.4);
    }
  });

  test('A contaminant counts by type and depth, not by a condition code', () => {
    const field = (state: string, depthMm: number): number =>
      takeoff({ id: 'A320-251N', flap: '2', state, depthMm, celsius: 0 }).limits.fieldKg ?? 0;
    expect(field('STANDING_WATER', 12)).toBeLessThan(field('STANDING_WATER', 6));
    expect(field('SLUSH', 6)).toBeLessThan(field('COMPACTED_SNOW', 0));
    expect(field('SLUSH', 3)).toBe(field('WET', 0));
  });

  test('The loss on a contaminated runway is that of the type’s published tables (kg)', () => {
    const a320 = { id: 'A320-251N', celsius: 15, packsOff: true };
    const published: [string, number, string, number, number][] = [
      ['COMPACTED_SNOW', 0, '1+F', 2500, 10_200],
      ['STANDING_WATER', 12.7, '3', 2000, 21_900],
      ['WET_SNOW', 30, '2', 3000, 22_400],
    ];
    for (const [state, depthMm, flap, metres, lossKg] of published) {
      const dry = takeoff({ ...a320, flap, metres }).limits.fieldKg ?? 0;
      const contaminated = takeoff({ ...a320, flap, metres, state, depthMm }).limits.fieldKg ?? 0;
      expect(Math.abs(dry - contaminated - lossKg), state).toBeLessThan(2000);
    }
  });

  test('A clearway increases the weight where the accelerate-go distance is limiting', () => {
    const going = { id: 'A320-251N', flap: '1+F', metres: 1900, packsOff: true };
    expect(takeoff({ ...going, todaM: 2050 }).limits.fieldKg).toBeGreaterThan(
      takeoff(going).limits.fieldKg ?? Infinity,
    );
  });

  test('A wet runway costs as much as 100 m less runway, a few degrees of flex, not a factor per metre', () => {
    const wetC = (metres: number): number =>
      assumedC({ id: 'A320-251N', flap: '2', state: 'WET', massKg: 66_000, metres }) ?? 0;
    expect(wetC(2200)).toBeGreaterThanOrEqual(wetC(2100));
    expect(wetC(2200) - wetC(2100)).toBeLessThan(8);
    expect(wetC(2200)).toBeLessThanOrEqual(
      assumedC({ id: 'A320-251N', flap: '2', massKg: 66_000, metres: 2200 }) ?? 0,
    );
  });

  test('VMCG hardly moves with temperature and never rises with it', () => {
    for (const flap of ['1+F', '2', '3']) {
      const at = (celsius: number): number =>
        speeds({ id: 'A320-251N', flap, celsius, massKg: 50_000 }).vmcgKt;
      for (let celsius = 0; celsius < 50; celsius += 5) {
        expect(at(celsius + 5)).toBeLessThanOrEqual(at(celsius) + 1e-9);
        expect(at(celsius) - at(celsius + 5)).toBeLessThan(2);
      }
    }
  });

  test('V1 on standing water rises steadily with weight', () => {
    const wet = { id: 'A320-251N', flap: '1+F', state: 'STANDING_WATER', depthMm: 12.7, metres: 3400 };
    const v1 = [62_000, 65_000, 68_000, 71_000].map((massKg) => speeds({ ...wet, massKg }).v1Kt);
    for (const [i, kt] of v1.entries()) expect(kt).toBeGreaterThanOrEqual(v1[i - 1] ?? 0);
  });

  test('The loss in slush shrinks with every metre of runway', () => {
    const loss = (metres: number): number => {
      const slush = { id: 'A320-251N', flap: '3', celsius: 5, metres };
      const deep = takeoff({ ...slush, state: 'SLUSH', depthMm: 12.7 }).limits.fieldKg ?? 0;
      return (takeoff(slush).limits.fieldKg ?? 0) - deep;
    };
    for (const metres of [1600, 1750, 1900, 2050]) expect(loss(metres + 150)).toBeLessThan(loss(metres));
  });

  test('The limits are those of the actual temperature, not of the flat rating', () => {
    const at = (celsius: number): number =>
      takeoff({ id: 'A320-251N', flap: '2', metres: 2000, celsius }).limits.fieldKg ?? 0;
    expect(at(10)).toBeGreaterThan(at(40) * 1.02);
  });

  test('A knot of tailwind costs more than twice what a knot of headwind gains, as in the tables', () => {
    for (const id of profiles.keys()) {
      const flap = profile(id).takeoff.flaps[0] ?? '';
      const kg = (headwindKt: number): number =>
        takeoff({ id, flap, metres: 2200, celsius: 15, headwindKt }).limits.fieldKg ?? 0;
      const [tail, calm, head] = [kg(-5), kg(0), kg(5)];
      expect(calm - tail, id).toBeGreaterThan(2 * (head - calm));
      expect(head, id).toBeGreaterThanOrEqual(calm);
    }
  });

  test('Every type takes off from every contaminated surface, with less weight than from a dry one', () => {
    const depths = { SLUSH: 6, STANDING_WATER: 6, WET_SNOW: 15, DRY_SNOW: 50, COMPACTED_SNOW: 0, ICE: 0 };
    for (const id of profiles.keys()) {
      const flap = profile(id).takeoff.flaps[0] ?? '';
      const at = { id, flap, metres: 3200, celsius: -2 };
      const dryKg = takeoff(at).limits.fieldKg ?? Infinity;
      for (const [state, depthMm] of Object.entries(depths)) {
        const { limits, limitKg } = takeoff({ ...at, state, depthMm });
        expect(limitKg, `${id} ${state}`).not.toBeNull();
        expect(limits.fieldKg, `${id} ${state}`).toBeLessThan(dryKg);
      }
    }
  });

  test('Where a table ends at its highest weight no higher limit is invented', () => {
    for (const id of ['737-700-7B24', '737-800-7B26']) {
      const mostKg = profile(id).takeoffPerformance?.mostPublishedKg.field ?? 0;
      expect(mostKg).toBeGreaterThan(profile(id).weight.mstow);
      const { fieldKg } = takeoff({ id, metres: 5000, celsius: -20 }).limits;
      expect(fieldKg ?? Infinity, id).toBeLessThanOrEqual(mostKg);
      expect(fieldKg ?? 0, id).toBeGreaterThan(mostKg - 2);
    }
  });

  test('The A380 is not a scaled A320', () => {
    const ratio = (metres: number): number =>
      (takeoff({ id: 'A380-842', flap: '2', metres }).limits.fieldKg ?? 0) /
      (takeoff({ id: 'A320-214', flap: '2', metres }).limits.fieldKg ?? 1);
    expect(Math.abs(ratio(1800) / ratio(2600) - 1)).toBeGreaterThan(0.01);
  });

  test('The result states the weather in which it is valid', () => {
    for (const id of ['737-800-7B26', 'A320-251N', '777-300ER']) {
      const flap = profile(id).takeoff.flaps[1] ?? '';
      for (const celsius of [20, 36]) {
        const at = { id, flap, celsius, metres: 2200 };
        const limitKg = takeoff(at).limitKg ?? 0;
        for (const share of [0.7, 0.9, 0.97, 0.995, 1]) {
          const massKg = share * limitKg;
          const { validity, reduced } = takeoff({ ...at, massKg });
          expect(validity.qnhHpa).toBeLessThanOrEqual(1013.25);
          const assumedTemperature = reduced?.assumedTemperatureC ?? 'NONE';
          const then = caseOf({ ...at, massKg, celsius: validity.temperatureC });
          const later = calculateTakeoff(profile(id), {
            ...then,
            weather: { ...then.weather, qnhPa: 100 * validity.qnhHpa },
            configuration: { ...then.configuration, assumedTemperature },
          });
          if (!later.ok) throw new Error(later.code);
          const { isCarried, reduced: again, cautions } = later.result;
          expect([isCarried, again?.assumedTemperatureC ?? 'NONE']).toEqual([true, assumedTemperature]);
          expect(cautions.find(({ code }) => code === 'ASSUMED_TEMPERATURE_TOO_HIGH')).toBeUndefined();
        }
        expect(takeoff({ ...at, massKg: 0.7 * limitKg }).validity.qnhHpa).toBeLessThan(1012.3);
        const { validity, limitedBy } = takeoff({ ...at, massKg: limitKg });
        expect(limitedBy === 'STRUCT' || validity.qnhHpa === 1013.25).toBe(true);
      }
    }
  });

  test('Every assumption is listed with its value', () => {
    const names = takeoff({}).applied.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['Pressure altitude', 'Rating', 'Obstacles considered', 'TODA after lining up']),
    );
    const lostKg = (state: string, depthMm = 0): unknown =>
      takeoff({ id: 'A320-251N', flap: '2', massKg: 55_000, state, depthMm }).applied.find(
        ({ name }) => name === 'Weight lost by the surface',
      )?.value;
    expect(lostKg('DRY')).toBeUndefined();
    expect(lostKg('COMPACTED_SNOW')).toBeGreaterThan(1_000);
    expect(lostKg('SLUSH', 12)).toBeGreaterThan(Number(lostKg('COMPACTED_SNOW')));
  });
});
