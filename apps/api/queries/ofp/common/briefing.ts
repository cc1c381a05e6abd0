/** The briefing of a flight: each part is answered by its own operation. */
import { z } from 'zod';
import { openOrClosedEnds } from '#domain/notam/airport.ts';
import { officialReports } from '#domain/notam/surface/official.ts';
import { surfaceReportsOf, surfaceReportsSchema } from '#domain/notam/surface/schema.ts';
import type { RunwayEffect } from '#domain/notam/types.ts';
import { isValidAt } from '#domain/notam/types.ts';
import { weatherUsedSchema } from '#domain/performance/situation/weather-at.ts';
import { flightCategories, flightCategory } from '#domain/weather/category.ts';
import { forecastAnswer, forecastSchema } from '#domain/weather/forecast-answer.ts';
import { routeOutputShape, routeReportSchema } from '#domain/weather/route-schema.ts';
import { utcText } from '#domain/weather/times.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { briefingFilesSchema } from '#domain/prints/files.ts';
import { plannedRoute } from '#domain/ofp/route.ts';
import type { AirportUse } from './plan.ts';
import {
  landingCallSchema,
  performanceContext,
  plannedLanding,
  plannedTakeoff,
  takeoffCallSchema,
} from '../../performance/common/answer.ts';
import { detailOf, ofpDetailSchema } from './plan.ts';
import type { PerformanceContext } from '../../performance/common/performance.ts';
import { readPlan, routeOfPlan, routeWeather } from '../../weather/common/route.ts';
import type { AskedRoute, RouteCall } from '../../weather/common/route.ts';
import type { Needs } from '../../../handler-context.ts';
import { isoSeconds } from '#domain/time.ts';

// An aerodrome at the time the flight uses it: reports, runway surfaces and NOTAM, the planned runway first.

const concerns = ['plannedRunway', 'aerodrome', 'otherRunway', 'other'] as const;
type Concern = (typeof concerns)[number];

export const briefingAirportSchema = z.strictObject({
  icao: z.string(),
  runway: z.string().nullable().describe('planned runway; null: the plan names none'),
  at: z.string().describe('time of use at which NOTAM and reports apply, ISO 8601; never in the past'),
  category: z.enum(flightCategories).nullable().describe('flight category of the METAR'),
  metar: routeReportSchema.nullable(),
  taf: routeReportSchema.nullable(),
  forecast: forecastSchema.describe('the TAF at the time of use, as in `weather`'),
  weatherUsed: weatherUsedSchema.describe(
    'report used for takeoff and landing at the time of use: a METAR of the preceding hour, else the TAF, else the last METAR',
  ),
  runwayReports: surfaceReportsSchema,
  notams: z
    .array(
      z.strictObject({
        number: z.string().describe('NOTAM number, such as A0123/26'),
        concerns: z
          .enum(concerns)
          .describe('what it affects: the planned runway, the whole aerodrome, another runway, or no runway'),
        from: z.string().describe('ISO 8601'),
        to: z.string().nullable().describe('ISO 8601; null: permanent'),
        text: z.string().describe('original text of the NOTAM'),
      }),
    )
    .describe('NOTAM in force at that time, those for the planned runway first'),
});

/** The concern of one effect; a shortening also concerns the opposite runway end. */
const concernOf = (effect: RunwayEffect, runway: string | null): Concern => {
  if (effect.kind === 'allRunwaysClosed' || effect.kind === 'aerodromeClosed') return 'aerodrome';
  const named = effect.kind === 'exitClosed' ? effect.runways : [effect.runway];
  return runway !== null && named.includes(runway) ? 'plannedRunway' : 'otherRunway';
};

const worst = (effects: readonly RunwayEffect[], runway: string | null): Concern =>
  concerns[Math.min(3, ...effects.map((effect) => concerns.indexOf(concernOf(effect, runway))))] ?? 'other';

const briefingAirport = ({
  station,
  runway,
  at,
  situation,
}: AirportUse): z.input<typeof briefingAirportSchema> | null => {
  if (!station) return null;
  const { icao, metar, taf, notams, known } = station;
  const ends = known ? openOrClosedEnds(known.airport, notams, at) : [];
  return {
    icao,
    runway,
    at: isoSeconds(at),
    category: metar && flightCategory(metar.raw),
    metar: metar && { date: utcText(metar.observedAt), text: metar.raw },
    taf: taf && { date: utcText(taf.issuedAt), text: taf.raw },
    forecast: forecastAnswer(taf, ends, at.toISOString()),
    weatherUsed: situation.used,
    runwayReports: surfaceReportsOf(officialReports(notams, at, known)),
    notams: notams
      .filter((notam) => isValidAt(notam, at))
      .map(({ number, effects, fromUtc, toUtc, raw }) => ({
        number,
        concerns: worst(effects, runway),
        from: isoSeconds(Date.parse(fromUtc)),
        to: toUtc === null ? null : isoSeconds(Date.parse(toUtc)),
        text: raw,
      }))
      .toSorted((a, b) => concerns.indexOf(a.concerns) - concerns.indexOf(b.concerns)),
  };
};

// The answer of `briefing`.

const errorSchema = z
  .strictObject({ code: z.string().describe('error code of `performance`'), message: z.string() })
  .nullable()
  .describe('why there is no calculation');

export const briefingOutputSchema = z.strictObject({
  ofp: ofpDetailSchema.describe('the plan; `performanceDefaults` contains the weather at the planned times'),
  departure: briefingAirportSchema.nullable().describe('airport briefing; null: the plan names no airport'),
  destination: briefingAirportSchema.nullable().describe('airport briefing; null: the plan names no airport'),
  alternates: z
    .array(briefingAirportSchema)
    .describe('alternates, at the time of arrival at the destination'),
  route: z
    .strictObject(routeOutputShape)
    .nullable()
    .describe('as in the answer of `weatherRoute`; null: the plan has no navigation log'),
  takeoff: z
    .strictObject({
      answer: takeoffCallSchema.nullable().describe('answer of `performance`'),
      error: errorSchema,
    })
    .nullable()
    .describe('takeoff from the planned runway at the planned weight; null: not requested'),
  landing: z
    .strictObject({
      answer: landingCallSchema.nullable().describe('answer of `performance`'),
      error: errorSchema,
    })
    .nullable()
    .describe('in-flight landing calculation for the planned runway and weight; null: not requested'),
  files: briefingFilesSchema.nullable().describe('files; null: not requested'),
  ...ignoredField,
});

export type BriefingOutput = z.input<typeof briefingOutputSchema>;

type BriefingContext = Omit<PerformanceContext, 'fail'> &
  Needs<'identities'> &
  RouteCall & { input: { ofpId: string; performance: boolean } };

/** Throws OFP_NOT_FOUND. `asked`: the route; null if the plan has no navigation log. */
export const briefingOf = async (
  ctx: BriefingContext,
): Promise<{ answer: Omit<BriefingOutput, 'files'>; asked: AskedRoute | null }> => {
  const { input, now } = ctx;
  const { row, plan } = await readPlan(ctx, input.ofpId);
  const { ofp, uses } = await detailOf(ctx, row, plan);
  const defaults = { time: null, flightLevel: 0, groundSpeed: 450 };
  const asked = plannedRoute(plan).length === 0 ? null : routeOfPlan(plan, defaults, now);
  const performing = performanceContext(ctx);
  const answer = {
    ofp,
    departure: briefingAirport(uses.departure),
    destination: briefingAirport(uses.arrival),
    alternates: uses.alternates.map(briefingAirport).filter((airport) => airport !== null),
    route: asked && (await routeWeather(ctx, asked)),
    takeoff: input.performance ? await plannedTakeoff(performing, ofp.performanceDefaults) : null,
    landing: input.performance ? await plannedLanding(performing, ofp.performanceDefaults) : null,
  };
  return { answer, asked };
};
