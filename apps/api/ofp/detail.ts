/** A plan as ofpImport and ofpGet answer it: its summary, and what it means for other queries. */
import { z } from 'zod';
import { performanceDefaultsOf, performanceDefaultsSchema } from '#domain/ofp/performance-defaults.ts';
import { matchProfile, profileMatchSchema } from '#domain/ofp/profile-match.ts';
import type { MatchCandidate, Matched } from '#domain/ofp/profile-match.ts';
import { ofpSummarySchema, summaryOf } from '#domain/ofp/summary.ts';
import type { OfpCore } from '#data/ofp/parse.ts';
import type { OfpRow } from '#data/postgres/ofp/ofps.ts';
import type { AircraftLibrary } from '../services/aircraft-library.ts';

/** `access` is also that of list entries. */
export const ofpAccessShape = { access: z.enum(['owner', 'view', 'edit']) };

export const ofpDetailSchema = z.strictObject({
  ...ofpSummarySchema.shape,
  ...ofpAccessShape,
  profileMatch: profileMatchSchema.nullable(),
  performanceDefaults: performanceDefaultsSchema,
});
export type OfpDetail = z.output<typeof ofpDetailSchema>;

const candidatesOf = ({ standard }: AircraftLibrary): MatchCandidate[] =>
  standard.profiles.map(({ id, model, weight }) => ({
    file: id,
    userRegistration: null,
    virtualAirline: null,
    registration: null,
    type: model.type,
    engines: model.engines,
    maxTowKg: weight.mstow,
    maxLdwKg: weight.mslw,
  }));

/** The profile that a plan is for, or null. */
export const profileOf = (
  { aircraft }: Pick<OfpCore, 'aircraft'>,
  library: AircraftLibrary,
): Matched | null => matchProfile(aircraft, candidatesOf(library));

export const detailOf = (row: OfpRow, core: OfpCore, matched: Matched | null, now: Date): OfpDetail => {
  const match = matched?.match ?? null;
  return {
    ...summaryOf(row, now),
    access: row.access,
    profileMatch: match,
    performanceDefaults: performanceDefaultsOf(core, match),
  };
};
