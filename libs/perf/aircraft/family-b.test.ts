import { describe, expect, test } from 'vitest';
import { isDeep } from '#test/support/deep.ts';
import { calcCaseSchema } from '#domain/performance/calc.ts';
import { landingRequestSchema } from '#domain/performance/request.ts';
import { landingAnswerSchema } from '#domain/performance/result.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { calculateLine } from '../wire/calc.ts';
import { performLanding } from '../wire/landing.ts';
import { checkProfile, valueAt } from '../check/profile.ts';
import { takeoffLimitKg } from '../fixtures/takeoffs.ts';

const profiles = await loadProfiles(checkProfile);

type Range = [number, number];

/**
 * At the maximum landing weight, sea level, ISA, dry, VREF: the flap whose speed is commonly quoted, its VREF, actual
 * distances (manual and weakest autobrake) and the dispatch distance.
 */
interface Bounds {
  id: string;
  flap: string;
  vrefKt: Range;
  manualDryM: Range;
  weakestDryM: Range;
  requiredDryM: Range;
  modes: number;
}

const allBounds: Bounds[] = [
  {
    id: '737-600-7B22',
    flap: '40',
    vrefKt: [125, 127],
    manualDryM: [740, 880],
    weakestDryM: [1750, 2000],
    requiredDryM: [1280, 1410],
    modes: 5,
  },
  {
    id: '737-700-7B24',
    flap: '40',
    vrefKt: [131, 133],
    manualDryM: [820, 980],
    weakestDryM: [1850, 2250],
    requiredDryM: [1350, 1500],
    modes: 5,
  },
  {
    id: '737-900ER',
    flap: '40',
    vrefKt: [143, 145],
    manualDryM: [980, 1120],
    weakestDryM: [2200, 2650],
    requiredDryM: [1620, 1780],
    modes: 5,
  },
  {
    id: '737-8-1B27',
    flap: '40',
    vrefKt: [141, 143],
    manualDryM: [860, 1030],
    weakestDryM: [2150, 2550],
    requiredDryM: [1580, 1740],
    modes: 5,
  },
  {
    id: '747-8',
    flap: '30',
    vrefKt: [151, 153],
    manualDryM: [1350, 1520],
    weakestDryM: [2600, 3050],
    requiredDryM: [2050, 2300],
    modes: 6,
  },
  {
    id: '757-200',
    flap: '30',
    vrefKt: [131, 133],
    manualDryM: [880, 1080],
    weakestDryM: [1950, 2300],
    requiredDryM: [1400, 1560],
    modes: 6,
  },
  {
    id: '767-300ER',
    flap: '30',
    vrefKt: [144, 146],
    manualDryM: [1000, 1200],
    weakestDryM: [2200, 2600],
    requiredDryM: [1650, 1800],
    modes: 6,
  },
  {
    id: '777-200-GE90-76B',
    flap: '30',
    vrefKt: [134, 137],
    manualDryM: [1000, 1060],
    weakestDryM: [2180, 2280],
    requiredDryM: [1500, 1700],
    modes: 6,
  },
  {
    id: '777-300ER',
    flap: '30',
    vrefKt: [148, 150],
    manualDryM: [1050, 1250],
    weakestDryM: [2300, 2700],
    requiredDryM: [1720, 1900],
    modes: 6,
  },
  {
    id: '777-200LR',
    flap: '30',
    vrefKt: [139, 142],
    manualDryM: [1050, 1200],
    weakestDryM: [2350, 2700],
    requiredDryM: [1550, 1720],
    modes: 6,
  },
  {
    id: '777F',
    flap: '30',
    vrefKt: [150, 153],
    manualDryM: [1150, 1300],
    weakestDryM: [2600, 2950],
    requiredDryM: [1780, 1940],
    modes: 6,
  },
  {
    id: '787-9',
    flap: '30',
    vrefKt: [149, 152],
    manualDryM: [1030, 1230],
    weakestDryM: [2250, 2650],
    requiredDryM: [1680, 1850],
    modes: 6,
  },
];
const ids = allBounds.map(({ id }) => id);

const profileOf = (id: string): AircraftProfile => {
  const found = profiles.get(id);
  if (!found) throw new Error(`no profile ${id}`);
  return found;
};

type Change = Partial<Record<'runway' | 'weather' | 'configuration' | 'runwayCondition', object>>;

const inflight = (
  profile: AircraftProfile,
  weightKg: number,
  change: Change = {},
): Record<string, unknown> => {
  const { runway, ...rest } = change;
  const input = { mode: 'inflight', runway: { ldaM: 6000, ...runway }, weightKg, ...rest };
  const output = calculateLine(profile, calcCaseSchema.parse(input));
  expect(output['ok'], JSON.stringify(output['error'])).toBe(true);
  return output;
};

const distances = (profile: AircraftProfile, weightKg: number, change: Change = {}): Map<string, number> => {
  const output = inflight(profile, weightKg, change);
  return new Map(
    profile.autobrakes.map((mode) => [
      mode.value,
      valueAt(output, `modes.${mode.value}.actualDistanceM`) ?? Number.NaN,
    ]),
  );
};

const within = (value: number | null, [low, high]: Range, what: string): void => {
  expect(value, what).toBeGreaterThanOrEqual(low);
  expect(value, what).toBeLessThanOrEqual(high);
};

describe('family B aircraft other than the 737-800', () => {
  test.each(allBounds)('Speeds and distances of the $id are within their bounds', (bounds) => {
    const profile = profileOf(bounds.id);
    const { flap } = bounds;
    const output = inflight(profile, profile.weight.mslw, {
      runwayCondition: { rwycc: 6 },
      configuration: { flap },
    });
    within(valueAt(output, 'vRefKt'), bounds.vrefKt, 'VREF');
    expect(profile.autobrakes).toHaveLength(bounds.modes);
    within(valueAt(output, 'modes.MAX_MAN.actualDistanceM'), bounds.manualDryM, 'manual');
    within(valueAt(output, 'modes.1.actualDistanceM'), bounds.weakestDryM, 'autobrake 1');
    const dispatch = calculateLine(
      profile,
      calcCaseSchema.parse({ mode: 'dispatch', runway: { ldaM: 4500 }, configuration: { flap } }),
    );
    expect(dispatch['landingWeightKg']).toBe(profile.weight.mslw);
    expect(dispatch['limitedBy']).toBe('STRUCT.');
    within(valueAt(dispatch, 'requiredLandingDistM'), bounds.requiredDryM, 'required');
  });

  test.each(ids)('The %s has its flaps, brake modes, conditions and items', (id) => {
    const profile = profileOf(id);
    expect(profile.family).toBe('B');
    expect(profile.nonNormal.length).toBeGreaterThanOrEqual(12);
    expect(profile.mel.length).toBeGreaterThanOrEqual(10);
    expect(profile.cdl.length).toBeGreaterThanOrEqual(10);
    expect(profile.vectors.length).toBeGreaterThanOrEqual(2);
    for (const list of [profile.nonNormal, profile.mel, profile.cdl]) {
      expect(new Set(list.map((entry) => entry.value)).size).toBe(list.length);
      expect(list.map((entry) => entry.order)).toEqual(list.map((_, i) => i));
    }
    for (const { windLimit } of [profile.landing, profile.takeoff]) {
      const rows = windLimit.crosswindLimitsPerRunwayConditions;
      expect(rows.flatMap((row) => row.rwycc).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
      const limits = rows
        .toSorted((a, b) => (b.rwycc[0] ?? 0) - (a.rwycc[0] ?? 0))
        .map((row) => row.windLimit);
      expect(limits).toEqual(limits.toSorted((a, b) => b - a));
    }
    expect(profile.profile.isBeta).toBe(true);
    expect(profile.provenance.some((entry) => entry.quality === 'estimated')).toBe(true);
    expect(new Set(profile.provenance.map((entry) => entry.block)).size).toBe(11);
    expect(profile.climb.approachPercent).toBe(profile.engineCount === 4 ? 2.7 : 2.1);
    expect(profile.brakes.kind).toBe(profile.model.brakes.toLowerCase());
    const goAroundFlap = profile.landing.goAroundFlap ?? '';
    expect(Object.keys(profile.takeoffPerformance?.flaps ?? {})).toContain(goAroundFlap);
  });

  test.each(ids)('Distances of the %s grow with weight, altitude, tailwind and a worse runway', (id) => {
    const profile = profileOf(id);
    const { oew, mslw, mstow } = profile.weight;
    for (const { code: flap } of profile.flaps.filter((entry) => entry.landing)) {
      for (const rwycc of [6, 5, 4, 3, 2, 1]) {
        const base: Change = { runwayCondition: { rwycc }, configuration: { flap } };
        const weights = [oew, (oew + mslw) / 2, mslw, (mslw + mstow) / 2];
        // A fast run compares each condition code at one of the weights.
        for (const kg of isDeep ? weights : weights.slice(rwycc % 4, (rwycc % 4) + 1)) {
          const here = distances(profile, kg, base);
          const worse: [string, Map<string, number>][] = [
            ['weight', distances(profile, kg + 500, base)],
            ['altitude', distances(profile, kg, { ...base, runway: { elevationFt: 2000 } })],
            ['tailwind', distances(profile, kg, { ...base, weather: { headwindKt: -5 } })],
            ['temperature', distances(profile, kg, { ...base, weather: { temperatureC: 30 } })],
            ['downhill', distances(profile, kg, { ...base, runway: { slopePercent: -1 } })],
            ['speed', distances(profile, kg, { ...base, configuration: { flap, vAppAdditiveKt: 5 } })],
            ['no reversers', distances(profile, kg, { ...base, configuration: { flap, reversers: 'NONE' } })],
          ];
          if (rwycc > 1) {
            const next = { ...base, runwayCondition: { rwycc: rwycc - 1 } };
            worse.push(['runway', distances(profile, kg, next)]);
          }
          for (const [what, longer] of worse) {
            for (const [mode, metres] of here) {
              const where = `${flap} code ${rwycc} ${Math.round(kg)} kg ${mode}: ${what}`;
              expect(longer.get(mode) ?? 0, where).toBeGreaterThanOrEqual(metres - 0.01);
            }
          }
          const headwind = distances(profile, kg, { ...base, weather: { headwindKt: 10 } });
          for (const [mode, metres] of here) expect(headwind.get(mode) ?? 0, mode).toBeLessThan(metres);
        }
      }
    }
  });

  test.each(ids)('Failures shorten no distance of the %s, and weight falls with altitude and heat', (id) => {
    const profile = profileOf(id);
    const kg = profile.weight.mslw * 0.95;
    const manual = (change: Change): number => distances(profile, kg, change).get('MAX_MAN') ?? Number.NaN;
    for (const rwycc of [6, 5, 3, 1]) {
      const normal = manual({ runwayCondition: { rwycc } });
      for (const { value, flap } of profile.nonNormal) {
        // A failure whose label names flaps 40 is calculated with flaps 40, which is shorter than the default
        // flaps 30.
        const selected = value.endsWith('_40') && flap === null ? '40' : undefined;
        const ratio =
          manual({
            runwayCondition: { rwycc },
            configuration: { nonNormalCondition: value, ...(selected ? { flap: selected } : {}) },
          }) /
          (selected ? manual({ runwayCondition: { rwycc }, configuration: { flap: selected } }) : normal);
        expect(ratio, `${value} code ${rwycc}`).toBeGreaterThanOrEqual(0.995);
        expect(ratio, `${value} code ${rwycc}`).toBeLessThan(4);
      }
    }
    const climb = (elevationFt: number, temperatureC: number): number => {
      const input = { mode: 'dispatch', runway: { ldaM: 6000, elevationFt }, weather: { temperatureC } };
      return valueAt(calculateLine(profile, calcCaseSchema.parse(input)), 'appClimbLimitKg') ?? Number.NaN;
    };
    expect(climb(0, 15)).toBeGreaterThan(profile.weight.mslw);
    expect(climb(6000, 15)).toBeLessThan(climb(0, 15));
    expect(climb(0, 45)).toBeLessThan(climb(0, 15));
    const required = (mel: string[]): number => {
      const input = { mode: 'dispatch', runway: { ldaM: 6000 }, configuration: { mel } };
      return (
        valueAt(calculateLine(profile, calcCaseSchema.parse(input)), 'requiredLandingDistM') ?? Number.NaN
      );
    };
    expect(required(['32-42-01']) / required([])).toBeCloseTo(1.3, 3);
  });

  test.each(ids)('Answers for the %s conform to the schema, with items and failures too', (id) => {
    const profile = profileOf(id);
    const ask = (data: Record<string, unknown>) =>
      performLanding({
        request: landingRequestSchema.parse({
          requestType: 'LANDING',
          aircraft: { file: id },
          airport: 'egll',
          runway: '07L',
          ...data,
        }),
        profile,
        runway: {
          ident: '07L',
          ldaM: 3600,
          lengthM: 3900,
          elevationFt: 80,
          slopePercent: 0.1,
          trueBearingDeg: 70,
          widthM: 50,
          exits: [{ name: 'A7', distanceM: 2400, angleDeg: 30 }],
          macgPercent: 2.5,
          standardEfp: false,
          efpText: 'Turn left at 2 NM',
        },
        entitlements: { nnc: true, mel: true, cdl: true, notam: true, balkedLanding: true },
      });
    const cdl = profile.cdl.map((entry) => entry.value);
    const plain = ask({});
    if (plain.kind !== 'answer') throw new Error(JSON.stringify(plain));
    landingAnswerSchema.parse(plain.answer);
    expect(plain.answer.performance?.landingWeight).toBe(profile.weight.mslw);
    for (const { value } of profile.mel) {
      const out = ask({ inopItems: { mel: [value], cdl } });
      if (out.kind !== 'answer') throw new Error(`${value}: ${JSON.stringify(out)}`);
      expect(out.answer.performance, value).toBeTruthy();
    }
    for (const { value } of profile.nonNormal) {
      const out = ask({
        landingMode: 'inflight',
        weight: { landingWeight: Math.round(profile.weight.mslw * 0.9) },
        configuration: { nonNormalCondition: value },
      });
      if (out.kind !== 'answer') throw new Error(`${value}: ${JSON.stringify(out)}`);
      landingAnswerSchema.parse(out.answer);
      expect(out.answer.performance?.autobrakeLandingDist?.length, value).toBeGreaterThan(0);
    }
  });

  test.each(ids)('The %s takes off near its structural weight from 4000 m at sea level', (id) => {
    const profile = profileOf(id);
    const limits = takeoffLimitKg(profile, profile.landing.goAroundFlap ?? '', 4000);
    // With the flaps of a go-around the climb limit may be below the structural weight.
    expect(limits ?? 0).toBeGreaterThan(0.9 * profile.weight.mstow);
    expect(limits ?? 0).toBeLessThanOrEqual(profile.weight.mstow);
  });

  test('The 777-200 matches 48 published distances within 2 % RMS', () => {
    const published: Record<string, [number, number[]][]> = {
      '30': [
        [6, [1185, 1530, 1850, 2175, 2400, 2545]],
        [5, [1565, 1660, 1855, 2175, 2400, 2545]],
        [3, [2040, 2055, 2085, 2275, 2450, 2575]],
        [1, [2555, 2560, 2580, 2615, 2710, 2775]],
      ],
      '25': [
        [6, [1240, 1625, 1980, 2335, 2555, 2695]],
        [5, [1640, 1740, 1980, 2335, 2555, 2695]],
        [3, [2135, 2155, 2200, 2435, 2610, 2725]],
        [1, [2670, 2680, 2700, 2770, 2860, 2925]],
      ],
    };
    const profile = profileOf('777-200-GE90-76B');
    const errors = Object.entries(published).flatMap(([flap, rows]) =>
      rows.flatMap(([rwycc, row]) => {
        const here = distances(profile, 200_000, { runwayCondition: { rwycc }, configuration: { flap } });
        return profile.autobrakes.map(
          (mode, i) => (100 * ((here.get(mode.value) ?? 0) * 1.15 - (row[i] ?? 0))) / (row[i] ?? 1),
        );
      }),
    );
    expect(errors).toHaveLength(48);
    expect(Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)).toBeLessThan(2);
    expect(Math.max(...errors.map(Math.abs))).toBeLessThan(8);
  });

  test('Reversers of the 747-8 count individually, and two engines out remove two', () => {
    const profile = profileOf('747-8');
    const manual = (reversers: number): number =>
      distances(profile, 300_000, {
        runwayCondition: { rwycc: 1 },
        configuration: { reversers },
      }).get('MAX_MAN') ?? Number.NaN;
    expect(manual(4)).toBeLessThan(manual(3));
    expect(manual(3)).toBeLessThan(manual(2));
    expect(manual(2)).toBeLessThan(manual(0));
  });
});
