/** What a plan already says for a landing or takeoff calculation, in the shape of `performance`. */
import { z } from 'zod';
import { isIcaoCode } from '../airports/ident.ts';
import { landingUnitsSchema } from '../performance/request.ts';
import { conditionFormSchema, dispatchForm, enrouteForm } from '../performance/situation/condition.ts';
import { completeSourcesSchema } from '../performance/situation/source.ts';
import { situationWeatherSchema } from '../performance/situation/weather.ts';
import { planSituation } from './plan-situation.ts';
import type { PlanBearings, PlanTimes } from './plan-situation.ts';
import { kgOf } from './profile-match.ts';
import type { ProfileMatch } from './profile-match.ts';
import type { OfpPlanned, PlannedAirport, PlannedReport } from './planned.ts';

const { shape } = landingUnitsSchema;
/** Without the defaults of requests: an answer that is complete needs no parsing. */
const unitsSchema = z.strictObject({
  weight: shape.weight.unwrap(),
  wind: shape.wind.unwrap(),
  altitude: shape.altitude.unwrap(),
  distance: shape.distance.unwrap(),
  depth: shape.depth.unwrap(),
  pressure: shape.pressure.unwrap(),
});

const commonShape = {
  units: unitsSchema,
  aircraft: z
    .strictObject({
      file: z.string(),
      userRegistration: z.string().nullable(),
      virtualAirline: z.string().nullable(),
    })
    .nullable(),
  airport: z.string().nullable(),
  runway: z.string().nullable(),
  at: z.string().nullable().describe('planned time of landing or takeoff, ISO 8601'),
  weather: situationWeatherSchema,
  runwayCondition: conditionFormSchema,
  sources: completeSourcesSchema,
};

export const performanceDefaultsSchema = z.strictObject({
  landing: z.strictObject({
    requestType: z.literal('LANDING'),
    landingMode: z.literal('inflight'),
    ...commonShape,
    weight: z.strictObject({ landingWeight: z.int().nullable() }),
  }),
  takeoff: z.strictObject({
    ...commonShape,
    weight: z.strictObject({ takeoffWeight: z.int().nullable() }),
  }),
});
export type PerformanceDefaults = z.output<typeof performanceDefaultsSchema>;

/** Units of the numbers below. */
const units = unitsSchema.parse({
  weight: 'kg',
  wind: 'kt',
  altitude: 'feet',
  distance: 'meter',
  depth: 'mm',
  pressure: 'hpa',
});

export const runwayOf = (airport: PlannedAirport, report: PlannedReport | null): string | null =>
  airport.runway ?? report?.conditions.runway ?? null;

const placeOf = (airport: PlannedAirport, report: PlannedReport | null) => ({
  airport: airport.icao !== null && isIcaoCode(airport.icao) ? airport.icao : null,
  runway: runwayOf(airport, report),
});

/** Weights in kg, wind in knots, QNH in hPa. `aircraft` is null without a profile for the plan. */
export const performanceDefaultsOf = (
  ofp: OfpPlanned,
  match: ProfileMatch | null,
  times: PlanTimes,
  bearings: PlanBearings,
): PerformanceDefaults => {
  const { general, weights, landing, takeoff } = ofp;
  // Of a profile whose type is not that of the plan the user must say whether it is meant.
  const aircraft =
    match === null || match.confidence === 'conflict'
      ? null
      : {
          file: match.file,
          userRegistration: match.userRegistration,
          virtualAirline: match.virtualAirline,
        };
  const { generatedAt, arrivalAt, departureAt } = times;
  const arrival = planSituation(
    ofp.destination,
    landing,
    { at: arrivalAt, generatedAt },
    bearings.arrivalDeg,
  );
  const departure = planSituation(
    ofp.origin,
    takeoff,
    { at: departureAt, generatedAt },
    bearings.departureDeg,
  );
  return {
    landing: {
      requestType: 'LANDING',
      landingMode: 'inflight',
      units,
      aircraft,
      ...placeOf(ofp.destination, landing),
      at: arrivalAt,
      weather: arrival.weather,
      runwayCondition: enrouteForm(arrival.surface),
      sources: arrival.sources,
      weight: { landingWeight: kgOf(weights.ldw ?? landing?.conditions.weight ?? null, general) || null },
    },
    takeoff: {
      units,
      aircraft,
      ...placeOf(ofp.origin, takeoff),
      at: departureAt,
      weather: departure.weather,
      runwayCondition: dispatchForm(departure.surface, 'takeoff'),
      sources: departure.sources,
      weight: { takeoffWeight: kgOf(weights.tow ?? takeoff?.conditions.weight ?? null, general) || null },
    },
  };
};
