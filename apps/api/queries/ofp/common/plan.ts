import { z } from 'zod';
import { isIcaoCode, normaliseRunwayIdent } from '#domain/airports/ident.ts';
import { runwayEndOf } from '#domain/airports/served.ts';
import { idInForce } from '#domain/notam/asked-runway.ts';
import { officialFor, officialReports, slipperyWhenWet } from '#domain/notam/surface/official.ts';
import type { OfpPlanned, PlannedAirport, PlannedReport } from '#domain/ofp/planned.ts';
import { plannedSituation } from '#domain/ofp/planned-use.ts';
import type { PlannedUse } from '#domain/ofp/planned-use.ts';
import {
  performanceDefaultsOf,
  performanceDefaultsSchema,
  runwayOf,
  unitsOf,
} from '#domain/ofp/performance-defaults.ts';
import { ofpSummarySchema, summaryOf } from '#domain/ofp/summary.ts';
import type { SituationOfUse } from '#domain/performance/situation/of-use.ts';
import { situationTime } from '#domain/performance/situation/time.ts';
import type { Caller } from '#domain/users/types.ts';
import type { OfpDocuments, OfpRow } from '#store/postgres/ofp/ofps.ts';
import { DomainError } from '#domain/errors.ts';
import { fileOf } from '#domain/fleet/row.ts';
import { airlinesOf } from '#domain/fleet/types.ts';
import type { FleetProfile } from '#domain/fleet/types.ts';
import { isSameRegistration, matchProfile, profileMatchSchema } from '#domain/ofp/profile-match.ts';
import type { MatchCandidate, Matched } from '#domain/ofp/profile-match.ts';
import { fleetRepo } from '#store/postgres/fleet/fleet.ts';
import { comparedProfile, ownerProfileSchema } from '#domain/ofp/owner-profile.ts';
import { ofpRepo } from '#store/postgres/ofp/ofps.ts';
import { stationsOf } from '../../weather/common/weather.ts';
import type { Station } from '../../weather/common/weather.ts';
import type { Needs } from '../../../handler-context.ts';
import { preferencesOf } from './import.ts';
import { isoSeconds } from '#domain/time.ts';

// Where and when a flight uses an aerodrome, and the conditions there at that time.

export interface AirportUse {
  /** Null if the plan does not name the airport by its ICAO code. */
  station: Station | null;
  runway: string | null;
  /** The planned runway, or its variant under NOTAM in force, if the caller may calculate with it. */
  runwayId: string | null;
  /** Never in the past. */
  at: Date;
  situation: SituationOfUse;
}

const useOf = (
  planned: PlannedUse,
  station: Station | null,
  at: Date,
  hasNotams: boolean,
  times: { generatedAt: string | null; now: string },
): AirportUse => {
  const named = runwayOf(planned.airport, planned.section);
  const runway = named === null ? null : normaliseRunwayIdent(named);
  const end = station?.known && runway !== null ? runwayEndOf(station.known, runway) : null;
  const reports = end && station ? officialReports(station.notams, at, station.known) : null;
  const situation = plannedSituation(
    planned,
    station ?? { metar: null, taf: null },
    {
      ident: runway,
      trueBearingDeg: end?.trueBearingDeg ?? null,
      official: end && reports && officialFor(reports, end.ident),
      slippery: end && reports && slipperyWhenWet(reports, end.ident),
      known: station?.known ?? null,
    },
    { ...times, at: at.toISOString() },
  );
  const { known = null, notams = [] } = station ?? {};
  const use = planned.use === 'takeoff' ? 'takeoff' : 'landing';
  const inForce = hasNotams && runway !== null ? idInForce(known, notams, runway, use, at) : runway;
  return { station, runway, runwayId: inForce === runway ? named : inForce, at, situation };
};

export interface FlightUses {
  departure: AirportUse;
  arrival: AirportUse;
  /** At their arrival times. */
  alternates: AirportUse[];
}

type FlightPlaces = Record<'origin' | 'destination', PlannedAirport> &
  Record<'takeoff' | 'landing', PlannedReport | null> & { alternates?: readonly PlannedAirport[] };

/** The aerodromes of a plan, with their stored data. */
const flightUses = async (
  { caches, caller }: { caches: Parameters<typeof stationsOf>[0]; caller: Pick<Caller, 'entitlement'> },
  plan: FlightPlaces,
  { facts, generatedAt }: Pick<OfpRow, 'facts' | 'generatedAt'>,
  now: Date,
): Promise<FlightUses> => {
  const { origin, destination, alternates = [] } = plan;
  const icaos = [origin, destination, ...alternates].flatMap(({ icao }) =>
    icao !== null && isIcaoCode(icao) ? [icao] : [],
  );
  const stations = new Map((await stationsOf(caches, icaos, now)).map((station) => [station.icao, station]));
  const { isNotam } = caller.entitlement.product;
  const times = { generatedAt: generatedAt && isoSeconds(generatedAt), now: now.toISOString() };
  const used = (planned: PlannedUse): AirportUse => {
    const time = planned.use === 'takeoff' ? facts.estimatedOff : facts.estimatedOn;
    const station = stations.get(planned.airport.icao ?? '') ?? null;
    return useOf(planned, station, situationTime(time, now), isNotam, times);
  };
  return {
    departure: used({ airport: origin, section: plan.takeoff, use: 'takeoff' }),
    arrival: used({ airport: destination, section: plan.landing, use: 'arrival' }),
    alternates: alternates.map((airport) => used({ airport, section: null, use: 'arrival' })),
  };
};

// The aircraft profile for a plan: by registration from the caller's fleets, else a standard one by type.

type ProfileCall = Needs<'aircraft' | 'db' | 'caller'>;

/**
 * Profiles with this registration: own ones first, then those of the caller's airlines; else the renamed profiles that
 * plans of this registration were imported with.
 */
const rowsOf = async (
  registration: string,
  formerIds: readonly number[],
  { db, aircraft, caller }: ProfileCall,
): Promise<FleetProfile[]> => {
  const owners = [{ userId: caller.userId }, ...airlinesOf(caller).map((vaId) => ({ vaId }))];
  const fleets = await Promise.all(owners.map((owner) => aircraft.fleetOf(owner)));
  const named = fleets.flat().filter((profile) => isSameRegistration(profile.registration, registration));
  if (named.length > 0) return named;
  const rows = await Promise.all(formerIds.map((id) => fleetRepo(db).byId(id)));
  return rows.filter((row) => row !== null);
};

/** Null for an unusable profile: the plan is then matched as if there were none. */
const loaded = async (
  row: FleetProfile,
  { aircraft, caller }: ProfileCall,
): Promise<MatchCandidate | null> => {
  const key = { file: fileOf(row), userRegistration: row.registration, virtualAirline: row.vaName };
  try {
    const found = await aircraft.find(key, caller);
    return found && { ...found, key, fleetId: row.id };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
};

/** `formerIds`: ids of the profiles that plans of this registration were imported with. */
export const profileOf = async (
  { aircraft: planned }: Pick<OfpPlanned, 'aircraft'>,
  formerIds: readonly number[],
  call: ProfileCall,
): Promise<Matched | null> => {
  const { registration } = planned;
  const rows = registration === null ? [] : await rowsOf(registration, formerIds, call);
  const own = await Promise.all(rows.map((row) => loaded(row, call)));
  const standard = call.aircraft.standard.profiles.map((profile) => ({
    key: { file: profile.id, userRegistration: null, virtualAirline: null },
    fleetId: null,
    profile,
  }));
  return matchProfile(planned, [...own.filter((one) => one !== null), ...standard]);
};

// A plan as answered by ofpImport and ofpGet: its summary, and its values for other queries.

/** List entries have `access`, too. */
export const ofpAccessShape = { access: z.enum(['owner', 'view', 'edit']) };

export const ofpDetailSchema = z.strictObject({
  ...ofpSummarySchema.shape,
  ...ofpAccessShape,
  profileMatch: profileMatchSchema.nullable(),
  ownerProfile: ownerProfileSchema
    .nullable()
    .describe("the owner's profile at the import; null for plans without one"),
  performanceDefaults: performanceDefaultsSchema,
});
type OfpDetail = z.output<typeof ofpDetailSchema>;

type DetailCall = Needs<'aircraft' | 'caches' | 'identities' | 'db' | 'caller' | 'now'>;

/**
 * Adds the conditions where and when the flight uses an aerodrome. `known`: the profile, if the caller has already
 * found it.
 */
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

const presentPlan: OfpDocuments = { revision: null, isWhole: false, hasOriginal: false };

/**
 * A stored plan with its detail, and the documents of one revision. Null for a plan that the caller cannot read, and for
 * a revision that is no longer stored.
 */
export const storedDetail = async (call: DetailCall, ofpId: string, wanted = presentPlan) => {
  const { db, caller, now } = call;
  const found = await ofpRepo(db).withRevisions({ ofpId, userId: caller.userId, now }, wanted);
  if (!found) return null;
  const { row, revisions } = found;
  const texts = revisions.find((one) => one.revision === (wanted.revision ?? row.revision));
  if (!texts || texts.plan === null) return null;
  const plan = JSON.parse(texts.plan) as OfpPlanned;
  const { ofp } = await detailOf(call, row, plan);
  return { ofp, plan, texts, revisions };
};
