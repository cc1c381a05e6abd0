/** Where and when a flight uses an aerodrome, with what holds there then. */
import { isIcaoCode, normaliseRunwayIdent } from '#domain/airports/ident.ts';
import { runwayEndOf } from '#domain/airports/known.ts';
import { idInForce } from '#domain/notam/asked-runway.ts';
import { officialFor, officialReports, slipperyWhenWet } from '#domain/notam/surface/official.ts';
import type { PlannedAirport, PlannedReport } from '#domain/ofp/planned.ts';
import { plannedSituation } from '#domain/ofp/planned-use.ts';
import type { PlannedUse } from '#domain/ofp/planned-use.ts';
import { runwayOf } from '#domain/ofp/performance-defaults.ts';
import { isoTime } from '#domain/ofp/summary.ts';
import type { SituationOfUse } from '#domain/performance/situation/of-use.ts';
import { situationTime } from '#domain/performance/situation/time.ts';
import type { Caller } from '#domain/users/types.ts';
import type { OfpRow } from '#data/postgres/ofp/ofps.ts';
import { stationsOf } from '../../weather/common/stations.ts';
import type { Station } from '../../weather/common/stations.ts';

export interface AirportUse {
  /** Null: the plan names no airport, or not by its ICAO code. */
  station: Station | null;
  runway: string | null;
  /** As the plan names it, or with the NOTAM in force that change its distances, if the caller may calculate with them. */
  runwayId: string | null;
  /** Never before now. */
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
  /** At the time of arrival. */
  alternates: AirportUse[];
}

export type FlightPlaces = Record<'origin' | 'destination', PlannedAirport> &
  Record<'takeoff' | 'landing', PlannedReport | null> & { alternates?: readonly PlannedAirport[] };

/** The aerodromes of a plan, each with what is stored of it. */
export const flightUses = async (
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
  const times = { generatedAt: generatedAt && isoTime(generatedAt), now: now.toISOString() };
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
