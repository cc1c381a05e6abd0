import { describe, expect, test } from 'vitest';
import type { Draw } from '../fixtures/draw.ts';
import { time, counterexample, dispatched, distances, flown, shorter } from '../fixtures/draw.ts';
import type { InflightResult } from './types.ts';

/** Longer than any runway: a landing on ice downhill that takes this distance is not one to compare. */
const longestM = 6000;
const onRunways = (result: InflightResult | null): InflightResult | null =>
  result && { ...result, modes: result.modes.filter((mode) => mode.actualM < longestM) };

describe('distance never shrinks when conditions get worse', () => {
  test.each<[string, (d: Draw, s: number) => Partial<Draw>]>([
    ['weight', (d, s) => ({ share: Math.min(1, d.share + 0.3 * s) })],
    ['speed', (d, s) => ({ additiveKt: d.additiveKt + 10 * s })],
    ['less headwind, more tailwind', (d, s) => ({ headwindKt: Math.max(-15, d.headwindKt - 15 * s) })],
    ['altitude at the same ISA deviation', (d, s) => ({ elevationFt: d.elevationFt + 1000 * s })],
    ['temperature', (d, s) => ({ isaDeviationC: d.isaDeviationC + 10 * s })],
    ['downhill slope', (d, s) => ({ slopePercent: Math.max(-2, d.slopePercent - 2 * s) })],
    [
      'a lower runway condition code',
      (d, s) => ({ rwycc: Math.max(1, d.rwycc - Math.round(3 * s)) as Draw['rwycc'] }),
    ],
    ['fewer reversers', (d, s) => ({ reversers: Math.max(0, d.reversers - Math.round(2 * s)) })],
  ])(
    '%s',
    (_, worse) =>
      expect(counterexample((d, s) => shorter(onRunways(flown(d)), flown(d, worse(d, s))))).toBeNull(),
    time,
  );
});

describe('consistency of one result', () => {
  test(
    'Of the brake modes manual is shortest and the lowest autobrake longest, within 20 m',
    () => {
      const rule = (d: Draw): string[] => {
        const byOrder = (flown(d)?.modes ?? []).toSorted((a, b) => a.order - b.order);
        return byOrder.flatMap((mode, i) => {
          const stronger = byOrder[i - 1];
          return stronger && mode.actualM < stronger.actualM - 20
            ? [`${mode.autobrake} ${mode.actualM} under ${stronger.actualM}`]
            : [];
        });
      };
      expect(counterexample(rule)).toBeNull();
    },
    time,
  );

  test(
    'Modes are sorted by factored distance, the distances keep their ratios, and the air part is included (M-2.9.ab11)',
    () => {
      const rule = (d: Draw): string[] =>
        (flown(d)?.modes ?? []).flatMap((mode, i, all) => [
          ...(mode.factoredM < mode.actualM ? ['factored below unfactored'] : []),
          ...(Math.abs(mode.actualM - 0.85 * mode.landingM) > 1e-6
            ? ['unfactored is not 0.85 x landing']
            : []),
          ...(mode.airDistanceM >= mode.actualM ? ['air distance outside'] : []),
          ...(mode.factoredM < (all[i - 1]?.factoredM ?? 0) ? ['not sorted'] : []),
        ]);
      expect(counterexample(rule)).toBeNull();
    },
    time,
  );

  test(
    'One kilogram more at a whole tonne changes VREF by less than 0.1 kt and the distance by less than 0.5 m',
    () => {
      const rule = (d: Draw, s: number): string[] => {
        const { oew, mstow } = d.profile.weight;
        const kg = Math.round((oew + s * (mstow - oew)) / 1000) * 1000;
        const at = (mass: number): InflightResult | null => flown(d, { share: (mass - oew) / (mstow - oew) });
        if (kg < oew || kg + 1 > mstow) return [];
        const node = at(kg);
        const next = at(kg + 1);
        if (!node || !next) return [];
        const jumps = [...distances(node)].flatMap(([mode, metres]) =>
          Math.abs((distances(next).get(mode) ?? metres) - metres) < 0.5 ? [] : [`${mode} jumps at ${kg} kg`],
        );
        return Math.abs(next.speeds.vRefKt - node.speeds.vRefKt) < 0.1
          ? jumps
          : [...jumps, `VREF jumps at ${kg} kg`];
      };
      expect(counterexample(rule)).toBeNull();
    },
    time,
  );
});

/** Steps so small that even a steep slope (5 % per knot on ice downhill) is not taken for a jump. */
describe('continuity within one configuration', () => {
  test.each<[string, (d: Draw) => Partial<Draw>]>([
    ['5 kg', (d) => ({ share: Math.min(1, d.share + 5 / (d.profile.weight.mstow - d.profile.weight.oew)) })],
    ['0.05 kt of speed', (d) => ({ additiveKt: d.additiveKt + 0.05 })],
    ['0.05 kt of wind', (d) => ({ headwindKt: Math.max(-15, d.headwindKt - 0.05) })],
    ['5 ft', (d) => ({ elevationFt: d.elevationFt + 5 })],
    ['0.05 degrees', (d) => ({ isaDeviationC: d.isaDeviationC + 0.05 })],
    ['0.005 % of slope', (d) => ({ slopePercent: Math.max(-2, d.slopePercent - 0.005) })],
  ])(
    '%s changes no distance in flight by more than a hundredth',
    (_, step) => {
      const rule = (d: Draw): string[] => {
        const before = onRunways(flown(d));
        const after = flown(d, step(d));
        if (!before || !after) return [];
        const metres = distances(after);
        return [...distances(before)].flatMap(([mode, m]) => {
          const moved = Math.abs((metres.get(mode) ?? m) / m - 1);
          return moved > 0.01 ? [`${mode}: ${m} by ${(100 * moved).toFixed(1)} %`] : [];
        });
      };
      expect(counterexample(rule, 0.5)).toBeNull();
    },
    time,
  );

  test(
    'A fiftieth of a knot, of a degree or of 100 ft changes no dispatch weight by more than a hundredth',
    () => {
      const rule = (d: Draw): string[] => {
        const before = dispatched(d);
        if (!before || before.massKg < d.profile.weight.oew) return [];
        const steps: Partial<Draw>[] = [
          { headwindKt: d.headwindKt - 0.02 },
          { isaDeviationC: d.isaDeviationC + 0.02 },
          { elevationFt: d.elevationFt + 2 },
        ];
        return steps.flatMap((step) => {
          const after = dispatched(d, step);
          const moved = after ? Math.abs(after.massKg / before.massKg - 1) : 0;
          return moved > 0.01 ? [`${JSON.stringify(step)} by ${(100 * moved).toFixed(1)} %`] : [];
        });
      };
      expect(counterexample(rule, 0.25)).toBeNull();
    },
    time,
  );
});

describe('dispatch', () => {
  test(
    'No dispatch result has a weight below the operating empty weight',
    () => {
      const rule = (d: Draw): string[] => {
        const result = dispatched(d, { ldaM: 0.6 * d.ldaM });
        return result && result.massKg < d.profile.weight.oew ? [`${result.massKg} kg`] : [];
      };
      expect(counterexample(rule, 0.25)).toBeNull();
    },
    time,
  );

  test(
    'The limit weight grows with the landing distance available',
    () => {
      const rule = (d: Draw, s: number): string[] => {
        const short = dispatched(d);
        const long = dispatched(d, { ldaM: d.ldaM + 1000 * s });
        if (!short) return [];
        if (!long) return ['no weight on the longer runway'];
        return long.massKg < short.massKg - 0.02 ? [`${short.massKg} to ${long.massKg}`] : [];
      };
      expect(counterexample(rule, 0.25)).toBeNull();
    },
    time,
  );

  test(
    'A field-limited weight needs exactly the landing distance available, within 1 m',
    () => {
      const rule = (d: Draw): string[] => {
        const result = dispatched(d);
        if (!result) return [];
        const margin = d.ldaM - result.requiredM;
        if (result.limitedBy === 'FIELD') return Math.abs(margin) < 1 ? [] : [`margin ${margin}`];
        return margin >= -1e-6 ? [] : [`requires more than is available by ${-margin}`];
      };
      expect(counterexample(rule, 0.5)).toBeNull();
    },
    time,
  );

  test(
    'Landing weight is the lowest of the limits in force, and the limit code names it (M-2.9.w12)',
    () => {
      const rule = (d: Draw): string[] => {
        const result = dispatched(d);
        if (!result) return [];
        const { limits } = result;
        const named: Record<string, number | null> = {
          'STRUCT.': limits.structKg,
          MACG: limits.macgKg,
          FIELD: limits.fieldKg,
          CLIMB: Math.min(limits.approachClimbKg ?? Infinity, limits.landingClimbKg ?? Infinity),
          TIRE: limits.tireKg,
        };
        const perf = [limits.fieldKg, limits.approachClimbKg, limits.landingClimbKg, limits.tireKg].filter(
          (kg) => kg !== null,
        );
        const all = [...perf, limits.structKg, ...(limits.macgKg === null ? [] : [limits.macgKg])];
        return [
          ...(limits.perfKg === Math.min(...perf) ? [] : ['performance limit']),
          ...(result.massKg === Math.min(...all) ? [] : ['landing weight']),
          ...(named[result.limitedBy] === result.massKg ? [] : [`${result.limitedBy} is not the lowest`]),
        ];
      };
      expect(counterexample(rule, 0.25)).toBeNull();
    },
    time,
  );

  test(
    'OPTIMUM is never lighter than any single flap (M-4.7.r5)',
    () => {
      const rule = (d: Draw): string[] => {
        const one = d.profile.family === 'A' ? dispatched(d) : null;
        if (!one) return [];
        const best = dispatched(d, { flap: 'OPTIMUM' })?.massKg ?? 0;
        return best >= one.massKg ? [] : [`${best} under ${one.massKg}`];
      };
      expect(counterexample(rule, 0.25)).toBeNull();
    },
    time,
  );
});
