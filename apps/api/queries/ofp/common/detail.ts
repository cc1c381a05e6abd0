/** A plan as ofpImport and ofpGet answer it: its summary, and what it means for other queries. */
import { z } from 'zod';
import { isIcaoCode, normaliseRunwayIdent } from '#domain/airports/ident.ts';
import { runwayEndOf } from '#domain/airports/known.ts';
import { officialFor, officialReports } from '#domain/notam/surface/official.ts';
import type { PlannedEnd } from '#domain/ofp/plan-situation.ts';
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
import type { WeatherOfUse } from '#domain/ofp/weather-of-use.ts';
import { isoTime, ofpSummarySchema, summaryOf } from '#domain/ofp/summary.ts';
import { situationTime } from '#domain/performance/situation/time.ts';
import type { UserPreferences } from '#domain/users/preferences.ts';
import type { OfpRow } from '#data/postgres/ofp/ofps.ts';
import { airportWithNotams } from '../../airports/common/icaos.ts';
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

type PlannedCaches = Pick<Caches, 'airports' | 'icaoGroups' | 'notams'>;

/** `at`: the planned time of landing or takeoff. */
const plannedEnd = async (
  caches: PlannedCaches,
  { icao }: PlannedAirport,
  runway: string | null,
  at: Date,
  current: WeatherOfUse | null,
): Promise<PlannedEnd> => {
  const ident = runway === null ? null : normaliseRunwayIdent(runway);
  if (icao === null || ident === null || !isIcaoCode(icao)) return { trueBearingDeg: null, official: null };
  const { known, notams } = await airportWithNotams(caches, icao);
  const end = known && runwayEndOf(known, ident);
  return {
    trueBearingDeg: end?.trueBearingDeg ?? null,
    official: end ? officialFor(officialReports(notams, at), end.ident) : null,
    ...(current ? { current } : {}),
  };
};

const nothingCurrent = { departure: null, arrival: null };

/** `current`: what is stored of both ends counts before what the plan says of their weather. */
export const detailOf = async (
  row: OfpRow,
  planned: OfpPlanned,
  matched: Matched | null,
  caches: PlannedCaches,
  preferences: Pick<UserPreferences, 'defaultUnit'>,
  now: Date,
  current: { departure: WeatherOfUse | null; arrival: WeatherOfUse | null } = nothingCurrent,
): Promise<OfpDetail> => {
  const { origin, destination, takeoff, landing } = planned;
  const { estimatedOff, estimatedOn } = row.facts;
  const [departure, arrival] = await Promise.all([
    plannedEnd(
      caches,
      origin,
      runwayOf(origin, takeoff),
      situationTime(estimatedOff, now),
      current.departure,
    ),
    plannedEnd(
      caches,
      destination,
      runwayOf(destination, landing),
      situationTime(estimatedOn, now),
      current.arrival,
    ),
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
        departureAt: estimatedOff,
        arrivalAt: estimatedOn,
      },
      { departure, arrival },
      unitsOf(preferences),
    ),
  };
};
