import { expect, test } from 'vitest';
import { aircraft } from '../fixtures/landings.ts';
import { calculateLanding } from './calculate.ts';
import type { DispatchResult, InflightResult, LandingCase } from './types.ts';

const surfaces = [6, 5, 3, 2] as const;
const headwinds = [-8, 0, 24];

const resultOf = (
  profile: (typeof aircraft)[number][1],
  landing: LandingCase,
): InflightResult | DispatchResult | null => {
  const out = calculateLanding(profile, landing);
  return out.ok ? out.result : null;
};

/** How a result with something failed is better than the one without: shorter, or heavier at dispatch. */
const better = (
  sound: InflightResult | DispatchResult,
  failed: InflightResult | DispatchResult,
): string[] => {
  if (sound.mode === 'dispatch' || failed.mode === 'dispatch') {
    const [a, b] = [sound, failed] as DispatchResult[];
    return (b?.landingMassKg ?? 0) > (a?.landingMassKg ?? 0) + 0.02 ? ['heavier at dispatch'] : [];
  }
  return failed.modes.flatMap((mode) => {
    const before = sound.modes.find((entry) => entry.autobrake === mode.autobrake);
    return before && mode.actualM < before.actualM
      ? [`${mode.autobrake} ${before.actualM} to ${mode.actualM}`]
      : [];
  });
};

test.each(aircraft)('No failure and no inoperative item makes a landing of the %s shorter', (_, profile) => {
  const { oew, mslw } = profile.weight;
  const items = (['nonNormal', 'mel', 'cdl'] as const).flatMap((kind) =>
    profile[kind].map(({ value }) => ({ [kind]: [value] })),
  );
  const flap = profile.flaps.find((entry) => entry.landing && entry.isDefault)?.code ?? '';
  const found = items.flatMap((item, i) =>
    (['inflight', 'dispatch'] as const).flatMap((mode) => {
      const landing: LandingCase = {
        mode,
        runway: { ldaM: 4000, elevationM: 100, slope: -0.003 },
        weather: { headwindMps: (headwinds[i % 3] ?? 0) * 0.514444, temperatureK: 288.15, qnhPa: 101_325 },
        condition: { rwycc: surfaces[i % 4] ?? 6 },
        configuration: {
          flap,
          autobrake: 'ALL',
          reversersOperating: i % 2 === 0 ? 0 : profile.engineCount,
          vrefAdditiveKt: 0,
          autoland: false,
          autothrust: true,
          missedApproachGradient: 0.025,
          nonNormal: [],
          mel: [],
          cdl: [],
        },
        massKg: oew + (0.2 + 0.15 * (i % 5)) * (mslw - oew),
      };
      const sound = resultOf(profile, landing);
      const failed = resultOf(profile, {
        ...landing,
        configuration: { ...landing.configuration, ...item },
      });
      return sound && failed
        ? better(sound, failed).map((how) => `${mode} ${JSON.stringify(item)}: ${how}`)
        : [];
    }),
  );
  expect(found).toEqual([]);
});

test.each(['DRY_SNOW', 'WET_SNOW', 'SLUSH', 'STANDING_WATER'])(
  '%s up to 3 mm has code 5 and the distances of a wet runway, more than 3 mm does not',
  (state) => {
    const profile = aircraft[0]?.[1];
    if (!profile) throw new Error('no aircraft');
    for (const mode of ['inflight', 'dispatch'] as const) {
      const at = (condition: LandingCase['condition']) =>
        calculateLanding(profile, {
          mode,
          runway: { ldaM: 3000, elevationM: 0, slope: 0 },
          weather: { headwindMps: 0, temperatureK: 270, qnhPa: 101_325 },
          condition,
          configuration: {
            flap: profile.flaps.find((entry) => entry.landing && entry.isDefault)?.code ?? '',
            autobrake: 'ALL',
            vrefAdditiveKt: 5,
            autoland: false,
            autothrust: true,
            missedApproachGradient: 0.025,
            nonNormal: [],
            mel: [],
            cdl: [],
          },
          massKg: profile.weight.mslw,
        });
      const wet = at({ state: 'WET', depthM: 0 });
      for (const depthMm of [0.5, 2, 3]) {
        expect(at({ state, depthM: depthMm / 1000 }), `${mode} ${depthMm} mm`).toEqual(wet);
      }
      const thick = at({ state, depthM: 0.0031 });
      expect(thick.ok && thick.result.rwycc).toBeLessThan(5);
      expect(at({ state, depthM: 0 })).toMatchObject({ ok: false, code: 'DEPTH_OUTSIDE_RANGE' });
    }
  },
);
