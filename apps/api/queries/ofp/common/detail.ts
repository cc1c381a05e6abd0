/** A plan as ofpImport and ofpGet answer it: its summary, and what it means for other queries. */
import { z } from 'zod';
import { isIcaoCode, normaliseRunwayIdent } from '#domain/airports/ident.ts';
import { runwayEndOf } from '#domain/airports/known.ts';
import type { OfpPlanned, PlannedAirport } from '#domain/ofp/planned.ts';
import {
  performanceDefaultsOf,
  performanceDefaultsSchema,
  runwayOf,
  unitsOf,
} from '#domain/ofp/performance-defaults.ts';
import { comparedProfile, ownerProfileSchema } from '#domain/ofp/owner-profile.ts';
import { profileMatchSchema } from '#domain/ofp/profile-match.ts';
import type { Matched } from '#domain/ofp/profile-match.ts';
import { isoTime, ofpSummarySchema, summaryOf } from '#domain/ofp/summary.ts';
import type { UserPreferences } from '#domain/users/preferences.ts';
import type { OfpRow } from '#data/postgres/ofp/ofps.ts';
import { icaosOf } from '../../airports/common/icaos.ts';
import type { Caches } from '../../../services/caches.ts';

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

const bearingOf = async (
  caches: Pick<Caches, 'airports' | 'icaoGroups'>,
  { icao }: PlannedAirport,
  runway: string | null,
): Promise<number | null> => {
  const ident = runway === null ? null : normaliseRunwayIdent(runway);
  if (icao === null || ident === null || !isIcaoCode(icao)) return null;
  const [present] = await icaosOf(caches, icao);
  const known = await caches.airports.get(present);
  return (known && runwayEndOf(known, ident)?.trueBearingDeg) ?? null;
};

export const detailOf = async (
  row: OfpRow,
  planned: OfpPlanned,
  matched: Matched | null,
  caches: Pick<Caches, 'airports' | 'icaoGroups'>,
  preferences: Pick<UserPreferences, 'defaultUnit'>,
  now: Date,
): Promise<OfpDetail> => {
  const [departureDeg, arrivalDeg] = await Promise.all([
    bearingOf(caches, planned.origin, runwayOf(planned.origin, planned.takeoff)),
    bearingOf(caches, planned.destination, runwayOf(planned.destination, planned.landing)),
  ]);
  const match = matched?.match ?? null;
  return {
    ...summaryOf(row, now),
    access: row.access,
    profileMatch: match,
    ownerProfile: comparedProfile(row.ownerProfile, matched),
    performanceDefaults: performanceDefaultsOf(
      planned,
      match,
      {
        generatedAt: row.generatedAt && isoTime(row.generatedAt),
        departureAt: row.facts.estimatedOff,
        arrivalAt: row.facts.estimatedOn,
      },
      { departureDeg, arrivalDeg },
      unitsOf(preferences),
    ),
  };
};
