import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffFlap, TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import { atmosphere, toKelvin } from '#perf/kernel/atmosphere.ts';
import { ftToM, ktToMps } from '#perf/kernel/units.ts';
import { leastSecondSegment, secondSegment } from '#perf/takeoff/climb.ts';
import { fieldLength, speedsOf } from '#perf/takeoff/field.ts';
import { brakeEnergy, stopEnergy } from '#perf/takeoff/brakes.ts';
import { climbGain } from '#perf/takeoff/limits.ts';
import { creditedWindMps } from '#perf/takeoff/path.ts';
import { trueMps } from '#perf/takeoff/machine.ts';
import type { Machine } from '#perf/takeoff/machine.ts';
import { machineOf, surfaceOf } from '#perf/takeoff/surface.ts';
import { levelCalmLength } from '#perf/takeoff/worth.ts';
import { leastSquares } from '../fit.ts';
import { readPath, writePath } from '../paths.ts';
import {
  brakeBounds,
  fieldBounds,
  flapBounds,
  thrustBounds,
  v2Bounds,
  worthBounds,
} from './takeoff-bounds.ts';
import type { Bound } from './takeoff-bounds.ts';
import type { LimitPoint, TakeoffTables, WorthPoint } from './points.ts';

const machineFor = (profile: AircraftProfile, model: TakeoffPerformance, point: LimitPoint): Machine => {
  const air = atmosphere(ftToM(point.pressureAltitudeFt), toKelvin(point.temperatureC));
  const setting = { rating: 1, packsOff: point.packsOff, antiIce: 'OFF' };
  const machine = machineOf(profile, model, point.flap, air, setting, air);
  if (!machine) throw new Error(`no flap ${point.flap}`);
  return machine;
};

/**
 * How much a limit weight is too high: Newton steps on the logarithm of needed over available, which grows with weight.
 */
const weightError = (excess: (kg: number) => number, kg: number): number => {
  const first = excess(kg);
  const slope = Math.max(0.5, (excess(kg * 1.005) - first) / 0.005);
  if (!Number.isFinite(first) || !Number.isFinite(slope)) return -1;
  let share = 0;
  for (let i = 0; i < newtonSteps; i += 1) {
    const at = i === 0 ? first : excess(kg * (1 + share));
    if (!Number.isFinite(at)) return share;
    share = Math.max(-0.5, Math.min(0.5, share - at / slope));
  }
  return share;
};
const newtonSteps = 3;
/** Go-around thrust at its speed as a share of rated static thrust, in the profiles. */
const goAroundShare = 0.862;

const fieldError = (profile: AircraftProfile, model: TakeoffPerformance, point: LimitPoint): number => {
  const machine = machineFor(profile, model, point);
  const counted = profile.thrust.reverse.count ?? profile.engineCount - 1;
  const excessOn = (state: string): ((kg: number) => number) => {
    const worth = state === 'DRY' ? model.worth.dry : model.worth.wet;
    const available = levelCalmLength(worth, point.lengthM, point.slope, point.headwindKt);
    const surface = surfaceOf(profile, model, { state, depthM: 0 }, { counted, lost: 0 });
    return (kg) => Math.log(fieldLength(machine, surface, kg) / available);
  };
  const errors = (point.surface === 'DRY' ? ['DRY'] : ['DRY', 'WET']).map((state) =>
    weightError(excessOn(state), point.expectedKg),
  );
  return Math.min(...errors);
};

const dryLength = (model: TakeoffPerformance, point: LimitPoint): number =>
  levelCalmLength(model.worth.dry, point.lengthM, point.slope, point.headwindKt);

const climbError = (profile: AircraftProfile, model: TakeoffPerformance, point: LimitPoint): number => {
  const machine = machineFor(profile, model, point);
  const least = leastSecondSegment(profile.engineCount);
  const gain = climbGain(machine.flap, dryLength(model, point));
  const excess = (kg: number): number => secondSegment(machine, kg / gain) - least;
  const at = excess(point.expectedKg);
  const slope = (excess(point.expectedKg * 1.01) - at) / 0.01;
  return -at / slope;
};

/** Energy at VR grows with about this power of mass, since VR grows with nearly its root. */
const energyPerWeight = 1.9;

const brakeError = (profile: AircraftProfile, model: TakeoffPerformance, point: LimitPoint): number => {
  const machine = machineFor(profile, model, point);
  const { expectedKg, headwindKt } = point;
  const wind = model.brakeEnergyLaw.windShare * creditedWindMps(ktToMps(headwindKt));
  const mps = trueMps(machine, speedsOf(machine, expectedKg).vrKt) - wind;
  const share = brakeEnergy(machine, dryLength(model, point)) / stopEnergy(machine, expectedKg, mps);
  return Math.log(share) / (1 + (energyPerWeight - 1) * 0.5 * model.brakeEnergyLaw.speedExponent);
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

/** Relative error of the engine's limit weight at a published point, to first order. */
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

/** Weakly determined values that physics constrains: path, value, and the deviation that counts as 1 % of weight. */
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

/** Points of a fit: climb points weigh more, since there are few. */
const decimated = (points: readonly LimitPoint[], most: number): LimitPoint[] => {
  const every = Math.max(1, Math.ceil(points.length / most));
  return points.filter((_, i) => i % every === 0);
};

/** Other flaps keep their differences from the fitted one. */
const carryOver = (model: TakeoffPerformance, fitted: string, before: TakeoffFlap): void => {
  const after = model.flaps[fitted];
  if (!after) return;
  const round = (value: number): number => Number(Math.max(0, value).toPrecision(5));
  for (const [code, flap] of Object.entries(model.flaps)) {
    if (code === fitted) continue;
    flap.groundCd = round(flap.groundCd + after.groundCd - before.groundCd);
    flap.climbCd0 = round(flap.climbCd0 + after.climbCd0 - before.climbCd0);
    flap.climbK = round(flap.climbK * (after.climbK / before.climbK));
    flap.climbByLength = after.climbByLength;
    flap.climbByLengthCurve = after.climbByLengthCurve;
  }
};

/** Fits a type's takeoff block to its tables, in place: equivalent length, climb, field, then all limits. */
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
  const fields = decimated(
    limits.filter((point) => point.kind === 'field' || point.kind === 'lowest'),
    500,
  );
  const flaps = [...new Set(limits.map((point) => point.flap))];
  const used = flaps.includes('OPTIMUM') ? Object.keys(model.flaps) : flaps;
  const ratedN = profile.thrust.goAroundStaticPerEngineN / goAroundShare;
  const before = structuredClone(model.flaps[used[0] ?? '']);
  const ofPoints = (points: readonly LimitPoint[], factor: number): number[] =>
    points.map((point) => factor * limitError(profile, model, point));
  if (worths.length > 0) run(model, worthBounds, () => worths.map((point) => worthError(model, point)));
  // Climb limits in dispatch tables do not depend on length; charts and limits by length use the best speeds of each.
  const byLength = limits.some(({ kind, lengthM }) => kind !== 'field' && lengthM < 3000);
  const speeding = byLength
    ? used.flatMap((flap): Bound[] => [
        [`flaps/${flap}/climbByLength`, 0, 0.3],
        [`flaps/${flap}/climbByLengthCurve`, -1, 0],
      ])
    : [];
  const climbing = [
    ...speeding,
    ...(hasV2 ? [] : v2Bounds(model)),
    ...thrustBounds(ratedN),
    ...flapBounds(model, used, 'climb'),
  ];
  const ground = [...fieldBounds(ratedN), ...flapBounds(model, used, 'ground')];
  const weight = climbs.length > 0 ? Math.sqrt(Math.max(1, fields.length / climbs.length / 2)) : 1;
  if (climbs.length > 0) run(model, climbing, () => ofPoints(climbs, weight));
  const atWinds = worths.length === 0 && fields.some((point) => point.headwindKt !== 0);
  const free = atWinds
    ? [...ground, ...worthBounds.filter(([path]) => path.startsWith('worth/dry'))]
    : ground;
  if (climbs.length > 0) run(model, free, () => ofPoints(fields, 1));
  run(model, [...climbing, ...free], () => [...ofPoints(fields, 1), ...ofPoints(climbs, weight)]);
  const [only] = used;
  if (used.length === 1 && only !== undefined && before) carryOver(model, only, before);
  if (brakes.length > 0) run(model, brakeBounds, () => ofPoints(brakes, 1));
};
