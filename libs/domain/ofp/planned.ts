/**
 * The part of a plan that determines its profile and its defaults for `performance`, stored next to the plan. After
 * adding a member, a migration must set `ofp_revision.planned` to NULL; stored plans are then parsed again.
 */
import type { OfpAirport } from './schema-parts.ts';
import type { NormalizedOfp } from './schema.ts';

export type PlannedAirport = Pick<OfpAirport, 'icao' | 'runway' | 'metar' | 'metarTime' | 'taf'>;
type LandingReport = NonNullable<NormalizedOfp['landing']>;
export type PlannedReport = Pick<LandingReport, 'conditions'> & Partial<Omit<LandingReport, 'conditions'>>;

export type OfpPlanned = ReturnType<typeof plannedOf>;

const airportOf = ({ icao, runway, metar, metarTime, taf }: OfpAirport): PlannedAirport => ({
  icao,
  runway,
  metar,
  ...(metarTime === undefined ? {} : { metarTime }),
  taf,
});
/** Row of the planned runway. */
export const rowOf = ({ conditions, runways }: PlannedReport, planned: string | null) =>
  runways?.find(({ runway }) => runway === (planned ?? conditions.runway));
const reportOf = (report: PlannedReport | null, { runway }: OfpAirport): PlannedReport | null =>
  report && { ...report, runways: [rowOf(report, runway)].filter((row) => row !== undefined) };

/** Only these members, to keep reading fast. */
export const plannedOf = (ofp: Omit<NormalizedOfp, 'fixes' | 'navlog'>) => {
  const { general, aircraft, weights, origin, destination, takeoff, landing } = ofp;
  const { icao, baseType, engines, registration } = aircraft;
  return {
    general: { units: general.units },
    aircraft: { icao, baseType, engines, registration },
    weights: { tow: weights.tow, ldw: weights.ldw },
    origin: airportOf(origin),
    destination: airportOf(destination),
    takeoff: reportOf(takeoff, origin),
    landing: reportOf(landing, destination),
  };
};
