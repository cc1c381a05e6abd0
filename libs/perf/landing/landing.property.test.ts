import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AircraftProfile, RwyccCode } from '#domain/aircraft/profile.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { toKelvin } from '../kernel/atmosphere.ts';
import { ftToM, ktToMps } from '../kernel/units.ts';
import { calculateLanding } from './calculate.ts';
import { checkProfile } from './check.ts';
import type { DispatchResult, InflightResult, LandingCase } from './types.ts';

const profiles = [...(await loadProfiles(checkProfile)).values()];
const RUNS = process.env['DEEP'] ? 100_000 : 2000;
const settings = { numRuns: RUNS };
/** Deep runs take minutes, not the default seconds. */
const TIME = process.env['DEEP'] ? 1_800_000 : 60_000;

type Draw = {
  profile: AircraftProfile;
  flap: string;
  share: number;
  rwycc: Exclude<RwyccCode, 0>;
  headwindKt: number;
  elevationFt: number;
  isaDeviationC: number;
  slopePercent: number;
  reversers: number;
  additiveKt: number;
  ldaM: number;
};

const draw: fc.Arbitrary<Draw> = fc
  .record({
    profile: fc.constantFrom(...profiles),
    pick: fc.nat(20),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    rwycc: fc.constantFrom<Exclude<RwyccCode, 0>>(6, 5, 4, 3, 2, 1),
    headwindKt: fc.double({ min: -15, max: 40, noNaN: true }),
    elevationFt: fc.double({ min: 0, max: 8000, noNaN: true }),
    isaDeviationC: fc.double({ min: -30, max: 25, noNaN: true }),
    slopePercent: fc.double({ min: -2, max: 2, noNaN: true }),
    reversers: fc.nat(2),
    additiveKt: fc.double({ min: 0, max: 20, noNaN: true }),
    ldaM: fc.double({ min: 1200, max: 4500, noNaN: true }),
  })
  .map(({ pick, ...rest }) => {
    const flaps = rest.profile.flaps.filter((flap) => flap.landing && flap.certified);
    return { ...rest, flap: flaps[pick % flaps.length]?.code ?? '' };
  });

function caseOf(d: Draw, mode: 'dispatch' | 'inflight', change: Partial<Draw> = {}): LandingCase {
  const x = { ...d, ...change };
  const { oew, mstow } = x.profile.weight;
  return {
    mode,
    runway: { ldaM: x.ldaM, elevationM: ftToM(x.elevationFt), slope: x.slopePercent / 100 },
    weather: {
      headwindMps: ktToMps(x.headwindKt),
      temperatureK: toKelvin(15 - 0.0019812 * x.elevationFt + x.isaDeviationC),
      qnhPa: 101325,
    },
    condition: { rwycc: x.rwycc },
    configuration: {
      flap: x.flap,
      autobrake: 'ALL',
      reversersOperating: x.reversers,
      vrefAdditiveKt: x.additiveKt,
      autoland: false,
      autothrust: false,
      missedApproachGradient: 0.025,
      nonNormal: [],
      mel: [],
      cdl: [],
    },
    massKg: oew + x.share * (mstow - oew),
  };
}

/** Results of two cases, or null when either has no answer (slippery and steep: the aircraft does not stop). */
function flown(d: Draw, change: Partial<Draw> = {}): InflightResult | null {
  const out = calculateLanding(d.profile, caseOf(d, 'inflight', change));
  return out.ok && out.result.mode === 'inflight' ? out.result : null;
}

function dispatched(d: Draw, change: Partial<Draw> = {}): DispatchResult | null {
  const out = calculateLanding(d.profile, caseOf(d, 'dispatch', change));
  return out.ok && out.result.mode === 'dispatch' ? out.result : null;
}

const distances = (result: InflightResult): Map<string, number> =>
  new Map(result.modes.map((mode) => [mode.autobrake, mode.actualM]));

/** Every mode of `more` is at least as long as in `less`. */
function notShorter(less: InflightResult | null, more: InflightResult | null, slackM = 1e-6): void {
  if (!less || !more) return;
  const longer = distances(more);
  for (const [mode, metres] of distances(less)) {
    const other = longer.get(mode);
    if (other !== undefined) expect(other, mode).toBeGreaterThanOrEqual(metres - slackM);
  }
}

const step = fc.double({ min: 0, max: 1, noNaN: true });

describe('distance never shrinks when things get worse', () => {
  test.each([
    ['weight', (d: Draw, s: number) => ({ share: Math.min(1, d.share + 0.3 * s) })],
    ['speed', (d: Draw, s: number) => ({ additiveKt: d.additiveKt + 10 * s })],
    [
      'less headwind, more tailwind',
      (d: Draw, s: number) => ({ headwindKt: Math.max(-15, d.headwindKt - 15 * s) }),
    ],
    [
      'altitude at the same ISA deviation',
      (d: Draw, s: number) => ({ elevationFt: d.elevationFt + 2000 * s }),
    ],
    ['temperature', (d: Draw, s: number) => ({ isaDeviationC: d.isaDeviationC + 10 * s })],
    ['downhill slope', (d: Draw, s: number) => ({ slopePercent: Math.max(-2, d.slopePercent - 2 * s) })],
    [
      'a lower runway condition code',
      (d: Draw, s: number) => ({ rwycc: Math.max(1, d.rwycc - Math.round(3 * s)) as Draw['rwycc'] }),
    ],
    [
      'fewer reversers',
      (d: Draw, s: number) => ({ reversers: Math.max(0, d.reversers - Math.round(2 * s)) }),
    ],
  ])(
    '%s',
    (_, worse) => {
      fc.assert(
        fc.property(draw, step, (d, s) => notShorter(flown(d), flown(d, worse(d, s)))),
        settings,
      );
    },
    TIME,
  );
});

describe('one result', () => {
  test(
    'brake modes are ordered: manual is shortest, the lowest autobrake longest (20 m)',
    () => {
      fc.assert(
        fc.property(draw, (d) => {
          const result = flown(d);
          if (!result) return;
          const byOrder = result.modes.toSorted((a, b) => a.order - b.order);
          byOrder.forEach((mode, i) => {
            const stronger = byOrder[i - 1];
            if (stronger) expect(mode.actualM).toBeGreaterThanOrEqual(stronger.actualM - 20);
          });
        }),
        settings,
      );
    },
    TIME,
  );

  test(
    'M-2.9.ab11 sorted by factored distance; factored >= unfactored; air part inside; flags by comparison',
    () => {
      fc.assert(
        fc.property(draw, (d) => {
          const result = flown(d);
          if (!result) return;
          result.modes.forEach((mode, i) => {
            expect(mode.factoredM).toBeGreaterThanOrEqual(mode.unfactoredM);
            expect(mode.unfactoredM).toBeCloseTo(0.85 * mode.landingM, 6);
            expect(mode.airDistanceM).toBeLessThan(mode.actualM);
            expect(mode.factoredAboveLda).toBe(mode.factoredM > d.ldaM);
            expect(mode.factoredM).toBeGreaterThanOrEqual(result.modes[i - 1]?.factoredM ?? 0);
          });
        }),
        settings,
      );
    },
    TIME,
  );

  test(
    'continuity: one kilogram more moves VREF by less than 0.1 kt and distance by less than 0.5 m',
    () => {
      fc.assert(
        fc.property(draw, fc.integer({ min: 35, max: 80 }), (d, tonnes) => {
          const { oew, mstow } = d.profile.weight;
          const at = (kg: number): InflightResult | null => flown(d, { share: (kg - oew) / (mstow - oew) });
          if (tonnes * 1000 < oew || tonnes * 1000 + 1 > mstow) return;
          const node = at(tonnes * 1000);
          const next = at(tonnes * 1000 + 1);
          if (!node || !next) return;
          expect(Math.abs(next.speeds.vRefKt - node.speeds.vRefKt)).toBeLessThan(0.1);
          for (const [mode, metres] of distances(node)) {
            expect(Math.abs((distances(next).get(mode) ?? metres) - metres)).toBeLessThan(0.5);
          }
        }),
        settings,
      );
    },
    TIME,
  );
});

describe('dispatch', () => {
  test(
    'the limit weight grows with the landing distance available',
    () => {
      fc.assert(
        fc.property(draw, step, (d, s) => {
          const short = dispatched(d);
          const long = dispatched(d, { ldaM: d.ldaM + 1000 * s });
          if (short && long) expect(long.landingMassKg).toBeGreaterThanOrEqual(short.landingMassKg - 0.02);
          if (short) expect(long).not.toBeNull();
        }),
        { numRuns: RUNS / 4 },
      );
    },
    TIME,
  );

  test(
    'round trip: a field-limited weight needs exactly the landing distance available, within 1 m',
    () => {
      fc.assert(
        fc.property(draw, (d) => {
          const result = dispatched(d);
          if (result?.limitedBy === 'FIELD') expect(Math.abs(result.requiredM - d.ldaM)).toBeLessThan(1);
          else if (result) expect(result.requiredM).toBeLessThanOrEqual(d.ldaM + 1e-6);
        }),
        { numRuns: RUNS / 2 },
      );
    },
    TIME,
  );

  test(
    'M-2.9.w12 M-2.9.w10 landing weight is the lowest of the limits in force',
    () => {
      fc.assert(
        fc.property(draw, (d) => {
          const result = dispatched(d);
          if (!result) return;
          const { limits } = result;
          const perf = [limits.fieldKg, limits.approachClimbKg, limits.landingClimbKg, limits.tireKg].filter(
            (kg) => kg !== null,
          );
          expect(limits.perfKg).toBe(Math.min(...perf));
          const all = [
            ...perf,
            limits.structKg,
            ...(d.profile.family === 'A' && limits.macgKg !== null ? [limits.macgKg] : []),
          ];
          expect(result.landingMassKg).toBe(Math.min(...all));
        }),
        { numRuns: RUNS / 4 },
      );
    },
    TIME,
  );

  test(
    'M-4.7.r5 OPTIMUM is never lighter than any single flap',
    () => {
      fc.assert(
        fc.property(draw, (d) => {
          if (d.profile.family !== 'A') return;
          const best = dispatched(d, { flap: 'OPTIMUM' });
          const one = dispatched(d);
          if (one) expect(best?.landingMassKg ?? 0).toBeGreaterThanOrEqual(one.landingMassKg);
        }),
        { numRuns: RUNS / 4 },
      );
    },
    TIME,
  );
});
