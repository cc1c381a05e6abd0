/** Exceeded limits of a landing, at dispatch and in flight; their codes are those of `limitCodes`. */
import type { AircraftProfile, FlapProfile, WindLimitProfile } from '#domain/aircraft/profile.ts';
import { ktToMps, mpsToKt } from '../kernel/units.ts';
import type { Braked } from './braked.ts';
import { cautionList } from './caution-codes.ts';
import type { Caution, Cautions } from './caution-codes.ts';
import { gradientWithItems } from './gradient.ts';
import { limitsOf } from './limits.ts';
import type { Prepared } from './prepare.ts';
import { flapOf } from './profile-lookup.ts';
import { comparedLdaM, isNarrower, shownPercent, shownVappKt } from './rounding.ts';
import type { LandingCase, Limits, ModeResult, Speeds } from './types.ts';
import { limitingWind, windCautions } from './wind-limits.ts';

/** Steeper glide paths are not standard; from the second angle on they are steep approaches (CS-25 Appendix Q). */
const standardAngleDeg = 3.5;
const steepAngleDeg = 4.5;

/** Wind limits of a landing; autoland limits are never higher, and no rule raises them. */
const windLimitOf = ({ landing }: AircraftProfile, isAutoland: boolean): WindLimitProfile => {
  const { windLimit, autolandWindLimit: automatic } = landing;
  if (!isAutoland) return windLimit;
  return {
    ...windLimit,
    headwind: Math.min(windLimit.headwind, automatic.headwind),
    tailwind: Math.min(windLimit.tailwind, automatic.tailwind),
    crosswindLimitsPerRunwayConditions: windLimit.crosswindLimitsPerRunwayConditions.map((row) => ({
      ...row,
      windLimit: Math.min(row.windLimit, automatic.crosswind),
      increaseableWindLimit: false,
    })),
  };
};

/** Compares the wind with the profile's limits, with the rule that may raise a crosswind limit. */
const wind = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  flap: FlapProfile,
  out: Cautions,
): void => {
  const raisedBy = {
    widthM: landing.runway.widthM,
    lengthM: Math.min(comparedLdaM(landing), landing.runway.ldaInForceM ?? Infinity),
    cgPercent: landing.configuration.cgPercent,
    hasFlap: (least: string) => flap.setting >= flapOf(profile, least).setting,
  };
  const limits = windLimitOf(profile, landing.configuration.autoland);
  windCautions(limits, limitingWind(landing.weather), prepared.rwycc, raisedBy, out);
};

/** Compares the runway and its approach with the type's limits. */
const runwayAndApproach = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  flap: FlapProfile,
  out: Cautions,
): void => {
  const { runway, configuration, condition } = landing;
  const operator = 'operator' in condition ? condition.operator : undefined;
  if (operator && 'state' in condition && prepared.rwycc > operator.code)
    out.add('OFFICIAL_CONDITION_WORSE', 'warning', {
      ...operator,
      state: condition.state,
      rwycc: prepared.rwycc,
    });
  const { runwayWidthMinM } = profile.limits;
  if (runway.widthM !== undefined && isNarrower(runway.widthM, runwayWidthMinM)) {
    out.add('RUNWAY_NARROW', 'warning', { lengthM: runway.widthM, minimumM: runwayWidthMinM });
  }
  const angleDeg = runway.approachAngleDeg ?? 0;
  if (angleDeg > standardAngleDeg) {
    const steep = angleDeg >= steepAngleDeg;
    out.add('STEEP_APPROACH', steep ? 'warning' : 'advisory', {
      angleDeg,
      limitDeg: steep ? steepAngleDeg : standardAngleDeg,
      consequence: steep
        ? 'the aircraft, the crew and the operator need an approval for steep approaches'
        : 'a higher rate of descent and a longer flare are to be expected',
    });
  }
  if (configuration.autoland && (prepared.modifiers.autolandInop || !flap.autolandAvailable)) {
    out.add('AUTOLAND_UNAVAILABLE', 'warning', { flap: flap.code });
  }
};

/** Go-around gradients (percent) at the go-around altitude and at field elevation. */
export const gradientsOf = (
  profile: AircraftProfile,
  prepared: Prepared,
  flap: FlapProfile,
  massKg: number,
): { percent: number; atFieldPercent: number } => {
  const climbFlap = flap.goAround ? flap : flapOf(profile, profile.landing.vrefFlapRef);
  const at = (air: Prepared['air']): number => gradientWithItems(profile, prepared, climbFlap, massKg, air);
  return { percent: at(prepared.goAroundAir), atFieldPercent: at(prepared.air) };
};

/** Compares the gradients with the certification minimum and with the required one. */
const gradients = (
  profile: AircraftProfile,
  landing: LandingCase,
  { percent, atFieldPercent }: ReturnType<typeof gradientsOf>,
  out: Cautions,
): void => {
  const requested = landing.configuration.missedApproachGradient * 100;
  const minimum = profile.climb.approachPercent;
  if (shownPercent(atFieldPercent) < shownPercent(minimum)) {
    out.add('GRADIENT_BELOW_MINIMUM', 'warning', { percent: atFieldPercent, minimum });
  }
  if (shownPercent(percent) < shownPercent(requested))
    out.add('GRADIENT_BELOW_REQUESTED', 'warning', { percent, requested });
};

/** Compares approach speed with the flap limit speed, and ground speed with the tyre limit. */
const speedLimits = (
  profile: AircraftProfile,
  prepared: Prepared,
  flap: FlapProfile,
  speeds: Speeds,
  out: Cautions,
): void => {
  const vAppKt = shownVappKt(speeds);
  const { vfeKt } = flap;
  if (vAppKt > vfeKt) out.add('VFE_MARGIN', 'warning', { vAppKt, vfeKt });
  const ratingKt = profile.limits.tireSpeedKt;
  const groundSpeedKt = mpsToKt(ktToMps(speeds.vAppKt) / prepared.air.rootSigma - prepared.windMps);
  // An excess below half the displayed tenth of a knot would not be visible.
  if (groundSpeedKt >= ratingKt + 0.05) out.add('TIRE_SPEED', 'warning', { groundSpeedKt, ratingKt });
};

/** Compares weights with the structural limit and, if items lower it, the climb limit. */
const weights = (massKg: number, limits: Limits, out: Cautions): void => {
  const { structKg } = limits;
  if (massKg > structKg) out.add('OVERWEIGHT', 'warning', { weightKg: massKg, limitKg: structKg });
  const climb = [limits.approachClimbKg, limits.landingClimbKg].filter((kg) => kg !== null);
  const limitKg = Math.min(...climb);
  if (massKg > limitKg) out.add('CLIMB_WEIGHT', 'warning', { weightKg: massKg, limitKg });
};

const melting = (modes: readonly ModeResult[], out: Cautions): void => {
  const melts = modes.filter((mode) => mode.cooling.groundMin === 'FUSE MELT');
  if (melts.length === 0) return;
  out.add('FUSE_MELT', 'warning', {
    modes: melts.map((mode) => mode.label).join(', '),
    autobrakes: melts.map((mode) => mode.autobrake),
  });
};

/** Compares distances (m) with the LDA left by NOTAM in force, if the calculation used a longer one. */
const underNotam = (
  { runway: { ldaInForceM: ldaM = Infinity } }: LandingCase,
  longestM: number,
  autobrakes: readonly string[] | null,
  out: Cautions,
): void => {
  if (longestM > ldaM) out.add('LDA_UNDER_NOTAM', 'warning', { distanceM: longestM, ldaM, autobrakes });
};

/** Limits that apply at dispatch and in flight. */
const shared = (
  profile: AircraftProfile,
  landing: LandingCase,
  { massKg, prepared, flap, speeds }: Pick<Braked, 'massKg' | 'prepared' | 'flap' | 'speeds'>,
  out: Cautions,
): void => {
  wind(profile, landing, prepared, flap, out);
  runwayAndApproach(profile, landing, prepared, flap, out);
  gradients(profile, landing, gradientsOf(profile, prepared, flap, massKg), out);
  speedLimits(profile, prepared, flap, speeds, out);
};

/** Limits exceeded by a dispatch at its landing weight, which is within its weight limits by definition. */
export const exceededAtDispatch = (
  profile: AircraftProfile,
  landing: LandingCase,
  landed: Pick<Braked, 'massKg' | 'prepared' | 'flap' | 'speeds'>,
  requiredM: number,
): Caution[] => {
  const out = cautionList();
  underNotam(landing, requiredM, null, out);
  shared(profile, landing, landed, out);
  return out.list;
};

/** Limits exceeded by an in-flight landing, including those of single brake modes. */
export const exceededInflight = (
  profile: AircraftProfile,
  landing: LandingCase,
  landed: Braked,
): { limits: Limits; exceeded: Caution[] } => {
  const { massKg, prepared, flap, speeds, modes } = landed;
  const out = cautionList();
  const limits = limitsOf(profile, landing, prepared, flap, null, speeds.additiveKt);
  weights(massKg, limits, out);
  shared(profile, landing, landed, out);
  melting(modes, out);
  const longer = modes.filter(({ factoredM }) => factoredM > (landing.runway.ldaInForceM ?? Infinity));
  underNotam(
    landing,
    longer[0]?.factoredM ?? 0,
    longer.map(({ autobrake }) => autobrake),
    out,
  );
  return { limits, exceeded: out.list };
};
