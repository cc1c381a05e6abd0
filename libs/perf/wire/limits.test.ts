import { describe, expect, test } from 'vitest';
import { sampled } from '#test/support/deep.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { verdictWords } from '#domain/performance/verdict.ts';
import { profile } from '../fixtures/aircraft.ts';
import { a320, answered, b738, inflight, run } from '../fixtures/landing-calls.ts';
import type { Data } from '../fixtures/landing-calls.ts';
import { aircraft as types, casesOf, perform, unitSets } from '../fixtures/landings.ts';
import type { Case } from '../fixtures/landings.ts';
import { drawTakeoff } from '../fixtures/takeoffs.ts';
import { drawingFacts, landingScenes } from '#drawing/scenes/landing.ts';

/** Winds beyond the limits of every type. */
const windy = (type: AircraftProfile, kgUnit: number): Case[] =>
  [{ headwind: -25 }, { windDirection: 159, windSpeed: 60 }].map((weather) => ({
    name: `in flight, ${JSON.stringify(weather)}`,
    data: {
      landingMode: 'inflight',
      weather,
      weight: { landingWeight: Math.floor((0.9 * type.weight.mslw) / kgUnit) },
    },
  }));

const limitsOf = (aircraft: string | AircraftProfile, data: Data, runway = {}) => {
  const { answer, performance: p } = answered(aircraft, data, { ldaM: 4000, ...runway });
  return { answer, p, limits: p.limitsExceeded ?? [], modes: p.autobrakeLandingDist ?? [] };
};

describe('exceeded limits', () => {
  const slowTires = { ...profile(b738), limits: { ...profile(b738).limits, tireSpeedKt: 120 } };
  const placard = {
    ...profile(b738),
    flaps: profile(b738).flaps.map((flap) => ({ ...flap, vfeKt: 120 })),
  };
  test.each<[string, string | AircraftProfile, Data, Record<string, unknown>, number, number]>([
    ['TAILWIND_LIMIT', a320, { weather: { headwind: -25 } }, {}, 25, 15],
    ['CROSSWIND_LIMIT', a320, { weather: { windDirection: 160, windSpeed: 60 } }, {}, 60, 38],
    ['HEADWIND_LIMIT', a320, { weather: { headwind: 60 } }, {}, 60, 45],
    ['OVERWEIGHT', a320, { weight: { landingWeight: 70_000 } }, {}, 70_000, 67_400],
    ['GRADIENT_BELOW_REQUESTED', b738, { configuration: { missedApproachClimbGradient: 9 } }, {}, 6, 9],
    ['RUNWAY_NARROW', a320, {}, { widthM: 25 }, 25, 30],
    ['STEEP_APPROACH', a320, { configuration: { approachAngle: 5 } }, {}, 5, 4.5],
    ['TIRE_SPEED', slowTires, {}, {}, 139, 120],
    ['VFE_MARGIN', placard, {}, {}, 142, 120],
    [
      'AUTOLAND_UNAVAILABLE',
      b738,
      { configuration: { flap: '30_AUTOLAND' }, inopItems: { mel: ['22-10-01'] } },
      {},
      0,
      0,
    ],
  ])(
    '%s: no mode is better than its exceeded limit, which is listed with value and limit',
    (code, type, data, runway, value, limit) => {
      const { answer, p, limits, modes } = limitsOf(type, inflight(60_000, data), runway);
      const found = limits.find((entry) => entry.code === code);
      expect(found, JSON.stringify(answer.caution)).toMatchObject({ severity: 'warning', modes: null });
      expect(Math.abs((found?.value ?? 0) - value)).toBeLessThan(3);
      expect(Math.abs((found?.limit ?? 0) - limit)).toBeLessThan(3);
      expect(answer.cautions).toContainEqual(expect.objectContaining({ code, text: found?.text }));
      expect(p.shown).toMatchObject({ verdict: 'LIMIT_EXCEEDED', text: 'limit exceeded', tone: 'bad' });
      for (const mode of modes) {
        expect(mode.verdict).not.toMatch(/^(?:FITS|MARGIN_NOT_MET)$/);
        expect(mode.distanceVerdict).toBe(mode.factoredDistance <= p.lda ? 'FITS' : mode.distanceVerdict);
      }
      const { limits: without, p: plain } = limitsOf(
        typeof type === 'string' ? type : b738,
        inflight(60_000),
      );
      expect([without, plain.verdict]).toEqual([[], 'FITS']);
    },
  );

  test('Melting wheel fuses limit the modes whose brakes absorb that energy', () => {
    const b = profile(b738);
    const hot: AircraftProfile = {
      ...b,
      landing: { ...b.landing, brakeCooling: { ...b.landing.brakeCooling, isBrakeCoolingActive: true } },
    };
    const data = inflight(66_000, {
      configuration: { reverser: 'NONE', vrefAdditive: 15 },
      weather: { headwind: -10 },
    });
    const { modes, limits } = limitsOf(hot, data, { elevationFt: 4000 });
    const melting = modes.filter((mode) => mode.brakeCoolingSchedule?.ground === 'FUSE MELT');
    expect(melting.length).toBeGreaterThan(0);
    expect(melting.length).toBeLessThan(modes.length);
    expect(limits.find((entry) => entry.code === 'FUSE_MELT')?.modes).toEqual(
      melting.map((mode) => mode.autobrakeValue),
    );
    expect(limits.map(({ code }) => code)).toEqual(['FUSE_MELT']);
    for (const mode of modes) expect(mode.verdict === 'LIMIT_EXCEEDED').toBe(melting.includes(mode));
  });

  test.each<[string, Data, Record<string, unknown>, boolean]>([
    ['every condition of the rule holds', {}, {}, true],
    ['less flap', { configuration: { flap: '15' } }, {}, false],
    ['a centre of gravity behind the range', { weight: { landingWeight: 60_000, cg: 35 } }, {}, false],
    ['an unknown centre of gravity', { weight: { landingWeight: 60_000 } }, {}, false],
    ['a narrower runway', {}, { widthM: 40 }, false],
    ['an unknown width', {}, { widthM: null }, false],
  ])(
    'The increased crosswind limit on a dry runway applies only under its conditions: %s',
    (_, change, runway, raised) => {
      const data = inflight(60_000, {
        weight: { landingWeight: 60_000, cg: 20 },
        configuration: { flap: '30' },
        weather: { windDirection: 160, windSpeed: 38 },
        ...change,
      });
      const codes = limitsOf(b738, data, runway).answer.cautions.map(({ code }) => code);
      expect(codes.includes('CROSSWIND_LIMIT_INCREASED')).toBe(raised);
      expect(codes.includes('CROSSWIND_LIMIT')).toBe(!raised);
    },
  );

  test('The increased crosswind limit on a wet runway needs more than 2000 m, after NOTAM in force', () => {
    const at = (ldaM: number, ldaInForceM: number | null = null): string[] => {
      const wet = { runwayCondition: { state: 'GOOD' }, weather: { windDirection: 160, windSpeed: 32 } };
      return limitsOf(b738, inflight(60_000, wet), { ldaM, ldaInForceM }).answer.cautions.map(
        ({ code }) => code,
      );
    };
    expect(at(2001)).toContain('CROSSWIND_LIMIT_INCREASED');
    for (const ldaM of [1905, 2000]) expect(at(ldaM)).toContain('CROSSWIND_LIMIT');
    expect(at(4000, 1905)).toContain('CROSSWIND_LIMIT');
  });
});

describe('weight limits', () => {
  test('A limit not reached by any weight of the aircraft is null and named as not limiting', () => {
    const { performance: p } = answered(b738, {}, { ldaM: 4500 });
    expect(p.notLimiting).toContain('fieldLimit');
    expect(p.fieldLimit).toBeNull();
    const short = answered(b738, {}, { ldaM: 1600 }).performance;
    expect(short.notLimiting).not.toContain('fieldLimit');
    expect(short.fieldLimit).toBeLessThan(profile(b738).weight.mslw);
  });

  test('A dispatch whose limit weight is below the operating empty weight has no result and names both weights', () => {
    const out = run(b738, { units: { distance: 'meter' } }, { ldaM: 900 });
    if (out.kind !== 'answer') throw new Error(out.kind);
    expect(out).toMatchObject({ answer: { calculationPossible: false } });
    const [problem] = out.answer.errors ?? [];
    expect(problem).toMatchObject({ code: 'NO_LANDING_WEIGHT', severity: 'error', field: 'runway' });
    expect(out.answer.error).toEqual([problem?.text]);
  });
});

test.each(types)(
  '%s: no verdict is better than its limits, and the drawing has the wording of the table',
  (_, type) => {
    for (const [set, kg] of sampled(unitSets.slice(1), 2)) {
      for (const entry of [...casesOf(type, kg), ...windy(type, kg)]) {
        const { request, answer, outcome, p } = perform(type, set, entry);
        const limits = p.limitsExceeded ?? [];
        const drawn = drawingFacts(type, request, outcome, { displacedM: 0, lengthM: 4000, closed: [] });
        const rows = drawn ? (landingScenes(request, answer, drawn)['factored']?.rows ?? []) : [];
        const isLimited = limits.some((limit) => limit.modes === null);
        expect(isLimited && /^(?:FITS|MARGIN_NOT_MET)$/.test(p.verdict ?? ''), entry.name).toBe(false);
        for (const mode of p.autobrakeLandingDist ?? []) {
          const isBeyond = limits.some(({ modes }) => modes === null || modes.includes(mode.autobrakeValue));
          const expected =
            isBeyond && mode.distanceVerdict !== 'ABOVE_LDA' ? 'LIMIT_EXCEEDED' : mode.distanceVerdict;
          expect(mode.verdict, entry.name).toBe(expected);
          const row = rows.find(({ label }) => label === mode.label);
          expect([row?.verdict, verdictWords[row?.verdict ?? 'FITS']], entry.name).toEqual([
            mode.shown?.verdict,
            { text: mode.shown?.text, tone: mode.shown?.tone },
          ]);
        }
        const warned = answer.cautions.filter(
          ({ severity, field }) => severity === 'warning' && field === 'weather',
        );
        expect(limits.filter(({ field }) => field === 'weather').length, entry.name).toBe(warned.length);
      }
    }
  },
);

describe.each(types)('%s', (_, type) => {
  const kgPerLb = 0.453_592_37;
  /** The published limit: tens of pounds if these round to the stored kilograms, else whole pounds rounded down. */
  const pounds = (kg: number) => {
    const tens = Math.round(kg / kgPerLb / 10) * 10;
    return Math.round(tens * kgPerLb) === kg ? tens : Math.floor(kg / kgPerLb);
  };
  const imperial = { weight: 'lb' };
  const long = { ldaM: 4500 };

  test('A weight in pounds that rounds to a limit does not exceed it, and a pound more does', () => {
    const limit = pounds(type.weight.mslw);
    const codesAt = (landingWeight: number, maxLandingWeight: number | null = null) => {
      const data = { landingMode: 'inflight', weight: { landingWeight, maxLandingWeight } };
      const { p } = perform(type, imperial, { name: 'at the limit', data, runway: long });
      expect(p.landingWeight).toBe(landingWeight);
      return (p.limitsExceeded ?? []).map(({ code }) => code);
    };
    expect(codesAt(limit)).not.toContain('OVERWEIGHT');
    expect(codesAt(limit, limit)).not.toContain('OVERWEIGHT');
    expect(codesAt(limit + 1)).toContain('OVERWEIGHT');
    const dispatch = perform(type, imperial, { name: 'dispatch', data: {}, runway: long });
    expect(dispatch.p.structLandingWeight).toBe(limit);
    const heaviest = pounds(type.weight.mstow);
    const takeoff = (takeoffWeight: number) =>
      drawTakeoff(type, imperial, { name: 'heaviest', data: { weight: { takeoffWeight } } }).answer;
    expect(takeoff(heaviest).performance?.takeoffWeight).toBe(heaviest);
    expect(() => takeoff(heaviest + 1)).toThrow(/"calculationPossible":false/);
  });

  test('The maximum weight of an answer is accepted when requested, and one more is not', () => {
    for (const units of [{}, imperial]) {
      const limits = (takeoffWeight: number | null) =>
        drawTakeoff(type, units, {
          name: 'short',
          data: { weight: { takeoffWeight } },
          runway: { toraM: 1300, todaM: 1300, asdaM: 1300 },
        }).answer.performance;
      const most = limits(null)?.maxTakeoffWeight ?? 0;
      expect([limits(most)?.verdict, limits(most + 1)?.verdict]).toEqual(['FITS', 'TOO_HEAVY']);
    }
  });

  test('No caution says that a figure exceeds an equal one', () => {
    const cautions = unitSets.flatMap(([units, kg]) =>
      [...casesOf(type, kg), ...windy(type, kg)].flatMap(
        (entry) => perform(type, units, entry).answer.cautions,
      ),
    );
    expect(cautions.length).toBeGreaterThan(20);
    expect(cautions.filter(({ value, limit }) => value !== null && value === limit)).toEqual([]);
  });
});

test('A part closed by a request at the end removes stopway and clearway, one at the start does not (M-4.7.p36)', () => {
  const declaredOf = (runway: { toraM: number; todaM: number; asdaM: number }, notam?: object) => {
    const data = { notam, weight: { takeoffWeight: 60_000 } };
    const units = { distance: 'meter' };
    return drawTakeoff(profile('737-800-7B26'), units, { name: 'shortened', data, runway }).result.declared;
  };
  const published = { toraM: 2400, todaM: 2700, asdaM: 2520 };
  expect(declaredOf(published, { shortenStart: 0, shortenEnd: 100 })).toEqual(
    declaredOf({ toraM: 2300, todaM: 2300, asdaM: 2300 }),
  );
  expect(declaredOf(published, { shortenStart: 100, shortenEnd: 0 })).toEqual(
    declaredOf({ toraM: 2300, todaM: 2600, asdaM: 2420 }),
  );
});
