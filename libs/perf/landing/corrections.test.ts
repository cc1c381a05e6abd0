import { describe, expect, test } from 'vitest';
import { run, value } from '../fixtures/aircraft.ts';

const a320 = 'A320-251N';
const brakeModes = ['MAN', 'MED', 'LO'];
type Three = [number, number, number];

/** Published reference distances of the A320-251N at 68 t, CONF FULL, no reversers, by code. */
const baseM: Record<number, Three> = {
  6: [1060, 1330, 1860],
  5: [1320, 1380, 1860],
  3: [1760, 1810, 1960],
  1: [2760, 2790, 2830],
};

interface Case {
  weather?: Record<string, number>;
  runway?: Record<string, number>;
  configuration?: Record<string, unknown>;
}
const metres = (code: number, mode: string, change: Case = {}): number =>
  value(
    a320,
    {
      weightKg: 68_000,
      runwayCondition: { rwycc: code },
      weather: change.weather ?? {},
      runway: { ldaM: 8000, ...change.runway },
      configuration: { flap: 'FULL', reversers: 'NONE', ...change.configuration },
    },
    `modes.${mode}.actualDistanceM`,
  );

const altitude = { runway: { elevationFt: 4000 }, weather: { temperatureC: 15 - 0.0019812 * 4000 } };

/**
 * Published corrections: what changes, code, published distances. They are envelopes rounded up, so an upper
 * bound.
 */
const corrections: [string, Case, number, Three][] = [
  ['5 kt tailwind', { weather: { headwindKt: -5 } }, 6, [1190, 1470, 2060]],
  ['5 kt tailwind', { weather: { headwindKt: -5 } }, 3, [1980, 2040, 2200]],
  ['15 kt tailwind', { weather: { headwindKt: -15 } }, 1, [4050, 4110, 4150]],
  ['10 kt more speed', { configuration: { vAppAdditiveKt: 10 } }, 6, [1200, 1510, 2120]],
  ['10 kt more speed', { configuration: { vAppAdditiveKt: 10 } }, 3, [1960, 2030, 2220]],
  ['4000 ft', altitude, 6, [1220, 1530, 2140]],
  ['4000 ft', altitude, 5, [1600, 1660, 2140]],
  ['30 C hotter', { weather: { temperatureC: 45 } }, 6, [1150, 1450, 2070]],
  ['30 C hotter', { weather: { temperatureC: 45 } }, 3, [1940, 1990, 2170]],
  ['1 % downhill', { runway: { slopePercent: -1 } }, 5, [1370, 1430, 1890]],
  ['1 % downhill', { runway: { slopePercent: -1 } }, 1, [3220, 3260, 3300]],
  ['autoland', { configuration: { autoland: true } }, 5, [1710, 1770, 2270]],
];

describe('corrections have the sign of the published ones and 0.3 to 1.3 times their size, within 15 m', () => {
  test.each(corrections)('%s, code %#', (_, change, code, published) => {
    brakeModes.forEach((mode, i) => {
      const ours = metres(code, mode, change) - metres(code, mode);
      const theirs = (published[i] ?? 0) - (baseM[code]?.[i] ?? 0);
      expect(ours).toBeGreaterThanOrEqual(0);
      expect(ours).toBeGreaterThan(0.3 * theirs - 15);
      expect(ours).toBeLessThan(1.3 * theirs + 15);
    });
  });

  test('No credit for uphill, cold or a high QNH, which the published tables do not give either', () => {
    for (const code of [6, 5, 3, 1]) {
      for (const mode of brakeModes) {
        const base = metres(code, mode);
        expect(metres(code, mode, { runway: { slopePercent: 2 } })).toBe(base);
        expect(metres(code, mode, { weather: { temperatureC: -30 } })).toBe(base);
        expect(metres(code, mode, { weather: { qnhHpa: 1040 } })).toBe(base);
      }
    }
  });

  test('What is not credited is listed in the result', () => {
    const reported = run(a320, {
      weightKg: 68_000,
      weather: { temperatureC: -30 },
      runway: { ldaM: 3000, slopePercent: 2 },
    })['applied'];
    expect(reported).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'Slope taken', value: 0 }),
        expect.objectContaining({ name: 'Temperature taken for distances', value: 15 }),
      ]),
    );
  });

  test('No credit for headwind or cold that the published table does not give, beyond 4 %', () => {
    expect(metres(6, 'MAN', { weather: { headwindKt: 20 } })).toBeGreaterThan(0.96 * metres(6, 'MAN'));
    expect(metres(6, 'MAN', { weather: { headwindKt: 20 } })).toBeLessThanOrEqual(metres(6, 'MAN'));
  });
});
