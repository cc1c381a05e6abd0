import type { AutobrakeProfile } from '#domain/aircraft/profile.ts';
import type { Trace } from '../kernel/ground-roll.ts';
import { distanceToSpeed } from '../kernel/ground-roll.ts';
import { ktToMps } from '../kernel/units.ts';
import type { StopDistance } from './distance.ts';
import type { Exit, ExitResult, LandingCase } from './types.ts';

/** A brake mode with the speed trace of its roll. */
export interface TracedMode {
  mode: AutobrakeProfile;
  stop: StopDistance;
  trace: Trace;
}

/** Exits closer to the threshold lie before any touchdown point. */
const nearestExitM = 400;

/** Distance (m, from the threshold) where a mode reaches an exit's speed; failure factors stretch it proportionally. */
const distanceAt = (traced: TracedMode, speedKt: number): number => {
  const { stop, trace } = traced;
  const rollM = (trace.distanceM.at(-1) ?? 0) * stop.rollScale;
  const plainM = stop.airM + rollM;
  const atM = stop.airM + distanceToSpeed(trace, ktToMps(speedKt)) * stop.rollScale;
  return Number.isFinite(plainM) ? atM * (stop.actualM / plainM) : Infinity;
};

const rapidExitAngleDeg = 45;

/** 60 kt for rapid exits, 15 for others; at most 50 on a wet runway, 15 and 10 on a slippery one. */
const exitSpeedKt = ({ speedKt, angleDeg = 90 }: Exit, rwycc: number): number => {
  const isRapid = angleDeg <= rapidExitAngleDeg;
  const dryKt = speedKt ?? (isRapid ? 60 : 15);
  if (rwycc === 6) return dryKt;
  return Math.min(dryKt, rwycc === 5 ? 50 : isRapid ? 15 : 10);
};

/** For each exit beyond the touchdown zone: where every mode reaches its speed, and the runway left. */
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
