import type { AircraftProfile, AutobrakeProfile, FlapProfile } from '#domain/aircraft/profile.ts';
import type { Scene } from './scene.ts';
import { reversersUsed } from './scene.ts';
import { brakesOnSpeed, coolingOf, landingEnergy, referenceEnergy } from './energy.ts';
import type { TracedMode } from './exits.ts';
import { gradientWithItems } from './gradient.ts';
import type { Prepared } from './prepare.ts';
import { refuse } from './problem.ts';
import { choose, flapOf, manualMode } from './profile-lookup.ts';
import type { LandingCase, ModeResult, Speeds, UnusableMode } from './types.ts';

/** Landing flap: a non-normal condition may prescribe less than the selected one. */
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
 * OPTIMUM in flight: the most extended landing flap that meets the required go-around gradient, else the one with the
 * best gradient.
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
      percent: gradientWithItems(profile, prepared, flap, massKg, prepared.goAroundAir),
    }));
  const wanted = landing.configuration.missedApproachGradient * 100;
  const enough = gradients.find((entry) => entry.percent >= wanted);
  const best = enough ?? gradients.toSorted((a, b) => b.percent - a.percent)[0];
  return best?.code ?? refuse('PROFILE', { what: 'landing flap' });
};

export const unusable = (mode: AutobrakeProfile, reason: UnusableMode['reason']): UnusableMode => ({
  autobrake: mode.value,
  label: mode.label,
  order: mode.order,
  reason,
});

/** Brake modes of a case, and those that cannot be used. */
export const modesOf = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
): { modes: AutobrakeProfile[]; removed: UnusableMode[] } => {
  const asked = landing.configuration.autobrake;
  const wanted = asked === 'ALL' ? profile.autobrakes : [choose(profile.autobrakes, asked, 'autobrake')];
  const { autobrakeInop, nonNormal } = prepared.modifiers;
  const obstacle = (mode: AutobrakeProfile): UnusableMode['reason'] | null => {
    if (mode.manual) return null;
    if (autobrakeInop || (nonNormal.length > 0 && !mode.allowedWithNonNormal)) return 'FAILURE';
    return prepared.rwycc < mode.minimumRwycc ? 'RUNWAY_CONDITION' : null;
  };
  const modes = wanted.filter((mode) => obstacle(mode) === null);
  const removed = wanted.flatMap((mode) => {
    const reason = obstacle(mode);
    return reason === null ? [] : [unusable(mode, reason)];
  });
  return { modes: modes.length > 0 ? modes : [manualMode(profile)], removed };
};

/** Distances, energy and cooling of one brake mode. */
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
    actualM: stop.actualM,
    landingM,
    factoredM,
    combination: stop.combination,
    cooling: coolingOf(profile, energy, reverse),
  };
};
