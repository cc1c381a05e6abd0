import { describe, expect, test } from 'vitest';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { landingAnswerSchema } from '#domain/performance/result.ts';
import type { LandingPerformance } from '#domain/performance/result.ts';
import { aircraft, casesOf, perform, unitSets } from '../fixtures/landings.ts';
import type { Case } from '../fixtures/landings.ts';

/** Numbers of an answer at any depth. */
const numbersOf = (value: unknown): number[] => {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(numbersOf);
};

const fourLimits = (p: LandingPerformance): number[] =>
  [p.appClimbLimit, p.fieldLimit, p.ldgClimbLimit, p.tireSpeed].filter((kg) => kg !== null);

test('The catalogue has 22 aircraft', () => expect(aircraft).toHaveLength(22));

describe.each(aircraft)('%s', (_, profile) => {
  const runs = unitSets.flatMap(([units, kg, metres]) =>
    casesOf(profile, kg).map((entry) => ({ ...entry, kg, metres, ...perform(profile, units, entry) })),
  );

  test('The answer matches the schema without additional fields, and every number is finite (M-2.9.c1, M-2.9.c3, M-2.9.c4, M-2.9.c7, M-2.9.c8, M-2.9.c11)', () => {
    for (const { answer, name } of runs) {
      expect(landingAnswerSchema.parse(answer), name).toEqual(answer);
      expect(numbersOf(answer).every(Number.isFinite), name).toBe(true);
    }
  });

  test('Cautions are sentences without unfilled placeholders (M-2.9.c4)', () => {
    for (const { answer, name } of runs) {
      for (const text of answer.caution) {
        expect(text.length, name).toBeGreaterThan(10);
        expect(text, name).not.toMatch(/undefined|NaN|Infinity|null|\[object/);
      }
    }
    expect(runs.find((run) => run.name === 'in flight, overweight')?.answer.caution.join()).toContain(
      'Overweight landing',
    );
    expect(runs.find((run) => run.name === 'in flight, NOTAM')?.answer.caution.join()).toContain('NOTAM');
  });

  test('The performance limit is the lowest of four, and overweight refers to the structural weight (M-2.9.w2, M-2.9.w12, M-2.9.w11, M-2.9.w13)', () => {
    for (const { p, name } of runs.filter((run) => run.p.limitedBy !== null)) {
      expect(p.perfLimitedLandingWeight, name).toBe(Math.min(...fourLimits(p)));
      expect(p.landingWeight, name).toBeLessThanOrEqual(
        Math.min(p.perfLimitedLandingWeight ?? 0, p.structLandingWeight),
      );
      expect(p.isOverweightLanding, name).toBe(false);
    }
    for (const { p, name } of runs.filter((run) => run.p.limitedBy === null)) {
      expect(p.isOverweightLanding, name).toBe(p.landingWeight > p.structLandingWeight);
    }
  });

  test('Modes are sorted, flags match the distances, and the air part is included (M-2.9.ab5, M-2.9.ab7, M-2.9.ab9, M-2.9.ab11, M-2.9.ab12)', () => {
    for (const { p, name } of runs) {
      const rows = p.autobrakeLandingDist ?? [];
      expect(rows.length > 0, name).toBe(p.limitedBy === null);
      rows.forEach((row, i) => {
        expect(row.factoredDistance, name).toBeGreaterThanOrEqual(rows[i - 1]?.factoredDistance ?? 0);
        expect(row.landingDistanceIsAboveLDA, name).toBe(row.landingDistance > p.lda);
        expect(row.factoredDistanceIsAboveLDA, name).toBe(row.factoredDistance > p.lda);
        expect(row.unfactoredDistanceIsAboveLDA, name).toBe(row.unfactoredDistance > p.lda);
        expect(row.airDistance, name).toBeLessThan(row.unfactoredDistance);
        const share = name === 'in flight, failure' ? 1 : 0.85;
        expect(Math.abs(row.unfactoredDistance - share * row.landingDistance), name).toBeLessThan(2);
      });
    }
  });

  test('Speeds add up (M-2.9.v2, M-2.9.v6, M-2.9.va4, M-2.9.va6)', () => {
    for (const { p, name } of runs) {
      expect(p.vApp, name).toBe(p.vFly);
      expect(p.vFly - p.vRef, name).toBe(p.vrefAdditive ?? p.vFly - p.vRef);
      expect(p.vAppDetails !== undefined, name).toBe(profile.family === 'A' && p.limitedBy === null);
    }
    for (const { p, name } of runs.filter((run) => run.p.vAppDetails !== undefined)) {
      const details = p.vAppDetails;
      const { deltaWind = NaN, athrOn = NaN, deltaIceAccretion = NaN } = details ?? {};
      const { approachCorrection = NaN, vPilot = NaN, totalVrefCorrection = NaN } = details ?? {};
      expect(approachCorrection, name).toBe(Math.max(deltaWind, athrOn, deltaIceAccretion));
      expect(totalVrefCorrection, name).toBeCloseTo(approachCorrection + vPilot, 6);
      expect(p.vrefAdditive, name).toBe(Math.ceil(totalVrefCorrection - 0.005) + 0);
    }
  });

  test('Fields appear only in their family and mode (M-2.9.d1, M-2.9.d2, M-2.9.b7, M-2.9.x1, M-2.9.x2)', () => {
    const familyA = profile.family === 'A';
    for (const { p, name } of runs) {
      const dispatch = p.limitedBy !== null;
      expect(p.requiredLandingDist !== undefined, name).toBe(dispatch);
      expect(p.actualLandingDistance !== undefined, name).toBe(dispatch && familyA);
      expect(p.factoredLandingDistance !== undefined, name).toBe(dispatch && familyA);
      expect(p.balkedLandingProcedure !== undefined, name).toBe(familyA || !dispatch);
      expect(p.runwayExits !== undefined, name).toBe(!dispatch);
      expect(p.nonNormalCondition !== undefined, name).toBe(!dispatch);
    }
  });

  test('Rounding is on the safe side: limits down, required distances up, available distances down', () => {
    for (const { p, name, kg, metres, result } of runs) {
      const { limits } = result;
      for (const [reported, exact] of [
        [p.fieldLimit, limits.fieldKg],
        [p.appClimbLimit, limits.approachClimbKg],
        [p.ldgClimbLimit, limits.landingClimbKg],
        [p.tireSpeed, limits.tireKg],
        [p.quickTurnWeight, limits.quickTurnKg],
      ] as const) {
        expect(reported === null, name).toBe(exact === null);
        expect((reported ?? 0) * kg, name).toBeLessThanOrEqual((exact ?? 0) + 1e-3);
        expect((reported ?? 0) * kg, name).toBeGreaterThan((exact ?? 0) - kg - 1e-3);
      }
      const requiredM = result.mode === 'dispatch' ? result.requiredM : -Infinity;
      const mostKg = result.mode === 'dispatch' ? result.massKg : Infinity;
      // It is never above the LDA, whose rounding is down.
      const leastM = Math.min(requiredM, p.lda * metres);
      expect((p.requiredLandingDist ?? 0) * metres, name).toBeGreaterThanOrEqual(leastM - 1e-3);
      expect(p.requiredLandingDist ?? 0, name).toBeLessThanOrEqual(p.lda);
      // A structural limit is stored to the kilogram.
      const storedKg = Number.isInteger(mostKg) ? 0.5 : 1e-3;
      expect(p.landingWeight * kg, name).toBeLessThanOrEqual(mostKg + storedKg);
      const modes = result.mode === 'inflight' ? result.modes : [];
      for (const row of p.autobrakeLandingDist ?? []) {
        const mode = modes.find((entry) => entry.autobrake === row.autobrakeValue);
        expect(row.factoredDistance * metres, name).toBeGreaterThanOrEqual((mode?.factoredM ?? 0) - 1e-3);
        expect(row.unfactoredDistance * metres, name).toBeGreaterThanOrEqual((mode?.actualM ?? 0) - 1e-3);
      }
    }
  });

  test('Other units give the same landing in other figures (M-4.7.r2)', () => {
    const [si, us] = [runs.filter((run) => run.metres === 1), runs.filter((run) => run.kg !== 1)];
    // Weights and wind are whole numbers in the user's units, so only cases without them are equal.
    const same = ['dispatch', 'dispatch, wet and items', 'dispatch, hot and high'];
    for (const run of si.filter((entry) => same.includes(entry.name))) {
      const other = us.find((entry) => entry.name === run.name);
      expect(other?.p.limitedBy).toBe(run.p.limitedBy);
      expect(Math.abs((other?.p.landingWeight ?? 0) * 0.45359237 - run.p.landingWeight)).toBeLessThan(1.5);
    }
  });
});

describe('each limit can be limiting in each family that has it', () => {
  type Variant = Partial<Pick<AircraftProfile, 'limits' | 'landing'>>;
  const weakTires = (profile: AircraftProfile): Variant => ({
    limits: { ...profile.limits, tireSpeedKt: 118 },
  });
  const busy = (profile: AircraftProfile): Variant => ({
    landing: { ...profile.landing, brakeCooling: { isBrakeCoolingActive: true, userTurnaroundTime: 20 } },
  });
  const hotHigh: Case = {
    name: 'hot and high',
    data: { weather: { temperature: 36 }, configuration: { missedApproachClimbGradient: 0 } },
    runway: { ldaM: 5500, elevationFt: 7500, slopePercent: 0 },
  };
  const roomy: Case = { name: 'roomy', data: {}, runway: { ldaM: 5500, slopePercent: 0 } };
  const warmTail: Case = {
    name: 'tailwind downhill',
    data: { weather: { headwind: -10, temperature: 30 }, configuration: { missedApproachClimbGradient: 0 } },
    runway: { ldaM: 5500, slopePercent: -2 },
  };
  const plain = (): Variant => ({});
  test.each<[string, Case, (profile: AircraftProfile) => Variant, ('A' | 'B')[]]>([
    ['STRUCT.', roomy, plain, ['A', 'B']],
    ['FIELD', { ...roomy, runway: { ldaM: 1400 } }, plain, ['A', 'B']],
    ['MACG', { ...roomy, data: { configuration: { missedApproachClimbGradient: 9 } } }, plain, ['A']],
    ['CLIMB', hotHigh, plain, ['A', 'B']],
    ['QUICK', warmTail, busy, ['A', 'B']],
    ['TIRE', roomy, weakTires, ['A', 'B']],
  ])('%s (M-2.9.w10, M-2.9.w14)', (limit, entry, variant, families) => {
    const reached = new Set<string>();
    for (const [, profile] of aircraft) {
      const changed = { ...profile, ...variant(profile) };
      try {
        if (perform(changed, {}, entry).p.limitedBy === limit) reached.add(profile.family);
      } catch {
        // Some aircraft have no landing weight in this case; one aircraft per family is enough.
      }
    }
    expect([...reached].toSorted()).toEqual(families);
  });
});
