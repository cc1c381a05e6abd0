import { leastOewShare } from '../kernel/constants.ts';
import type { AircraftProfile, AutobrakeProfile, FlapProfile, RwyccCode } from '#domain/aircraft/profile.ts';
import type { Trace } from '../kernel/ground-roll.ts';
import type { Scene } from './scene.ts';
import { stopDistance } from './distance.ts';
import type { TracedMode } from './exits.ts';
import type { Modifiers } from './modifiers.ts';
import { flapUsed, modeResult, modesOf, selectedFlap, unusable } from './modes.ts';
import type { Prepared } from './prepare.ts';
import { prepare, sceneOf } from './prepare.ts';
import { refuse } from './problem.ts';
import { speedsOf, vrefFor } from './speeds.ts';
import type { LandingCase, ModeResult, Speeds, UnusableMode } from './types.ts';

const massOf = (profile: AircraftProfile, landing: LandingCase): number => {
  const massKg = landing.massKg ?? refuse('WEIGHT_REQUIRED', {});
  const { oew, mstow } = profile.weight;
  if (!(massKg >= oew * leastOewShare)) refuse('WEIGHT_BELOW_OEW', { weightKg: massKg, oewKg: oew });
  if (massKg > mstow) refuse('WEIGHT_ABOVE_MTOW', { weightKg: massKg, mstowKg: mstow });
  return massKg;
};

/** Speeds and brake modes of a case in flight, before limits, gradients and cautions. */
export interface Braked {
  massKg: number;
  prepared: Prepared;
  flap: FlapProfile;
  scene: Scene;
  speeds: Speeds;
  traced: TracedMode[];
  /** those that stop, shortest first */
  modes: ModeResult[];
  unusable: UnusableMode[];
  modeOf: (mode: AutobrakeProfile) => ModeResult;
}

/** Actual distance (m) of each brake mode, the longest of some cases. */
const longest = (profile: AircraftProfile, cases: readonly LandingCase[]): Map<string, number> => {
  const least = new Map<string, number>();
  for (const landing of cases) {
    for (const { mode, stop } of braked(profile, landing, true).traced)
      least.set(mode.value, Math.max(stop.actualM, least.get(mode.value) ?? 0));
  }
  return least;
};

/**
 * Lighter weights (kg) where a heavier aircraft could be shorter. The lightest fitted one: the fitted roll falls with weight
 * as long as speed rises, and a condition may prescribe a speed that does not. The empty one without spoilers: lift takes
 * more of its weight off the wheels.
 */
const lighterOf = (
  profile: AircraftProfile,
  { configuration, massKg = 0 }: LandingCase,
  { spoilerFraction }: Modifiers,
): number[] => {
  const { oew } = profile.weight;
  const empty = spoilerFraction < 1 ? [oew] : [];
  const curves = configuration.nonNormal.length > 0 ? profile.calibration.rollByMassPerFlap : {};
  const lightest = Object.values(curves).flatMap(([first]) => first?.[0] ?? []);
  return [...empty, ...new Set(lightest)].filter((kg) => massKg > kg);
};

/**
 * Better runway conditions where the worse one could be shorter: published distances credit more reverse thrust on a worse
 * runway, which counts for more than its friction when brakes have lost most of that.
 */
const betterOf = (
  profile: AircraftProfile,
  { rwycc, modifiers, reversersOperating }: Prepared,
): Exclude<RwyccCode, 0>[] => {
  const gripLost = modifiers.antiskidInop || modifiers.frictionFactor < 1;
  if (!gripLost || reversersOperating === 0 || !profile.thrust.reverse.creditByCode) return [];
  return ([2, 3, 4, 5, 6] as const).filter((code) => code > rwycc);
};

/**
 * What each brake mode takes with nothing failed and with each of several non-normal conditions alone: another failure or
 * an inoperative item, which may prescribe another flap and speed, makes no landing shorter.
 */
const withLess = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
): Map<string, number> => {
  const { nonNormal, mel, cdl } = landing.configuration;
  if (nonNormal.length + mel.length + cdl.length === 0) return new Map();
  const { exits: _exits, ...runway } = landing.runway;
  const failing = (failed: readonly string[]): LandingCase => ({
    ...landing,
    runway,
    configuration: { ...landing.configuration, autobrake: 'ALL', nonNormal: failed, mel: [], cdl: [] },
  });
  const single = nonNormal.length > 1 ? nonNormal.map((value) => failing([value])) : [];
  const lighter = lighterOf(profile, landing, prepared.modifiers).map((massKg) => ({
    ...landing,
    runway,
    massKg,
  }));
  const better = betterOf(profile, prepared).map((rwycc) => ({ ...landing, runway, condition: { rwycc } }));
  return longest(profile, [failing([]), ...single, ...lighter, ...better]);
};

/**
 * Every brake mode of a case in flight: distances of those that stop, reasons of the others. `isAlone`: without comparing
 * them with those of less that failed.
 */
export const braked = (profile: AircraftProfile, landing: LandingCase, isAlone = false): Braked => {
  const massKg = massOf(profile, landing);
  const prepared = prepare(profile, landing);
  const flap = flapUsed(profile, prepared, selectedFlap(profile, landing, prepared, massKg));
  const scene = sceneOf(profile, landing, prepared, flap);
  const vRefKt = vrefFor(profile, flap, massKg, prepared.modifiers, prepared.cgAddKt);
  const speeds = speedsOf(profile, landing, flap, vRefKt);
  const { modes, removed } = modesOf(profile, landing, prepared);
  const hasExits = (landing.runway.exits ?? []).length > 0;
  const least = isAlone ? new Map<string, number>() : withLess(profile, landing, prepared);
  const traceOf = (mode: AutobrakeProfile): TracedMode => {
    const trace: Trace = { speedMps: [], distanceM: [] };
    const stop = stopDistance(scene, massKg, speeds.vAppKt, mode, hasExits ? trace : undefined);
    const actualM = Math.max(stop.actualM, least.get(mode.value) ?? 0);
    return { mode, stop: { ...stop, actualM }, trace };
  };
  const resultOf = (entry: TracedMode): ModeResult => modeResult(scene, landing, massKg, speeds, entry);
  const traced = modes.map(traceOf);
  const stops = ({ stop }: TracedMode): boolean => Number.isFinite(stop.actualM);
  return {
    massKg,
    prepared,
    flap,
    scene,
    speeds,
    traced,
    modes: traced
      .filter(stops)
      .map(resultOf)
      .toSorted((a, b) => a.factoredM - b.factoredM || a.order - b.order),
    unusable: [
      ...removed,
      ...traced.filter((entry) => !stops(entry)).map(({ mode }) => unusable(mode, 'CANNOT_STOP')),
    ].toSorted((a, b) => a.order - b.order),
    modeOf: (mode) => resultOf(traceOf(mode)),
  };
};
