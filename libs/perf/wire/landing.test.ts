import { describe, expect, test } from 'vitest';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { profile, profiles } from '../fixtures/aircraft.ts';
import {
  a320,
  b738,
  all,
  none,
  metres,
  run,
  answered,
  inflight,
  refusedFields,
} from '../fixtures/landing-calls.ts';
import type { Data } from '../fixtures/landing-calls.ts';

describe('both families and modes', () => {
  test.each([a320, b738])(
    'The answer for the %s has units, notices and its kind (M-2.9.c1, M-2.9.c2, M-2.9.c3, M-2.9.c4, M-2.9.c7, M-2.9.c8)',
    (id) => {
      for (const [data, sub] of [
        [{}, 'LANDING_DISPATCH'],
        [inflight(), 'LANDING_INFLIGHT'],
      ] as const) {
        const { answer } = answered(id, data);
        expect(answer).toMatchObject({ calculationPossible: true, subCalculation: sub });
        expect(Object.keys(answer.units)).toEqual(
          expect.arrayContaining(['weight', 'distance', 'altitude', 'wind', 'depth']),
        );
        expect(answer.disclaimer.length).toBeGreaterThan(0);
        expect(answer.copyright.length).toBeGreaterThan(0);
      }
    },
  );

  test('A family A dispatch adds actual and factored distances, and the actual one is an in-flight calculation with manual braking (M-2.9.d1, M-2.9.d2, M-2.9.d3)', () => {
    const { performance: a } = answered(a320, { ...metres, configuration: { flap: 'FULL' } });
    const { performance: b } = answered(b738, metres);
    const { performance: i } = answered(
      a320,
      inflight(a.landingWeight, { configuration: { flap: 'FULL', autobrake: 'MAN' } }),
    );
    expect(a.requiredLandingDist).toBeGreaterThan(0);
    expect(b.requiredLandingDist).toBeGreaterThan(0);
    expect(i.requiredLandingDist).toBeUndefined();
    expect(b.actualLandingDistance).toBeUndefined();
    expect(i.actualLandingDistance).toBeUndefined();
    expect(
      Math.abs((a.actualLandingDistance ?? 0) - (i.autobrakeLandingDist?.[0]?.unfactoredDistance ?? 0)),
    ).toBeLessThanOrEqual(1);
    expect(
      Math.abs((a.factoredLandingDistance ?? 0) - 1.15 * (a.actualLandingDistance ?? 0)),
    ).toBeLessThanOrEqual(2);
  });

  test('On a contaminated runway and in an autoland the required distance is the wet one, or 1.15 times the actual one shown (M-2.9.d1, M-2.9.d2)', () => {
    const states = ['SLIPPERY_WET', 'COMPACTED_SNOW', 'DRY_SNOW', 'WET_SNOW', 'SLUSH', 'STANDING_WATER'];
    const cases = [
      ...states.map((state) => ({ state, approachType: 'MANUAL_LDG' })),
      ...['DRY', 'WET', ...states].map((state) => ({ state, approachType: 'AUTOLAND' })),
    ];
    let longerThanWet = 0;
    for (const { id, family, weight } of profiles.values()) {
      if (family !== 'A') continue;
      const ldaM = weight.mslw > 200_000 ? 2_600 : 1_900;
      for (const { state, approachType } of cases) {
        const data = { ...metres, runwayCondition: { state, depth: 6 }, configuration: { approachType } };
        const out = run(id, data, { ldaM });
        if (out.kind !== 'answer' || !out.answer.performance) continue;
        const { requiredLandingDist = 0, actualLandingDistance = 0 } = out.answer.performance;
        const shownM = 1.15 * actualLandingDistance;
        expect(requiredLandingDist, `${id} ${state} ${approachType}`).toBeGreaterThan(shownM - 2.5);
        if (state === 'SLUSH' && Math.abs(requiredLandingDist - shownM) < 2.5) longerThanWet += 1;
      }
    }
    expect(longerThanWet).toBeGreaterThan(3);
  });

  test('The performance limit is the lowest of four, and the landing weight the computed maximum (M-2.9.w1, M-2.9.w2, M-2.9.w12)', () => {
    for (const id of [a320, b738]) {
      const { performance: p } = answered(id, {}, { ldaM: 1700 });
      const four = [p.appClimbLimit, p.fieldLimit, p.ldgClimbLimit, p.tireSpeed].filter((kg) => kg !== null);
      expect(p.perfLimitedLandingWeight).toBe(Math.min(...four));
      expect(p.landingWeight).toBeLessThanOrEqual(p.perfLimitedLandingWeight ?? 0);
    }
  });

  test('Overweight in flight is reported and not refused, and a dispatch is never overweight (M-2.9.w11, M-2.9.w13, M-2.8.r3)', () => {
    const { answer, performance } = answered(b738, inflight(70_000));
    expect(performance.isOverweightLanding).toBe(true);
    expect(answer.caution.join()).toContain('Overweight');
    expect(answered(b738, {}).performance.isOverweightLanding).toBe(false);
  });

  test('The speed vFly is vRef plus the additive (M-2.9.v2, M-2.9.v5, M-2.9.v6)', () => {
    const { performance: p } = answered(b738, inflight(60_000, { configuration: { vrefAdditive: 7 } }));
    expect(p.vrefAdditive).toBe(7);
    expect(p.vFly).toBe(p.vRef + 7);
    expect(p.vrefLabel).toBe('VREF');
  });

  test('Modes are sorted by factored distance, and flags match a comparison with lda (M-2.9.ab11, M-2.9.ab12)', () => {
    for (const id of [a320, b738]) {
      const { performance: p } = answered(id, inflight(66_000), { ldaM: 1800 });
      const rows = p.autobrakeLandingDist ?? [];
      expect(rows.map((row) => row.factoredDistance)).toEqual(
        rows.map((row) => row.factoredDistance).toSorted((a, b) => a - b),
      );
      for (const row of rows) {
        expect(row.landingDistanceIsAboveLDA).toBe(row.landingDistance > p.lda);
        expect(row.factoredDistanceIsAboveLDA).toBe(row.factoredDistance > p.lda);
        expect(row.unfactoredDistanceIsAboveLDA).toBe(row.unfactoredDistance > p.lda);
        expect(Math.abs(row.unfactoredDistance - 0.85 * row.landingDistance)).toBeLessThanOrEqual(2);
      }
    }
  });

  test('Family A has its own additives (M-2.9.va1, M-2.9.va2, M-2.9.va3, M-2.9.va4, M-2.9.va5, M-2.9.va6)', () => {
    const { performance: p } = answered(
      a320,
      inflight(60_000, {
        weather: { headwind: 27 },
        configuration: { flap: 'FULL', vrefAdditive: 3, approachType: 'AUTOLAND' },
      }),
    );
    expect(p.vAppDetails).toEqual({
      deltaWind: 9,
      athrOn: 5,
      deltaIceAccretion: 0,
      approachCorrection: 9,
      vPilot: 3,
      totalVrefCorrection: 12,
    });
    const ice = answered(
      a320,
      inflight(60_000, { configuration: { flap: '3', antiIce: 'ENGINE_WING_ICING' } }),
    ).performance.vAppDetails;
    expect(ice).toMatchObject({ athrOn: 5, deltaIceAccretion: 10, approachCorrection: 10 });
    const calm = (configuration: object, mel: string[] = []) =>
      answered(
        a320,
        inflight(60_000, { configuration: { flap: 'FULL', ...configuration }, inopItems: { mel } }),
      ).performance;
    const normal = calm({});
    expect(normal.vAppDetails).toMatchObject({ athrOn: 5, totalVrefCorrection: 5 });
    expect(normal.vApp).toBe(normal.vRef + 5);
    const manual = calm({ autothrust: false });
    expect(manual.vAppDetails).toMatchObject({ athrOn: 0, totalVrefCorrection: 0 });
    expect(manual.vApp).toBe(manual.vRef);
    expect(calm({}, ['22-30-01']).vAppDetails).toEqual(normal.vAppDetails);
    expect(answered(b738, inflight()).performance.vAppDetails).toBeUndefined();
  });

  test('The non-normal condition is returned, and exits beyond the touchdown zone have speed, remaining runway and margin (M-2.9.x1, M-2.9.x2)', () => {
    const { performance: p } = answered(
      b738,
      inflight(60_000, { configuration: { nonNormalCondition: 'TE_FLAPS_UP' } }),
    );
    expect(p.nonNormalCondition).toBe('TE_FLAPS_UP');
    const exits = answered(b738, inflight()).performance.runwayExits ?? [];
    expect(exits.map((exit) => [exit.name, exit.distance, exit.remainingRunway, exit.exitSpeed])).toEqual([
      ['B2', 1200, 1600, 15],
      ['B4', 1900, 900, 60],
    ]);
    const manual = exits[1]?.modes.find((mode) => mode.autobrakeValue === 'MAX_MAN');
    expect(manual?.reachable).toBe(true);
    expect(Math.abs((manual?.margin ?? 0) - (1900 - (manual?.distanceAtExitSpeed ?? 0)))).toBeLessThanOrEqual(
      1,
    );
    expect(exits[0]?.modes.find((mode) => mode.autobrakeValue === '1')?.reachable).toBe(false);
  });

  test.each([
    ['DRY', 0, 15, 60],
    ['GOOD', 0, 15, 50],
    ['MEDIUM', 0, 10, 15],
    ['POOR', 0, 10, 15],
  ])('Exits are taken more slowly if the runway is not dry: %s (M-2.9.x1)', (state, depth, turn, rapid) => {
    const landing = inflight(50_000, { runwayCondition: { state, depth } });
    const exits = answered(b738, landing).performance.runwayExits ?? [];
    expect(exits.map(({ exitSpeed }) => exitSpeed)).toEqual([turn, rapid]);
  });

  test('Brake cooling is shown for a profile with it, otherwise absent (M-2.9.bc1, M-2.9.bc2, M-2.9.bc3, M-2.9.bc4, M-2.9.bc5, M-2.9.bc6)', () => {
    const cooled = answered(b738, inflight(66_000)).performance.autobrakeLandingDist?.[0]
      ?.brakeCoolingSchedule;
    expect(Object.keys(cooled ?? {})).toEqual([
      'credit',
      'aerodynamicDrag',
      'ground',
      'air',
      'btms',
      'energy',
    ]);
    expect(cooled?.energy).toBeGreaterThan(10);
    const off = {
      ...profile(b738),
      landing: {
        ...profile(b738).landing,
        brakeCooling: { isBrakeCoolingActive: false, userTurnaroundTime: null },
      },
    };
    expect(
      answered(off, inflight()).performance.autobrakeLandingDist?.[0]?.brakeCoolingSchedule,
    ).toBeUndefined();
  });

  test('The go-around gradient decreases with weight, and its altitude is 1,500 ft above the runway (M-2.9.ga1, M-2.9.ga2)', () => {
    const light = answered(b738, inflight(50_000)).performance;
    const heavy = answered(b738, inflight(66_000)).performance;
    expect(light.ldgGaClimbGrad).toBeGreaterThan(heavy.ldgGaClimbGrad);
    expect(light.goAroundAltitude).toBe(1600);
  });
});

describe('every limit can be limiting', () => {
  const quick = (): AircraftProfile => {
    const b = profile(b738);
    return {
      ...b,
      landing: { ...b.landing, brakeCooling: { isBrakeCoolingActive: true, userTurnaroundTime: 30 } },
    };
  };
  const slowTires = (): AircraftProfile => ({
    ...profile(b738),
    limits: { ...profile(b738).limits, tireSpeedKt: 125 },
  });
  test.each([
    ['STRUCT.', () => answered(b738, {}).performance],
    ['MACG', () => answered(a320, { configuration: { missedApproachClimbGradient: 7 } }).performance],
    ['FIELD', () => answered(b738, {}, { ldaM: 1500 }).performance],
    [
      'CLIMB',
      () => answered(b738, { weather: { temperature: 40 } }, { ldaM: 4000, elevationFt: 5500 }).performance,
    ],
    [
      'QUICK',
      () =>
        answered(
          quick(),
          { weather: { headwind: -15, temperature: 38 } },
          { ldaM: 4000, elevationFt: 2000, slopePercent: -2 },
        ).performance,
    ],
    ['TIRE', () => answered(slowTires(), {}, { ldaM: 4000 }).performance],
  ] as const)('%s (M-2.9.w10, M-2.9.w14)', (limit, act) => {
    expect(act().limitedBy).toBe(limit);
  });

  test('The gradient limits a family A dispatch, and is only a caution in family B (M-4.7.p28)', () => {
    const { performance: a } = answered(a320, { configuration: { missedApproachClimbGradient: 7 } });
    expect(a.ldgGaClimbGrad).toBeGreaterThanOrEqual(6.99);
    const { answer, performance: b } = answered(b738, { configuration: { missedApproachClimbGradient: 7 } });
    expect(b.limitedBy).not.toBe('MACG');
    expect(answer.caution.join()).toContain('missed approach gradient');
  });

  test('OPTIMUM is at least as heavy as every single flap (M-4.7.r5)', () => {
    const at = (flap: string): number =>
      answered(a320, { configuration: { flap, missedApproachClimbGradient: 5 } }, { ldaM: 1500 }).performance
        .landingWeight;
    expect(at('OPTIMUM')).toBe(Math.max(at('FULL'), at('3')));
  });
});

describe('brakes', () => {
  test('A fleet profile with carbon brakes gets their quick turnaround (M-2.9.w6, M-2.9.w7)', () => {
    const b = profile(b738);
    const carbon: AircraftProfile = { ...b, model: { ...b.model, brakes: 'Carbon' } };
    const [steel, other] = [answered(b, {}).performance, answered(carbon, {}).performance];
    expect([steel.quickTurnTime, other.quickTurnTime]).toEqual([67, 48]);
    expect(other.quickTurnWeight).toBeLessThan(steel.quickTurnWeight ?? 0);
  });
});

describe('units', () => {
  test('A landing in kg and ft equals one in lb and m within rounding (M-4.7.r2, M-4.7.p2, M-4.7.p5)', () => {
    const si = answered(b738, { ...metres }, { ldaM: 1700 }).performance;
    const us = answered(b738, { units: { weight: 'lb', altitude: 'meter' } }, { ldaM: 1700 }).performance;
    expect(Math.abs(us.landingWeight * 0.45359237 - si.landingWeight)).toBeLessThan(1.5);
    expect(Math.abs(us.lda * 0.3048 - si.lda)).toBeLessThan(1);
    expect(us.goAroundAltitude).toBe(488);
  });
  test('Wind in m/s, depth in inches and QNH in inHg give the same result (M-4.7.p3, M-4.7.p6, M-4.7.p7)', () => {
    const base = { landingMode: 'inflight', weight: { landingWeight: 60_000 } };
    const a = answered(b738, {
      ...base,
      weather: { headwind: 35, qnh: 1000 },
      runwayCondition: { state: 'SLUSH', depth: 5 },
    }).performance;
    const b = answered(b738, {
      ...base,
      units: { wind: 'ms', depth: 'inches', pressure: 'inhg' },
      weather: { headwind: 18, qnh: 29.53 },
      runwayCondition: { state: 'SLUSH', depth: 0.2 },
    }).performance;
    expect(
      (b.autobrakeLandingDist?.[0]?.unfactoredDistance ?? 0) /
        (a.autobrakeLandingDist?.[0]?.unfactoredDistance ?? 1),
    ).toBeCloseTo(1, 2);
  });
  test('The direction is resolved against the true bearing, and a given headwind overrides it (M-4.7.p13, M-4.7.p14, M-4.7.p15)', () => {
    const first = (weather: Data): number =>
      answered(b738, inflight(60_000, { weather })).performance.autobrakeLandingDist?.[0]
        ?.unfactoredDistance ?? 0;
    expect(first({ windDirection: 70, windSpeed: 20 })).toBe(first({ headwind: 20 }));
    expect(first({ windDirection: 250, windSpeed: 10 })).toBe(first({ headwind: -10 }));
    expect(first({ windDirection: 250, windSpeed: 10, headwind: 0 })).toBe(first({}));
  });
});

describe('refused and ignored input', () => {
  test.each([
    ['configuration.flap', b738, { configuration: { flap: 'OPTIMUM' } }],
    ['configuration.flap', a320, { configuration: { flap: 'XXX' } }],
    ['configuration.antiIce', a320, { configuration: { antiIce: 'XXX' } }],
    ['configuration.reverser', a320, { configuration: { reverser: 'XXX' } }],
    ['configuration.speedbrake', a320, { configuration: { speedbrake: 'XXX' } }],
    ['configuration.autobrake', a320, inflight(60_000, { configuration: { autobrake: 'ALL' } })],
    [
      'configuration.nonNormalCondition',
      a320,
      inflight(60_000, { configuration: { nonNormalCondition: 'XXX' } }),
    ],
    ['configuration.approachType', b738, { configuration: { approachType: 'CAT_II' } }],
    ['configuration.landingTechnique', b738, { configuration: { landingTechnique: 'MANUAL' } }],
    ['weight.cgPosition', b738, { weight: { cgPosition: 'FWD' } }],
    ['weight.landingWeight', a320, { landingMode: 'inflight' }],
    ['runwayCondition.state', a320, { runwayCondition: { state: 'GOOD' } }],
    ['inopItems.mel', a320, { inopItems: { mel: ['XXX'] } }],
    ['inopItems.cdl', a320, { inopItems: { cdl: ['XXX'] } }],
  ])('The value %s outside formData (%s) is refused (M-4.7.r1)', (field, id, data) => {
    expect(refusedFields(id, data)).toEqual([field]);
  });

  test('A dispatch ignores autobrake, additive and non-normal condition (M-4.7.p21, M-4.7.p25, M-4.7.p26)', () => {
    const plain = answered(b738, {}).performance;
    const { performance } = answered(b738, {
      configuration: { autobrake: 'XXX', vrefAdditive: 15, nonNormalCondition: 'XXX' },
    });
    expect(performance).toEqual(plain);
  });

  test('In flight the additive is at most 20 and at least 5 for autoland, both reported (M-4.7.p25)', () => {
    const capped = answered(b738, inflight(60_000, { configuration: { vrefAdditive: 35 } }));
    expect(capped.performance.vrefAdditive).toBe(20);
    expect(capped.answer.caution.join()).toContain('maximum of 20 kt');
    const autoland = answered(b738, inflight(60_000, { configuration: { flap: '30_AUTOLAND' } }));
    expect(autoland.performance.vrefAdditive).toBe(5);
    expect(autoland.answer.caution.join()).toContain('raised to 5 kt');
  });

  test.each([
    ['nnc', inflight(60_000, { configuration: { nonNormalCondition: 'TE_FLAPS_UP' } })],
    ['mel', { inopItems: { mel: ['78-01'] } }],
    ['cdl', { inopItems: { cdl: ['57-01'] } }],
    ['notam', { notam: { shortenStart: 100 } }],
  ])('The feature %s outside the subscription is refused (M-4.7.r4)', (feature, data) => {
    expect(run(b738, data, {}, none)).toMatchObject({ kind: 'notEntitled', feature });
    expect(run(b738, data, {}, all).kind).toBe('answer');
  });

  test.each([
    ['temperature', { weather: { temperature: 60 } }],
    ['temperature', { weather: { temperature: -70 } }],
    ['QNH', { weather: { qnh: 1100 } }],
    ['QNH', { weather: { qnh: 850 } }],
    ['depth', { runwayCondition: { state: 'SLUSH', depth: 40 } }],
    ['code 0', { runwayCondition: { state: 'WET_ICE' } }],
    ['landing distance', { notam: { shortenStart: 5000, shortenEnd: 5000 } }],
  ])(
    '%s is answered with calculationPossible false and an error, and nothing is charged (M-2.8.r4)',
    (word, data) => {
      const out = run(b738, data);
      if (out.kind !== 'answer') throw new Error(out.kind);
      expect(out.answer.calculationPossible).toBe(false);
      expect(out.answer.performance).toBeUndefined();
      expect(out.answer.error?.join().toLowerCase()).toContain(word.toLowerCase());
    },
  );

  test('NOTAM shortening applies to both ends in the distance unit (M-4.7.r3, M-4.7.p35, M-4.7.p36, M-2.9.g2, M-2.9.g3)', () => {
    const { performance: p, answer } = answered(b738, {
      ...metres,
      notam: { shortenStart: 300, shortenEnd: 200 },
    });
    expect(p).toMatchObject({ lda: 2300, isNOTAM: true });
    expect(answer.caution.join()).toContain('500 m');
    expect(answered(b738, metres).performance).toMatchObject({ lda: 2800, isNOTAM: false });
    const exits =
      answered(b738, inflight(60_000, { notam: { shortenStart: 300 } })).performance.runwayExits ?? [];
    expect(exits.map((exit) => exit.distance)).toEqual([900, 1600]);
  });
});
