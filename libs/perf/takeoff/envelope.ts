import { leastOewShare } from '../kernel/constants.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { toCelsius } from '../kernel/atmosphere.ts';
import { mToFt } from '../kernel/units.ts';
import { refuse } from '../landing/problem.ts';
import { checkDepth, conditionOf } from '../landing/profile-lookup.ts';
import { isContaminant } from './surface.ts';
import type { TakeoffCase } from './types.ts';

const known = (state: string): boolean => state === 'DRY' || state === 'WET' || isContaminant(state);

/** Refuses a takeoff outside the envelope of the aircraft. */
export const checkTakeoff = (profile: AircraftProfile, takeoff: TakeoffCase, air: Atmosphere): void => {
  const { weather, runway, condition, massKg } = takeoff;
  const { limits, calculationLimit: limit, weight } = profile;
  const celsius = toCelsius(weather.temperatureK);
  if (!(celsius >= limit.minTemperatureC - 1e-9 && celsius <= limit.maxTemperatureC + 1e-9)) {
    const [minC, maxC] = [limit.minTemperatureC, limit.maxTemperatureC];
    refuse('TEMPERATURE_OUTSIDE_LIMITS', { temperatureC: celsius, minC, maxC });
  }
  const qnhHpa = weather.qnhPa / 100;
  const [minHpa, maxHpa] = [limit.minQNHhPa, limit.maxQNHhPa];
  if (!(qnhHpa >= minHpa && qnhHpa <= maxHpa)) refuse('QNH_OUTSIDE_LIMITS', { qnhHpa, minHpa, maxHpa });
  const feet = mToFt(air.pressureAltitudeM);
  const [minFt, maxFt] = [limits.pressureAltitudeMinFt, limits.pressureAltitudeMaxFt];
  if (!(feet >= minFt - 0.5 && feet <= maxFt + 0.5))
    refuse('PRESSURE_ALTITUDE_OUTSIDE_LIMITS', { pressureAltitudeFt: Math.round(feet), minFt, maxFt });
  const slopePercent = runway.slope * 100;
  if (!(Math.abs(slopePercent) <= limits.slopePercent + 1e-9))
    refuse('SLOPE_OUTSIDE_LIMITS', { slopePercent, limitPercent: limits.slopePercent });
  const shortestM = Math.min(runway.toraM, runway.todaM, runway.asdaM);
  if (!(shortestM > 0)) refuse('NO_LANDING_DISTANCE', { ldaM: shortestM });
  const { state } = condition;
  if (state === 'WET_ICE') refuse('RWYCC_0', { surface: 'wet ice' });
  if (!known(state)) refuse('UNKNOWN_CONDITION', { state });
  checkDepth(profile, conditionOf(profile, 'dispatch', state), condition.depthM * 1000);
  if (massKg === undefined) return;
  if (!(massKg >= weight.oew * leastOewShare))
    refuse('WEIGHT_BELOW_OEW', { weightKg: massKg, oewKg: weight.oew });
  if (massKg > weight.mstow) refuse('WEIGHT_ABOVE_MTOW', { weightKg: massKg, mstowKg: weight.mstow });
};
