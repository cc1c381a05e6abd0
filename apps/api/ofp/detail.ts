/** A plan as ofpImport and ofpGet answer it: its summary, and what it means for other queries. */
import { z } from 'zod';
import type { OfpPlanned } from '#domain/ofp/planned.ts';
import { performanceDefaultsOf, performanceDefaultsSchema } from '#domain/ofp/performance-defaults.ts';
import { profileMatchSchema } from '#domain/ofp/profile-match.ts';
import type { Matched } from '#domain/ofp/profile-match.ts';
import { ofpSummarySchema, summaryOf } from '#domain/ofp/summary.ts';
import type { OfpRow } from '#data/postgres/ofp/ofps.ts';

/** `access` is also that of list entries. */
export const ofpAccessShape = { access: z.enum(['owner', 'view', 'edit']) };

export const ofpDetailSchema = z.strictObject({
  ...ofpSummarySchema.shape,
  ...ofpAccessShape,
  profileMatch: profileMatchSchema.nullable(),
  performanceDefaults: performanceDefaultsSchema,
});
export type OfpDetail = z.output<typeof ofpDetailSchema>;

export const detailOf = (row: OfpRow, planned: OfpPlanned, matched: Matched | null, now: Date): OfpDetail => {
  const match = matched?.match ?? null;
  return {
    ...summaryOf(row, now),
    access: row.access,
    profileMatch: match,
    performanceDefaults: performanceDefaultsOf(planned, match),
  };
};
