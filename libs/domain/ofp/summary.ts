/** The summary of a plan, in lists and in every answer. */
import { z } from 'zod';
import type { StoredProfile } from './owner-profile.ts';
import { numberSchema, textSchema } from './members.ts';
import { ofpAirport } from './schema-parts.ts';
import type { OfpAirport } from './schema-parts.ts';
import { ofpUnits } from './schema.ts';
import type { NormalizedOfp } from './schema.ts';
import { isoSeconds } from '../time.ts';

const airportSchema = ofpAirport.schema.pick({ icao: true, iata: true, name: true, runway: true });

/** Where a plan comes from. */
export const ofpSources = ['planner', 'json', 'xml'] as const;
export type OfpSource = (typeof ofpSources)[number];

/** Derived from the document alone and stored with it. */
export const ofpFactsSchema = z.strictObject({
  callsign: textSchema,
  airline: textSchema,
  flightNumber: textSchema,
  aircraftIcao: textSchema,
  registration: textSchema,
  origin: airportSchema,
  destination: airportSchema,
  alternates: z.array(airportSchema.pick({ icao: true, runway: true })),
  route: textSchema,
  cruiseAltitude: numberSchema.describe('feet'),
  costIndex: numberSchema,
  distanceNm: numberSchema,
  estimatedOut: textSchema,
  estimatedOff: textSchema,
  estimatedOn: textSchema,
  estimatedIn: textSchema,
  enrouteSeconds: numberSchema,
  units: z.enum(ofpUnits).nullable(),
  fuel: z.strictObject({
    ramp: numberSchema,
    takeoff: numberSchema,
    trip: numberSchema,
    landing: numberSchema,
  }),
  weights: z.strictObject({
    zfw: numberSchema,
    tow: numberSchema,
    ldw: numberSchema,
    maxZfw: numberSchema,
    maxTow: numberSchema,
    maxLdw: numberSchema,
    payload: numberSchema,
    pax: numberSchema,
  }),
  airac: textSchema,
  release: textSchema,
  hasNavlog: z.boolean(),
  hasTlr: z.boolean(),
  isEtops: z.boolean(),
});
export type OfpFacts = z.output<typeof ofpFactsSchema>;

export const ofpSummarySchema = z.strictObject({
  ofpId: z.string(),
  name: z.string(),
  source: z.enum(ofpSources),
  ...ofpFactsSchema.shape,
  plannerRequestId: textSchema,
  plannerSequenceId: textSchema,
  plannerStaticId: textSchema,
  revision: z.int(),
  generatedAt: textSchema,
  importedAt: z.string(),
  isStale: z.boolean().describe('true when the plan was generated, or was to depart, more than 24 hours ago'),
  ownerUserId: z.int(),
});
export type OfpSummary = z.output<typeof ofpSummarySchema>;

const shortAirport = ({ icao, iata, name, runway }: OfpAirport) => ({ icao, iata, name, runway });

export const factsOf = (ofp: NormalizedOfp): OfpFacts => {
  const { general, aircraft, times, fuel, weights } = ofp;
  const { estimated, scheduled } = times;
  return {
    callsign: general.callsign,
    airline: general.airline,
    flightNumber: general.flightNumber,
    aircraftIcao: aircraft.icao ?? aircraft.baseType,
    registration: aircraft.registration,
    origin: shortAirport(ofp.origin),
    destination: shortAirport(ofp.destination),
    alternates: ofp.alternates.map(({ icao, runway }) => ({ icao, runway })),
    route: general.route,
    cruiseAltitude: general.initialAltitudeFt,
    costIndex: general.costIndex,
    distanceNm: general.routeNm ?? general.greatCircleNm,
    estimatedOut: estimated.out ?? scheduled.out,
    estimatedOff: estimated.off ?? scheduled.off,
    estimatedOn: estimated.on ?? scheduled.on,
    estimatedIn: estimated.in ?? scheduled.in,
    enrouteSeconds: times.enrouteSeconds,
    units: general.units,
    fuel: { ramp: fuel.ramp, takeoff: fuel.takeoff, trip: fuel.enroute, landing: fuel.landing },
    weights: {
      zfw: weights.zfw,
      tow: weights.tow,
      ldw: weights.ldw,
      maxZfw: weights.maxZfw,
      maxTow: weights.maxTow,
      maxLdw: weights.maxLdw,
      payload: weights.payload,
      pax: weights.pax ?? general.passengers,
    },
    airac: general.airac,
    release: general.release,
    hasNavlog: ofp.fixes.length > 0,
    hasTlr: ofp.takeoff !== null || ofp.landing !== null,
    isEtops: general.isEtops,
  };
};

/** `DLH4AB KJFK-EDDF`. */
export const defaultName = ({ callsign, origin, destination }: OfpFacts): string =>
  [callsign, `${origin.icao ?? '?'}-${destination.icao ?? '?'}`].filter(Boolean).join(' ');

/** Age at which a plan is stale and a flight over. */
export const staleMs = 86_400_000;

/** True if the plan was generated, or due to depart, more than 24 hours before `now`. */
const isStale = (
  generatedAt: Date | null,
  { estimatedOut }: Pick<OfpFacts, 'estimatedOut'>,
  now: Date,
): boolean =>
  [generatedAt?.getTime() ?? null, estimatedOut === null ? null : Date.parse(estimatedOut)].some(
    (ms) => ms !== null && now.getTime() - ms > staleMs,
  );

/** A stored plan. */
export interface StoredOfp {
  id: string;
  ownerUserId: number;
  name: string;
  source: OfpSource;
  plannerRequestId: string | null;
  plannerSequenceId: string | null;
  plannerStaticId: string | null;
  generatedAt: Date | null;
  facts: OfpFacts;
  revision: number;
  importedAt: Date;
  ownerProfile: StoredProfile | null;
}

export const summaryOf = (stored: StoredOfp, now: Date): OfpSummary => {
  const { id, ownerUserId, name, source, facts, revision, generatedAt, importedAt } = stored;
  return {
    ofpId: id,
    name,
    source,
    ...facts,
    plannerRequestId: stored.plannerRequestId,
    plannerSequenceId: stored.plannerSequenceId,
    plannerStaticId: stored.plannerStaticId,
    revision,
    generatedAt: generatedAt && isoSeconds(generatedAt),
    importedAt: isoSeconds(importedAt),
    isStale: isStale(generatedAt, facts, now),
    ownerUserId,
  };
};
