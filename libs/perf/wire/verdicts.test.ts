import { describe, expect, test } from 'vitest';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { profile } from '../fixtures/aircraft.ts';
import { a320, answered, b738, inflight } from '../fixtures/landing-calls.ts';
import type { Data } from '../fixtures/landing-calls.ts';
import { aircraft, casesOf, perform, unitSets } from '../fixtures/landings.ts';
import { converter } from './units.ts';

/** A profile whose weakest autobrake holds a deceleration at which no aircraft stops. */
const brakeless = (): AircraftProfile => {
  const b = profile(b738);
  return {
    ...b,
    autobrakes: b.autobrakes.map((mode) => (mode.value === '1' ? { ...mode, targetMps2: 1e-6 } : mode)),
  };
};

describe('brake-mode verdicts', () => {
  test('Each mode has the verdict from its rounded distances and its margin (M-2.9.ab7, M-2.9.ab9)', () => {
    const seen = new Set<string>();
    for (const ldaM of [1300, 1600, 2000, 2600, 3300]) {
      for (const id of [a320, b738]) {
        const { performance: p } = answered(id, inflight(62_000), { ldaM });
        for (const row of p.autobrakeLandingDist ?? []) {
          const expected =
            row.factoredDistance <= p.lda
              ? 'FITS'
              : row.unfactoredDistance <= p.lda
                ? 'MARGIN_NOT_MET'
                : 'ABOVE_LDA';
          expect(row.verdict).toBe(expected);
          expect(row.margin).toBe(p.lda - row.factoredDistance);
          seen.add(expected);
        }
      }
    }
    expect([...seen].toSorted()).toEqual(['ABOVE_LDA', 'FITS', 'MARGIN_NOT_MET']);
  });

  test('A mode that cannot stop is listed with its reason and a caution, and the others keep their distances', () => {
    const icy: Data = inflight(60_000, {
      runwayCondition: { state: 'POOR' },
      configuration: { reverser: 'NONE', autobrake: 'ALL' },
    });
    const runway = { slopePercent: -1.6, ldaM: 3400 };
    const { answer, performance: p } = answered(brakeless(), icy, runway);
    expect(p.autobrakeNotPossible).toEqual([
      expect.objectContaining({
        autobrakeValue: '1',
        verdict: 'CANNOT_STOP',
        reason: expect.stringMatching(/stop/),
      }),
    ]);
    expect(answer.caution.join()).toContain(
      'do not stop the aircraft on this surface and slope: AUTOBRAKE 1',
    );
    const values = (p.autobrakeLandingDist ?? []).map((row) => row.autobrakeValue);
    expect(values).toContain('MAX_MAN');
    expect(values).not.toContain('1');
    expect(answered(b738, icy, runway).performance.autobrakeNotPossible).toEqual([]);
  });

  test('A mode removed by a failure is listed as unavailable', () => {
    const failure = profile(b738).nonNormal.find((entry) => !entry.autobrakeAllowed)?.value;
    const { performance: p } = answered(
      b738,
      inflight(60_000, { configuration: { nonNormalCondition: failure } }),
      { ldaM: 4500 },
    );
    expect(p.autobrakeLandingDist?.map((row) => row.autobrakeValue)).toEqual(['MAX_MAN']);
    expect(p.autobrakeNotPossible?.length).toBe(profile(b738).autobrakes.length - 1);
    for (const mode of p.autobrakeNotPossible ?? []) {
      expect(mode).toMatchObject({ verdict: 'NOT_AVAILABLE', reason: expect.stringContaining('failure') });
    }
  });

  test('Modes that do not fit are named even when the best one fits', () => {
    const { answer, performance: p } = answered(b738, inflight(62_000), { ldaM: 1900 });
    const rows = p.autobrakeLandingDist ?? [];
    expect(rows[0]?.verdict).toBe('FITS');
    const longer = rows.filter((row) => row.verdict !== 'FITS').map((row) => row.label);
    expect(longer.length).toBeGreaterThan(0);
    expect(answer.caution.find((text) => text.startsWith('With these brake modes'))).toContain(
      longer.join(', '),
    );
  });
});

describe('cautions about the runway and the approach', () => {
  const cautionsOf = (data: Data, runway = {}): string =>
    answered(b738, data, runway).answer.caution.join('\n');

  test('A given headwind replaces only the wind along the runway, and the crosswind remains (M-4.7.p15)', () => {
    const wind = { windDirection: 160, windSpeed: 45 };
    const given = answered(b738, inflight(60_000, { weather: { ...wind, headwind: 12 } }));
    expect(given.performance.windComponents).toEqual({ headwind: 12, crosswind: 45 });
    expect(given.answer.caution.join()).toMatch(/Crosswind 45 kt/);
    const alone = answered(b738, inflight(60_000, { weather: { headwind: 12 } }));
    expect(alone.performance.windComponents).toEqual({ headwind: 12, crosswind: 0 });
  });

  test('A runway narrower than the type’s minimum gives a caution', () => {
    const { runwayWidthMinM } = profile(b738).limits;
    expect(cautionsOf(inflight(), { widthM: runwayWidthMinM - 1 })).toContain(
      `The runway width of ${runwayWidthMinM - 1} m is less than the minimum of ${runwayWidthMinM} m`,
    );
    // 98 ft, as 30 m are published in feet, and 97.
    expect(cautionsOf(inflight(), { widthM: 97 * 0.3048 })).toContain('runway width');
    for (const widthM of [runwayWidthMinM, 98 * 0.3048, null])
      expect(cautionsOf(inflight(), { widthM })).not.toContain('runway width');
  });

  test('A steep approach gives a caution, one of 3 degrees does not', () => {
    const at = (approachAngle: number | null) =>
      cautionsOf(inflight(60_000, { configuration: { approachAngle } }));
    expect(at(5.5)).toMatch(/Steep approach of 5.5 degrees: .*approval/);
    expect(at(3.9)).toMatch(/Steep approach of 3.9 degrees: .*rate of descent/);
    for (const angle of [3, 3.5, null]) expect(at(angle)).not.toContain('Steep');
  });

  test('An approach speed near the flap placard speed gives one caution, a speed above it another', () => {
    const flap = profile(b738).flaps.find((entry) => entry.code === '40');
    if (!flap) throw new Error('no flap 40');
    const at = (vfeKt: number) => {
      const b = profile(b738);
      const flaps = b.flaps.map((entry) => (entry.code === '40' ? { ...entry, vfeKt } : entry));
      const data = inflight(60_000, { configuration: { flap: '40', vrefAdditive: 5 } });
      const { answer, performance: p } = answered({ ...b, flaps }, data);
      return { text: answer.caution.join('\n'), vApp: p.vApp };
    };
    const { vApp } = at(300);
    expect(at(vApp + 4).text).toContain(`Approach speed ${vApp} kt is only 4 kt below the flap limit speed`);
    expect(at(vApp - 1).text).toContain(
      `Approach speed ${vApp} kt exceeds the flap limit speed ${vApp - 1} kt`,
    );
    expect(at(vApp + 5).text).not.toContain('flap limit speed');
  });
});

describe.each(aircraft)('numbers in answers for the %s', (_, type) => {
  const runs = unitSets.flatMap(([set, kg]) =>
    casesOf(type, kg).map((entry) => ({ name: entry.name, ...perform(type, set, entry) })),
  );

  test('A caution shows distances, weights and speeds as in the answer (M-2.9.c4, M-4.7.r2)', () => {
    for (const { name, request, answer, p } of runs) {
      const best = p.autobrakeLandingDist?.[0];
      const figures: [RegExp, unknown][] = [
        [/available (\d+) (?:m|ft)/, p.lda],
        [/^Margin to the end of the runway is (\d+)/, best?.margin],
        [/^Factored landing distance (\d+)/, best?.factoredDistance],
        [/actual distance (\d+)/, best?.unfactoredDistance ?? p.actualLandingDistance],
        [/^Overweight landing: (\d+)/, p.landingWeight],
        [/exceeds the structural landing weight (\d+)/, p.structLandingWeight],
        [/^Approach speed (\d+)/, p.vApp],
      ];
      const shown = answer.caution.flatMap((text) =>
        figures.flatMap(([pattern, expected]) => {
          const found = pattern.exec(text)?.[1];
          return found === undefined ? [] : [[pattern.source, Number(found), expected]];
        }),
      );
      for (const [source, found, expected] of shown)
        expect(found, `${name} ${String(source)}`).toBe(expected);
      const other = request.units.distance === 'meter' ? /\d ft\b(?!\))/ : /\d m\b(?! \(1000 ft\))/;
      expect(
        answer.caution.filter((text) => other.test(text)),
        name,
      ).toEqual([]);
    }
  });

  test('Each distance has the band of its block’s validation RMS; a block without one is estimated', () => {
    const stated = type.provenance.find((entry) => entry.block === 'inflight');
    for (const { name, request, p, answer } of runs) {
      const fails = request.configuration.nonNormalCondition !== null || request.inopItems.mel.length > 0;
      for (const row of p.autobrakeLandingDist ?? []) {
        const {
          rms = Number.NaN,
          quality,
          band = [],
          landingBand = [],
          factoredBand = [],
        } = row.accuracy ?? {};
        const fitted = stated?.rms !== undefined && stated.quality !== 'estimated';
        expect(quality === 'fitted', name).toBe(fitted && (!fails || quality === 'fitted'));
        expect(rms, name).toBeGreaterThanOrEqual(stated?.rms ?? 0.06);
        expect(rms === (stated?.rms ?? 0.06) || fails, name).toBe(true);
        for (const [[low = 0, high = 0], distance] of [
          [band, row.unfactoredDistance],
          [landingBand, row.landingDistance],
          [factoredBand, row.factoredDistance],
        ] as const) {
          expect(Math.abs(low - distance * (1 - rms)), name).toBeLessThan(2);
          expect(Math.abs(high - distance * (1 + rms)), name).toBeLessThan(2);
        }
      }
      const dispatch = request.landingMode === 'dispatch';
      expect(p.accuracy !== undefined, name).toBe(dispatch);
      expect(p.actualAccuracy !== undefined, name).toBe(dispatch && type.family === 'A');
      expect(answer.disclaimer, name).toMatch(/^For flight simulation only/);
    }
  });
});

test('A runway of 11,010 ft, stored as 3355.8 m, has an LDA of 11,010 ft, and metres are rounded down', () => {
  const feet = answered(b738, inflight(60_000, { units: { distance: 'feet' } }), { ldaM: 3355.8 });
  expect(feet.performance.lda).toBe(11_010);
  expect(answered(b738, inflight(60_000), { ldaM: 3355.8 }).performance.lda).toBe(3355);
  const { availableDown } = converter({ ...feet.answer.units, distance: 'feet' });
  for (let ft = 3000; ft < 16_000; ft += 7) expect(availableDown(Math.round(ft * 3.048) / 10)).toBe(ft);
});
