/** Optional parts in the answers of `weather` and `weatherBatch`. */
import { z } from 'zod';
import { listField } from '../fields/index.ts';
import { atisFactsSchema } from './atis-facts.ts';
import { airAboveSchema, densityAltitudeSchema } from './air-above.ts';
import { flightCategorySchema, forecastSchema } from './forecast-answer.ts';
import { runwaysInUseSchema } from './runway-in-use.ts';

const weatherPartNames = [
  'flightCategory',
  'forecast',
  'airAbove',
  'densityAltitude',
  'runwaysInUse',
  'atis',
  'nearestStation',
  'history',
  'sun',
] as const;
type WeatherPartName = (typeof weatherPartNames)[number];

const stationReportShape = {
  date: z.string().describe('time of the report, UTC, `YYYY-MM-DD HH:MM:SS`'),
  source: z.string().describe('source of the report'),
  text: z.string().describe('METAR text as published'),
  flightCategory: flightCategorySchema,
};

export const weatherPartsShape = {
  flightCategory: flightCategorySchema.optional(),
  forecast: forecastSchema.optional().describe('the TAF at the time `at`'),
  airAbove: airAboveSchema
    .nullable()
    .optional()
    .describe(
      "forecast winds and temperatures above the field at `at`; null if the station's position or elevation is unknown",
    ),
  densityAltitude: densityAltitudeSchema.optional(),
  runwaysInUse: runwaysInUseSchema.optional(),
  atis: atisFactsSchema.optional(),
  nearestStation: z
    .strictObject({
      icao: z.string(),
      name: z.string().describe('name of the airport'),
      distance: z.number().describe('nautical miles'),
      bearing: z.int().describe('bearing from the airport to the station, degrees true'),
      ...stationReportShape,
    })
    .nullable()
    .optional()
    .describe(
      'if the airport has no METAR of the last 75 minutes, the nearest station that has; null if it has one, or there is no such station within 200 nautical miles',
    ),
  history: z
    .array(z.strictObject({ icao: z.string(), ...stationReportShape }))
    .optional()
    .describe('all METARs of the last 6 hours, latest first'),
  sun: z
    .strictObject({
      sunrise: z.string().nullable().describe('ISO 8601; null in polar day or night'),
      sunset: z.string().nullable().describe('ISO 8601; null in polar day or night'),
      polar: z
        .enum(['DAY', 'NIGHT'])
        .nullable()
        .describe('DAY: the sun does not set; NIGHT: it does not rise; null: it rises and sets'),
    })
    .nullable()
    .optional()
    .describe(
      "sunrise and sunset on the local day of `at`, for the upper limb on a level horizon, accurate to about a minute; null if the station's position is unknown",
    ),
};

const weatherPartsSchema = z.strictObject(weatherPartsShape);
export type WeatherParts = z.input<typeof weatherPartsSchema>;

const maxTimeText = 40;

export const weatherPartsInput = {
  include: listField(
    z.enum(weatherPartNames, 'INVALID_INCLUDE'),
    { max: 20 },
    {
      missing: 'INVALID_INCLUDE',
      invalid: 'INVALID_INCLUDE',
    },
  )
    .nullish()
    .describe('parts to include besides the reports'),
  at: z.iso
    .datetime({ offset: true, error: 'INVALID_AT' })
    .max(maxTimeText, 'INVALID_AT')
    .nullish()
    .describe(
      'time for `forecast`, `airAbove` and `sun`, ISO 8601; default: now. If sent, the answer includes `forecast` even if `include` does not name it',
    ),
};

export const weatherPartsErrors = {
  INVALID_INCLUDE: {
    status: 400,
    message: `The field "include" must be a list of ${weatherPartNames.join(', ')}.`,
  },
  INVALID_AT: {
    status: 400,
    message: 'The field "at" must be a time in ISO 8601, for example 2026-09-16T14:00:00Z.',
  },
} as const;

export interface WantedParts {
  names: ReadonlySet<WeatherPartName>;
  /** ISO 8601, UTC. */
  at: string;
}

/** The parts and the time requested. */
export const wantedParts = (
  {
    include,
    at,
  }: { include?: readonly WeatherPartName[] | null | undefined; at?: string | null | undefined },
  now: Date,
): WantedParts => ({
  names: new Set([...(include ?? []), ...(at ? (['forecast'] as const) : [])]),
  at: (at ? new Date(at) : now).toISOString(),
});
