import { reversersFitted } from '../landing/profile-lookup.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { atmosphere } from '../kernel/atmosphere.ts';
import { refuse } from '../landing/problem.ts';
import type { Items } from './items.ts';
import type { Ground, Situation } from './ground.ts';
import { groundOf } from './ground.ts';
import { lossOf } from './losses.ts';
import { isContaminant, machineOf, surfaceOf } from './surface.ts';
import type { TakeoffCase } from './types.ts';

/** Data shared by all flaps and temperatures of one case. */
export interface Shared {
  profile: AircraftProfile;
  model: TakeoffPerformance;
  takeoff: TakeoffCase;
  actual: Atmosphere;
  /** Thrust rating, for example `TO-1`. */
  rating: string;
  /** Its thrust as a share of full thrust. */
  ratingShare: number;
  items: Items;
}

/** A flap with its improved-climb speed increment, kt. */
export interface Setting {
  flap: string;
  improvedKt: number;
}

const declaredOf = ({ model, takeoff }: Shared): Situation['declared'] => {
  const { runway } = takeoff;
  const angle = runway.lineupAngle ?? 0;
  const loss = angle === 0 ? undefined : model.lineup?.[angle === 90 ? '90' : '180'];
  const [asda, toda] = [loss?.asdaM ?? 0, loss?.todaM ?? 0];
  return { asdaM: runway.asdaM - asda, todaM: runway.todaM - toda, toraM: runway.toraM - toda };
};

/** The aircraft on its runway at one setting, at the actual or an assumed temperature (K). */
export const situationOf = (
  shared: Shared,
  { flap, improvedKt }: Setting,
  temperatureK: number,
): Situation => {
  const { profile, model, takeoff, actual, ratingShare, items } = shared;
  const { configuration, condition } = takeoff;
  const { packsOff, antiIce } = configuration;
  const { pressureAltitudeM } = actual;
  const air = temperatureK === actual.temperatureK ? actual : atmosphere(pressureAltitudeM, temperatureK);
  const setting = {
    rating: ratingShare,
    packsOff,
    antiIce,
    speedAddKt: items.vrefAddKt + improvedKt,
    itemAddKt: items.vrefAddKt,
    accelerationHeightM: takeoff.accelerationHeightM,
  };
  const machine = machineOf(profile, model, flap, air, setting, actual);
  if (!machine) return refuse('UNKNOWN_FLAP', { flap, offered: Object.keys(model.flaps).join(', ') });
  const fitted = reversersFitted(profile);
  // The reverser of the failed engine is already lost; do not deduct it twice.
  const counted = fitted - (fitted === profile.engineCount ? 1 : 0);
  const working = Math.max(0, (configuration.reversers ?? fitted) - items.reversersInop - fitted + counted);
  const states = condition.state === 'DRY' ? ['DRY'] : ['DRY', condition.state];
  const declared = declaredOf(shared);
  const [dry, ...covered] = states.map((state) => {
    const reversers = { counted, lost: counted - working };
    const surface = surfaceOf(profile, model, { ...condition, state }, reversers, items);
    return groundOf(machine, takeoff, surface, declared);
  }) as [Ground, ...Ground[]];
  const [other] = covered;
  const loss = other ? lossOf(profile, machine, condition, dry.todaM, other.surface) : null;
  const dryWithLoss = loss && other ? [{ ...dry, loss, screenM: other.screenM }] : [];
  const isLossSufficient = loss !== null && !loss.isWet && model.contaminated?.hasOwnLosses;
  const grounds: Situation['grounds'] = [dry, ...dryWithLoss, ...(isLossSufficient ? [] : covered)];
  return { profile, machine, takeoff, grounds, declared, items };
};

/** Why reduced thrust is not permitted; null: it is. */
export const whyFullThrust = ({ takeoff, items }: Shared): string | null => {
  if (isContaminant(takeoff.condition.state)) return 'the runway is contaminated';
  if (items.stopsWorse) return 'an inoperative item lengthens the stop';
  return takeoff.configuration.fullThrust ? 'of the precaution against windshear' : null;
};
