/** A plan's values for a landing or takeoff calculation, in the form of `performance`. */
import { z } from 'zod';
import { isIcaoCode } from '../airports/ident.ts';
import { answerUnitsSchema } from '../performance/request-parts.ts';
import type { LandingUnits } from '../performance/request-parts.ts';
import { conditionFormSchema, dispatchForm, enrouteForm } from '../performance/situation/condition.ts';
import type { ConditionForm } from '../performance/situation/condition.ts';
import { answeredDifferenceSchema, completeSourcesSchema } from '../performance/situation/source.ts';
import type { Difference } from '../performance/situation/source.ts';
import type { SituationOfUse } from '../performance/situation/of-use.ts';
import { conditionIn, weatherIn, weightIn } from '../performance/situation/units.ts';
import { situationWeatherSchema } from '../performance/situation/weather.ts';
import type { UserPreferences } from '../users/preferences.ts';
import { presetOf } from '../users/units.ts';
import { kgOf, profileKeySchema } from './profile-match.ts';
import type { Matched } from './profile-match.ts';
import type { Carried } from './plan-settings.ts';
import {
  landingCarried,
  landingConfigurationSchema,
  takeoffCarried,
  takeoffConfigurationSchema,
} from './plan-settings.ts';
import type { OfpPlanned, PlannedAirport, PlannedReport } from './planned.ts';

const commonShape = {
  units: answerUnitsSchema,
  aircraft: profileKeySchema.nullable(),
  airport: z.string().nullable(),
  runway: z
    .string()
    .nullable()
    .describe('runway id, with the NOTAM in force at that time applied if the subscription includes NOTAM'),
  at: z.string().nullable().describe('planned time of landing or takeoff, ISO 8601'),
  weather: situationWeatherSchema
    .extend({
      windSpeed: z.number().describe('in the wind unit'),
      gust: z.number().nullable().describe('in the wind unit; null without gusts'),
      qnh: z.number().describe('in the pressure unit'),
    })
    .describe(
      'weather at the planned time; `sources` says which values are assumed because they are not reported',
    ),
  runwayCondition: conditionFormSchema.extend({ depth: z.number().describe('in the depth unit') }),
  sources: completeSourcesSchema
    .extend({
      configuration: answeredDifferenceSchema
        .optional()
        .describe('settings in the plan that `configuration` has no option for; absent when there are none'),
      aircraft: answeredDifferenceSchema
        .optional()
        .describe('how `aircraft` differs from the profile at the import; absent when it does not'),
    })
    .describe('source of each part'),
};

export const performanceDefaultsSchema = z.strictObject({
  landing: z.strictObject({
    requestType: z.literal('LANDING'),
    landingMode: z.literal('inflight'),
    ...commonShape,
    configuration: landingConfigurationSchema.describe('as the performance section of the plan has it'),
    weight: z.strictObject({ landingWeight: z.int().nullable() }),
  }),
  takeoff: z.strictObject({
    requestType: z.literal('TAKEOFF'),
    ...commonShape,
    configuration: takeoffConfigurationSchema.describe('as the performance section of the plan has it'),
    weight: z.strictObject({ takeoffWeight: z.int().nullable() }),
  }),
});
export type PerformanceDefaults = z.output<typeof performanceDefaultsSchema>;

/** The user's preferred units. */
export const unitsOf = ({ defaultUnit }: Pick<UserPreferences, 'defaultUnit'>): LandingUnits => {
  const { weight, wind, altitude, distance, depth, pressure } = presetOf(defaultUnit);
  return { weight, wind, altitude, distance, depth, pressure };
};

export const runwayOf = (airport: PlannedAirport, report: PlannedReport | null): string | null =>
  airport.runway ?? report?.conditions.runway ?? null;

/** Conditions at departure or destination, and the runway id at that time. */
interface End {
  situation: SituationOfUse;
  runwayId: string | null;
}

/** `aircraft` is null if the plan has no profile. */
export const performanceDefaultsOf = (
  ofp: OfpPlanned,
  { matched, aircraft }: { matched: Matched | null; aircraft: Difference | undefined },
  { arrivalAt, departureAt }: { arrivalAt: string | null; departureAt: string | null },
  { arrival, departure }: { arrival: End; departure: End },
  units: LandingUnits,
): PerformanceDefaults => {
  const { general, weights, landing, takeoff } = ofp;
  const weightOf = (given: number | null): number | null =>
    // A plan in pounds keeps pounds.
    (general.units === 'lbs' && units.weight === 'lb'
      ? given && Math.round(given)
      : weightIn(kgOf(given, general) ?? 0, units)) || null;
  // If the profile contradicts the plan's type, the user has to confirm it.
  const candidate = matched && matched.match.confidence !== 'conflict' ? matched.candidate : null;
  const { profile } = candidate ?? {};
  const partOf = <C extends object>(
    airport: PlannedAirport,
    { situation, runwayId }: End,
    condition: ConditionForm,
    { configuration, source }: Carried<C>,
  ) => ({
    units,
    aircraft: candidate && candidate.key,
    airport: airport.icao !== null && isIcaoCode(airport.icao) ? airport.icao : null,
    runway: runwayId,
    weather: weatherIn(situation.weather, units),
    runwayCondition: conditionIn(condition, units),
    configuration,
    sources: {
      ...situation.sources,
      ...(aircraft && { aircraft }),
      ...(source && { configuration: source }),
    },
  });
  const [enroute, dispatch] = [
    enrouteForm(arrival.situation.surface),
    dispatchForm(departure.situation.surface, 'takeoff'),
  ];
  return {
    landing: {
      requestType: 'LANDING',
      landingMode: 'inflight',
      ...partOf(ofp.destination, arrival, enroute, landingCarried(landing, profile)),
      at: arrivalAt,
      weight: { landingWeight: weightOf(weights.ldw ?? landing?.conditions.weight ?? null) },
    },
    takeoff: {
      requestType: 'TAKEOFF',
      ...partOf(ofp.origin, departure, dispatch, takeoffCarried(takeoff, ofp.origin.runway, profile)),
      at: departureAt,
      weight: { takeoffWeight: weightOf(weights.tow ?? takeoff?.conditions.weight ?? null) },
    },
  };
};
