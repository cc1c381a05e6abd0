/** Profile defaults for options absent from a request; standard aircraft use those the specification fixes: OFF, ALL, AUTO, DRY, 0. */
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

/** The default option in forms and for requests without one. */
export const defaultOf = (list: readonly Option[]): string | undefined =>
  list.length === 0 ? undefined : choose(list, undefined, 'default').value;

/** Family A rating with flexible temperature; the other one is full thrust. */
export const flexRating = 'FLEX';

/** Default rating: FLEX, which reduces thrust as far as permitted, else the first, full thrust. */
export const defaultRating = ({ takeoff }: AircraftProfile): string =>
  (takeoff.ratings.find(({ value }) => value === flexRating) ?? takeoff.ratings[0])?.value ?? '';

/** The condition by its profile name; an RWYCC stands for the reported braking action. */
const conditionUsed = <C extends LandingRequest['runwayCondition']>(
  states: AircraftProfile['conditions']['enroute'],
  given: C,
): C => {
  const { state, isAssumed } = given;
  const named =
    states.find(({ value }) => value === state) ?? states.find((one) => one.shortDisplay === state);
  return { ...given, state: (isAssumed ? defaultOf(states) : named?.value) ?? state };
};

/** The request completed with profile defaults. */
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

/** The same for a takeoff. */
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

/** Kilograms of a requested weight in whole units; one that rounds to a profile limit does not exceed it. */
export const massKgOf = ({ weight }: AircraftProfile, given: number, convert: Converter): number => {
  const { mstow, mslw, mzfw, msrw } = weight;
  const whole = Math.round(given);
  const kg = convert.fromWeight(whole);
  const limits = [mstow, mslw, mzfw, msrw];
  return limits.find((limitKg) => kg > limitKg && convert.weightDown(limitKg) === whole) ?? kg;
};

/** The profile with the requested maximum landing weight if lower. */
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
