import { leastOewShare } from '../kernel/constants.ts';
import { rounded } from './rounding.ts';
import type { AircraftProfile, ConditionProfile, FlapProfile } from '#domain/aircraft/profile.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { aloft, atmosphere, isaTemperature, pressureAltitude, toCelsius } from '../kernel/atmosphere.ts';
import { ftToM, mToFt, mpsToKt } from '../kernel/units.ts';
import type { Scene } from './scene.ts';
import { gradientCorrection } from './gradient.ts';
import { modifiersOf } from './modifiers.ts';
import { refuse } from './problem.ts';
import { checkDepth, conditionOf, reversersFitted } from './profile-lookup.ts';
import { cgAdd, creditedWind } from './speeds.ts';
import type { Applied, LandingCase } from './types.ts';
import { appliedItem } from './types.ts';

/** Data shared by all flaps, masses and brake modes of a case. */
export interface Prepared extends Pick<
  Scene,
  'air' | 'rwycc' | 'fluid' | 'windMps' | 'modifiers' | 'reversersOperating'
> {
  /** air and slope credited for distances */
  distanceAir: Atmosphere;
  distanceSlope: number;
  /** air at the stated share of the go-around altitude */
  goAroundAir: Atmosphere;
  goAroundAltitudeM: number;
  condition: ConditionProfile | null;
  group: ConditionProfile['group'];
  cgAddKt: number;
  gradientCorrectionPercent: number;
  applied: Applied[];
}

/** Refuses air, slope or altitude outside the type's limits. */
export const checkEnvelope = (
  { limits, calculationLimit: limit, model }: AircraftProfile,
  { runway, weather }: { runway: { slope: number }; weather: { temperatureK: number; qnhPa: number } },
  air: Atmosphere,
): void => {
  const celsius = toCelsius(weather.temperatureK);
  const qnhHpa = weather.qnhPa / 100;
  const altitudeFt = mToFt(air.pressureAltitudeM);
  const slopePercent = runway.slope * 100;
  const { minTemperatureC: minC, maxTemperatureC: maxC, minQNHhPa: minHpa, maxQNHhPa: maxHpa } = limit;
  if (!(celsius >= minC - 1e-9 && celsius <= maxC + 1e-9))
    refuse('TEMPERATURE_OUTSIDE_LIMITS', { temperatureC: celsius, minC, maxC });
  if (!(qnhHpa >= minHpa - 1e-9 && qnhHpa <= maxHpa + 1e-9))
    refuse('QNH_OUTSIDE_LIMITS', { qnhHpa, minHpa, maxHpa });
  const minFt = limits.pressureAltitudeMinFt;
  const maxFt = Math.min(limits.pressureAltitudeMaxFt, model.maxCertifiedTakeoffAndLandingAltitude);
  if (!(altitudeFt >= minFt - 0.5 && altitudeFt <= maxFt + 0.5))
    refuse('PRESSURE_ALTITUDE_OUTSIDE_LIMITS', { pressureAltitudeFt: Math.round(altitudeFt), minFt, maxFt });
  if (!(Math.abs(slopePercent) <= limits.slopePercent + 1e-9))
    refuse('SLOPE_OUTSIDE_LIMITS', { slopePercent, limitPercent: limits.slopePercent });
};

/** Refuses a weight that the aircraft cannot have. */
export const checkMass = ({ weight: { oew, mstow } }: AircraftProfile, massKg: number): void => {
  if (!(massKg >= oew * leastOewShare)) refuse('WEIGHT_BELOW_OEW', { weightKg: massKg, oewKg: oew });
  if (massKg > mstow) refuse('WEIGHT_ABOVE_MTOW', { weightKg: massKg, mstowKg: mstow });
};

/** Code, group and fluid of the runway surface; refuses code 0 and a depth outside the condition's range. */
const surfaceOf = (
  profile: AircraftProfile,
  landing: LandingCase,
): Pick<Prepared, 'condition' | 'rwycc' | 'group' | 'fluid'> => {
  if ('rwycc' in landing.condition) {
    const { rwycc } = landing.condition;
    if (rwycc === 0) return refuse('RWYCC_0', { surface: 'a runway' });
    const group = rwycc === 6 ? 'dry' : rwycc === 5 ? 'wet' : 'contaminated';
    return { condition: null, rwycc, group, fluid: null };
  }
  const { state, depthM } = landing.condition;
  const condition = conditionOf(profile, landing.mode, state);
  const warm = condition.warmer && toCelsius(landing.weather.temperatureK) > condition.warmer.thanC;
  const depthMm = depthM * 1000;
  const { thin } = condition;
  const layer = thin && depthMm <= thin.upToMm + 1e-6 ? thin : condition;
  const rwycc = warm && condition.warmer ? condition.warmer.rwycc : layer.rwycc;
  if (rwycc === 0) return refuse('RWYCC_0', { surface: condition.label });
  checkDepth(profile, condition, depthMm);
  const density = condition.contaminant?.densityKgM3 ?? 0;
  const fluid =
    density > 0 && condition.requiresDepth && layer === condition ? { densityKgM3: density, depthM } : null;
  return { condition, rwycc, group: layer.group, fluid };
};

/** Air for distances, without cold and low pressure altitude beyond the profile's credit; the ISA deviation is kept. */
const creditedAir = (profile: AircraftProfile, air: Atmosphere): Atmosphere => {
  const { belowSeaLevel, colderThanIsa } = profile.credit;
  const { pressureAltitudeM, isaDeviationK } = air;
  const altitudeM = pressureAltitudeM * (pressureAltitudeM < 0 ? belowSeaLevel : 1);
  const deviationK = isaDeviationK * (isaDeviationK < 0 ? colderThanIsa : 1);
  return altitudeM === pressureAltitudeM && deviationK === isaDeviationK
    ? air
    : atmosphere(altitudeM, isaTemperature(altitudeM) + deviationK);
};

/** Slope for distances: uphill up to the profile's credit, downhill enlarged as in its in-flight tables. */
const creditedSlope = (profile: AircraftProfile, landing: LandingCase): number => {
  const { slope } = landing.runway;
  if (slope > 0) return slope * profile.credit.uphillSlope;
  return landing.mode === 'inflight' ? slope * profile.calibration.downhillFactor : slope;
};

/** Changes by the profile's credits, for the list of corrections. */
const creditItems = (landing: LandingCase, air: Atmosphere, own: Atmosphere, slope: number): Applied[] => {
  const applied: Applied[] = [];
  const source = 'profile credit';
  if (slope !== landing.runway.slope) {
    applied.push(appliedItem('Slope taken', rounded(slope * 100, 3), '%', source));
  }
  if (own !== air) {
    const value = rounded(toCelsius(own.temperatureK), 1);
    applied.push(appliedItem('Temperature taken for distances', value, 'C', source));
  }
  return applied;
};

const autolandItems = ({ landing }: AircraftProfile, { configuration }: LandingCase): Applied[] => {
  const { headwind, tailwind, crosswind, source } = landing.autolandWindLimit;
  const value = `headwind ${headwind}, tailwind ${tailwind}, crosswind ${crosswind}`;
  return configuration.autoland ? [appliedItem('Autoland wind limits', value, 'kt', source)] : [];
};

/** Checks a case against the envelope and computes what its distances and gradients share. */
export const prepare = (profile: AircraftProfile, landing: LandingCase): Prepared => {
  const { runway, weather, configuration } = landing;
  const air = atmosphere(pressureAltitude(runway.elevationM, weather.qnhPa), weather.temperatureK);
  checkEnvelope(profile, landing, air);
  if (!(runway.ldaM > 0)) refuse('NO_LANDING_DISTANCE', { ldaM: runway.ldaM });
  const surface = surfaceOf(profile, landing);
  const modifiers = modifiersOf(profile, landing, surface.rwycc);
  const gradient = gradientCorrection(profile, landing, modifiers);
  const goAroundAltitudeM =
    runway.goAroundAltitudeM ?? runway.elevationM + ftToM(profile.climb.goAroundHeightFt);
  const heightM = Math.max(0, goAroundAltitudeM - runway.elevationM) * profile.climb.goAroundFraction;
  const distanceAir = creditedAir(profile, air);
  const distanceSlope = creditedSlope(profile, landing);
  const windMps = creditedWind(profile, landing.mode, weather.headwindMps, distanceAir.rootSigma);
  const applied: Applied[] = [
    appliedItem('Runway condition code', surface.rwycc, '', 'RCAM'),
    appliedItem('Pressure altitude', Math.round(mToFt(air.pressureAltitudeM)), 'ft', 'elevation and QNH'),
    appliedItem(
      'Wind credited',
      rounded(mpsToKt(windMps), 2),
      'kt',
      landing.mode === 'dispatch' ? 'CAT.POL.A.330(c)' : 'profile wind',
    ),
    ...creditItems(landing, air, distanceAir, distanceSlope),
    ...autolandItems(profile, landing),
    ...gradient.applied,
    ...modifiers.applied,
  ];
  return {
    air,
    distanceAir,
    distanceSlope,
    goAroundAir: aloft(air, heightM),
    goAroundAltitudeM,
    ...surface,
    windMps,
    modifiers,
    cgAddKt: cgAdd(profile, configuration),
    gradientCorrectionPercent: gradient.percent,
    reversersOperating: configuration.reversersOperating ?? reversersFitted(profile),
    applied,
  };
};

/** The ground scene for one flap. Fluid drag is credited at dispatch only. */
export const sceneOf = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  flap: FlapProfile,
): Scene => ({
  profile,
  flap,
  rwycc: prepared.rwycc,
  air: prepared.distanceAir,
  windMps: prepared.windMps,
  slope: prepared.distanceSlope,
  modifiers: prepared.modifiers,
  reversersOperating: prepared.reversersOperating,
  autoland: landing.configuration.autoland,
  fluid: landing.mode === 'dispatch' ? prepared.fluid : null,
  calibration: landing.mode,
  corrections: new Map(),
  sums: new Map(),
});
