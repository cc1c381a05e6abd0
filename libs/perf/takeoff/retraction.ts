import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import { flapOf } from '../landing/profile-lookup.ts';
import { vref } from '../landing/speeds.ts';

/** Speeds (kt) after takeoff: of each flap that is still out, the takeoff flap first, and clean; null: not known. */
export interface Retraction {
  flaps: { flap: string; kt: number }[];
  cleanKt: number | null;
}

/** By the rule of the maker: VREF and an increment by flap, or the green dot of a weight. */
export const retractionOf = (
  profile: AircraftProfile,
  { retraction }: TakeoffPerformance,
  takeoffFlap: string,
  massKg: number,
): Retraction => {
  if (retraction === null) return { flaps: [], cleanKt: null };
  if ('greenDot' in retraction) {
    const { perTonneKt, addKt } = retraction.greenDot;
    return { flaps: [], cleanKt: (perTonneKt * massKg) / 1000 + addKt };
  }
  const baseKt = vref(flapOf(profile, retraction.vrefFlap), massKg);
  const leastAddKt = retraction.addKt[takeoffFlap] ?? -1;
  const flaps = Object.entries(retraction.addKt)
    .filter(([flap, addKt]) => addKt > leastAddKt || flap === takeoffFlap)
    .map(([flap, addKt]) => ({ flap, kt: baseKt + addKt }))
    .toSorted((a, b) => a.kt - b.kt);
  return { flaps, cleanKt: flaps.at(-1)?.kt ?? null };
};
