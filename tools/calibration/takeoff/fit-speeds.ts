import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import { atmosphere, toKelvin } from '#perf/kernel/atmosphere.ts';
import { ftToM } from '#perf/kernel/units.ts';
import { ruleKt } from '#perf/takeoff/decision.ts';
import { speedsOf } from '#perf/takeoff/field.ts';
import { machineOf } from '#perf/takeoff/surface.ts';
import { leastSquares } from '../fit.ts';
import { readPath, writePath } from '../paths.ts';
import type { SpeedPoint } from './points.ts';
import { speedBounds } from './takeoff-bounds.ts';

/** Speeds by a model's laws less the published ones, kt; V1 is left out for types without a rule. */
const speedErrors = (profile: AircraftProfile, model: TakeoffPerformance, point: SpeedPoint): number[] => {
  const air = atmosphere(ftToM(point.pressureAltitudeFt), toKelvin(point.temperatureC));
  const rating = model.ratings[point.rating ?? ''] ?? 1;
  const setting = { rating, packsOff: point.packsOff, antiIce: 'OFF' };
  const machine = machineOf(profile, model, point.flap, air, setting, air);
  if (!machine) throw new Error(`no flap ${point.flap}`);
  const { v1 } = model;
  const { vrKt, v2Kt } = speedsOf(machine, point.massKg);
  const v1Law = typeof v1 === 'object' && 'dry' in v1 ? (point.surface === 'DRY' ? v1.dry : v1.wet) : null;
  const v1Kt = v1Law && Math.max(machine.vmcgKt, ruleKt(machine, v1Law, point, point.massKg));
  const pairs = [
    [v1Kt, point.v1Kt],
    [vrKt, point.vrKt],
    [v2Kt, point.v2Kt],
    [machine.vmcgKt, point.vmcgKt],
  ] as const;
  return pairs.map(([ours, published]) =>
    ours === null || typeof published !== 'number' ? 0 : ours - published,
  );
};

/** Fits a type's speed laws to its published speeds, in place. */
export const fitSpeeds = (
  profile: AircraftProfile,
  model: TakeoffPerformance,
  points: readonly SpeedPoint[],
): void => {
  const fitted = points.filter(({ isFitted }) => isFitted);
  const bounds = speedBounds(model);
  const apply = (values: readonly number[]): void =>
    bounds.forEach(([path], i) => writePath(model, path, Number((values[i] ?? 0).toPrecision(5))));
  const residuals = (values: readonly number[]): number[] => {
    bounds.forEach(([path], i) => writePath(model, path, values[i] ?? 0));
    return fitted.flatMap((point) => speedErrors(profile, model, point));
  };
  const { parameters } = leastSquares(
    residuals,
    bounds.map(([path]) => readPath(model, path)),
    bounds.map(([, min, max]) => ({ min, max })),
    30,
  );
  apply(parameters);
};
