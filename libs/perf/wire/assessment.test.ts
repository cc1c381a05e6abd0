import { describe, expect, test } from 'vitest';
import { sampled } from '#test/support/deep.ts';
import { profile } from '../fixtures/aircraft.ts';
import { a320, all, answered, b738, inflight, run } from '../fixtures/landing-calls.ts';
import type { Data } from '../fixtures/landing-calls.ts';
import { aircraft, casesOf, perform, unitSets } from '../fixtures/landings.ts';
import { autolandSuffix } from './aircraft.ts';

const asked = (id: string, data: Data, runway = {}) => {
  const { performance } = answered(id, { ...data, assess: true }, runway);
  const { assessment } = performance;
  if (!assessment) throw new Error('no assessment');
  return { performance, assessment };
};

const rowsOf = (id: string, data: Data) =>
  new Map(answered(id, data).performance.autobrakeLandingDist?.map((row) => [row.autobrakeValue, row]));

/** Reversers of a case as the value of the request, by how many are inoperative. */
const reverserOf = (id: string, inoperative: number): string => {
  const found = profile(id).options.reversers.find((entry) => entry.inoperative === inoperative);
  if (!found) throw new Error('no such option');
  return found.value;
};

describe('arrival assessment', () => {
  test('The requested code has the distances of the answer, and every other code those of a separate request', () => {
    const states: Record<number, string> = { 6: 'DRY', 5: 'GOOD', 3: 'MEDIUM', 1: 'POOR' };
    for (const id of [a320, b738]) {
      const at = (state: string) =>
        inflight(62_000, { runwayCondition: { state }, configuration: { airDistance: '7S' } });
      const { assessment } = asked(id, at('DRY'));
      expect(assessment.codes.map((entry) => entry.rwycc)).toEqual([6, 5, 4, 3, 2, 1]);
      for (const [code, state] of Object.entries(states)) {
        const { autobrakeLandingDist = [], rwycc } = answered(id, at(state)).performance;
        expect(rwycc).toBe(Number(code));
        const column = assessment.codes.find((entry) => entry.rwycc === rwycc)?.modes ?? [];
        for (const row of autobrakeLandingDist) {
          expect(column.find((mode) => mode.autobrakeValue === row.autobrakeValue)).toEqual({
            autobrakeValue: row.autobrakeValue,
            label: row.label,
            landingDistance: row.landingDistance,
            factoredDistance: row.factoredDistance,
            unfactoredDistance: row.unfactoredDistance,
            margin: row.margin,
            verdict: row.verdict,
          });
        }
        expect(column.filter((mode) => mode.landingDistance !== null)).toHaveLength(
          autobrakeLandingDist.length,
        );
      }
    }
  });

  test('The landing distance of each change equals that of a request with this change', () => {
    for (const id of [a320, b738]) {
      const base = { runwayCondition: { state: 'GOOD' }, weather: { headwind: 6 }, configuration: {} };
      const { assessment } = asked(id, inflight(60_000, base));
      const plain = rowsOf(id, inflight(60_000, base));
      const changed: Record<string, Data> = {
        SPEED_PLUS_5_KT: inflight(60_000, { ...base, configuration: { vrefAdditive: 5 } }),
        TAILWIND_PLUS_5_KT: inflight(60_000, { ...base, weather: { headwind: 1 } }),
        ONE_CODE_WORSE: inflight(60_000, { ...base, runwayCondition: { state: 'GOOD_TO_MEDIUM' } }),
        ONE_REVERSER_LOST: inflight(60_000, { ...base, configuration: { reverser: reverserOf(id, 1) } }),
        WEIGHT_PLUS_1_T: inflight(61_000, base),
        AIR_TIME_7_S: inflight(60_000, { ...base, configuration: { airDistance: '7S' } }),
      };
      expect(assessment.sensitivity.map((entry) => entry.change)).toEqual(Object.keys(changed));
      // Family A has 7 s of air in its tables.
      const [air] = assessment.sensitivity.slice(-1);
      expect(air?.reason === null).toBe(id === b738);
      for (const { change, modes, reason } of assessment.sensitivity.slice(0, id === b738 ? 6 : 5)) {
        expect(reason).toBeNull();
        const rows = rowsOf(id, changed[change] ?? {});
        expect(modes.length).toBe(rows.size);
        for (const mode of modes) {
          const row = rows.get(mode.autobrakeValue);
          expect(mode.landingDistance, change).toBe(row?.landingDistance);
          expect(mode.verdict, change).toBe(row?.verdict);
          const before = plain.get(mode.autobrakeValue)?.landingDistance ?? Number.NaN;
          expect(mode.delta, change).toBe((mode.landingDistance ?? Number.NaN) - before);
        }
      }
    }
  });

  test('An inapplicable change has a reason and no figures', () => {
    const reasons = (data: Data) =>
      Object.fromEntries(
        asked(b738, data, { ldaM: 5000 }).assessment.sensitivity.map((entry) => {
          expect(entry.modes.length === 0).toBe(entry.reason !== null);
          return [entry.change, entry.reason];
        }),
      );
    const { mstow } = profile(b738).weight;
    const none = profile(b738).options.reversers.find((entry) => entry.inoperative === 'all')?.value;
    const worst = reasons(
      inflight(mstow, { runwayCondition: { state: 'POOR' }, configuration: { reverser: none } }),
    );
    expect(worst).toMatchObject({
      SPEED_PLUS_5_KT: null,
      TAILWIND_PLUS_5_KT: null,
      ONE_CODE_WORSE: expect.stringContaining('Code 0'),
      ONE_REVERSER_LOST: expect.stringContaining('No reverser'),
      WEIGHT_PLUS_1_T: expect.stringContaining('maximum takeoff weight'),
    });
  });

  test('The 737 uses the 1000 ft air distance of its table and says so, or 7 s, which is longer and used for the assessment', () => {
    const at = (airDistance: string) =>
      answered(b738, inflight(66_361, { configuration: { airDistance }, assess: true }));
    const [table, seven] = [at('TABLE'), at('7S')];
    const air = ({ answer }: typeof table) => answer.applied.find(({ name }) => name === 'Air time');
    expect(air(table)).toMatchObject({ value: 4.8414, source: expect.stringContaining('305 m') });
    expect(air(seven)).toMatchObject({ value: 7, source: expect.stringContaining('AC 25-32') });
    const longer = (seven.performance.autobrakeLandingDist ?? []).map(
      (mode, i) =>
        mode.unfactoredDistance - (table.performance.autobrakeLandingDist?.[i]?.unfactoredDistance ?? 0),
    );
    for (const metres of longer) expect(metres).toBeGreaterThan(140);
    expect(table.performance.assessment?.codes).toEqual(seven.performance.assessment?.codes);
  });

  test('Five knots are added to the additive in use, which is higher for autoland', () => {
    const auto = profile(b738).flaps.find((flap) => flap.autolandAvailable)?.code;
    const data = (vrefAdditive: number) =>
      inflight(60_000, { configuration: { flap: `${auto}${autolandSuffix}`, vrefAdditive } });
    const faster = asked(b738, data(0)).assessment.sensitivity[0]?.modes ?? [];
    const rows = rowsOf(b738, data(10));
    expect(faster.map((mode) => mode.landingDistance)).toEqual(
      faster.map((mode) => rows.get(mode.autobrakeValue)?.landingDistance),
    );
  });

  test('The assessment needs the subscription feature of non-normal conditions, and changes nothing else in the answer', () => {
    expect(run(b738, { ...inflight(), assess: true }, {}, { ...all, nnc: false })).toEqual({
      kind: 'notEntitled',
      feature: 'nnc',
      field: 'assess',
    });
    for (const data of [inflight(), {}]) {
      const { assessment: _, ...rest } = asked(a320, data).performance;
      expect(rest).toEqual(answered(a320, data).performance);
    }
  });
});

describe.each(aircraft)('arrival assessment of %s', (_, type) => {
  test('Worse codes are never shorter, the worst code is the last that fits, and a dispatch assesses its own weight', () => {
    for (const [set, kg] of sampled(unitSets.slice(0, 2), 2)) {
      for (const entry of casesOf(type, kg)) {
        const { p } = perform(type, set, { ...entry, data: { ...entry.data, assess: true } });
        const { assessment } = p;
        if (!assessment) throw new Error(`${entry.name}: no assessment`);
        expect(assessment.landingWeight, entry.name).toBe(p.landingWeight);
        expect(assessment.lda, entry.name).toBe(p.lda);
        for (const { autobrakeValue, rwycc, unfactoredRwycc } of assessment.worstCodes) {
          const column = assessment.codes.map((row) => ({
            rwycc: row.rwycc,
            mode: row.modes.find((mode) => mode.autobrakeValue === autobrakeValue),
          }));
          const known = column.flatMap(({ mode }) => mode?.landingDistance ?? []);
          expect(known, entry.name).toEqual(known.toSorted((a, b) => a - b));
          const within = (key: 'factoredDistance' | 'unfactoredDistance') =>
            column.findLast(({ mode }) => (mode?.[key] ?? Infinity) <= p.lda)?.rwycc ?? null;
          const fitting = column.findLast(({ mode }) => mode?.verdict === 'FITS')?.rwycc ?? null;
          expect(rwycc, entry.name).toBe(fitting);
          expect(rwycc ?? 6, entry.name).toBeGreaterThanOrEqual(within('factoredDistance') ?? 6);
          expect(unfactoredRwycc, entry.name).toBe(within('unfactoredDistance'));
        }
      }
    }
  });
});
