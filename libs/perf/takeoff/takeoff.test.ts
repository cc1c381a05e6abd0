import { describe, expect, test } from 'vitest';
import { sampled } from '#test/support/deep.ts';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { assumedC, codes, outcome, speeds, takeoff } from '../fixtures/takeoff-cases.ts';
import type { Change } from '../fixtures/takeoff-cases.ts';
import { largest } from '../kernel/search.ts';
import type { TakeoffCase } from './types.ts';

/** Changes (t) of an obstacle limit weight (t) at sea level, 30 °C and calm, the same for obstacles near and far. */
const obstacleAdjustments: [string, [Change, number, number][]][] = [
  [
    'a tailwind',
    [
      [{ headwindKt: -15 }, 50, -5.7],
      [{ headwindKt: -15 }, 60, -5.9],
      [{ headwindKt: -15 }, 70, -6.2],
      [{ headwindKt: -15 }, 80, -6.5],
      [{ headwindKt: -10 }, 60, -4],
    ],
  ],
  [
    'a headwind',
    [
      [{ headwindKt: 10 }, 50, 1],
      [{ headwindKt: 20 }, 70, 1.2],
      [{ headwindKt: 40 }, 60, 3.3],
      [{ headwindKt: 40 }, 80, 1.7],
    ],
  ],
  [
    'heat',
    [
      [{ celsius: 36 }, 60, -3],
      [{ celsius: 40 }, 50, -4],
      [{ celsius: 44 }, 70, -8.2],
      [{ celsius: 46 }, 80, -10.9],
    ],
  ],
  [
    'altitude',
    [
      [{ elevationFt: 2000 }, 60, -4.4],
      [{ elevationFt: 3000 }, 70, -7.6],
    ],
  ],
];

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

  test('The required distances at the field limit weight use the whole runway exactly (G-07)', () => {
    const { limits } = takeoff({ metres: 2000 });
    const { required } = speeds({ metres: 2000, massKg: limits.fieldKg ?? 0 });
    expect(Math.max(required.asdM, required.todM, required.todAllEnginesM)).toBeCloseTo(2000, -1);
  });

  test('The lowest limit is named, and the next one has its own name (G-07)', () => {
    const short = takeoff({ metres: 1500 });
    expect([short.limitedBy, short.nextLimitedBy]).toEqual(['FIELD', 'STRUCT']);
    const hot = takeoff({ metres: 4000, elevationFt: 6000, celsius: 38 });
    expect(hot.limitedBy).toBe('CLIMB');
  });

  test('V1 stays between the lowest speed to continue and the highest speed to stop (G-07)', () => {
    const { v1Kt, v1MinKt, v1MaxKt, vrKt, v2Kt } = speeds({ metres: 1800 });
    expect(v1Kt).toBeGreaterThanOrEqual(v1MinKt ?? Infinity);
    expect(v1Kt).toBeLessThanOrEqual(v1MaxKt ?? 0);
    expect(vrKt).toBeGreaterThanOrEqual(v1Kt);
    expect(v2Kt).toBeGreaterThan(vrKt);
  });

  test('A stopway raises V1, a clearway lowers it (G-07)', () => {
    const even = speeds({ metres: 1900 }).v1Kt;
    expect(speeds({ metres: 1900, asdaM: 2100 }).v1Kt).toBeGreaterThan(even);
    expect(speeds({ metres: 1900, todaM: 2000 }).v1Kt).toBeLessThanOrEqual(even + 0.05);
  });

  test('A derate lowers the limits and the minimum control speed, an assumed temperature does not (G-07)', () => {
    expect(takeoff({ rating: 'TO-1' }).limits.climbKg).toBeLessThan((takeoff().limits.climbKg ?? 0) * 0.95);
    const light = { massKg: 42_000, metres: 3000 };
    expect(speeds({ ...light, rating: 'TO-2' }).v1MinKt).toBeLessThan(speeds(light).v1MinKt ?? 0);
    const { full, reduced } = takeoff({ massKg: 60_000, rating: 'TO-1' });
    expect(reduced?.assumedTemperatureC).toBeGreaterThan(30);
    expect(reduced?.speeds.vmcgKt).toBe(full?.speeds.vmcgKt);
    expect(full?.speeds.vmcgKt).toBeLessThan(speeds({}).vmcgKt);
  });

  test('An obstacle limits by its height, and without one the result says that none was considered (G-07)', () => {
    const low = takeoff({ obstacles: [{ distanceM: 5000, heightM: 10 }] });
    const high = takeoff({ obstacles: [{ distanceM: 5000, heightM: 80 }] });
    expect(high.limits.obstacleKg).toBeLessThan(low.limits.obstacleKg ?? Infinity);
    expect(high.limitedBy).toBe('OBSTACLE');
    expect(codes({})).toContain('OBSTACLES_NOT_CONSIDERED');
    expect(low.cautions.map(({ code }) => code)).not.toContain('OBSTACLES_NOT_CONSIDERED');
  });

  test.each(obstacleAdjustments)(
    'The obstacle limit changes as published with %s (G-07)',
    (_name, published) => {
      const places = [
        [2500, 8000],
        [3500, 10_000],
      ] as const;
      for (const [metres, distanceM] of sampled(places, 2)) {
        const errors = published.map(([change, tonnes, publishedT]) => {
          const limitKg = (heightM: number, more: Change = {}): number =>
            takeoff({ id: '737-800-7B24', metres, ...more, obstacles: [{ distanceM, heightM }] }).limits
              .obstacleKg ?? Infinity;
          const heightM = largest(0, 1000, (height) => limitKg(height) >= 1000 * tonnes, 0.1) ?? 0;
          return (limitKg(heightM, change) - limitKg(heightM)) / 1000 - publishedT;
        });
        const squares = errors.reduce((sum, error) => sum + error * error, 0);
        expect(Math.sqrt(squares / errors.length), `${distanceM} m`).toBeLessThan(0.6);
      }
    },
  );

  // Published climb limits (t) of the 737-800 by temperature, and its gains (kg) with packs off.
  test('Climb limits of the 737-800 fall with heat at sea level nearly as published (G-07)', () => {
    const climbKg = (celsius: number): number => takeoff({ celsius }).limits.climbKg ?? 0;
    for (const [celsius, tonnes] of [
      [38, 76],
      [46, 71],
    ] as const)
      expect(climbKg(celsius) / climbKg(30) / (tonnes / 81.3) - 1, `${celsius} °C`).toBeLessThan(0.009);
  });

  test.each([
    ['737-700-7B24', 400, null],
    ['737-800-7B26', 350, 1250],
    ['737-900ER', 363, 1406],
  ])(
    'Packs off raise the field limit of the %s by %d kg and the climb limit by %d kg (G-07)',
    (id, field, climb) => {
      const at = { id, metres: 2000, celsius: 15 };
      const [on, off] = [takeoff(at).limits, takeoff({ ...at, packsOff: true }).limits];
      expect(Math.abs((off.fieldKg ?? 0) - (on.fieldKg ?? 0) - field)).toBeLessThan(100);
      const gainKg = (off.climbKg ?? 0) - (on.climbKg ?? 0);
      expect(Math.abs(gainKg - (climb ?? gainKg))).toBeLessThan(100);
    },
  );

  test('A turn before an obstacle costs more weight the more it turns and banks, and begins high enough (G-07)', () => {
    const high = { metres: 2200, obstacles: [{ distanceM: 16_000, heightM: 200 }] };
    const kg = (turns: TakeoffCase['turns']): number => takeoff({ ...high, turns }).limits.obstacleKg ?? 0;
    const turn = { distanceM: 5000, headingChangeDeg: 90, bankDeg: 15 };
    expect(kg([turn])).toBeLessThan(kg([]) - 100);
    expect(kg([{ ...turn, headingChangeDeg: 180 }])).toBeLessThan(kg([turn]));
    expect(kg([{ ...turn, bankDeg: 25 }])).toBeLessThan(kg([turn]));
    // A turn right after the runway has to begin at 50 ft; one after the obstacle costs nothing there.
    expect(kg([{ ...turn, distanceM: 2400 }])).toBeLessThan(kg([turn]));
    expect(kg([{ ...turn, distanceM: 17_000 }])).toBe(kg([]));
    expect(takeoff({ metres: 2200, turns: [turn] }).limits.obstacleKg).not.toBeNull();
  });

  test('A headwind before a turn back counts as the tailwind it becomes (G-07)', () => {
    const obstacles = [{ distanceM: 20_000, heightM: 250 }];
    const back = [{ distanceM: 6000, headingChangeDeg: 180, bankDeg: 15 }];
    const kg = (headwindKt: number, turns: TakeoffCase['turns']): number =>
      takeoff({ metres: 2600, obstacles, headwindKt, turns }).limits.obstacleKg ?? 0;
    expect(kg(20, [])).toBeGreaterThan(kg(0, []));
    expect(kg(20, back)).toBeLessThan(kg(0, back));
  });

  test('After ten minutes of takeoff thrust the path is level, then climbs as in the final segment (G-07)', () => {
    const kg = (id: string, distanceM: number): number =>
      takeoff({ id, flap: id === 'A321-211' ? '1+F' : '5', obstacles: [{ distanceM, heightM: 700 }] }).limits
        .obstacleKg ?? 0;
    const [near, level, far] = [45_000, 60_000, 150_000].map((metres) => kg('737-800-7B26', metres));
    expect(level).toBeGreaterThan((near ?? 0) - 1);
    expect(far).toBeGreaterThan((level ?? 0) + 500);
    // Without a clean speed there is no further credit.
    expect(kg('A321-211', 150_000)).toBeCloseTo(kg('A321-211', 60_000), -1);
  });

  test('OPTIMUM carries at least as much as each single flap (G-07)', () => {
    const single = profile('A320-251N').takeoff.flaps.map(
      (flap) => takeoff({ id: 'A320-251N', flap }).limitKg,
    );
    expect(takeoff({ id: 'A320-251N', flap: 'OPTIMUM' }).limitKg).toBe(
      Math.max(...single.map((kg) => kg ?? 0)),
    );
  });

  test('OPTIMUM is the preferred flap if it carries the weight, otherwise that with the lowest thrust, then the lowest V1 (G-07)', () => {
    const chosen = (change: Change): string => takeoff({ flap: 'OPTIMUM', ...change }).flap;
    expect(chosen({ massKg: 60_000 })).toBe('5');
    const limitKg = takeoff({ metres: 1700 }).limitKg ?? 0;
    expect(chosen({ metres: 1700, massKg: limitKg + 500 })).not.toBe('5');
    // Light enough for the most reduction with every flap.
    const light = { id: 'A320-251N', metres: 3500, celsius: 15, massKg: 50_000 };
    const v1 = profile('A320-251N').takeoff.flaps.map((flap): [number, string] => {
      const { reduced } = takeoff({ ...light, flap });
      return [reduced?.speeds.v1Kt ?? 0, flap];
    });
    expect(new Set(v1.map(([, flap]) => assumedC({ ...light, flap }))).size).toBe(1);
    const [lowest] = v1.toSorted(([a], [b]) => a - b);
    expect(chosen(light)).toBe(lowest?.[1]);
    const between = { id: 'A320-251N', metres: 2000, massKg: 66_000 };
    const highest = Math.max(
      ...profile('A320-251N').takeoff.flaps.map((flap) => assumedC({ ...between, flap }) ?? 0),
    );
    expect(assumedC({ ...between, flap: 'OPTIMUM' })).toBe(highest);
  });

  test('Improved climb raises VR and V2 where the runway is long, until field and climb meet, and only for types that have it (G-07)', () => {
    const hot = { metres: 4200, elevationFt: 5000, celsius: 38 };
    const [normal, improved] = [takeoff(hot), takeoff({ ...hot, improvedClimb: true })];
    expect(normal.limitedBy).toBe('CLIMB');
    expect(improved.limits.climbKg).toBeGreaterThan((normal.limits.climbKg ?? 0) * 1.02);
    expect(improved.improvedKt).toBeGreaterThan(0);
    expect(improved.cautions.map(({ code }) => code)).toContain('IMPROVED_CLIMB');
    const massKg = normal.limitKg ?? 0;
    const [v2, faster] = [speeds({ ...hot, massKg }), speeds({ ...hot, massKg, improvedClimb: true })];
    expect(faster.v2Kt).toBeGreaterThanOrEqual(v2.v2Kt);
    // Where the runway is limiting, more speed would cost weight.
    const short = { metres: 1700 };
    expect(takeoff({ ...short, improvedClimb: true }).improvedKt).toBe(0);
    expect(takeoff({ ...hot, id: 'A320-251N', flap: '2', improvedClimb: true }).improvedKt).toBe(0);
  });

  test('Line-up distance is deducted, and a type with an estimated one says so (G-07)', () => {
    const a320 = { id: 'A320-251N', flap: '2', metres: 1800 };
    expect(takeoff({ ...a320, lineupAngle: 90 }).limits.fieldKg).toBeLessThan(
      takeoff(a320).limits.fieldKg ?? 0,
    );
    expect(codes({ ...a320, lineupAngle: 90 })).not.toContain('LINEUP_ESTIMATED');
    expect(codes({ lineupAngle: 90 })).toContain('LINEUP_ESTIMATED');
    for (const id of profiles.keys()) {
      const asdaM = (lineupAngle: 0 | 90 | 180): number =>
        takeoff({ id, flap: profile(id).takeoff.flaps[0] ?? '', lineupAngle }).declared.asdaM;
      expect(asdaM(90), id).toBeLessThan(asdaM(0));
      expect(asdaM(180), id).toBeLessThan(asdaM(90));
    }
  });

  test('The line-up distance moves obstacles and turns closer to brake release (G-07)', () => {
    const lossM = profile('737-800-7B26').takeoffPerformance?.lineup?.[90]?.todaM ?? 0;
    expect(lossM).toBeGreaterThan(20);
    const near = (lessM: number): Change => ({
      celsius: -2,
      obstacles: [{ distanceM: 2800 - lessM, heightM: 48.8 }],
      turns: [{ distanceM: 3200 - lessM, headingChangeDeg: 30, bankDeg: 15 }],
    });
    // An obstacle beyond the end of takeoff thrust.
    const far = (lessM: number): Change => ({ obstacles: [{ distanceM: 60_000 - lessM, heightM: 700 }] });
    const kg = (change: Change): number => takeoff(change).limits.obstacleKg ?? 0;
    const at = (lineupAngle: 0 | 90 | 180): number => kg({ ...near(0), lineupAngle });
    expect(at(90)).toBeLessThan(at(0) - 50);
    expect(at(180)).toBeLessThan(at(90) - 20);
    // The same as from a runway that begins where the aircraft has lined up.
    for (const path of [near, far])
      expect(kg({ ...path(0), lineupAngle: 90 })).toBeCloseTo(
        kg({ ...path(lossM), metres: 2500 - lossM }),
        6,
      );
  });

  test('Crosswind limits are those of the aircraft on that surface, and tailwind is a separate limit (G-07)', () => {
    const limits = new Map<string, unknown>();
    const at = (id: string, state: string, crosswindKt: number, headwindKt = 0): unknown =>
      takeoff({
        id,
        flap: profile(id).takeoff.flaps[0] ?? '',
        metres: 3500,
        celsius: 0,
        state,
        crosswindKt,
        headwindKt,
      }).cautions.find(({ code }) => code === 'CROSSWIND_LIMIT' || code === 'TAILWIND_LIMIT')?.params;
    for (const id of profiles.keys()) {
      const { crosswindLimitsPerRunwayConditions: rows, tailwind } = profile(id).takeoff.windLimit;
      for (const [state, rwycc] of [
        ['DRY', 6],
        ['WET', 5],
        [
          'COMPACTED_SNOW',
          takeoff({ id, flap: profile(id).takeoff.flaps[0] ?? '', metres: 3500, state: 'COMPACTED_SNOW' })
            .rwycc,
        ],
      ] as const) {
        const row = rows.find((one) => one.rwycc.some((code) => code === rwycc));
        const limitKt = row?.windLimit ?? 0;
        expect(at(id, state, limitKt), `${id} ${state}`).toBeUndefined();
        expect(at(id, state, 60), `${id} ${state}`).toEqual({ crosswindKt: 60, limitKt });
        limits.set(`${id} ${state}`, limitKt);
      }
      expect(at(id, 'DRY', 0, -tailwind - 1), id).toEqual({ tailwindKt: tailwind + 1, limitKt: tailwind });
    }
    expect(limits.get('A320-251N COMPACTED_SNOW')).toBeLessThan(Number(limits.get('A320-251N DRY')));
  });

  test('Refusals name the value outside the envelope (G-07)', () => {
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

  test.each(['STANDING_WATER', 'SLUSH', 'WET_SNOW', 'DRY_SNOW'])(
    '%s without a depth is refused as for a landing, not taken for a wet runway (G-07)',
    (state) => {
      expect(outcome({ state })).toMatchObject({
        ok: false,
        code: 'DEPTH_OUTSIDE_RANGE',
        params: { state, depthMm: 0, minMm: 0.1 },
      });
      expect(takeoff({ state, depthMm: 0.1 }).limits).toEqual(takeoff({ state: 'WET' }).limits);
    },
  );
});

describe('after a takeoff', () => {
  test('Flaps are retracted at rising speeds from the takeoff flap, and family A has its S speed and green dot (G-07)', () => {
    const flaps = takeoff({ massKg: 65_000 }).retraction?.flaps ?? [];
    expect(flaps.map(({ flap }) => flap)).toEqual(['5', '1', 'UP']);
    expect((flaps[2]?.kt ?? 0) - (flaps[0]?.kt ?? 0)).toBeCloseTo(40, 6);
    const airbus = takeoff({ id: 'A320-251N', flap: '2', massKg: 65_000 }).retraction;
    expect(airbus).toMatchObject({ flaps: [{ flap: '1' }], cleanKt: 215, missing: 'F' });
    const first = takeoff({ id: 'A320-214', flap: '1+F', massKg: 65_000 }).retraction;
    expect(first?.missing).toBeNull();
    // Published S speed (kt) by tonnes.
    for (const [tonnes, kt] of [
      [45, 161],
      [60, 186],
      [75, 207],
    ] as const) {
      const { flaps: slats } =
        takeoff({ id: 'A320-214', flap: '1+F', massKg: 1000 * tonnes }).retraction ?? {};
      expect(Math.abs((slats?.[0]?.kt ?? 0) - kt)).toBeLessThanOrEqual(1);
    }
    expect(takeoff({ id: 'A350-941', flap: '2', massKg: 250_000 }).retraction?.missing).toBe('F and S');
  });

  test('A stop from a higher V1 heats the brakes more (G-07)', () => {
    const energyJ = (change: Change): number =>
      takeoff({ massKg: 65_000, ...change }).full?.stopCooling.energyJ ?? 0;
    expect(energyJ({ massKg: 75_000 })).toBeGreaterThan(energyJ({}) * 1.1);
    expect(energyJ({ headwindKt: -10 })).toBeGreaterThan(energyJ({}));
  });
});
