import { describe, expect, test } from 'vitest';
import { toKelvin } from '../kernel/atmosphere.ts';
import { ftToM } from '../kernel/units.ts';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { calculateTakeoff } from './calculate.ts';
import type { TakeoffCase, TakeoffResult, TakeoffSpeeds } from './types.ts';

interface Change {
  id?: string;
  flap?: string;
  metres?: number;
  todaM?: number;
  asdaM?: number;
  celsius?: number;
  elevationFt?: number;
  headwindKt?: number;
  slope?: number;
  state?: string;
  depthMm?: number;
  massKg?: number;
  packsOff?: boolean;
  antiIce?: string;
  rating?: string;
  reversers?: number;
  lineupAngle?: 0 | 90 | 180;
  obstacles?: TakeoffCase['obstacles'];
}

const caseOf = (change: Change): TakeoffCase => {
  const metres = change.metres ?? 2500;
  return {
    runway: {
      toraM: metres,
      todaM: change.todaM ?? metres,
      asdaM: change.asdaM ?? metres,
      elevationM: ftToM(change.elevationFt ?? 0),
      slope: change.slope ?? 0,
      lineupAngle: change.lineupAngle ?? 0,
    },
    weather: {
      temperatureK: toKelvin(change.celsius ?? 30),
      qnhPa: 101325,
      headwindKt: change.headwindKt ?? 0,
    },
    condition: { state: change.state ?? 'DRY', depthM: (change.depthMm ?? 0) / 1000 },
    configuration: {
      flap: change.flap ?? '5',
      ...(change.rating === undefined ? {} : { rating: change.rating }),
      packsOff: change.packsOff ?? false,
      antiIce: change.antiIce ?? 'OFF',
      ...(change.reversers === undefined ? {} : { reversers: change.reversers }),
      fullThrust: false,
    },
    obstacles: change.obstacles ?? [],
    ...(change.massKg === undefined ? {} : { massKg: change.massKg }),
  };
};

const outcome = (change: Change = {}): ReturnType<typeof calculateTakeoff> =>
  calculateTakeoff(profile(change.id ?? '737-800-7B26'), caseOf(change));

const takeoff = (change: Change = {}): TakeoffResult => {
  const out = outcome(change);
  if (!out.ok) throw new Error(out.code);
  return out.result;
};

const speeds = (change: Change): TakeoffSpeeds => {
  const found = takeoff({ massKg: 65_000, ...change }).full?.speeds;
  if (!found) throw new Error('no speeds');
  return found;
};

const assumedC = (change: Change): number | null => takeoff(change).reduced?.assumedTemperatureC ?? null;

const codes = (change: Change): string[] => takeoff(change).cautions.map(({ code }) => code);

describe('takeoff', () => {
  test.each([...profiles.keys()])(
    '%s takes off from 3500 m with every flap of its catalogue (G-07)',
    (id) => {
      for (const flap of [...profile(id).takeoff.flaps, 'OPTIMUM']) {
        const { limitKg, limitedBy } = takeoff({ id, flap, metres: 3500, celsius: 15 });
        expect(limitKg, `${flap} ${limitedBy}`).toBeGreaterThan(profile(id).weight.oew * 1.2);
      }
    },
  );

  test('The required distances of the field limit weight fill the runway exactly (G-07)', () => {
    const { limits } = takeoff({ metres: 2000 });
    const { required } = speeds({ metres: 2000, massKg: limits.fieldKg ?? 0 });
    expect(Math.max(required.asdM, required.todM, required.todAllEnginesM)).toBeCloseTo(2000, -1);
  });

  test('The lowest limit gives its name, and the next one its own (G-07)', () => {
    const short = takeoff({ metres: 1500 });
    expect([short.limitedBy, short.nextLimitedBy]).toEqual(['FIELD', 'STRUCT']);
    const hot = takeoff({ metres: 4000, elevationFt: 6000, celsius: 38 });
    expect(hot.limitedBy).toBe('CLIMB');
  });

  test('V1 stays between the lowest from which the aircraft can go and the highest from which it can stop (G-07)', () => {
    const { v1Kt, v1MinKt, v1MaxKt, vrKt, v2Kt } = speeds({ metres: 1800 });
    expect(v1Kt).toBeGreaterThanOrEqual(v1MinKt ?? Infinity);
    expect(v1Kt).toBeLessThanOrEqual(v1MaxKt ?? 0);
    expect(vrKt).toBeGreaterThanOrEqual(v1Kt);
    expect(v2Kt).toBeGreaterThan(vrKt);
  });

  test('A stopway lets V1 rise, a clearway lets it fall (G-07)', () => {
    const even = speeds({ metres: 1900 }).v1Kt;
    expect(speeds({ metres: 1900, asdaM: 2100 }).v1Kt).toBeGreaterThan(even);
    expect(speeds({ metres: 1900, todaM: 2000 }).v1Kt).toBeLessThanOrEqual(even);
  });

  test('A derate lowers the limits and the minimum control speed, an assumed temperature does not (G-07)', () => {
    expect(takeoff({ rating: 'TO-1' }).limits.climbKg).toBeLessThan((takeoff().limits.climbKg ?? 0) * 0.93);
    const light = { massKg: 42_000, metres: 3000 };
    expect(speeds({ ...light, rating: 'TO-2' }).v1MinKt).toBeLessThan(speeds(light).v1MinKt ?? 0);
  });

  test('An obstacle limits by its height, and without one the result says not considered (G-07)', () => {
    const low = takeoff({ obstacles: [{ distanceM: 5000, heightM: 10 }] });
    const high = takeoff({ obstacles: [{ distanceM: 5000, heightM: 80 }] });
    expect(high.limits.obstacleKg).toBeLessThan(low.limits.obstacleKg ?? Infinity);
    expect(high.limitedBy).toBe('OBSTACLE');
    expect(codes({})).toContain('OBSTACLES_NOT_CONSIDERED');
    expect(low.cautions.map(({ code }) => code)).not.toContain('OBSTACLES_NOT_CONSIDERED');
  });

  test('OPTIMUM carries at least what each single flap does (G-07)', () => {
    const single = profile('A320-251N').takeoff.flaps.map(
      (flap) => takeoff({ id: 'A320-251N', flap }).limitKg,
    );
    expect(takeoff({ id: 'A320-251N', flap: 'OPTIMUM' }).limitKg).toBe(
      Math.max(...single.map((kg) => kg ?? 0)),
    );
  });

  test('Lining up costs its length, and a type without data says so (G-07)', () => {
    const a320 = { id: 'A320-251N', flap: '2', metres: 1800 };
    expect(takeoff({ ...a320, lineupAngle: 90 }).limits.fieldKg).toBeLessThan(
      takeoff(a320).limits.fieldKg ?? 0,
    );
    expect(codes({ lineupAngle: 90 })).toContain('LINEUP_NOT_KNOWN');
  });

  test('Refusals name what is outside the envelope (G-07)', () => {
    const code = (change: Change): string => {
      const out = outcome(change);
      return out.ok ? 'ok' : out.code;
    };
    expect(code({ massKg: 90_000 })).toBe('WEIGHT_ABOVE_MTOW');
    expect(code({ massKg: 20_000 })).toBe('WEIGHT_BELOW_OEW');
    expect(code({ celsius: 60 })).toBe('TEMPERATURE_OUTSIDE_LIMITS');
    expect(code({ elevationFt: 12_000 })).toBe('PRESSURE_ALTITUDE_OUTSIDE_LIMITS');
    expect(code({ slope: 0.03 })).toBe('SLOPE_OUTSIDE_LIMITS');
    expect(code({ state: 'STANDING_WATER', depthMm: 20 })).toBe('DEPTH_OUTSIDE_RANGE');
    expect(code({ state: 'WET_ICE' })).toBe('RWYCC_0');
    expect(code({ flap: '40' })).toBe('UNKNOWN_FLAP');
    expect(code({ state: 'MUD' })).toBe('UNKNOWN_CONDITION');
  });
});

describe('after a takeoff', () => {
  test('Flaps are retracted at rising speeds from the takeoff flap on, and family A has its green dot (G-07)', () => {
    const flaps = takeoff({ massKg: 65_000 }).retraction?.flaps ?? [];
    expect(flaps.map(({ flap }) => flap)).toEqual(['5', '1', 'UP']);
    expect((flaps[2]?.kt ?? 0) - (flaps[0]?.kt ?? 0)).toBeCloseTo(40, 6);
    const airbus = takeoff({ id: 'A320-251N', flap: '2', massKg: 65_000 }).retraction;
    expect(airbus).toEqual({ flaps: [], cleanKt: 215 });
  });

  test('A stop from a higher V1 heats the brakes more (G-07)', () => {
    const energyJ = (change: Change): number =>
      takeoff({ massKg: 65_000, ...change }).full?.stopCooling.energyJ ?? 0;
    expect(energyJ({ massKg: 75_000 })).toBeGreaterThan(energyJ({}) * 1.1);
    expect(energyJ({ headwindKt: -10 })).toBeGreaterThan(energyJ({}));
  });
});

describe('faults of other calculators that this one must not have', () => {
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

  test('One degree more than the assumed temperature breaks a limit, and thrust is never cut by more than allowed', () => {
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

  test('V2 falls with the flap and rises with weight, as published (kt)', () => {
    const published: [string, number, number][] = [
      ['5', 60_000, 142],
      ['15', 60_000, 138],
      ['1', 60_000, 148],
    ];
    for (const [flap, massKg, v2Kt] of published)
      expect(Math.abs(speeds({ flap, massKg }).v2Kt - v2Kt), flap).toBeLessThan(3);
  });

  test('A contaminant counts by its kind and depth, not by a condition code', () => {
    const field = (state: string, depthMm: number): number =>
      takeoff({ id: 'A320-251N', flap: '2', state, depthMm, celsius: 0 }).limits.fieldKg ?? 0;
    expect(field('STANDING_WATER', 12)).toBeLessThan(field('STANDING_WATER', 6));
    expect(field('SLUSH', 6)).toBeLessThan(field('COMPACTED_SNOW', 0));
    expect(field('SLUSH', 3)).toBe(field('WET', 0));
  });

  test('The loss on a contaminated runway is that of the published tables of the type (kg)', () => {
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

  test('A clearway carries more where going limits', () => {
    const going = { id: 'A320-251N', flap: '1+F', metres: 1900, packsOff: true };
    expect(takeoff({ ...going, todaM: 2050 }).limits.fieldKg).toBeGreaterThan(
      takeoff(going).limits.fieldKg ?? Infinity,
    );
  });

  test('Wet loses by length as a short runway does, not by a factor per metre: 100 m are few degrees of flex', () => {
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

  test('The A380 is not a scaled A320', () => {
    const ratio = (metres: number): number =>
      (takeoff({ id: 'A380-842', flap: '2', metres }).limits.fieldKg ?? 0) /
      (takeoff({ id: 'A320-214', flap: '2', metres }).limits.fieldKg ?? 1);
    expect(Math.abs(ratio(1800) / ratio(2600) - 1)).toBeGreaterThan(0.01);
  });

  test('The result says within which weather it holds', () => {
    const validity = takeoff({ celsius: 20 }).cautions.find(({ code }) => code === 'VALIDITY');
    expect(validity?.params).toEqual({ qnhHpa: 1008.25, temperatureC: 23, headwindKt: 0 });
  });

  test('Every assumption is listed with its value', () => {
    const names = takeoff({}).applied.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['Pressure altitude', 'Rating', 'Obstacles considered', 'TODA after lining up']),
    );
  });
});
