/** What a profile says where a request is silent; the standard aircraft say what the specification fixes: OFF, ALL, AUTO, DRY, 0. */
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import type { TakeoffRequest } from '#domain/performance/takeoff-request.ts';
import { choose, structuralKg } from '../landing/profile-lookup.ts';
import { converter } from './units.ts';
import type { Converter } from './units.ts';

interface Option {
  value: string;
  isDefault: boolean;
}

/** The one option that forms mark as default, and that a silent request gets. */
export const defaultOf = (list: readonly Option[]): string | undefined =>
  list.length === 0 ? undefined : choose(list, undefined, 'default').value;

/** The rating of family A whose thrust is that of a flexible temperature; its other one is full thrust. */
export const flexRating = 'FLEX';

/** Rating of a request that names none: FLEX, which reduces thrust as far as possible, else the first, which is full. */
export const defaultRating = ({ takeoff }: AircraftProfile): string =>
  (takeoff.ratings.find(({ value }) => value === flexRating) ?? takeoff.ratings[0])?.value ?? '';

/** The condition as the profile calls it; a runway condition code is that of the reported braking action. */
const conditionUsed = <C extends LandingRequest['runwayCondition']>(
  states: AircraftProfile['conditions']['enroute'],
  given: C,
): C => {
  const { state, isAssumed } = given;
  const named =
    states.find(({ value }) => value === state) ?? states.find((one) => one.shortDisplay === state);
  return { ...given, state: (isAssumed ? defaultOf(states) : named?.value) ?? state };
};

/** The request with the options of its profile where it has none. */
export const withLandingDefaults = (request: LandingRequest, profile: AircraftProfile): LandingRequest => {
  const { options, conditions } = profile;
  const { configuration, runwayCondition } = request;
  const states = request.landingMode === 'inflight' ? conditions.enroute : conditions.dispatch;
  return {
    ...request,
    configuration: {
      ...configuration,
      antiIce: configuration.antiIce ?? defaultOf(options.antiIce),
      reverser: configuration.reverser ?? defaultOf(options.reversers),
      speedbrake: configuration.speedbrake ?? defaultOf(options.groundSpoilers),
      approachType: configuration.approachType ?? defaultOf(options.approachType) ?? null,
    },
    runwayCondition: conditionUsed(states, runwayCondition),
  };
};

/** The same of a takeoff. */
export const withTakeoffDefaults = (request: TakeoffRequest, profile: AircraftProfile): TakeoffRequest => {
  const { options, conditions } = profile;
  const { configuration, runwayCondition } = request;
  return {
    ...request,
    configuration: {
      ...configuration,
      rating: configuration.rating ?? defaultRating(profile),
      antiIce: configuration.antiIce ?? defaultOf(options.antiIce),
      acBleed: configuration.acBleed ?? defaultOf(options.acBleed),
    },
    runwayCondition: conditionUsed(conditions.dispatch, runwayCondition),
  };
};

/** Kilograms of a weight of the request in whole units; one that reads like a limit of the profile does not exceed it. */
export const massKgOf = ({ weight }: AircraftProfile, given: number, convert: Converter): number => {
  const { mstow, mslw, mzfw, msrw } = weight;
  const whole = Math.round(given);
  const kg = convert.fromWeight(whole);
  const limits = [mstow, mslw, mzfw, msrw];
  return limits.find((limitKg) => kg > limitKg && convert.weightDown(limitKg) === whole) ?? kg;
};

/** The profile with the maximum landing weight of the request where that is less. */
export const withMaxLandingWeight = (
  profile: AircraftProfile,
  { weight, units }: Pick<LandingRequest, 'weight' | 'units'>,
): AircraftProfile => {
  if (weight.maxLandingWeight === null) return profile;
  const performanceLimitedWeight = Math.min(
    structuralKg(profile),
    massKgOf(profile, weight.maxLandingWeight, converter(units)),
  );
  return { ...profile, weight: { ...profile.weight, performanceLimitedWeight } };
};
