/** What a plan already says for a landing or takeoff calculation, in the shape of `performance`. */
import { z } from 'zod';
import { isIcaoCode } from '../airports/ident.ts';
import { landingUnitsSchema } from '../performance/request-parts.ts';
import type { LandingUnits } from '../performance/request-parts.ts';
import { conditionFormSchema, dispatchForm, enrouteForm } from '../performance/situation/condition.ts';
import { completeSourcesSchema } from '../performance/situation/source.ts';
import type { SituationOfUse } from '../performance/situation/of-use.ts';
import { conditionIn, weatherIn, weightIn } from '../performance/situation/units.ts';
import { situationWeatherSchema } from '../performance/situation/weather.ts';
import type { UserPreferences } from '../users/preferences.ts';
import { presetOf } from '../users/units.ts';
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
  runway: z
    .string()
    .nullable()
    .describe('runway id, with the NOTAM in force at that time if the subscription has them'),
  at: z.string().nullable().describe('planned time of landing or takeoff, ISO 8601'),
  weather: situationWeatherSchema
    .extend({
      windSpeed: z.number().describe('in the wind unit'),
      gust: z.number().nullable().describe('in the wind unit; null without gusts'),
      headwind: situationWeatherSchema.shape.headwind
        .unwrap()
        .describe(
          'in the wind unit, negative: tailwind; where another wind that may blow is worse along the runway, else absent',
        )
        .optional(),
      qnh: z.number().describe('in the pressure unit'),
    })
    .describe('what is not reported is assumed, which `sources` says'),
  runwayCondition: conditionFormSchema.extend({ depth: z.number().describe('in the depth unit') }),
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
    requestType: z.literal('TAKEOFF'),
    ...commonShape,
    weight: z.strictObject({ takeoffWeight: z.int().nullable() }),
  }),
});
export type PerformanceDefaults = z.output<typeof performanceDefaultsSchema>;

/** The units that a user prefers. */
export const unitsOf = ({ defaultUnit }: Pick<UserPreferences, 'defaultUnit'>): LandingUnits => {
  const { weight, wind, altitude, distance, depth, pressure } = presetOf(defaultUnit);
  return { weight, wind, altitude, distance, depth, pressure };
};

export const runwayOf = (airport: PlannedAirport, report: PlannedReport | null): string | null =>
  airport.runway ?? report?.conditions.runway ?? null;

/** What holds at an end of the flight, and the id of its runway then. */
interface End {
  situation: SituationOfUse;
  runwayId: string | null;
}

const placeOf = ({ icao }: PlannedAirport, { runwayId }: End) => ({
  airport: icao !== null && isIcaoCode(icao) ? icao : null,
  runway: runwayId,
});

/** `aircraft` is null without a profile for the plan. */
export const performanceDefaultsOf = (
  ofp: OfpPlanned,
  match: ProfileMatch | null,
  { arrivalAt, departureAt }: { arrivalAt: string | null; departureAt: string | null },
  { arrival, departure }: { arrival: End; departure: End },
  units: LandingUnits,
): PerformanceDefaults => {
  const { general, weights, landing, takeoff } = ofp;
  const weightOf = (given: number | null): number | null =>
    // What the plan has in pounds stays as it is.
    (general.units === 'lbs' && units.weight === 'lb'
      ? given && Math.round(given)
      : weightIn(kgOf(given, general) ?? 0, units)) || null;
  // Of a profile whose type is not that of the plan the user must say whether it is meant.
  const aircraft =
    match === null || match.confidence === 'conflict'
      ? null
      : {
          file: match.file,
          userRegistration: match.userRegistration,
          virtualAirline: match.virtualAirline,
        };
  return {
    landing: {
      requestType: 'LANDING',
      landingMode: 'inflight',
      units,
      aircraft,
      ...placeOf(ofp.destination, arrival),
      at: arrivalAt,
      weather: weatherIn(arrival.situation.weather, units),
      runwayCondition: conditionIn(enrouteForm(arrival.situation.surface), units),
      sources: arrival.situation.sources,
      weight: { landingWeight: weightOf(weights.ldw ?? landing?.conditions.weight ?? null) },
    },
    takeoff: {
      requestType: 'TAKEOFF',
      units,
      aircraft,
      ...placeOf(ofp.origin, departure),
      at: departureAt,
      weather: weatherIn(departure.situation.weather, units),
      runwayCondition: conditionIn(dispatchForm(departure.situation.surface, 'takeoff'), units),
      sources: departure.situation.sources,
      weight: { takeoffWeight: weightOf(weights.tow ?? takeoff?.conditions.weight ?? null) },
    },
  };
};
