import { describe, expect, test } from 'vitest';
import { cautions, profile, profiles, run, value } from '../fixtures/aircraft.ts';

const a320Id = 'A320-251N';

describe('non-normal conditions compared with the type’s checklists', () => {
  test.each(['747-8', 'A380-842'])(
    'The distance of the %s with two engines out is never shorter than with one, whatever flap is selected',
    (id) => {
      const { oew, mslw, mstow } = profile(id).weight;
      const two = profile(id).nonNormal.find(({ effect }) => effect.enginesOut === 2)?.value ?? '';
      const one = profile(id).nonNormal.find(({ effect }) => effect.enginesOut === 1)?.value ?? '';
      for (const { code } of profile(id).flaps.filter((flap) => flap.landing)) {
        for (const rwycc of [6, 5, 3, 1]) {
          for (const weightKg of [oew, mslw, mstow]) {
            const metres = (nonNormalCondition: string | null): number =>
              (
                run(id, {
                  runway: { ldaM: 9000 },
                  weightKg,
                  runwayCondition: { rwycc },
                  configuration: { flap: code, nonNormalCondition },
                })['modes'] as { actualDistanceM: number }[]
              )[0]?.actualDistanceM ?? Infinity;
            expect(metres(one), `${code} code ${rwycc} ${weightKg}`).toBeGreaterThanOrEqual(metres(null));
            expect(metres(two), `${code} code ${rwycc} ${weightKg}`).toBeGreaterThanOrEqual(metres(one));
          }
        }
      }
    },
  );

  test.each(['757-200', '767-300ER', '777-200-GE90-76B', '777-300ER', '787-9'])(
    'With one engine out the %s uses VREF20 without an addition, as in its checklist',
    (id) => {
      const weightKg = profile(id).weight.mslw;
      const vRef = (flap: string, nonNormalCondition: string | null): number =>
        value(
          id,
          { runway: { ldaM: 9000 }, weightKg, configuration: { flap, nonNormalCondition } },
          'vRefKt',
        );
      expect(vRef('30', 'ONE_ENGINE_INOP')).toBeCloseTo(vRef('20', null), 6);
    },
  );

  test.each([...profiles.keys()])(
    '%s offers the conditions in its checklists, each with its source',
    (id) => {
      const { nonNormal, engineCount } = profile(id);
      const has = (named: RegExp): boolean => nonNormal.some(({ label }) => named.test(label));
      const kinds = [/^One engine inoperative/, /flap/i, /slat|leading edge/i, /hydraulic/i, /brak/i];
      for (const kind of [...kinds, /anti-skid/i, /spoiler|speedbrake|SEC/i, /reverser/i])
        expect(has(kind), `${kind}`).toBe(true);
      expect(has(/^Two engines inoperative/)).toBe(engineCount === 4);
      for (const { value: code, source } of nonNormal) expect(source, code).not.toBe('');
      expect(nonNormal.map(({ order }) => order)).toEqual(nonNormal.map((_, i) => i));
    },
  );

  test('A condition without published figures is marked as estimated where others of its type are published', () => {
    const estimated = (nonNormalCondition: string): string =>
      cautions(a320Id, { weightKg: 60_000, configuration: { nonNormalCondition } })
        .split('\n')
        .find((line) => line.startsWith('ESTIMATED')) ?? '';
    expect(estimated('ENGINE_OUT')).toContain('nonNormal');
    expect(estimated('HYD_ONE')).not.toContain('nonNormal');
    const out = run(a320Id, { weightKg: 60_000, configuration: { nonNormalCondition: 'HYD_ONE' } });
    expect(JSON.stringify(out['applied'])).toContain('A319/A320/A321 QRH rev 36');
  });

  test('A reverser removed by an item gives the same distance as one not selected', () => {
    const at = (reversers: number, mel: string[]): number =>
      value(
        a320Id,
        {
          weightKg: 49_400,
          runway: { ldaM: 2700, elevationFt: 1600, slopePercent: -1.9 },
          runwayCondition: { rwycc: 1 },
          configuration: { flap: '3', autobrake: 'MAN', reversers, mel },
        },
        'modes.MAN.actualDistanceM',
      );
    for (const selected of [2, 1]) expect(at(selected, ['78-30-02'])).toBeCloseTo(at(0, []), 6);
  });
});
