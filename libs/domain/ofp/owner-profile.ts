/**
 * The aircraft profile that a plan was imported with; recipients, and later the owner, may have another one for the
 * same aircraft.
 */
import { z } from 'zod';
import { calculatingPart, changesOf, differencesText, shownValue } from '../aircraft/differences.ts';
import type { AircraftProfile } from '../aircraft/profile.ts';
import { mergeProfiles } from '../fleet/merge.ts';
import type { JsonObject } from '../fleet/merge.ts';
import { differenceOf } from '../performance/situation/source.ts';
import { differencesOf } from '../record.ts';
import { profileKeySchema } from './profile-match.ts';
import type { Matched } from './profile-match.ts';

const profileWeightsSchema = z.strictObject({
  oew: z.number(),
  mzfw: z.number(),
  mslw: z.number().describe('MSLW, or the performance-limited weight if that is lower'),
  mstow: z.number(),
});

const storedProfileSchema = profileKeySchema.extend({
  weight: profileWeightsSchema.describe('kg'),
});

/** Plans imported before whole profiles were stored have weights only. */
export interface StoredProfile extends z.output<typeof storedProfileSchema> {
  /** Fleet row, whose id survives renaming; null: a standard aircraft. */
  fleetId?: number | null;
  /** Id of the standard aircraft, and the profile's differences from it. */
  standard?: string;
  changes?: JsonObject;
}

const valueSchema = z.union([z.number(), z.string(), z.boolean()]).nullable();

export const ownerProfileSchema = storedProfileSchema.extend({
  differences: z
    .array(
      z.strictObject({
        field: z.string().describe('path of the value in `profileData`, such as weight.mslw'),
        owner: valueSchema.describe("value in the owner's profile at the import; weights in kg"),
        yours: valueSchema.describe('value in the profile that the caller calculates with; null without one'),
      }),
    )
    .describe(
      "every value that affects a calculation and differs between the two profiles. Send the owner's limit as `weight.maxLandingWeight` of `performance`",
    ),
});

/** Null if the plan has no profile, or the profile contradicts its type. */
export const ownerProfileOf = (matched: Matched | null): StoredProfile | null => {
  if (!matched || matched.match.confidence === 'conflict') return null;
  const { key, fleetId, profile, standard } = matched.candidate;
  const { oew, mzfw, mslw, mstow, performanceLimitedWeight } = profile.weight;
  return {
    ...key,
    weight: { oew, mzfw, mslw: Math.min(mslw, performanceLimitedWeight ?? Infinity), mstow },
    fleetId,
    standard: (standard ?? profile).id,
    changes: standard ? changesOf(calculatingPart(profile), calculatingPart(standard)) : {},
  };
};

const mostShown = 20;

/**
 * Compares the imported profile with the caller's profile for the plan. `source` says how a calculation differs from
 * one with the imported profile; absent if it does not.
 */
export const comparedProfile = (
  stored: StoredProfile | null,
  matched: Matched | null,
  standardNamed: (id: string) => AircraftProfile | null,
) => {
  if (!stored) return { ownerProfile: null };
  const { fleetId: _, standard, changes, ...shown } = stored;
  const yours = matched && calculatingPart(matched.candidate.profile);
  const base = standard === undefined ? null : standardNamed(standard);
  const own = yours
    ? mergeProfiles(base ? calculatingPart(base) : yours, changes ?? { weight: stored.weight })
    : { weight: stored.weight };
  const differences = differencesOf(own, yours ?? { weight: {} });
  const ownerProfile = {
    ...shown,
    differences: differences.map(({ field, own: owner, other }) => ({
      field,
      owner: shownValue(owner),
      yours: shownValue(other),
    })),
  };
  if (!matched || differences.length === 0) return { ownerProfile };
  const text = `The plan was imported with ${shown.file}, this is for ${matched.candidate.key.file}: ${differencesText(differences, mostShown, 'here ')}`;
  return { ownerProfile, source: differenceOf(text) };
};
