/** A plan as ofpImport and ofpGet answer it: its summary, and what it means for other queries. */
import { z } from 'zod';
import type { OfpPlanned } from '#domain/ofp/planned.ts';
import {
  performanceDefaultsOf,
  performanceDefaultsSchema,
  unitsOf,
} from '#domain/ofp/performance-defaults.ts';
import { comparedProfile, ownerProfileSchema } from '#domain/ofp/owner-profile.ts';
import { profileMatchSchema } from '#domain/ofp/profile-match.ts';
import type { Matched } from '#domain/ofp/profile-match.ts';
import { ofpSummarySchema, summaryOf } from '#domain/ofp/summary.ts';
import type { UserPreferences } from '#domain/users/preferences.ts';
import type { OfpRow } from '#data/postgres/ofp/ofps.ts';
import type { FlightUses } from './uses.ts';

/** `access` is also that of list entries. */
export const ofpAccessShape = { access: z.enum(['owner', 'view', 'edit']) };

export const ofpDetailSchema = z.strictObject({
  ...ofpSummarySchema.shape,
  ...ofpAccessShape,
  profileMatch: profileMatchSchema.nullable(),
  ownerProfile: ownerProfileSchema
    .nullable()
    .describe('the profile of the owner at the import; null for plans without one'),
  performanceDefaults: performanceDefaultsSchema,
});
export type OfpDetail = z.output<typeof ofpDetailSchema>;

/** `uses`: of both ends at their planned times. */
export const detailOf = (
  row: OfpRow,
  planned: OfpPlanned,
  matched: Matched | null,
  preferences: Pick<UserPreferences, 'defaultUnit'>,
  { departure, arrival }: Pick<FlightUses, 'departure' | 'arrival'>,
  now: Date,
): OfpDetail => {
  const { estimatedOff, estimatedOn } = row.facts;
  const match = matched?.match ?? null;
  return {
    ...summaryOf(row, now),
    access: row.access,
    profileMatch: match,
    ownerProfile: comparedProfile(row.ownerProfile, matched),
    performanceDefaults: performanceDefaultsOf(
      planned,
      match,
      { departureAt: estimatedOff, arrivalAt: estimatedOn },
      { departure, arrival },
      unitsOf(preferences),
    ),
  };
};
