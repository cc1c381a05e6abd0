/** The aircraft profile of a plan: one of a fleet with its registration, else the standard one of its type. */
import { z } from 'zod';
import { kgPerLb } from '../users/units.ts';
import type { ProfileWeights } from './owner-profile.ts';
import type { OfpPlanned } from './planned.ts';
import type { WindLimits } from './runway-warnings.ts';
import type { NormalizedOfp } from './schema.ts';
import type { Warnings } from './warnings.ts';

export const profileMatchSchema = z.strictObject({
  file: z.string(),
  userRegistration: z.string().nullable(),
  virtualAirline: z.string().nullable(),
  confidence: z
    .enum(['registration', 'engines', 'type', 'conflict'])
    .describe(
      'what matched: registration and type, type and engines, or only the type; conflict: the registration of a profile whose type is not that of the plan',
    ),
});
export type ProfileMatch = z.output<typeof profileMatchSchema>;

/** A profile that the user may use. Weights in kg. */
export interface MatchCandidate {
  file: string;
  userRegistration: string | null;
  virtualAirline: string | null;
  /** Null for a standard aircraft. */
  registration: string | null;
  /** ICAO type designator. */
  type: string;
  engines: string;
  maxTowKg: number;
  maxLdwKg: number;
  weights: ProfileWeights;
  windLimits: WindLimits;
}

const letters = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** `D-AIZA` and `DAIZA` are the same. */
export const isSameRegistration = (one: string, two: string): boolean =>
  letters(one) !== '' && letters(one) === letters(two);

export interface Matched {
  match: ProfileMatch;
  candidate: MatchCandidate;
  /** A profile of this registration whose type is not that of the plan. */
  conflict: MatchCandidate | null;
}

/** The variant is at the end: `CFM56-7B26`, `7B26`, `CFM56-7B26/3`. */
const areSameEngines = (one: string, two: string): boolean => {
  const [a, b] = [letters(one), letters(two)];
  return a.length > 3 && b.length > 3 && (a.includes(b.slice(-4)) || b.includes(a.slice(-4)));
};

/** Null when no profile is of this registration or type. A registration counts only with the type of the plan. */
export const matchProfile = (
  { icao, baseType, engines, registration }: OfpPlanned['aircraft'],
  candidates: readonly MatchCandidate[],
): Matched | null => {
  const isOfType = ({ type }: MatchCandidate): boolean => type === icao || type === baseType;
  const isTypeKnown = icao !== null || baseType !== null;
  const registered = candidates.filter(
    (one) => one.registration !== null && isSameRegistration(one.registration, registration ?? ''),
  );
  const agreeing = registered.find((one) => !isTypeKnown || isOfType(one));
  const conflict = agreeing ? null : (registered[0] ?? null);
  const matched = (candidate: MatchCandidate, confidence: ProfileMatch['confidence']): Matched => {
    const { file, userRegistration, virtualAirline } = candidate;
    return { candidate, conflict, match: { file, userRegistration, virtualAirline, confidence } };
  };
  if (agreeing) return matched(agreeing, 'registration');
  const sameType = candidates.filter((one) => one.registration === null && isOfType(one));
  const sameEngines = sameType.find((one) => areSameEngines(one.engines, engines ?? ''));
  if (sameEngines) return matched(sameEngines, 'engines');
  const [first] = sameType;
  if (first) return matched(first, 'type');
  return conflict && matched(conflict, 'conflict');
};

/** Kilograms of a weight of the plan; null when it or its unit is unknown. */
export const kgOf = (weight: number | null, { units }: OfpPlanned['general']): number | null =>
  weight === null || units === null ? null : Math.round(units === 'lbs' ? weight * kgPerLb : weight);

/** Warns of maximum weights that differ from those of the profile by more than `allowedPercent`. */
export const checkWeights = (
  { general, weights }: Pick<NormalizedOfp, 'general' | 'weights'>,
  { maxTowKg, maxLdwKg, file }: MatchCandidate,
  allowedPercent: number,
  warnings: Warnings,
): void => {
  const pairs = [
    ['weights.max_tow_struct', kgOf(weights.maxTowStructural, general), maxTowKg],
    ['weights.max_ldw', kgOf(weights.maxLdw, general), maxLdwKg],
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
