import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { calculateLine } from '#perf/wire/calc.ts';
import { valueAt } from '#perf/check/profile.ts';
import { inflightCase } from './build.ts';
import type { Dataset, Parameter, Point } from './types.ts';

/** Manual distance (m) on a code with one flap, sea level, standard day. */
const manualM = (profile: AircraftProfile, flap: string, rwycc: number): number => {
  const line = calculateLine(
    profile,
    inflightCase(profile.weight.mslw * 0.9, rwycc, { flap, autobrake: 'MAX_MAN' }),
  );
  return valueAt(line, 'modes.MAX_MAN.actualDistanceM') ?? Number.NaN;
};

/** Codes 4 and 2 have no published rows: each is held midway between its neighbours, as the known 777 cells are. */
const betweenPoints = (flap: string): Point[] =>
  ([4, 2] as const).map((code) => ({
    group: 'codes 4 and 2 midway between their neighbours',
    name: `flaps ${flap} code ${code}`,
    expected: 1,
    error: 'percent' as const,
    weight: 1,
    evaluate: (profile) =>
      (2 * manualM(profile, flap, code)) /
      (manualM(profile, flap, code + 1) + manualM(profile, flap, code - 1)),
  }));

interface BoeingFit {
  /** landing flaps with published rows, least extended first */
  flaps: readonly string[];
  autobrakes: readonly string[];
  /** per engine, N: smallest and largest plausible effective reverse thrust */
  reverseN: readonly [number, number];
  idleN: readonly [number, number];
  /** flaps with published VREF */
  vrefFlaps?: readonly string[];
  /** fits the first and last point of the curve of roll distance by weight */
  byMass?: boolean;
  sources: readonly string[];
}

const bounds = (path: string, min: number, max: number): Parameter => ({ path, min, max });

/** VREF = k x t^e of some flaps. */
export const speedStage = (group: string, flaps: readonly string[]): Dataset['stages'][number] => ({
  groups: [group],
  parameters: flaps.flatMap((flap) => [
    bounds(`flaps/${flap}/vref/ktPerSqrtTonne`, 3, 24),
    bounds(`flaps/${flap}/vref/exponent`, 0.38, 0.6),
  ]),
});

/**
 * Parameters of an in-flight fit to an outside table: friction of the four published codes, drag of each flap,
 * reverse and idle thrust, targets and delays of the brake modes, credited wind. Everything else is held.
 */
export const boeingDataset = ({
  flaps,
  autobrakes,
  reverseN,
  idleN,
  vrefFlaps,
  byMass = false,
  sources,
}: BoeingFit): Dataset => {
  const delays = ['MAX_MAN', ...autobrakes].map((mode) => `autobrakes/${mode}/delayS`);
  const drags = flaps.map((flap) => `flaps/${flap}/ground/cd`);
  return {
    sources: [...sources],
    points: betweenPoints(flaps.at(-1) ?? ''),
    stages: [
      ...(vrefFlaps ? [speedStage('VREF', vrefFlaps)] : []),
      {
        groups: ['ground roll', 'distance'],
        parameters: [
          bounds('braking/friction/6/mu', 0.25, 0.6),
          bounds('braking/friction/5/mu', 0.12, 0.35),
          bounds('braking/friction/3/mu', 0.06, 0.2),
          bounds('braking/friction/1/mu', 0.025, 0.1),
          ...drags.map((path) => bounds(path, 0.1, 0.26)),
          bounds('thrust/reverse/perEngineN', ...reverseN),
          bounds('thrust/reverse/cutSpeedKt', 20, 70),
          bounds('thrust/idleForwardPerEngineN', ...idleN),
          ...autobrakes.map((mode) => bounds(`autobrakes/${mode}/targetMps2`, 0.9, 4.6)),
          ...delays.map((path) => bounds(path, 0.5, 7)),
          bounds('wind/inflightHeadwind', 0.2, 1),
          bounds('wind/inflightTailwind', 1, 1.6),
          ...(byMass ? [0, 2] : []).map((node) => bounds(`calibration/rollByMass/${node}/1`, 0.9, 1.15)),
        ],
      },
      {
        groups: ['codes 4 and 2'],
        parameters: [bounds('braking/friction/4/mu', 0.08, 0.3), bounds('braking/friction/2/mu', 0.03, 0.15)],
      },
    ],
    rising: [delays, drags],
  };
};
