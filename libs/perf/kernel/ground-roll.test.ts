import { describe, expect, test } from 'vitest';
import { closedFormRoll } from '../fixtures/closed-form.ts';
import type { FrictionLaw } from './friction.ts';
import { distanceToSpeed, groundRoll } from './ground-roll.ts';
import type { Roll, Trace } from './ground-roll.ts';
import { gravity } from './units.ts';

const constant = (mu: number): FrictionLaw => ({
  scale: 1,
  c0: mu,
  c1: 0,
  c2: 0,
  c3: 0,
  cap: mu,
  planingMps: Infinity,
  muPlaning: 0,
});

const base: Roll = {
  massKg: 60_000,
  entryMps: 68,
  headwindMps: 0,
  densityKgM3: 1.225,
  wingAreaM2: 124,
  cl: 0.1,
  cd: 0.18,
  slope: 0,
  friction: constant(0.3),
  loadFactor: 0.95,
  torqueLimitN: Infinity,
  targetMps2: Infinity,
  idleForwardN: 5000,
  reversibleIdleN: 0,
  reverseN: 0,
  coastReverseN: 0,
  reverseCutMps: 0,
  reverseDelayS: 0,
  brakeDelayS: 0,
  fluidDrag: 0,
  fluidPlaningMps: 65,
};

describe('numerical integration compared with the closed form', () => {
  test.each([
    ['dry', {}],
    ['ice', { friction: constant(0.05) }],
    ['downhill', { slope: -0.02 }],
    ['lift holds the wheels down', { cl: -0.3 }],
    ['heavy and fast', { massKg: 79_000, entryMps: 88 }],
  ] satisfies [string, Partial<Roll>][])(
    'The distance with %s is within 0.15 %% of the analytic one',
    (_, change) => {
      const roll = { ...base, ...change };
      const analytic = closedFormRoll(roll);
      expect(Math.abs(groundRoll(roll).distanceM / analytic - 1)).toBeLessThan(0.0015);
    },
  );

  test('An autobrake within the available friction holds its target deceleration, so the distance is V^2 / 2a', () => {
    const roll = { ...base, targetMps2: 2.2 };
    expect(groundRoll(roll).distanceM).toBeCloseTo((68 * 68) / 4.4, 1);
  });

  test('The autobrake releases the brakes but adds no thrust, so drag and reverse alone may exceed the target', () => {
    const roll = { ...base, targetMps2: 0.3, reverseN: 40_000 };
    expect(groundRoll(roll).distanceM).toBeLessThan((68 * 68) / 0.6);
    expect(groundRoll(roll).brakeWorkJ).toBe(0);
  });
});

describe('energy and traces', () => {
  test('Without aerodynamics and thrust the brakes absorb all kinetic energy', () => {
    const roll = { ...base, cd: 0, cl: 0, idleForwardN: 0 };
    expect(groundRoll(roll).brakeWorkJ).toBeCloseTo(0.5 * 60_000 * 68 * 68, -3);
    expect(groundRoll(roll).distanceM).toBeCloseTo((68 * 68) / (2 * 0.3 * 0.95 * gravity), 3);
  });

  test('Along a trace the speed decreases and the distance increases, and speeds between its points are interpolated', () => {
    const trace: Trace = { speedMps: [], distanceM: [] };
    const roll = { ...base, brakeDelayS: 3, reverseN: 30_000, reverseCutMps: 31 };
    const whole = groundRoll(roll, trace);
    expect(trace.speedMps.every((v, i) => i === 0 || v <= (trace.speedMps[i - 1] ?? 0))).toBe(true);
    expect(trace.distanceM.at(-1)).toBeCloseTo(whole.distanceM, 9);
    expect(distanceToSpeed(trace, 0)).toBeCloseTo(whole.distanceM, 6);
    expect(distanceToSpeed(trace, 80)).toBe(0);
    const at30 = distanceToSpeed(trace, 30);
    expect(at30).toBeGreaterThan(distanceToSpeed(trace, 31));
    expect(at30).toBeLessThan(distanceToSpeed(trace, 29));
  });

  test('Distance is smooth in entry speed across the cut-off of reverse thrust', () => {
    const at = (entryMps: number): number =>
      groundRoll({ ...base, entryMps, reverseN: 50_000, reverseCutMps: 31 }).distanceM;
    expect(at(31.001) - at(30.999)).toBeLessThan(0.1);
    expect(at(31.001)).toBeGreaterThan(at(30.999));
  });

  test('An aircraft that cannot stop gets no distance', () => {
    expect(groundRoll({ ...base, friction: constant(0.005), slope: -0.02 }).distanceM).toBe(Infinity);
  });
});
