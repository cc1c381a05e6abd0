import type { AircraftProfile, AutobrakeProfile, FlapProfile } from '#domain/aircraft/profile.ts';
import type { Trace } from '../kernel/ground-roll.ts';
import type { Scene } from './scene.ts';
import { stopDistance } from './distance.ts';
import type { TracedMode } from './exits.ts';
import { flapUsed, modeResult, modesOf, selectedFlap, unusable } from './modes.ts';
import type { Prepared } from './prepare.ts';
import { checkMass, prepare, sceneOf } from './prepare.ts';
import { refuse } from './problem.ts';
import { speedsOf, vrefFor } from './speeds.ts';
import type { LandingCase, ModeResult, Speeds, UnusableMode } from './types.ts';

/** Speeds and brake modes of an in-flight case, before limits, gradients and cautions. */
export interface Braked {
  massKg: number;
  prepared: Prepared;
  flap: FlapProfile;
  scene: Scene;
  speeds: Speeds;
  traced: TracedMode[];
  /** modes that stop the aircraft, shortest first */
  modes: ModeResult[];
  unusable: UnusableMode[];
  modeOf: (mode: AutobrakeProfile) => ModeResult;
}

/**
 * Cases with failures or inoperative items that cannot be harder than this one, so this one must not need less:
 * - no failure, or only one of several, since another one may prescribe other flaps and speeds;
 * - the lightest fitted weight, if the speed is prescribed: it does not rise with weight, but the fitted roll falls;
 * - the empty weight without spoilers, where lift unloads the wheels most;
 * - better codes, where friction is low: published distances credit less reverse thrust there, which outweighs
 *   friction.
 */
const easierCases = (
  profile: AircraftProfile,
  landing: LandingCase,
  { rwycc, modifiers, reversersOperating }: Prepared,
): LandingCase[] => {
  const { configuration, massKg = 0 } = landing;
  const { nonNormal, mel, cdl } = configuration;
  if (nonNormal.length + mel.length + cdl.length === 0) return [];
  const { exits: _exits, ...runway } = landing.runway;
  const failing = (failed: readonly string[]) => ({
    configuration: { ...configuration, autobrake: 'ALL', nonNormal: failed, mel: [], cdl: [] },
  });
  const curves = nonNormal.length > 0 ? Object.values(profile.calibration.rollByMassPerFlap) : [];
  const empty = modifiers.spoilerFraction < 1 ? [profile.weight.oew] : [];
  const lighter = new Set([...empty, ...curves.flatMap(([first]) => first?.[0] ?? [])]);
  const isGripLost = modifiers.antiskidInop || modifiers.frictionFactor < 1;
  const isReverseMore = isGripLost && reversersOperating > 0 && profile.thrust.reverse.creditByCode;
  const better = isReverseMore ? ([2, 3, 4, 5, 6] as const).filter((code) => code > rwycc) : [];
  const changes: Partial<LandingCase>[] = [
    failing([]),
    ...(nonNormal.length > 1 ? nonNormal.map((value) => failing([value])) : []),
    ...[...lighter].filter((kg) => massKg > kg).map((kg) => ({ massKg: kg })),
    ...better.map((code) => ({ condition: { rwycc: code } })),
  ];
  return changes.map((change) => ({ ...landing, runway, ...change }));
};

/**
 * All brake modes of an in-flight case: distances of those that stop the aircraft, reasons for the others. `isAlone`:
 * without comparison with easier cases.
 */
export const braked = (profile: AircraftProfile, landing: LandingCase, isAlone = false): Braked => {
  const massKg = landing.massKg ?? refuse('WEIGHT_REQUIRED', {});
  checkMass(profile, massKg);
  const prepared = prepare(profile, landing);
  const flap = flapUsed(profile, prepared, selectedFlap(profile, landing, prepared, massKg));
  const scene = sceneOf(profile, landing, prepared, flap);
  const vRefKt = vrefFor(profile, flap, massKg, prepared);
  const speeds = speedsOf(profile, landing, flap, vRefKt);
  const { modes, removed } = modesOf(profile, landing, prepared);
  const hasExits = (landing.runway.exits ?? []).length > 0;
  const easier = isAlone
    ? []
    : easierCases(profile, landing, prepared).flatMap((other) => braked(profile, other, true).traced);
  const traceOf = (mode: AutobrakeProfile): TracedMode => {
    const trace: Trace = { speedMps: [], distanceM: [] };
    const stop = stopDistance(scene, massKg, speeds.vAppKt, mode, hasExits ? trace : undefined);
    const same = easier.filter((other) => other.mode.value === mode.value);
    const actualM = Math.max(stop.actualM, ...same.map((other) => other.stop.actualM));
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
