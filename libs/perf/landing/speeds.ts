import type { AircraftProfile, FlapProfile } from '#domain/aircraft/profile.ts';
import { linear } from '../kernel/interpolate.ts';
import { ktToMps, mpsToKt } from '../kernel/units.ts';
import type { Modifiers } from './modifiers.ts';
import { choose, flapOf } from './profile-lookup.ts';
import type { LandingCase, Speeds } from './types.ts';

const maxWindCorrectionKt = 15;
const autothrustCorrectionKt = 5;
export const autolandLeastAdditiveKt = 5;

/**
 * Published tables have a flat floor for the lightest weights; this exponent raises it by a few tenths of a knot, so
 * that distances grow with weight everywhere.
 */
const floorExponent = 0.03;

/** VREF (kt) of a flap at a mass (kg), never below VMCL. */
export const vref = (flap: FlapProfile, massKg: number): number => {
  const law = flap.vref;
  if ('table' in law) return Math.max(linear(law.table, massKg, true), flap.vmclKt);
  const tonnes = massKg / 1000;
  const free = law.ktPerSqrtTonne * tonnes ** law.exponent;
  if (free >= law.floorKt) return Math.max(free, flap.vmclKt);
  const floorTonnes = (law.floorKt / law.ktPerSqrtTonne) ** (1 / law.exponent);
  return Math.max(law.floorKt * (tonnes / floorTonnes) ** floorExponent, flap.vmclKt);
};

/**
 * VREF (kt) with failures and inoperative items, plus additions for items and CG. A condition that prescribes speed and
 * a non-landing flap replaces that flap's law (VREF40 + 40 with trailing edge flaps up); otherwise the highest speed
 * applies.
 */
export const vrefFor = (
  profile: AircraftProfile,
  flap: FlapProfile,
  massKg: number,
  { modifiers, cgAddKt }: { modifiers: Modifiers; cgAddKt: number },
): number => {
  const prescribed =
    !flap.landing && modifiers.nonNormal.some((entry) => entry.vref && entry.flap === flap.code);
  let base = prescribed ? 0 : vref(flap, massKg);
  for (const condition of modifiers.nonNormal) {
    if (!condition.vref) continue;
    base = Math.max(base, vref(flapOf(profile, condition.vref.flap), massKg) + condition.vref.addKt);
  }
  return base + modifiers.vrefAddKt + cgAddKt;
};

/**
 * VREF addition for the centre of gravity (kt): by the named range or the one that contains its % MAC, whichever is
 * higher.
 */
export const cgAdd = (
  profile: AircraftProfile,
  { cgPosition, cgPercent }: Pick<LandingCase['configuration'], 'cgPosition' | 'cgPercent'>,
): number => {
  const ranges = profile.options.cgPosition;
  if (ranges.length === 0) return 0;
  const [range] = ranges
    .filter(({ fromPercent = Infinity }) => fromPercent <= (cgPercent ?? -1))
    .toSorted((a, b) => (b.fromPercent ?? 0) - (a.fromPercent ?? 0));
  return Math.max(choose(ranges, cgPosition, 'cgPosition').vrefAddKt, range?.vrefAddKt ?? 0);
};

/**
 * Additives and approach speed. Family A: the highest of a third of the headwind (15 kt at most), autothrust and ice,
 * plus the pilot's own; inoperative autothrust keeps its 5 kt, so that it shortens no distance. Family B: the requested
 * additive, at least 5 kt for autoland.
 */
export const speedsOf = (
  profile: AircraftProfile,
  landing: LandingCase,
  flap: FlapProfile,
  vRefKt: number,
): Speeds => {
  const { configuration } = landing;
  if (profile.family === 'B') {
    const least = configuration.autoland ? autolandLeastAdditiveKt : 0;
    const additiveKt = Math.max(configuration.vrefAdditiveKt, least);
    return { vRefKt, vAppKt: vRefKt + additiveKt, additiveKt, vAppDetails: null };
  }
  const antiIce = choose(profile.options.antiIce, configuration.antiIce, 'antiIce');
  const headwindKt = Math.max(0, mpsToKt(landing.weather.headwindMps));
  const deltaWindKt = Math.min(maxWindCorrectionKt, headwindKt / 3);
  const isAutothrustOn = configuration.autothrust || configuration.autoland;
  const athrOnKt = isAutothrustOn ? autothrustCorrectionKt : 0;
  const deltaIceAccretionKt = antiIce.iceAccretionKt[flap.code] ?? antiIce.iceAccretionKt['default'] ?? 0;
  const approachCorrectionKt = Math.max(deltaWindKt, athrOnKt, deltaIceAccretionKt);
  const vPilotKt = configuration.vrefAdditiveKt;
  const additiveKt = approachCorrectionKt + vPilotKt;
  return {
    vRefKt,
    vAppKt: vRefKt + additiveKt,
    additiveKt,
    vAppDetails: {
      deltaWindKt,
      athrOnKt,
      deltaIceAccretionKt,
      approachCorrectionKt,
      vPilotKt,
      totalVrefCorrectionKt: additiveKt,
    },
  };
};

/**
 * Credited wind along the runway (m/s). The profile enlarges tailwind and reduces headwind; in flight, family A credits
 * exactly the wind behind its VAPP correction, so that the correction costs no distance.
 */
export const creditedWind = (
  profile: AircraftProfile,
  mode: 'dispatch' | 'inflight',
  headwindMps: number,
  rootSigma: number,
): number => {
  const { wind } = profile;
  if (headwindMps < 0)
    return headwindMps * (mode === 'dispatch' ? wind.dispatchTailwind : wind.inflightTailwind);
  if (mode === 'dispatch') return headwindMps * wind.dispatchHeadwind;
  const carried = profile.family === 'A' ? Math.min(headwindMps / 3, ktToMps(maxWindCorrectionKt)) : 0;
  return Math.max(headwindMps * wind.inflightHeadwind, carried / rootSigma);
};
