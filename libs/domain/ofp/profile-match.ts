/** Finds the aircraft profile for a plan: one in a fleet with its registration, else the standard one for its type. */
import { z } from 'zod';
import type { AircraftProfile } from '../aircraft/profile.ts';
import { kgPerLb } from '../users/units.ts';
import type { OfpPlanned } from './planned.ts';
import type { NormalizedOfp } from './schema.ts';
import type { Warnings } from './warnings.ts';

/** The three keys of a profile, for answers. */
export const profileKeySchema = z.strictObject({
  file: z.string(),
  userRegistration: z.string().nullable(),
  virtualAirline: z.string().nullable(),
});

export const profileMatchSchema = profileKeySchema.extend({
  confidence: z
    .enum(['registration', 'engines', 'type', 'conflict'])
    .describe(
      'what matched: registration (or the renamed profile of an earlier import) and type; type and engines; or only the type. `conflict`: the registration matched a profile of another type',
    ),
});
type ProfileMatch = z.output<typeof profileMatchSchema>;

/** A profile that the user may use. */
export interface MatchCandidate {
  key: z.output<typeof profileKeySchema>;
  /** Fleet row, always with the plan's registration; null: a standard aircraft. */
  fleetId: number | null;
  profile: AircraftProfile;
  /** For a fleet profile: its standard aircraft. */
  standard?: AircraftProfile;
}

const letters = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Treats `D-AIZA` and `DAIZA` as equal. */
export const isSameRegistration = (one: string, two: string): boolean =>
  letters(one) !== '' && letters(one) === letters(two);

export interface Matched {
  match: ProfileMatch;
  candidate: MatchCandidate;
  /** A profile with this registration but another type. */
  conflict: MatchCandidate | null;
}

/** Compares the variant at the end: `CFM56-7B26`, `7B26`, `CFM56-7B26/3`. */
const areSameEngines = (one: string, two: string): boolean => {
  const [a, b] = [letters(one), letters(two)];
  return a.length > 3 && b.length > 3 && (a.includes(b.slice(-4)) || b.includes(a.slice(-4)));
};

/** Null if no profile matches. A registration only counts together with the plan's type. */
export const matchProfile = (
  { icao, baseType, engines }: OfpPlanned['aircraft'],
  candidates: readonly MatchCandidate[],
): Matched | null => {
  const isOfType = ({ profile: { model } }: MatchCandidate): boolean =>
    model.type === icao || model.type === baseType;
  const isTypeKnown = icao !== null || baseType !== null;
  const registered = candidates.filter(({ fleetId }) => fleetId !== null);
  const agreeing = registered.find((one) => !isTypeKnown || isOfType(one));
  const conflict = agreeing ? null : (registered[0] ?? null);
  const matched = (candidate: MatchCandidate, confidence: ProfileMatch['confidence']): Matched => ({
    candidate,
    conflict,
    match: { ...candidate.key, confidence },
  });
  if (agreeing) return matched(agreeing, 'registration');
  const sameType = candidates.filter((one) => one.fleetId === null && isOfType(one));
  const sameEngines = sameType.find((one) => areSameEngines(one.profile.model.engines, engines ?? ''));
  if (sameEngines) return matched(sameEngines, 'engines');
  const [first] = sameType;
  if (first) return matched(first, 'type');
  return conflict && matched(conflict, 'conflict');
};

/** A weight in the plan in kilograms; null if it or its unit is unknown. */
export const kgOf = (weight: number | null, { units }: OfpPlanned['general']): number | null =>
  weight === null || units === null ? null : Math.round(units === 'lbs' ? weight * kgPerLb : weight);

/** Warns of maximum weights that differ from the profile's by more than `allowedPercent`. */
export const checkWeights = (
  { general, weights }: Pick<NormalizedOfp, 'general' | 'weights'>,
  { profile: { weight }, key: { file } }: MatchCandidate,
  allowedPercent: number,
  warnings: Warnings,
): void => {
  const pairs = [
    ['weights.max_tow_struct', kgOf(weights.maxTowStructural, general), weight.mstow],
    ['weights.max_ldw', kgOf(weights.maxLdw, general), weight.mslw],
  ] as const;
  for (const [path, planned, known] of pairs) {
    if (planned === null || planned === 0) continue;
    const percent = Math.abs(planned / known - 1) * 100;
    if (percent > Math.abs(allowedPercent))
      warnings.add(
        'WEIGHT_DEVIATION',
        path,
        `${planned} kg differs by ${percent.toFixed(1)} % from the ${known} kg of the profile ${file}.`,
      );
  }
};
