import { describe, expect, test } from 'vitest';
import { cautions, profile, profiles, run, value } from '../fixtures/aircraft.ts';

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

describe('corrections compared with published ones (same sign, 0.3 to 1.3 times the size, within 15 m)', () => {
  test.each(corrections)(
    'The correction for %s follows the published one, case %#',
    (_, change, code, published) => {
      brakeModes.forEach((mode, i) => {
        const ours = metres(code, mode, change) - metres(code, mode);
        const theirs = (published[i] ?? 0) - (baseM[code]?.[i] ?? 0);
        expect(ours).toBeGreaterThanOrEqual(0);
        expect(ours).toBeGreaterThan(0.3 * theirs - 15);
        expect(ours).toBeLessThan(1.3 * theirs + 15);
      });
    },
  );

  test('Uphill slope, cold and a high QNH get no credit, as in the published tables', () => {
    for (const code of [6, 5, 3, 1]) {
      for (const mode of brakeModes) {
        const base = metres(code, mode);
        expect(metres(code, mode, { runway: { slopePercent: 2 } })).toBe(base);
        expect(metres(code, mode, { weather: { temperatureC: -30 } })).toBe(base);
        expect(metres(code, mode, { weather: { qnhHpa: 1040 } })).toBe(base);
      }
    }
  });

  test('The result lists inputs without credit', () => {
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

  test('Headwind and cold get no credit beyond that of the published table, within 4 %', () => {
    expect(metres(6, 'MAN', { weather: { headwindKt: 20 } })).toBeGreaterThan(0.96 * metres(6, 'MAN'));
    expect(metres(6, 'MAN', { weather: { headwindKt: 20 } })).toBeLessThanOrEqual(metres(6, 'MAN'));
  });
});

test('The source of each in-flight block states its wind credit', () => {
  for (const entry of profiles.values()) {
    const source = entry.provenance.find((block) => block.block === 'inflight')?.source ?? '';
    const { inflightHeadwind, inflightTailwind } = entry.wind;
    expect(source, entry.id).toContain(
      `head ${inflightHeadwind.toFixed(2)}, tail ${inflightTailwind.toFixed(2)}`,
    );
  }
});

describe('combined corrections of family A', () => {
  const families = ['A320-251N', 'A319-112', 'A330-343', 'A380-842'];
  const parts: Case[] = [
    { weather: { headwindKt: -10 } },
    { runway: { slopePercent: -1 } },
    { runway: { elevationFt: 3000 }, weather: { temperatureC: 15 - 0.0019812 * 3000 } },
    { configuration: { vAppAdditiveKt: 5 } },
  ];
  const all: Case = {
    weather: { headwindKt: -10, temperatureC: 15 - 0.0019812 * 3000 },
    runway: { slopePercent: -1, elevationFt: 3000 },
    configuration: { vAppAdditiveKt: 5 },
  };
  const runOf = (id: string, flap: string, rwycc: number, change: Case): Record<string, unknown> =>
    run(id, {
      weightKg: profile(id).weight.mslw,
      runwayCondition: { rwycc },
      weather: change.weather ?? {},
      runway: { ldaM: 9000, ...change.runway },
      configuration: { flap, reversers: 'NONE', ...change.configuration },
    });
  const modesOf = (out: Record<string, unknown>) =>
    out['modes'] as { autobrake: string; actualDistanceM: number; combination?: string }[];
  const cases = families.flatMap((id) =>
    ['FULL', '3'].flatMap((flap) => [6, 5, 3, 2].map((code) => [id, flap, code] as const)),
  );

  test.each(cases)(
    'Combined corrections of the %s in CONF %s on code %i give no shorter distance than their sum',
    (id, flap, code) => {
      const base = modesOf(runOf(id, flap, code, {}));
      const singles = parts.map((part) => modesOf(runOf(id, flap, code, part)));
      const together = modesOf(runOf(id, flap, code, all));
      const of = (modes: typeof base, name: string): number =>
        modes.find((mode) => mode.autobrake === name)?.actualDistanceM ?? Number.NaN;
      for (const { autobrake, actualDistanceM } of base) {
        const sum = singles.reduce((m, modes) => m + of(modes, autobrake) - actualDistanceM, actualDistanceM);
        expect(of(together, autobrake)).toBeGreaterThan(sum - 1);
        expect(of(together, autobrake)).toBeLessThan(sum * 1.2);
      }
    },
  );

  test('A single correction is a multiple of 10 m where it is added, and the answer says which method applied', () => {
    const [base] = modesOf(runOf('A320-251N', 'FULL', 6, {}));
    const out = runOf('A320-251N', 'FULL', 6, { weather: { headwindKt: -10 } });
    const man = modesOf(out).find((mode) => mode.autobrake === 'MAN');
    expect(man?.combination).toBe('added');
    // Two units of 5 kt; distances of the command line have two decimals.
    const per5KtM = ((man?.actualDistanceM ?? 0) - (base?.actualDistanceM ?? 0)) / 2;
    expect(Math.abs(per5KtM - 10 * Math.round(per5KtM / 10))).toBeLessThan(0.02);
    expect(JSON.stringify(out['applied'])).toContain('added for MAN');
    const steep = runOf('A320-251N', '3', 1, { weather: { headwindKt: -15 }, runway: { slopePercent: -2 } });
    expect(modesOf(steep).every((mode) => mode.combination === 'physics')).toBe(true);
    const boeing = run('737-800-7B26', { weightKg: 60_000, weather: { headwindKt: -10 } });
    expect(modesOf(boeing)[0]).not.toHaveProperty('combination');
  });
});

/** Reference with both reversers and corrections at 68 t, CONF FULL (m): 5 kt of tailwind and 1 % downhill. */
const reversed: [number, Three, Three, Three][] = [
  [6, [1060, 1330, 1860], [130, 140, 200], [20, 10, 30]],
  [5, [1280, 1380, 1860], [200, 200, 200], [50, 50, 30]],
  [3, [1580, 1610, 1880], [220, 230, 240], [110, 110, 100]],
  [1, [2020, 2030, 2070], [430, 440, 440], [460, 470, 470]],
];

test.each(reversed)(
  'Code %i with reversers, 10 kt of tailwind and 2 %% downhill gives the published sum, as corrections do not depend on reversers',
  (code, base, perTailwind, perPercent) => {
    brakeModes.forEach((mode, i) => {
      const published = (base[i] ?? 0) + 2 * (perTailwind[i] ?? 0) + 2 * (perPercent[i] ?? 0);
      const ours = metres(code, mode, {
        weather: { headwindKt: -10 },
        runway: { slopePercent: -2 },
        configuration: { reversers: 'ALL' },
      });
      expect(Math.abs(ours / published - 1)).toBeLessThan(0.08);
    });
  },
);

test.each([
  [{ cgPercent: 24 }, 2],
  [{ cgPercent: 25 }, 0],
  [{ cgPercent: 30, cgPosition: 'FWD' }, 2],
  [{ cgPercent: 18, cgPosition: 'AFT' }, 2],
])('An A320neo with its centre of gravity at %o has a VLS %i kt higher', (configuration, kt) => {
  const vls = (more: object): number =>
    value('A320-251N', { weightKg: 60_000, configuration: more }, 'vRefKt');
  expect(vls(configuration) - vls({})).toBeCloseTo(kt, 9);
});

test('A centre of gravity that does not affect the distances of the type is a caution', () => {
  const configuration = { cgPercent: 22.5 };
  expect(cautions('737-800-7B26', { weightKg: 60_000, configuration })).toContain('22.5 % MAC affects no');
  expect(cautions('A320-251N', { weightKg: 60_000, configuration })).not.toContain('MAC');
  expect(cautions('737-800-7B26', { weightKg: 60_000 })).not.toContain('MAC');
});
