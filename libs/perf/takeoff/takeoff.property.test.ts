import { describe, expect, test } from 'vitest';
import { toKelvin } from '../kernel/atmosphere.ts';
import { ftToM, ktToMps } from '../kernel/units.ts';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { calculateTakeoff } from './calculate.ts';
import type { TakeoffCase, TakeoffResult } from './types.ts';

/** A sample; 100,000 with `npm run test:deep`. */
const cases = Number(process.env['TAKEOFF_CASES'] ?? (process.env['DEEP'] ? 100_000 : 84));

const randomly = (start: number): (() => number) => {
  let seed = start;
  return () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
};

const ids = [...profiles.keys()];
const states = [
  'DRY',
  'DRY',
  'WET',
  'COMPACTED_SNOW',
  'SLUSH',
  'STANDING_WATER',
  'ICE',
  'WET_SNOW',
  'DRY_SNOW',
];

/** Not below the least depth of a deposit; other surfaces have none. */
const depthOf = (state: string, share: number): number => {
  const mostM = { SLUSH: 0.0108, STANDING_WATER: 0.0108, WET_SNOW: 0.025, DRY_SNOW: 0.083 }[state] ?? 0;
  return Math.min(mostM, Math.max(0.0001, share * mostM));
};

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
  const toraM = 1300 + 2900 * next();
  const state = pick(states);
  const { model, calculationLimit } = aircraft;
  // Leaves the higher and hotter case of each property within the envelope.
  const elevationM = ftToM((model.maxCertifiedTakeoffAndLandingAltitude - 500) * next());
  const [coldC, hotC] = [calculationLimit.minTemperatureC, calculationLimit.maxTemperatureC - 5];
  return {
    id,
    flap,
    takeoff: {
      runway: {
        toraM,
        todaM: toraM + (next() < 0.3 ? 150 : 0),
        asdaM: toraM + (next() < 0.3 ? 60 : 0),
        elevationM,
        slope: 0.03 * next() - 0.015,
      },
      weather: {
        temperatureK: toKelvin(coldC + (hotC - coldC) * next()),
        qnhPa: 101325,
        headwindMps: ktToMps(-10 + 30 * next()),
      },
      condition: { state, depthM: depthOf(state, next()) },
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

const warmer = (takeoff: TakeoffCase, by: number): TakeoffCase => ({
  ...takeoff,
  weather: { ...takeoff.weather, temperatureK: takeoff.weather.temperatureK + by },
});
const hotter = (takeoff: TakeoffCase): TakeoffCase => warmer(takeoff, 5);
const onRunway = (takeoff: TakeoffCase, change: Partial<TakeoffCase['runway']>): TakeoffCase => ({
  ...takeoff,
  runway: { ...takeoff.runway, ...change },
});
const shorter = (takeoff: TakeoffCase, by: number): TakeoffCase => {
  const { toraM, todaM, asdaM } = takeoff.runway;
  return onRunway(takeoff, { toraM: toraM - by, todaM: todaM - by, asdaM: asdaM - by });
};

/** Deposits that may cost more than slush: deep snow and water by drag, ice by poor braking. */
const deeper: ReadonlySet<string> = new Set(['STANDING_WATER', 'WET_SNOW', 'DRY_SNOW', 'ICE']);

const everyItem = (id: string): [kind: 'mel' | 'cdl', code: string][] => [
  ...profile(id).mel.map(({ value }): ['mel', string] => ['mel', value]),
  ...profile(id).cdl.map(({ value }): ['cdl', string] => ['cdl', value]),
];

const worse: [string, (takeoff: TakeoffCase, id: string, next: () => number) => TakeoffCase][] = [
  ['a higher temperature', hotter],
  [
    'a higher elevation',
    (takeoff) => onRunway(takeoff, { elevationM: takeoff.runway.elevationM + ftToM(500) }),
  ],
  [
    'less headwind',
    (takeoff) => ({
      ...takeoff,
      weather: { ...takeoff.weather, headwindMps: takeoff.weather.headwindMps - ktToMps(5) },
    }),
  ],
  ['more uphill', (takeoff) => onRunway(takeoff, { slope: takeoff.runway.slope + 0.003 })],
  ['a shorter runway', (takeoff) => shorter(takeoff, 100)],
  [
    '12.7 mm of slush instead of the actual surface',
    (takeoff) =>
      deeper.has(takeoff.condition.state)
        ? takeoff
        : { ...takeoff, condition: { state: 'SLUSH', depthM: 0.0127 } },
  ],
  [
    'an inoperative or missing item',
    (takeoff, id, next) => {
      const items = everyItem(id);
      const [kind, code] = items[Math.floor(next() * items.length)] ?? [];
      if (kind === undefined || code === undefined) return takeoff;
      return { ...takeoff, configuration: { ...takeoff.configuration, [kind]: [code] } };
    },
  ],
  [
    'more depth',
    (takeoff) => ({
      ...takeoff,
      condition: { ...takeoff.condition, depthM: takeoff.condition.depthM * 1.2 },
    }),
  ],
  [
    'anti-ice of engines and wings',
    (takeoff) => ({ ...takeoff, configuration: { ...takeoff.configuration, antiIce: 'ENGINE_WING' } }),
  ],
  ['packs on', (takeoff) => ({ ...takeoff, configuration: { ...takeoff.configuration, packsOff: false } })],
  [
    'one reverser less',
    (takeoff) => ({ ...takeoff, configuration: { ...takeoff.configuration, reversers: 0 } }),
  ],
];

/**
 * Largest relative change within 1/64 of a step, found by halving towards the larger change. It is small where a limit is only
 * steep (a light aircraft whose V1 is VMCG hardly stops shorter when lighter), and as large as the jump where there is one.
 */
const steepest = (at: (part: number) => number): number => {
  let [from, to] = [0, 1];
  let [atFrom, atTo] = [at(from), at(to)];
  while (to - from > 1 / 64) {
    const middle = 0.5 * (from + to);
    const atMiddle = at(middle);
    if (Math.abs(atMiddle - atFrom) > Math.abs(atTo - atMiddle)) [to, atTo] = [middle, atMiddle];
    else [from, atFrom] = [middle, atMiddle];
  }
  return Math.abs(atTo / atFrom - 1);
};

/** Rounding of the search for a limit weight and of the balance of a field, kg per kg. */
const searchShare = 4e-4;

describe('takeoff, random cases for every aircraft', () => {
  test.each(worse)('The limit never rises with %s (G-07)', (_name, change) => {
    const next = randomly(11);
    const rising: string[] = [];
    for (let i = 0; i < cases / worse.length; i += 1) {
      const { id, takeoff } = randomTakeoff(next);
      const [before, after] = [limit(id, takeoff), limit(id, change(takeoff, id, next))];
      if (after > before * (1 + searchShare) + 2)
        rising.push(`${id} ${before} -> ${after} ${JSON.stringify(takeoff)}`);
    }
    expect(rising).toEqual([]);
  });

  test('Speeds are in order, and the limit is the lowest of its parts (G-07)', () => {
    const next = randomly(23);
    for (let i = 0; i < cases / 3; i += 1) {
      const { id, takeoff } = randomTakeoff(next);
      const { oew, mstow } = profile(id).weight;
      const massKg = oew + (mstow - oew) * next();
      const { limits, limitKg, full } = answer(id, { ...takeoff, massKg });
      const speeds = full?.speeds;
      const { structKg, fieldKg, climbKg, obstacleKg, tyreKg, brakeKg } = limits;
      const parts = [structKg, fieldKg, climbKg, obstacleKg, tyreKg, brakeKg].filter((kg) => kg !== null);
      expect(limitKg ?? 0, id).toBe(Math.min(...parts));
      if (!speeds) throw new Error('no speeds');
      const { v1Kt, v1MinKt, v1MaxKt, vrKt, v2Kt } = speeds;
      expect([id, v1Kt <= vrKt + 1e-6, vrKt <= v2Kt + 1e-6]).toEqual([id, true, true]);
      expect(v1Kt, id).toBeGreaterThanOrEqual(speeds.vmcgKt - 1e-6);
      const mostKt = massKg <= (limitKg ?? 0) ? (speeds.vmbeKt ?? Infinity) : Infinity;
      expect(v1Kt, id).toBeLessThanOrEqual(mostKt + 1e-6);
      const hasRange = v1MinKt !== null && v1MaxKt !== null && v1MinKt <= v1MaxKt;
      expect(!hasRange || (v1Kt >= v1MinKt - 1e-6 && v1Kt <= v1MaxKt + 1e-6), id).toBe(true);
    }
  });

  test('No limit changes by more than 3 % for one degree, ten metres or one knot, and steadily with tailwind where V1 is VMCG (G-07)', () => {
    const next = randomly(37);
    const jumps: string[] = [];
    for (let i = 0; i < cases / 6; i += 1) {
      const { id, takeoff } = randomTakeoff(next);
      const base = limit(id, takeoff);
      if (base < profile(id).weight.oew) continue;
      const windier = (by: number): TakeoffCase => ({
        ...takeoff,
        weather: { ...takeoff.weather, headwindMps: takeoff.weather.headwindMps - ktToMps(by) },
      });
      const steps = [
        (part: number) => warmer(takeoff, part),
        (part: number) => shorter(takeoff, 10 * part),
        windier,
      ];
      for (const step of steps) {
        const at = (part: number): number => limit(id, step(part));
        if (!(at(1) > 0 && Math.abs(at(1) / base - 1) > 0.03)) continue;
        const speeds = answer(id, { ...takeoff, massKg: base }).full?.speeds;
        const isControlSpeed = speeds !== undefined && speeds.v1Kt < speeds.vmcgKt + 0.5;
        if (step !== windier || !isControlSpeed || steepest(at) > 0.005)
          jumps.push(`${id} ${base} -> ${at(1)} ${JSON.stringify(takeoff)}`);
      }
    }
    expect(jumps).toEqual([]);
  });

  test('The assumed temperature at the limit weight is the actual one unless thrust is flat-rated (G-07)', () => {
    const next = randomly(41);
    let seen = 0;
    for (let i = 0; i < cases / 3; i += 1) {
      const { id, takeoff } = randomTakeoff(next);
      const warm = { ...warmer(takeoff, 0), condition: { state: 'DRY', depthM: 0 } };
      const celsius = Math.round(28 + 10 * next());
      warm.weather.temperatureK = toKelvin(celsius);
      const { limitKg, limitedBy } = answer(id, warm);
      const { thrust } = profile(id).takeoffPerformance ?? {};
      const isaC = 15 - 0.0065 * warm.runway.elevationM;
      if (!thrust || limitKg === null || celsius < isaC + thrust.flatRatedToIsaPlusC + 1) continue;
      if (celsius > isaC + thrust.maxAssumedIsaPlusC - 1) continue;
      if (limitedBy !== 'FIELD' && limitedBy !== 'CLIMB') continue;
      if (limitKg < profile(id).weight.oew) continue;
      const assumedTemperatureC =
        answer(id, { ...warm, massKg: limitKg - 1 }).reduced?.assumedTemperatureC ?? null;
      if (assumedTemperatureC !== null) seen += 1;
      expect(assumedTemperatureC ?? celsius, id).toBe(celsius);
    }
    expect(seen).toBeGreaterThan(3);
  });
});
