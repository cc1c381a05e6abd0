import { describe, expect, test } from 'vitest';
import { toKelvin } from '../kernel/atmosphere.ts';
import { ftToM } from '../kernel/units.ts';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { calculateTakeoff } from './calculate.ts';
import type { TakeoffCase, TakeoffResult } from './types.ts';

/** TAKEOFF_CASES=100000 tries as many as the acceptance of the engine did. */
const cases = Number(process.env['TAKEOFF_CASES'] ?? 600);

const randomly = (start: number): (() => number) => {
  let seed = start;
  return () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
};

const ids = [...profiles.keys()];
const states = ['DRY', 'DRY', 'WET', 'COMPACTED_SNOW', 'SLUSH', 'STANDING_WATER'];

interface Random {
  id: string;
  flap: string;
  takeoff: TakeoffCase;
}

const randomTakeoff = (next: () => number): Random => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const id = pick(ids);
  const aircraft = profile(id);
  const flap = pick(Object.keys(aircraft.takeoffPerformance?.flaps ?? {}));
  const toraM = 1500 + 2500 * next();
  const state = pick(states);
  return {
    id,
    flap,
    takeoff: {
      runway: {
        toraM,
        todaM: toraM + (next() < 0.3 ? 150 : 0),
        asdaM: toraM + (next() < 0.3 ? 60 : 0),
        elevationM: ftToM(7000 * next()),
        slope: 0.03 * next() - 0.015,
      },
      weather: { temperatureK: toKelvin(-20 + 60 * next()), qnhPa: 101325, headwindKt: -10 + 30 * next() },
      condition: { state, depthM: state === 'SLUSH' || state === 'STANDING_WATER' ? 0.012 * next() : 0 },
      configuration: { flap, packsOff: next() < 0.2, antiIce: 'OFF', fullThrust: false },
      obstacles: next() < 0.2 ? [{ distanceM: toraM + 2000, heightM: 25 }] : [],
    },
  };
};

const answer = (id: string, takeoff: TakeoffCase): TakeoffResult => {
  const outcome = calculateTakeoff(profile(id), takeoff);
  if (!outcome.ok) throw new Error(`${id}: ${outcome.code}`);
  return outcome.result;
};

const limit = (id: string, takeoff: TakeoffCase): number => answer(id, takeoff).limitKg ?? 0;

const hotter = (takeoff: TakeoffCase, by = 5): TakeoffCase => ({
  ...takeoff,
  weather: { ...takeoff.weather, temperatureK: takeoff.weather.temperatureK + by },
});
const onRunway = (takeoff: TakeoffCase, change: Partial<TakeoffCase['runway']>): TakeoffCase => ({
  ...takeoff,
  runway: { ...takeoff.runway, ...change },
});
const shorter = (takeoff: TakeoffCase, by: number): TakeoffCase => {
  const { toraM, todaM, asdaM } = takeoff.runway;
  return onRunway(takeoff, { toraM: toraM - by, todaM: todaM - by, asdaM: asdaM - by });
};

const worse: [string, (takeoff: TakeoffCase) => TakeoffCase][] = [
  ['a higher temperature', hotter],
  [
    'a higher elevation',
    (takeoff) => onRunway(takeoff, { elevationM: takeoff.runway.elevationM + ftToM(500) }),
  ],
  [
    'less headwind',
    (takeoff) => ({
      ...takeoff,
      weather: { ...takeoff.weather, headwindKt: takeoff.weather.headwindKt - 5 },
    }),
  ],
  ['more uphill', (takeoff) => onRunway(takeoff, { slope: takeoff.runway.slope + 0.003 })],
  ['a shorter runway', (takeoff) => shorter(takeoff, 100)],
  [
    '12.7 mm of slush instead of the actual surface',
    (takeoff) =>
      takeoff.condition.state === 'STANDING_WATER'
        ? takeoff
        : { ...takeoff, condition: { state: 'SLUSH', depthM: 0.0127 } },
  ],
  [
    'one reverser less',
    (takeoff) => ({ ...takeoff, configuration: { ...takeoff.configuration, reversers: 0 } }),
  ],
];

/** Rounding of the search for a limit weight and of the balance of a field, kg per kg. */
const searchShare = 4e-4;

describe('takeoff, random cases over every aircraft', () => {
  test.each(worse)('The limit never rises with %s (G-07)', (_name, change) => {
    const next = randomly(11);
    const rising: string[] = [];
    for (let i = 0; i < cases / worse.length; i += 1) {
      const { id, takeoff } = randomTakeoff(next);
      const [before, after] = [limit(id, takeoff), limit(id, change(takeoff))];
      if (after > before * (1 + searchShare) + 2)
        rising.push(`${id} ${before} -> ${after} ${JSON.stringify(takeoff)}`);
    }
    expect(rising).toEqual([]);
  });

  test('Speeds are in order and the limit is the lowest of its parts (G-07)', () => {
    const next = randomly(23);
    for (let i = 0; i < cases / 3; i += 1) {
      const { id, takeoff } = randomTakeoff(next);
      const { oew, mstow } = profile(id).weight;
      const { limits, limitKg, speeds } = answer(id, { ...takeoff, massKg: oew + (mstow - oew) * next() });
      const { structKg, fieldKg, climbKg, obstacleKg, tyreKg, brakeKg } = limits;
      const parts = [structKg, fieldKg, climbKg, obstacleKg, tyreKg, brakeKg].filter((kg) => kg !== null);
      expect(limitKg ?? 0, id).toBe(Math.min(...parts));
      if (!speeds) throw new Error('no speeds');
      expect(speeds.v1Kt, id).toBeLessThanOrEqual(speeds.vrKt + 1e-6);
      expect(speeds.vrKt, id).toBeLessThanOrEqual(speeds.v2Kt + 1e-6);
      const { v1Kt, v1MinKt, v1MaxKt } = speeds;
      const hasRange = v1MinKt !== null && v1MaxKt !== null && v1MinKt <= v1MaxKt;
      expect(!hasRange || (v1Kt >= v1MinKt - 1e-6 && v1Kt <= v1MaxKt + 1e-6), id).toBe(true);
    }
  });

  test('No limit jumps by more than 3 % (6 % in a fluid) for one degree, ten metres or one knot (G-07)', () => {
    const next = randomly(37);
    const jumps: string[] = [];
    for (let i = 0; i < cases / 6; i += 1) {
      const { id, takeoff } = randomTakeoff(next);
      const base = limit(id, takeoff);
      if (base < profile(id).weight.oew) continue;
      const wind = takeoff.weather.headwindKt - 1;
      for (const step of [
        hotter(takeoff, 1),
        shorter(takeoff, 10),
        { ...takeoff, weather: { ...takeoff.weather, headwindKt: wind } },
      ]) {
        const to = limit(id, step);
        if (to > 0 && Math.abs(to / base - 1) > (takeoff.condition.depthM > 0 ? 0.06 : 0.03))
          jumps.push(`${id} ${base} -> ${to} ${JSON.stringify(takeoff)}`);
      }
    }
    expect(jumps).toEqual([]);
  });

  test('The assumed temperature of the limit weight is the actual one where thrust is not flat (G-07)', () => {
    const next = randomly(41);
    let seen = 0;
    for (let i = 0; i < cases / 3; i += 1) {
      const { id, takeoff } = randomTakeoff(next);
      const warm = { ...hotter(takeoff, 0), condition: { state: 'DRY', depthM: 0 } };
      const celsius = Math.round(28 + 10 * next());
      warm.weather.temperatureK = toKelvin(celsius);
      const { limitKg, limitedBy } = answer(id, warm);
      const { thrust } = profile(id).takeoffPerformance ?? {};
      const isaC = 15 - 0.0065 * warm.runway.elevationM;
      if (!thrust || limitKg === null || celsius < isaC + thrust.flatRatedToIsaPlusC + 1) continue;
      if (celsius > isaC + thrust.maxAssumedIsaPlusC - 1) continue;
      if (limitedBy !== 'FIELD' && limitedBy !== 'CLIMB') continue;
      if (limitKg < profile(id).weight.oew) continue;
      const { assumedTemperatureC } = answer(id, { ...warm, massKg: limitKg - 1 });
      if (assumedTemperatureC !== null) seen += 1;
      expect(assumedTemperatureC ?? celsius, id).toBe(celsius);
    }
    expect(seen).toBeGreaterThan(3);
  });
});
