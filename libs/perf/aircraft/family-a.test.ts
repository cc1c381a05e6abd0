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

/** At the maximum landing weight, sea level, ISA, CONF FULL: VLS, actual distances and dispatch distance, dry. */
interface Bounds {
  id: string;
  vlsKt: [number, number];
  manualDryM: [number, number];
  weakestDryM: [number, number];
  requiredDryM: [number, number];
  modes: number;
}

const allBounds: Bounds[] = [
  {
    id: 'A319-112',
    vlsKt: [125, 128],
    manualDryM: [850, 1050],
    weakestDryM: [1550, 1900],
    requiredDryM: [1450, 1560],
    modes: 3,
  },
  {
    id: 'A320-214',
    vlsKt: [135, 138],
    manualDryM: [950, 1150],
    weakestDryM: [1700, 2100],
    requiredDryM: [1450, 1560],
    modes: 3,
  },
  {
    id: 'A321-211',
    vlsKt: [140, 144],
    manualDryM: [1000, 1200],
    weakestDryM: [1800, 2250],
    requiredDryM: [1550, 1680],
    modes: 3,
  },
  {
    id: 'A321-271NX',
    vlsKt: [142, 145],
    manualDryM: [1000, 1200],
    weakestDryM: [1800, 2250],
    requiredDryM: [1570, 1720],
    modes: 3,
  },
  {
    id: 'A330-343',
    vlsKt: [135, 139],
    manualDryM: [1200, 1310],
    weakestDryM: [2050, 2250],
    requiredDryM: [1680, 1820],
    modes: 3,
  },
  {
    id: 'A350-941',
    vlsKt: [138, 142],
    manualDryM: [1150, 1450],
    weakestDryM: [1800, 2250],
    requiredDryM: [1850, 2050],
    modes: 3,
  },
  {
    id: 'A380-842',
    vlsKt: [136, 140],
    manualDryM: [1200, 1500],
    weakestDryM: [1700, 2100],
    requiredDryM: [1880, 1980],
    modes: 5,
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

const within = (value: number | null, [low, high]: [number, number], what: string): void => {
  expect(value, what).toBeGreaterThanOrEqual(low);
  expect(value, what).toBeLessThanOrEqual(high);
};

describe('family A aircraft other than the A320-251N', () => {
  test.each(allBounds)('Speeds and distances of the $id are within their bounds', (bounds) => {
    const profile = profileOf(bounds.id);
    const output = inflight(profile, profile.weight.mslw, { runwayCondition: { rwycc: 6 } });
    within(valueAt(output, 'vRefKt'), bounds.vlsKt, 'VLS');
    expect(profile.autobrakes).toHaveLength(bounds.modes);
    const weakest = profile.autobrakes.toSorted((a, b) => b.order - a.order)[0]?.value ?? '';
    within(valueAt(output, 'modes.MAN.actualDistanceM'), bounds.manualDryM, 'manual');
    within(valueAt(output, `modes.${weakest}.actualDistanceM`), bounds.weakestDryM, weakest);
    const dispatch = calculateLine(
      profile,
      calcCaseSchema.parse({ mode: 'dispatch', runway: { ldaM: 4000 }, configuration: { flap: 'FULL' } }),
    );
    expect(dispatch['landingWeightKg']).toBe(profile.weight.mslw);
    expect(dispatch['limitedBy']).toBe('STRUCT.');
    within(valueAt(dispatch, 'requiredLandingDistM'), bounds.requiredDryM, 'required');
  });

  test.each(ids)('The %s has its flaps, brake modes, conditions and items', (id) => {
    const profile = profileOf(id);
    expect(profile.nonNormal.length).toBeGreaterThanOrEqual(12);
    expect(profile.mel.length).toBeGreaterThanOrEqual(10);
    expect(profile.cdl.length).toBeGreaterThanOrEqual(10);
    expect(profile.flaps.filter((flap) => flap.landing).map((flap) => flap.code)).toEqual(['FULL', '3']);
    expect(profile.vectors.length).toBeGreaterThanOrEqual(2);
    for (const list of [profile.nonNormal, profile.mel, profile.cdl]) {
      expect(new Set(list.map((entry) => entry.value)).size).toBe(list.length);
      expect(list.map((entry) => entry.order)).toEqual(list.map((_, i) => i));
    }
    const codes = profile.landing.windLimit.crosswindLimitsPerRunwayConditions.flatMap((row) => row.rwycc);
    expect(codes.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
    const estimated = profile.provenance.some((entry) => entry.quality === 'estimated');
    expect(profile.profile.isBeta).toBe(estimated);
    expect(new Set(profile.provenance.map((entry) => entry.block)).size).toBe(11);
  });

  test.each(ids)('Distances of the %s grow with weight, altitude, tailwind and a worse runway', (id) => {
    const profile = profileOf(id);
    const { oew, mslw, mstow } = profile.weight;
    for (const flap of ['FULL', '3']) {
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
        }
      }
    }
  });

  test.each(ids)('Failures shorten no distance of the %s, and items act in both modes', (id) => {
    const profile = profileOf(id);
    const kg = profile.weight.mslw * 0.95;
    const manual = (change: Change): number => distances(profile, kg, change).get('MAN') ?? Number.NaN;
    for (const rwycc of [6, 5, 3, 1]) {
      const normal = manual({ runwayCondition: { rwycc }, configuration: { flap: 'FULL' } });
      for (const { value } of profile.nonNormal) {
        const ratio =
          manual({
            runwayCondition: { rwycc },
            configuration: { flap: 'FULL', nonNormalCondition: value },
          }) / normal;
        expect(ratio, `${value} code ${rwycc}`).toBeGreaterThanOrEqual(0.995);
        expect(ratio, `${value} code ${rwycc}`).toBeLessThan(6);
      }
    }
    const required = (mel: string[]): number => {
      const input = { mode: 'dispatch', runway: { ldaM: 5000 }, configuration: { flap: 'FULL', mel } };
      return (
        valueAt(calculateLine(profile, calcCaseSchema.parse(input)), 'requiredLandingDistM') ?? Number.NaN
      );
    };
    expect(required(['27-64-03']) / required([])).toBeCloseTo(1.15, 4);
    const normal = manual({ configuration: { flap: 'FULL' } });
    expect(manual({ configuration: { flap: 'FULL', mel: ['27-64-03'] } }) / normal).toBeCloseTo(1.15, 4);
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
    const inopItems = { mel: profile.mel.map((e) => e.value), cdl: profile.cdl.map((e) => e.value) };
    const plain = ask({});
    if (plain.kind !== 'answer') throw new Error(JSON.stringify(plain));
    landingAnswerSchema.parse(plain.answer);
    expect(plain.answer.performance?.landingWeight).toBe(profile.weight.mslw);
    for (const item of inopItems.mel) {
      const out = ask({ inopItems: { mel: [item], cdl: inopItems.cdl } });
      if (out.kind !== 'answer') throw new Error(`${item}: ${JSON.stringify(out)}`);
      expect(out.answer.performance, item).toBeTruthy();
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

  test.each(ids)('The %s takes off at its structural weight from 3500 m at sea level', (id) => {
    const profile = profileOf(id);
    const limits = takeoffLimitKg(profile, '1+F', 3500);
    expect(limits).toBe(profile.weight.mstow);
  });

  test('Only the inboard engines of the A380-842 have reversers', () => {
    const profile = profileOf('A380-842');
    const change = (reversers: number): Change => ({
      runwayCondition: { rwycc: 1 },
      configuration: { flap: 'FULL', reversers },
    });
    const manual = (n: number): number => distances(profile, 380_000, change(n)).get('MAN') ?? Number.NaN;
    expect(manual(2)).toBeLessThan(manual(1));
    expect(profile.thrust.reverse.count).toBe(2);
  });
});
