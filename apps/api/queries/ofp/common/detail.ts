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
import type { Caller } from '#domain/users/types.ts';
import type { OfpRow } from '#data/postgres/ofp/ofps.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import type { Tools } from '../../../handler-context.ts';
import { preferencesOf } from './document.ts';
import { profileOf } from './profile.ts';
import { flightUses } from './uses.ts';
import type { FlightPlaces, FlightUses } from './uses.ts';

/** `access` is also that of list entries. */
export const ofpAccessShape = { access: z.enum(['owner', 'view', 'edit']) };

export const ofpDetailSchema = z.strictObject({
  ...ofpSummarySchema.shape,
  ...ofpAccessShape,
  profileMatch: profileMatchSchema.nullable(),
  ownerProfile: ownerProfileSchema
    .nullable()
    .describe('the profile that the owner had at the import; null for plans without one'),
  performanceDefaults: performanceDefaultsSchema,
});
export type OfpDetail = z.output<typeof ofpDetailSchema>;

export interface DetailCall extends Pick<Tools, 'aircraft' | 'caches' | 'identities'> {
  db: ReadDb;
  caller: Caller;
  now: Date;
}

/** With what holds where the flight uses an aerodrome. `known`: the profile, where the caller has found it already. */
export const detailOf = async (
  call: DetailCall,
  row: OfpRow,
  planned: OfpPlanned & FlightPlaces,
  known?: Matched | null,
): Promise<{ ofp: OfpDetail; uses: FlightUses }> => {
  const { aircraft, now } = call;
  const { fleetId } = row.ownerProfile ?? {};
  const matched = known === undefined ? await profileOf(planned, fleetId ? [fleetId] : [], call) : known;
  const preferences = await preferencesOf(call);
  const uses = await flightUses(call, planned, row, now);
  const named = (id: string) => aircraft.standard.find(id)?.profile ?? null;
  const { ownerProfile, source } = comparedProfile(row.ownerProfile, matched, named);
  const ofp = {
    ...summaryOf(row, now),
    access: row.access,
    profileMatch: matched?.match ?? null,
    ownerProfile,
    performanceDefaults: performanceDefaultsOf(
      planned,
      { matched, aircraft: source },
      { departureAt: row.facts.estimatedOff, arrivalAt: row.facts.estimatedOn },
      uses,
      unitsOf(preferences),
    ),
  };
  return { ofp, uses };
};
