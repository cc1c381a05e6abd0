import type { AutobrakeProfile } from '#domain/aircraft/profile.ts';
import type { Trace } from '../kernel/ground-roll.ts';
import { distanceToSpeed } from '../kernel/ground-roll.ts';
import { ktToMps } from '../kernel/units.ts';
import type { StopDistance } from './distance.ts';
import type { Exit, ExitResult, LandingCase } from './types.ts';

/** One brake mode with the speed trace of its roll. */
export interface TracedMode {
  mode: AutobrakeProfile;
  stop: StopDistance;
  trace: Trace;
}

/** Exits closer than this to the threshold are before any touchdown point. */
const nearestExitM = 400;

/**
 * Distance (m, from the threshold) where a mode has slowed to an exit's speed. Failure factors stretch it
 * equally.
 */
const distanceAt = (traced: TracedMode, speedKt: number): number => {
  const { stop, trace } = traced;
  const rollM = (trace.distanceM.at(-1) ?? 0) * stop.rollScale;
  const plainM = stop.airM + rollM;
  const atM = stop.airM + distanceToSpeed(trace, ktToMps(speedKt)) * stop.rollScale;
  return Number.isFinite(plainM) ? atM * (stop.actualM / plainM) : Infinity;
};

const rapidExitAngleDeg = 45;

/** Rapid exits 60 kt, others 15; at most 50 kt on a wet runway, and where it is slippery 15 and 10. */
const exitSpeedKt = ({ speedKt, angleDeg = 90 }: Exit, rwycc: number): number => {
  const isRapid = angleDeg <= rapidExitAngleDeg;
  const dryKt = speedKt ?? (isRapid ? 60 : 15);
  if (rwycc === 6) return dryKt;
  return Math.min(dryKt, rwycc === 5 ? 50 : isRapid ? 15 : 10);
};

/** For each exit past the touchdown zone: where every mode reaches its speed, and the remaining runway. */
export const exitsOf = (
  { exits = [], ldaM }: LandingCase['runway'],
  rwycc: number,
  modes: readonly TracedMode[],
): ExitResult[] =>
  exits
    .filter((exit) => exit.distanceM >= nearestExitM && exit.distanceM <= ldaM)
    .toSorted((a, b) => a.distanceM - b.distanceM)
    .map((exit) => ({ ...exit, speedKt: exitSpeedKt(exit, rwycc) }))
    .map((exit) => ({
      name: exit.name,
      distanceM: exit.distanceM,
      remainingRunwayM: ldaM - exit.distanceM,
      speedKt: exit.speedKt,
      modes: modes.map((traced) => {
        const distanceAtSpeedM = distanceAt(traced, exit.speedKt);
        return {
          autobrake: traced.mode.value,
          distanceAtSpeedM,
          marginM: exit.distanceM - distanceAtSpeedM,
          reachable: distanceAtSpeedM <= exit.distanceM,
        };
      }),
    }));
