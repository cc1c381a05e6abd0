import type { AircraftProfile, AutobrakeProfile, FlapProfile } from '#domain/aircraft/profile.ts';
import { joulesPerMftlb } from '../kernel/units.ts';
import type { Scene } from './distance.ts';
import { reversersUsed } from './distance.ts';
import { brakesOnSpeed, coolingOf, landingEnergy, referenceEnergy } from './energy.ts';
import type { TracedMode } from './exits.ts';
import { goAroundGradient } from './gradient.ts';
import type { Prepared } from './prepare.ts';
import { CalculationError } from './problem.ts';
import { choose, flapOf, manualMode } from './profile-lookup.ts';
import type { LandingCase, ModeResult, Speeds } from './types.ts';

/** Landing flap: a non-normal condition may prescribe less than the one selected. */
export const flapUsed = (profile: AircraftProfile, prepared: Prepared, selected: string): FlapProfile => {
  let flap = flapOf(profile, selected);
  for (const condition of prepared.modifiers.nonNormal) {
    if (condition.flap === null) continue;
    const prescribed = flapOf(profile, condition.flap);
    if (prescribed.setting < flap.setting) flap = prescribed;
  }
  return flap;
};

/**
 * OPTIMUM in flight: the most extended landing flap whose go-around meets the required gradient, else the best
 * one.
 */
export const selectedFlap = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  massKg: number,
): string => {
  if (landing.configuration.flap !== 'OPTIMUM') return landing.configuration.flap;
  const gradients = profile.flaps
    .filter((flap) => flap.landing && flap.goAround)
    .toSorted((a, b) => b.setting - a.setting)
    .map((flap) => ({
      code: flap.code,
      percent: goAroundGradient(
        profile,
        flap,
        massKg,
        prepared.goAroundAir,
        prepared.gradientCorrectionPercent,
      ),
    }));
  const wanted = landing.configuration.missedApproachGradient * 100;
  const enough = gradients.find((entry) => entry.percent >= wanted);
  const best = enough ?? gradients.toSorted((a, b) => b.percent - a.percent)[0];
  if (!best) throw new CalculationError('PROFILE', 'The profile has no landing flap.');
  return best.code;
};

/** Brake modes of a case and those that are unavailable. */
export const modesOf = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
): { modes: AutobrakeProfile[]; removed: string[] } => {
  const asked = landing.configuration.autobrake;
  const wanted = asked === 'ALL' ? profile.autobrakes : [choose(profile.autobrakes, asked, 'autobrake')];
  const fits = (mode: AutobrakeProfile): boolean =>
    mode.manual ||
    (!prepared.modifiers.autobrakeInop &&
      prepared.rwycc >= mode.minimumRwycc &&
      (prepared.modifiers.nonNormal.length === 0 || mode.allowedWithNonNormal));
  const modes = wanted.filter(fits);
  const removed = wanted.filter((mode) => !fits(mode)).map((mode) => mode.label);
  return { modes: modes.length > 0 ? modes : [manualMode(profile)], removed };
};

/** One brake mode: distances by their meaning, energy and cooling. */
export const modeResult = (
  scene: Scene,
  landing: LandingCase,
  massKg: number,
  speeds: Speeds,
  traced: TracedMode,
): ModeResult => {
  const { profile, modifiers } = scene;
  const { mode, stop } = traced;
  const { factors } = profile;
  const nonNormal = modifiers.nonNormal.length > 0;
  const { ldaM } = landing.runway;
  const landingM = nonNormal ? stop.actualM : stop.actualM / factors.advisoryMargin;
  const factoredM = landingM * (nonNormal ? factors.nonNormal : factors.inflight);
  const reverse = reversersUsed(scene) > 0;
  const brakesOnKt = brakesOnSpeed(speeds.vAppKt, landing.weather.headwindMps);
  const reference = referenceEnergy(profile, massKg, brakesOnKt, scene.air);
  const energy =
    landingEnergy(profile, mode, reference, stop.brakeWorkJ, reverse) * modifiers.brakeEnergyFactor;
  return {
    autobrake: mode.value,
    label: mode.label,
    order: mode.order,
    airDistanceM: stop.airM,
    brakesOnM: stop.brakesOnM,
    actualM: stop.actualM,
    landingM,
    landingAboveLda: landingM > ldaM,
    factoredM,
    factoredAboveLda: factoredM > ldaM,
    unfactoredM: stop.actualM,
    unfactoredAboveLda: stop.actualM > ldaM,
    brakeEnergyPerBrakeJ: energy * joulesPerMftlb,
    cooling: coolingOf(profile, energy, reverse),
  };
};
