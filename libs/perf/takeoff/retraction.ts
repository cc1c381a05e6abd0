import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import { flapOf } from '../landing/profile-lookup.ts';
import { vref } from '../landing/speeds.ts';

/** Flap retraction speeds (kt), takeoff flap first, then clean; null: not known. */
export interface Retraction {
  flaps: { flap: string; kt: number }[];
  cleanKt: number | null;
  /** names of the takeoff flap's missing speeds, as pilots know them */
  missing: 'F' | 'F and S' | null;
}

/** Clean speed (kt): VREF plus the highest increment, or green dot at the weight; null: not known. */
export const cleanSpeedKt = (
  profile: AircraftProfile,
  { retraction }: TakeoffPerformance,
  massKg: number,
): number | null => {
  if (retraction === null) return null;
  if ('greenDot' in retraction)
    return (retraction.greenDot.perTonneKt * massKg) / 1000 + retraction.greenDot.addKt;
  const most = Math.max(...Object.values(retraction.addKt));
  return vref(flapOf(profile, retraction.vrefFlap), massKg) + most;
};

/** By the manufacturer's rule: VREF plus an increment by flap, or S speed and green dot at the weight. */
export const retractionOf = (
  profile: AircraftProfile,
  model: TakeoffPerformance,
  takeoffFlap: string,
  massKg: number,
): Retraction => {
  const { retraction } = model;
  const cleanKt = cleanSpeedKt(profile, model, massKg);
  if (retraction === null) return { flaps: [], cleanKt, missing: 'F and S' };
  if ('greenDot' in retraction) {
    const { slats } = retraction;
    if (!slats) return { flaps: [], cleanKt, missing: 'F and S' };
    // From 1+F, slats and flaps retract at S; F applies to higher flap settings only.
    const isFirst = takeoffFlap.startsWith(slats.flap);
    const flaps = [{ flap: slats.flap, kt: slats.ktPerRootTonne * Math.sqrt(massKg / 1000) }];
    return { flaps, cleanKt, missing: isFirst ? null : 'F' };
  }
  const baseKt = vref(flapOf(profile, retraction.vrefFlap), massKg);
  const leastAddKt = retraction.addKt[takeoffFlap] ?? -1;
  const flaps = Object.entries(retraction.addKt)
    .filter(([flap, addKt]) => addKt > leastAddKt || flap === takeoffFlap)
    .map(([flap, addKt]) => ({ flap, kt: baseKt + addKt }))
    .toSorted((a, b) => a.kt - b.kt);
  return { flaps, cleanKt, missing: null };
};
