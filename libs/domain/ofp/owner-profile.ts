/** The aircraft profile that the owner of a plan used at the time of the import: a recipient may have another one for the same aircraft. */
import { z } from 'zod';
import type { Matched } from './profile-match.ts';

const profileWeightsSchema = z.strictObject({
  oew: z.number(),
  mzfw: z.number(),
  mslw: z.number().describe('or the performance limited weight where that is less'),
  mstow: z.number(),
});
export type ProfileWeights = z.output<typeof profileWeightsSchema>;

const storedProfileSchema = z.strictObject({
  file: z.string(),
  userRegistration: z.string().nullable(),
  virtualAirline: z.string().nullable(),
  weight: profileWeightsSchema.describe('kg'),
});
export type StoredProfile = z.output<typeof storedProfileSchema>;

export const ownerProfileSchema = storedProfileSchema.extend({
  differences: z
    .array(
      z.strictObject({
        field: z.string().describe('name of the weight, as in `weight`'),
        owner: z.number().describe('kg, in the profile of the owner'),
        yours: z.number().nullable().describe('kg, in the profile of the caller; null without one'),
      }),
    )
    .describe(
      'weights in which the profile of the caller differs. `weight.maxLandingWeight` of `performance` takes that of the owner',
    ),
});

/** Null without a profile for the plan, and where the type of the plan contradicts it. */
export const ownerProfileOf = (matched: Matched | null): StoredProfile | null => {
  if (!matched || matched.match.confidence === 'conflict') return null;
  const { file, userRegistration, virtualAirline, weights } = matched.candidate;
  return { file, userRegistration, virtualAirline, weight: weights };
};

/** The stored profile, compared with what the caller has for the plan. */
export const comparedProfile = (
  stored: StoredProfile | null,
  matched: Matched | null,
): z.output<typeof ownerProfileSchema> | null => {
  if (!stored) return null;
  const yours = matched?.candidate.weights ?? null;
  const names = ['oew', 'mzfw', 'mslw', 'mstow'] as const;
  const differences = names
    .filter((name) => yours?.[name] !== stored.weight[name])
    .map((name) => ({ field: `weight.${name}`, owner: stored.weight[name], yours: yours?.[name] ?? null }));
  return { ...stored, differences };
};
