import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import { atmosphere, toKelvin } from '#perf/kernel/atmosphere.ts';
import { ftToM } from '#perf/kernel/units.ts';
import { leastSecondSegment, secondSegment } from '#perf/takeoff/climb.ts';
import { fieldLength, speedsOf } from '#perf/takeoff/field.ts';
import { climbGain, creditedWindMps, lowestGo } from '#perf/takeoff/limits.ts';
import { trueMps } from '#perf/takeoff/machine.ts';
import type { Machine } from '#perf/takeoff/machine.ts';
import { machineOf, surfaceOf } from '#perf/takeoff/surface.ts';
import { levelCalmLength } from '#perf/takeoff/worth.ts';
import { leastSquares } from '../fit.ts';
import { readPath, writePath } from '../paths.ts';
import type { LimitPoint, TakeoffTables, WorthPoint } from './points.ts';

const sea = atmosphere(0, 288.15);

const machineFor = (profile: AircraftProfile, model: TakeoffPerformance, point: LimitPoint): Machine => {
  const air = atmosphere(ftToM(point.pressureAltitudeFt), toKelvin(point.temperatureC));
  const setting = { rating: 1, packsOff: point.packsOff, antiIce: 'OFF' };
  const machine = machineOf(profile, model, point.flap, air, setting, air, sea);
  if (!machine) throw new Error(`no flap ${point.flap}`);
  return machine;
};

/** Share by which the limit weight is too high, from the length that the published weight needs. */
const lengthPerWeight = 2.1;

const fieldError = (profile: AircraftProfile, model: TakeoffPerformance, point: LimitPoint): number => {
  const machine = machineFor(profile, model, point);
  const working = profile.thrust.reverse.count ?? profile.engineCount - 1;
  const needs = (state: string): number => {
    const worth = state === 'DRY' ? model.worth.dry : model.worth.wet;
    const available = levelCalmLength(worth, point.lengthM, point.slope, point.headwindKt);
    const surface = surfaceOf(profile, model, state, 0, working);
    return Math.log(fieldLength(machine, surface, point.expectedKg) / available);
  };
  const share = point.surface === 'DRY' ? needs('DRY') : Math.max(needs('DRY'), needs('WET'));
  return Number.isFinite(share) ? -share / lengthPerWeight : -1;
};

const dryLength = (model: TakeoffPerformance, point: LimitPoint): number =>
  levelCalmLength(model.worth.dry, point.lengthM, point.slope, point.headwindKt);

const climbError = (profile: AircraftProfile, model: TakeoffPerformance, point: LimitPoint): number => {
  const machine = machineFor(profile, model, point);
  const least = leastSecondSegment(profile.engineCount);
  const gain = climbGain(model, dryLength(model, point));
  const excess = (kg: number): number => secondSegment(machine, kg / gain) - least;
  const at = excess(point.expectedKg);
  const slope = (excess(point.expectedKg * 1.01) - at) / 0.01;
  return -at / slope;
};

/** Energy at V1 grows with about this power of the mass. */
const energyPerWeight = 2.5;

/** From the energy at the lowest V1 from which the published weight can go. */
const brakeError = (profile: AircraftProfile, model: TakeoffPerformance, point: LimitPoint): number => {
  const machine = machineFor(profile, model, point);
  const { expectedKg, headwindKt } = point;
  const speeds = speedsOf(machine, expectedKg);
  const lengthM = dryLength(model, point);
  const ground = {
    surface: surfaceOf(profile, model, 'DRY', 0, 0),
    asdaM: lengthM,
    todaM: lengthM,
    toraM: lengthM,
  };
  const v1Kt = lowestGo(machine, ground, expectedKg, speeds) ?? speeds.vrKt;
  const mps = trueMps(machine, v1Kt) - creditedWindMps(headwindKt);
  const energyJ = 0.5 * expectedKg * mps * mps;
  return Math.log((model.brakeEnergyJ ?? energyJ) / energyJ) / energyPerWeight;
};

const uncutError = (profile: AircraftProfile, model: TakeoffPerformance, point: LimitPoint): number => {
  if (point.flap === 'OPTIMUM') {
    const flaps = Object.keys(model.flaps);
    return Math.max(...flaps.map((flap) => uncutError(profile, model, { ...point, flap })));
  }
  if (point.kind === 'field') return fieldError(profile, model, point);
  if (point.kind === 'climb') return climbError(profile, model, point);
  if (point.kind === 'brake') return brakeError(profile, model, point);
  return Math.min(fieldError(profile, model, point), climbError(profile, model, point));
};

/** Relative error of the limit weight of the engine at a published point, to first order. */
export const limitError = (
  profile: AircraftProfile,
  model: TakeoffPerformance,
  point: LimitPoint,
): number => {
  const error = uncutError(profile, model, point);
  return point.isCap ? Math.min(0, error) : error;
};

export const worthError = (model: TakeoffPerformance, point: WorthPoint): number => {
  const worth = point.surface === 'DRY' ? model.worth.dry : model.worth.wet;
  const length = levelCalmLength(worth, point.lengthM, point.slopePercent / 100, point.headwindKt);
  return length / point.expectedM - 1;
};

type Bound = readonly [path: string, min: number, max: number];

/** Without a published V2 its factor is found with the limits, within 6 % of what is known of the type. */
const v2Bounds = (model: TakeoffPerformance): Bound[] =>
  Object.entries(model.flaps).map(([flap, { v2 }]) => [
    `flaps/${flap}/v2/factorKt`,
    0.94 * v2.factorKt,
    1.06 * v2.factorKt,
  ]);

const flapBounds = (model: TakeoffPerformance, fitted: readonly string[], names: string): Bound[] =>
  Object.keys(model.flaps)
    .filter((flap) => fitted.includes(flap))
    .flatMap((flap): Bound[] =>
      names === 'climb'
        ? [
            [`flaps/${flap}/climbCd0`, 0.02, 0.15],
            [`flaps/${flap}/climbK`, 0.03, 0.07],
          ]
        : [[`flaps/${flap}/groundCd`, 0, 0.15]],
    );

const thrustBounds = (staticN: number): Bound[] => [
  ['thrust/staticPerEngineN', 0.5 * staticN, 1.8 * staticN],
  ['thrust/flatRatedToIsaPlusC', 8, 30],
  ['thrust/lapsePerC', 0.002, 0.02],
  ['thrust/kinkShiftCPerKft', 0, 3],
  ['thrust/partialLapsePerC', 0, 0.012],
  ['thrust/deltaExponent', 0.4, 1.2],
  ['thrust/coldPerC', -0.0003, 0.002],
];

const fieldBounds = (staticN: number): Bound[] => [
  ['thrust/fieldFactor', 0.8, 1.2],
  ['thrust/lossPerMps', 0, 0.004],
  ['rotationS', 0.5, 9],
  ['rotationAllEnginesS', 0.5, 9],
  ['gearCd', 0, 0.06],
  ['asymmetryCd', 0, 0.1],
  ['stop/mu', 0.15, 0.6],
  ['stop/cd', 0, 0.4],
  ['stop/transitionS', 0, 3],
  ['stop/wetEfficiency', 0.3, 1.4],
  ['stop/reversePerEngineN', 0, 0.3 * staticN],
];

const worthBounds: Bound[] = (['dry', 'wet'] as const).flatMap((surface) =>
  ['uphill', 'downhill', 'headwind', 'tailwind'].flatMap((kind): Bound[] => {
    const most = kind.endsWith('hill') ? 400 : 40;
    return [
      [`worth/${surface}/${kind}/0`, -most, most],
      [`worth/${surface}/${kind}/1`, -most, most],
    ];
  }),
);

/** Loose values that physics expects: path, value, and the deviation that counts as 1 % of weight. */
const priors = (model: TakeoffPerformance): [string, number, number][] => [
  ['thrust/fieldFactor', 1, 0.1],
  ['rotationS', 3, 2],
  ['rotationAllEnginesS', 3, 2],
  ['stop/transitionS', 0.5, 1],
  ...Object.keys(model.flaps).flatMap((flap): [string, number, number][] => [
    [`flaps/${flap}/climbCd0`, 0.05, 0.01],
    [`flaps/${flap}/climbK`, 0.042, 0.004],
  ]),
];

const mostErrors = 60;

const run = (
  model: TakeoffPerformance,
  bounds: readonly Bound[],
  errors: () => number[],
  iterations = 30,
): void => {
  const apply = (values: readonly number[]): void =>
    bounds.forEach(([path], i) => writePath(model, path, values[i] ?? 0));
  const held = priors(model).filter(([path]) => bounds.some(([name]) => name === path));
  const residuals = (values: readonly number[]): number[] => {
    apply(values);
    const pull = held.map(([path, value, scale]) => (readPath(model, path) - value) / scale);
    return [...errors().map((e) => Math.max(-mostErrors, Math.min(mostErrors, 100 * e))), ...pull];
  };
  const start = bounds.map(([path]) => readPath(model, path));
  const { parameters } = leastSquares(
    residuals,
    start,
    bounds.map(([, min, max]) => ({ min, max })),
    iterations,
  );
  apply(parameters.map((value) => Number(value.toPrecision(5))));
};

/** Points of a fit: the climb counts more each, since there are few of them. */
const thinned = (points: readonly LimitPoint[], most: number): LimitPoint[] => {
  const every = Math.max(1, Math.ceil(points.length / most));
  return points.filter((_, i) => i % every === 0);
};

/** Fits the block of one type to its tables, in place: worth of length, climb, field, then all of the limits. */
export const fitTakeoff = (
  profile: AircraftProfile,
  model: TakeoffPerformance,
  tables: TakeoffTables,
  hasV2 = true,
): void => {
  const limits = tables.limits.filter((point) => point.isFitted);
  const worths = tables.worths.filter((point) => point.isFitted);
  const climbs = limits.filter((point) => point.kind === 'climb');
  const brakes = limits.filter((point) => point.kind === 'brake');
  const fields = thinned(
    limits.filter((point) => point.kind === 'field' || point.kind === 'lowest'),
    500,
  );
  const flaps = [...new Set(limits.map((point) => point.flap))];
  const used = flaps.includes('OPTIMUM') ? Object.keys(model.flaps) : flaps;
  const staticN = model.thrust.staticPerEngineN;
  const ofPoints = (points: readonly LimitPoint[], factor: number): number[] =>
    points.map((point) => factor * limitError(profile, model, point));
  if (worths.length > 0) run(model, worthBounds, () => worths.map((point) => worthError(model, point)));
  const speeding: Bound[] = climbs.some(({ lengthM }) => lengthM < 3000) ? [['climbPerKm', 0, 0.06]] : [];
  const climbing = [
    ...speeding,
    ...(hasV2 ? [] : v2Bounds(model)),
    ...thrustBounds(staticN),
    ...flapBounds(model, used, 'climb'),
  ];
  const ground = [...fieldBounds(staticN), ...flapBounds(model, used, 'ground')];
  const weight = climbs.length > 0 ? Math.sqrt(Math.max(1, fields.length / climbs.length / 2)) : 1;
  if (climbs.length > 0) run(model, climbing, () => ofPoints(climbs, weight));
  const atWinds = worths.length === 0 && fields.some((point) => point.headwindKt !== 0);
  const free = atWinds
    ? [...ground, ...worthBounds.filter(([path]) => path.startsWith('worth/dry'))]
    : ground;
  if (climbs.length > 0) run(model, free, () => ofPoints(fields, 1));
  run(model, [...climbing, ...free], () => [...ofPoints(fields, 1), ...ofPoints(climbs, weight)]);
  if (brakes.length > 0) run(model, [['brakeEnergyJ', 5e7, 3e9]], () => ofPoints(brakes, 1));
};
