/** An aerodrome of a flight at the time it is used: reports, runway surfaces and NOTAM, the planned runway first. */
import { z } from 'zod';
import { openOrClosedEnds } from '#domain/notam/airport.ts';
import { officialReports } from '#domain/notam/surface/official.ts';
import { surfaceReportsOf, surfaceReportsSchema } from '#domain/notam/surface/schema.ts';
import type { RunwayEffect } from '#domain/notam/types.ts';
import { isValidAt } from '#domain/notam/validity.ts';
import { isoTime } from '#domain/ofp/summary.ts';
import { weatherUsedSchema } from '#domain/performance/situation/weather-at.ts';
import { flightCategories, flightCategory } from '#domain/weather/category.ts';
import { forecastAnswer, forecastSchema } from '#domain/weather/forecast-answer.ts';
import { routeReportSchema } from '#domain/weather/route-schema.ts';
import { utcText } from '#domain/weather/times.ts';
import type { AirportUse } from './uses.ts';

const concerns = ['plannedRunway', 'aerodrome', 'otherRunway', 'other'] as const;
type Concern = (typeof concerns)[number];

export const briefingAirportSchema = z.strictObject({
  icao: z.string(),
  runway: z.string().nullable().describe('planned runway; null: the plan names none'),
  at: z.string().describe('time of use for which NOTAM and reports hold, ISO 8601; never before now'),
  category: z.enum(flightCategories).nullable().describe('flight category of the METAR'),
  metar: routeReportSchema.nullable(),
  taf: routeReportSchema.nullable(),
  forecast: forecastSchema.describe('the TAF at the time of use, as `weather` answers it'),
  weatherUsed: weatherUsedSchema.describe(
    'the report that holds at the time of use: a METAR of the hour before, else the TAF, else the last METAR; takeoff and landing are calculated for it',
  ),
  runwayReports: surfaceReportsSchema,
  notams: z
    .array(
      z.strictObject({
        number: z.string().describe('number, such as A0123/26'),
        concerns: z
          .enum(concerns)
          .describe(
            'what it changes: the planned runway, the aerodrome as a whole, another runway, or no runway',
          ),
        from: z.string().describe('ISO 8601'),
        to: z.string().nullable().describe('ISO 8601; null: permanent'),
        text: z.string().describe('the NOTAM in its original words'),
      }),
    )
    .describe('valid at that time, those on the planned runway first'),
});

/** Of one effect; a shortening of one direction concerns the other one, too. */
const concernOf = (effect: RunwayEffect, runway: string | null): Concern => {
  if (effect.kind === 'allRunwaysClosed' || effect.kind === 'aerodromeClosed') return 'aerodrome';
  const named = effect.kind === 'exitClosed' ? effect.runways : [effect.runway];
  return runway !== null && named.includes(runway) ? 'plannedRunway' : 'otherRunway';
};

const worst = (effects: readonly RunwayEffect[], runway: string | null): Concern =>
  concerns[Math.min(3, ...effects.map((effect) => concerns.indexOf(concernOf(effect, runway))))] ?? 'other';

export const briefingAirport = ({
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
    at: isoTime(at),
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
        from: isoTime(new Date(fromUtc)),
        to: toUtc === null ? null : isoTime(new Date(toUtc)),
        text: raw,
      }))
      .toSorted((a, b) => concerns.indexOf(a.concerns) - concerns.indexOf(b.concerns)),
  };
};
