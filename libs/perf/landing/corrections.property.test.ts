import { describe, expect, test } from 'vitest';
import type { Draw, Extra } from '../fixtures/draw.ts';
import { time, caseOf, counterexample, dispatched, distances, flown, shorter } from '../fixtures/draw.ts';
import { calculateLanding } from './calculate.ts';
import type { InflightResult } from './types.ts';

/** Entry of a list by a share of its length. */
const pick = <T>(list: readonly T[], share: number): T | undefined =>
  list[Math.min(list.length - 1, Math.floor(share * list.length))];

/** Tolerance (m): a different delay changes the integration steps, which costs up to a thousandth of the longest distance. */
const stepM = (result: InflightResult | null): number =>
  0.001 * Math.max(0, ...(result ? distances(result).values() : []));

const configured = (configuration: NonNullable<Extra['configuration']>): Extra => ({ configuration });

/** Modes that grew by more than a share plus an allowance in metres. */
const beyond = (
  less: InflightResult | null,
  more: InflightResult | null,
  most: number,
  allowM: number,
): string[] => {
  if (!less || !more) return [];
  const before = distances(less);
  return [...distances(more)].flatMap(([mode, metres]) => {
    const from = before.get(mode);
    return from !== undefined && metres > from * (1 + most) + allowM ? [`${mode}: ${from} to ${metres}`] : [];
  });
};

/** The case on a dry or wet runway at a landing weight, where corrections stay small. */
const gentle = (d: Draw): Draw => {
  const { oew, mslw, mstow } = d.profile.weight;
  const most = (mslw - oew) / (mstow - oew);
  return { ...d, rwycc: d.rwycc >= 5 ? d.rwycc : 5, share: d.share * most * 0.95 };
};

describe('bounds of corrections on dry and wet runways', () => {
  test.each<[string, (d: Draw) => Partial<Draw>, number]>([
    ['1 % more weight', (d) => ({ share: Math.min(1, d.share + onePercentShare(d)) }), 0.03],
    ['5 kt more speed', (d) => ({ additiveKt: d.additiveKt + 5 }), 0.12],
    ['1000 ft higher', (d) => ({ elevationFt: d.elevationFt + 1000 }), 0.08],
    ['10 C hotter', (d) => ({ isaDeviationC: d.isaDeviationC + 10 }), 0.06],
    ['5 kt more tailwind', (d) => ({ headwindKt: Math.min(0, d.headwindKt), ...tail(d) }), 0.22],
    ['1 % more downhill', (d) => ({ slopePercent: Math.max(-2, d.slopePercent - 1) }), 0.12],
    ['no reversers', () => ({ reversers: 0 }), 0.45],
  ])(
    '%s',
    (_, worse, most) => {
      const rule = (d: Draw): string[] => {
        const from = gentle(d);
        const calm = { ...from, headwindKt: Math.min(0, from.headwindKt) };
        const less = flown(calm);
        const more = flown(calm, worse(calm));
        return [...shorter(less, more), ...beyond(less, more, most, 1)];
      };
      expect(counterexample(rule, 0.5)).toBeNull();
    },
    time,
  );
});

const onePercentShare = (d: Draw): number => {
  const { oew, mstow } = d.profile.weight;
  return (0.01 * (oew + d.share * (mstow - oew))) / (mstow - oew);
};

const tail = (d: Draw): Partial<Draw> => ({ headwindKt: Math.max(-15, Math.min(0, d.headwindKt) - 5) });

describe('selections, failures and inoperative items never help', () => {
  test(
    'Autoland lengthens the distance, by its air distance and at most 5 kt',
    () => {
      const rule = (d: Draw): string[] => {
        const from = { ...gentle(d), additiveKt: 0, headwindKt: Math.min(0, d.headwindKt) };
        const { autolandExtraM } = d.profile.airDistance;
        const extraM = Math.max(0, ...Object.values(autolandExtraM));
        const [less, more] = [flown(from), flown(from, {}, configured({ autoland: true }))];
        return [...shorter(less, more), ...beyond(less, more, 0.12, extraM + 1)];
      };
      expect(counterexample(rule, 0.5)).toBeNull();
    },
    time,
  );

  test(
    'A non-normal condition does not shorten the distance with its prescribed flap',
    () => {
      const rule = (d: Draw, s: number): string[] => {
        const condition = pick(d.profile.nonNormal, s);
        if (!condition) return ['no condition'];
        const failed = flown(d, {}, configured({ nonNormal: [condition.value] }));
        const prescribed = d.profile.flaps.find((flap) => flap.code === failed?.flap);
        const normal = flown(d, prescribed?.landing ? { flap: prescribed.code } : {});
        if (!failed || !normal) return [];
        const slower = failed.speeds.vRefKt < normal.speeds.vRefKt - 1e-9;
        const slackM = 0.01 * Math.max(0, ...distances(normal).values());
        return [...(slower ? [`${condition.value}: VREF falls`] : []), ...shorter(normal, failed, slackM)];
      };
      expect(counterexample(rule)).toBeNull();
    },
    time,
  );

  test(
    'Two non-normal conditions never give a shorter distance than one',
    () => {
      const rule = (d: Draw, s: number): string[] => {
        const first = pick(d.profile.nonNormal, s);
        const second = pick(d.profile.nonNormal, d.share);
        if (!first || !second || first.value === second.value) return [];
        const one = flown(d, {}, configured({ nonNormal: [first.value] }));
        const both = flown(d, {}, configured({ nonNormal: [first.value, second.value] }));
        const slackM = 0.01 * Math.max(0, ...(one ? distances(one).values() : []));
        return one?.flap === both?.flap ? shorter(one, both, slackM) : [];
      };
      expect(counterexample(rule)).toBeNull();
    },
    time,
  );

  test(
    'MEL and CDL items lengthen the distance in flight and lower the dispatch weight, or change nothing',
    () => {
      const rule = (d: Draw, s: number): string[] => {
        const mel = pick(d.profile.mel, s)?.value ?? '';
        const cdl = pick(d.profile.cdl, d.share)?.value ?? '';
        const item = configured({ mel: [mel] });
        const both = configured({ mel: [mel], cdl: [cdl] });
        const [free, one, two] = [flown(d), flown(d, {}, item), flown(d, {}, both)];
        const weights = [dispatched(d), dispatched(d, {}, item), dispatched(d, {}, both)].map(
          (result) => result?.massKg ?? 0,
        );
        const [most = 0, middle = 0, least = 0] = weights;
        return [
          ...shorter(free, one, stepM(free)),
          ...shorter(one, two, stepM(one)),
          ...(middle > most + 0.02 ? [`${mel}: dispatch ${most} to ${middle}`] : []),
          ...(least > middle + 0.02 ? [`${cdl}: dispatch ${middle} to ${least}`] : []),
        ];
      };
      expect(counterexample(rule, 0.5)).toBeNull();
    },
    time,
  );

  test(
    'Anti-ice, bleed, forward CG and manual speedbrake never improve the gradient or shorten the distance',
    () => {
      const rule = (d: Draw, s: number): string[] => {
        const { antiIce, cgPosition, groundSpoilers, acBleed } = d.profile.options;
        const free = flown(d);
        const iced = flown(d, {}, configured({ antiIce: pick(antiIce, s)?.value ?? 'OFF' }));
        const forward = cgPosition.find((entry) => entry.vrefAddKt > 0);
        const cg = forward ? flown(d, {}, configured({ cgPosition: forward.value })) : null;
        const manual = groundSpoilers.find((entry) => !entry.isDefault);
        const spoilers = manual ? flown(d, {}, configured({ speedbrake: manual.value })) : null;
        const open = acBleed.find((entry) => !entry.isDefault);
        const packsOff = open ? flown(d, {}, configured({ acBleed: open.value })) : null;
        const worseClimb = free && iced && iced.goAroundGradientPercent > free.goAroundGradientPercent + 1e-9;
        const packs = free && packsOff && packsOff.goAroundGradientPercent < free.goAroundGradientPercent;
        return [
          ...shorter(free, iced),
          ...shorter(free, cg),
          ...shorter(free, spoilers, stepM(free)),
          ...(worseClimb ? ['anti-ice helps the climb'] : []),
          ...(packs ? ['packs off reduces the climb'] : []),
        ];
      };
      expect(counterexample(rule, 0.5)).toBeNull();
    },
    time,
  );
});

describe('dispatch', () => {
  test.each<[string, (d: Draw, s: number) => Partial<Draw>]>([
    ['more tailwind', (d, s) => ({ headwindKt: Math.max(-15, d.headwindKt - 15 * s) })],
    ['altitude at the same ISA deviation', (d, s) => ({ elevationFt: d.elevationFt + 1000 * s })],
    ['temperature', (d, s) => ({ isaDeviationC: d.isaDeviationC + 10 * s })],
    ['downhill slope', (d, s) => ({ slopePercent: Math.max(-2, d.slopePercent - 2 * s) })],
    [
      'a lower runway condition code',
      (d, s) => ({ rwycc: Math.max(1, d.rwycc - Math.round(3 * s)) as Draw['rwycc'] }),
    ],
    ['fewer reversers', (d, s) => ({ reversers: Math.max(0, d.reversers - Math.round(2 * s)) })],
  ])(
    'The landing weight does not grow with %s',
    (_, worse) => {
      const rule = (d: Draw, s: number): string[] => {
        const less = dispatched(d)?.massKg ?? 0;
        const more = dispatched(d, worse(d, s))?.massKg ?? 0;
        return more > less + 0.02 ? [`${less} to ${more}`] : [];
      };
      expect(counterexample(rule, 0.25)).toBeNull();
    },
    time,
  );

  test(
    'Fluid is never better than wet, deeper fluid does not lengthen the distance because of its drag, and drag gets no credit above 6.3 mm or in flight',
    () => {
      const rule = (d: Draw, s: number): string[] => {
        const state = s < 0.5 ? 'SLUSH' : 'STANDING_WATER';
        const at = (depthM: number): Extra => ({ condition: { state, depthM } });
        const weight = (extra: Extra): number => {
          const limits = dispatched(d, {}, extra)?.limits;
          return limits?.notLimiting.includes('fieldKg') ? Infinity : (limits?.fieldKg ?? 0);
        };
        const wet = weight({ condition: { state: 'WET', depthM: 0 } });
        const [shallow, deep, deepest] = [weight(at(0.0032)), weight(at(0.0063)), weight(at(0.0125))];
        const [thin, thick] = [flown(d, {}, at(0.0032)), flown(d, {}, at(0.0125))];
        return [
          ...(deep > wet + 0.02 ? ['better than wet'] : []),
          ...(shallow > deep + 0.02 ? ['shallow better than deep'] : []),
          ...(Math.abs(deepest - deep) > 0.02 ? ['credit above 6.3 mm'] : []),
          ...shorter(thin, thick),
          ...shorter(thick, thin),
        ];
      };
      expect(counterexample(rule, 0.25)).toBeNull();
    },
    time,
  );
});

/** Paths of numbers in a value that are not finite. */
const notFinite = (value: unknown, path = ''): string[] => {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} is ${value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => notFinite(entry, `${path}.${key}`));
};

describe('finite numbers', () => {
  test(
    'No result contains NaN or Infinity, whatever fails on any runway',
    () => {
      const rule = (d: Draw, s: number): string[] => {
        const configuration = {
          nonNormal: s < 0.5 ? [pick(d.profile.nonNormal, 2 * s)?.value ?? ''] : [],
          mel: [pick(d.profile.mel, s)?.value ?? ''],
          cdl: [pick(d.profile.cdl, d.share)?.value ?? ''],
          autoland: s > 0.8,
        };
        return (['inflight', 'dispatch'] as const).flatMap((mode) => {
          const landing = caseOf(d, mode, { configuration });
          const exits = [
            { name: 'A1', distanceM: 900, speedKt: 15 },
            { name: 'A2', distanceM: 1900, speedKt: 60 },
          ];
          const out = calculateLanding(d.profile, { ...landing, runway: { ...landing.runway, exits } });
          return out.ok ? notFinite({ ...out.result }) : notFinite(out.params);
        });
      };
      expect(counterexample(rule)).toBeNull();
    },
    time,
  );
});
