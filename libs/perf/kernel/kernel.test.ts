import { describe, expect, test } from 'vitest';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { aloft, atmosphere, isaTemperature, pressureAltitude } from './atmosphere.ts';
import { frictionLaw, hydroplaningSpeed, mu } from './friction.ts';
import { linear } from './interpolate.ts';
import { largest } from './search.ts';
import { ftToM, ktToMps, mToFt, mpsToKt } from './units.ts';

describe('atmosphere', () => {
  test('Pressure altitude is the elevation at 1013.25 hPa and 27 ft per hPa near it', () => {
    expect(pressureAltitude(500, 101325)).toBeCloseTo(500, 9);
    expect(mToFt(pressureAltitude(0, 100325))).toBeCloseTo(274, -1);
  });
  test('The standard atmosphere is right at 0, 5000 and 10000 ft', () => {
    const at = (ft: number) => atmosphere(ftToM(ft), isaTemperature(ftToM(ft)));
    expect(at(0).sigma).toBeCloseTo(1, 9);
    expect(at(5000).delta).toBeCloseTo(0.832, 3);
    expect(at(10_000).sigma).toBeCloseTo(0.7385, 3);
  });
  test('An air mass keeps its ISA deviation at altitude', () => {
    const hot = atmosphere(0, 308.15);
    expect(aloft(hot, 1000).isaDeviationK).toBeCloseTo(20, 9);
  });
});

describe('interpolation and search', () => {
  const points = [
    [0, 0],
    [10, 10],
    [20, 30],
  ] as const;
  test('Interpolation is exact at table points, linear between them, and clamped or extrapolated outside', () => {
    expect([0, 5, 10, 15, 20].map((x) => linear(points, x))).toEqual([0, 5, 10, 20, 30]);
    expect(linear(points, 25)).toBe(30);
    expect(linear(points, 25, true)).toBe(40);
    expect(linear(points, -5, true)).toBe(-5);
  });
  test('The search finds the largest weight that meets the condition, null below the range and the cap above it', () => {
    expect(largest(0, 100, (x) => x <= 42, 1e-6)).toBeCloseTo(42, 5);
    expect(largest(0, 100, (x) => x <= -1)).toBeNull();
    expect(largest(0, 100, () => true)).toBe(100);
  });
});

const braking = (own: AircraftProfile['braking']['friction'][5], psi = 200): AircraftProfile['braking'] => ({
  tirePressurePsi: psi,
  loadFactor: 1,
  contaminantWidthM: 0,
  torqueLimitN: null,
  antiskidInopFactor: { dry: 0.5, slippery: 0.6 },
  friction: { 6: own, 5: own, 4: own, 3: own, 2: own, 1: own },
});

describe('friction', () => {
  test('The 14 CFR 25.109(c) wet smooth curve at 200 psi matches the published polynomial at 100 kt', () => {
    const law = frictionLaw(braking({ kind: 'wetSmooth', efficiency: 1 }), 5);
    expect(mu(law, ktToMps(100))).toBeCloseTo(0.692 - 0.658 + 0.252 - 0.0331, 9);
  });
  test('A pressure between two curves yields a value between them', () => {
    const at = (psi: number) =>
      mu(frictionLaw(braking({ kind: 'wetSmooth', efficiency: 1 }, psi), 5), ktToMps(80));
    expect(at(150)).toBeLessThan(at(100));
    expect(at(150)).toBeGreaterThan(at(200));
  });
  test('Hydroplaning begins at 9 sqrt(psi), and code 2 falls to its floor at 85 % of it', () => {
    expect(mpsToKt(hydroplaningSpeed(200))).toBeCloseTo(127.3, 1);
    const law = frictionLaw(
      braking({ kind: 'hydroplaning', efficiency: 0.8, muCap: 0.16, muPlaning: 0.05 }),
      2,
    );
    expect(mu(law, ktToMps(109))).toBe(0.05);
    expect(mu(law, ktToMps(100))).toBeLessThanOrEqual(0.16);
    expect(mu(law, ktToMps(40))).toBe(0.16);
  });
});
