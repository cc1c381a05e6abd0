import type { AircraftProfile, FlapProfile } from '#domain/aircraft/profile.ts';
import { cautionList } from './caution-codes.ts';
import { commonCautions } from './cautions.ts';
import { stopDistance } from './distance.ts';
import { exceededAtDispatch, gradientsOf } from './exceeded.ts';
import { exitsOf } from './exits.ts';
import { limitsOf, lowest } from './limits.ts';
import { prepare, sceneOf } from './prepare.ts';
import type { Prepared } from './prepare.ts';
import { refuse } from './problem.ts';
import { flapOf, manualMode, weakestQuality } from './profile-lookup.ts';
import type { Requirement } from './required.ts';
import { requirement } from './required.ts';
import { comparedLdaM } from './rounding.ts';
import { speedsOf, vrefFor } from './speeds.ts';
import type { DispatchResult, LandingCase, Limits, LimitName } from './types.ts';
import { appliedItem } from './types.ts';

interface Candidate {
  flap: FlapProfile;
  need: Requirement;
  limits: Limits;
  kg: number;
  by: LimitName;
}

const solve = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  flap: FlapProfile,
): Candidate => {
  const need = requirement(profile, landing, prepared, flap);
  const limits = limitsOf(profile, landing, prepared, flap, need);
  return { flap, need, limits, ...(lowest(profile, limits) ?? { kg: 0, by: 'FIELD' }) };
};

/** Flaps to try: the selected one, or all landing flaps with dispatch data, most extended first (OPTIMUM). */
const flapsToTry = (profile: AircraftProfile, selected: string): FlapProfile[] => {
  if (selected !== 'OPTIMUM') return [flapOf(profile, selected)];
  return profile.flaps
    .filter((flap) => flap.landing && flap.certified && flap.goAround)
    .toSorted((a, b) => b.setting - a.setting);
};

/** The landing in flight that a dispatch plans. */
export const arrivalOf = (landing: LandingCase, flap: string): LandingCase => ({
  ...landing,
  mode: 'inflight',
  configuration: { ...landing.configuration, flap, vrefAdditiveKt: 0 },
});

/** Dispatch: the highest landing weight within all limits, its required distance, and its actual distance. */
export const dispatch = (profile: AircraftProfile, landing: LandingCase): DispatchResult => {
  const prepared = prepare(profile, landing);
  const tried = flapsToTry(profile, landing.configuration.flap);
  const best = tried
    .map((flap) => solve(profile, landing, prepared, flap))
    .reduce((heaviest, next) => (next.kg > heaviest.kg ? next : heaviest));
  const { flap, need, limits, kg: massKg } = best;
  const { oew } = profile.weight;
  if (massKg < oew) {
    const limitKg = massKg > 0 ? massKg : null;
    refuse('NO_LANDING_WEIGHT', { limitKg, oewKg: oew, limitedBy: best.by });
  }
  const scene = sceneOf(profile, landing, prepared, flap);
  const vRefKt = vrefFor(profile, flap, massKg, prepared);

  // If no distance is factored, the actual distance is that of an in-flight run with manual braking, under its wind and
  // speed rules.
  const arrival = arrivalOf(landing, flap.code);
  const arrivalPrepared = prepare(profile, arrival);
  const speeds = speedsOf(profile, arrival, flap, vrefFor(profile, flap, massKg, arrivalPrepared));
  const manual = manualMode(profile);
  const trace = { speedMps: [], distanceM: [] };
  const arrivalScene = sceneOf(profile, arrival, arrivalPrepared, flap);
  const stop =
    need.factored?.(massKg, trace) ?? stopDistance(arrivalScene, massKg, speeds.vAppKt, manual, trace);

  if (!Number.isFinite(stop.actualM)) refuse('CANNOT_STOP', { rwycc: arrivalPrepared.rwycc });
  const { percent: goAroundGradientPercent } = gradientsOf(profile, prepared, flap, massKg);
  const requiredM = need.requiredM(massKg);
  const factoredM = stop.actualM * profile.factors.familyADispatch;
  const landed = { massKg, prepared, flap, speeds: { ...speeds, vRefKt } };
  const longestM = Math.max(requiredM, profile.family === 'A' ? factoredM : stop.actualM);
  const exceeded = exceededAtDispatch(profile, landing, landed, longestM);
  const out = cautionList(exceeded);
  const ldaM = comparedLdaM(landing);
  if (stop.actualM > ldaM) out.add('UNFACTORED_ABOVE_LDA', 'warning', { distanceM: stop.actualM, ldaM });
  if (best.by === 'QUICK') {
    out.add('QUICK_TURN_EXCEEDED', 'advisory', {
      weightKg: massKg,
      limitKg: massKg,
      waitMinutes: profile.brakes.quickTurn?.waitMinutes ?? 0,
    });
  }
  commonCautions(profile, landing, prepared, scene, landed.speeds, out);
  return {
    mode: 'dispatch',
    flap: flap.code,
    rwycc: prepared.rwycc,
    speeds: landed.speeds,
    goAroundGradientPercent,
    goAroundAltitudeM: prepared.goAroundAltitudeM,
    massKg,
    limitedBy: best.by,
    limits,
    requiredM,
    actualM: stop.actualM,
    isActualFactored: need.factored !== null,
    factoredM,
    airDistanceM: stop.airM,
    exits: exitsOf(landing.runway, arrivalPrepared.rwycc, [{ mode: manual, stop, trace }]),
    cautions: out.list,
    applied: [
      ...prepared.applied,
      ...need.applied,
      appliedItem('Flaps compared', tried.map((entry) => entry.code).join(' '), '', 'OPTIMUM rule'),
      appliedItem('Approach climb minimum', profile.climb.approachPercent, '%', 'CS 25.121(d)'),
      appliedItem('Landing climb minimum', profile.climb.landingPercent, '%', 'CS 25.119'),
      ...(profile.family === 'A'
        ? [
            appliedItem(
              'Family A factored over actual',
              profile.factors.familyADispatch,
              '',
              'CAT.OP.MPA.303',
            ),
          ]
        : []),
    ],
    quality: weakestQuality(profile, ['dispatch', 'speeds', 'climb']).quality,
  };
};
