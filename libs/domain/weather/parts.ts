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
  source: z.string().describe('where the report comes from'),
  text: z.string().describe('the METAR as published'),
  flightCategory: flightCategorySchema,
};

export const weatherPartsShape = {
  flightCategory: flightCategorySchema.optional(),
  forecast: forecastSchema.optional().describe('the TAF at the time `at`'),
  airAbove: airAboveSchema
    .nullable()
    .optional()
    .describe(
      'air above the field from the grid of winds, at `at`; null for a station whose position and elevation are not known',
    ),
  densityAltitude: densityAltitudeSchema.optional(),
  runwaysInUse: runwaysInUseSchema.optional(),
  atis: atisFactsSchema.optional(),
  nearestStation: z
    .strictObject({
      icao: z.string(),
      name: z.string().describe('name of the airport'),
      distance: z.number().describe('nautical miles'),
      bearing: z.int().describe('from the airport to the station, degrees true'),
      ...stationReportShape,
    })
    .nullable()
    .optional()
    .describe(
      'the nearest station with a METAR of the last 75 minutes, where the airport itself has none; null: it has one, or there is none within 200 nautical miles',
    ),
  history: z
    .array(z.strictObject({ icao: z.string(), ...stationReportShape }))
    .optional()
    .describe('all METARs of the last 6 hours, the latest first'),
  sun: z
    .strictObject({
      sunrise: z.string().nullable().describe('ISO 8601; null in polar day or night'),
      sunset: z.string().nullable().describe('ISO 8601; null in polar day or night'),
      polar: z
        .enum(['DAY', 'NIGHT'])
        .nullable()
        .describe('DAY: the sun does not set; NIGHT: it does not rise; null: it does both'),
    })
    .nullable()
    .optional()
    .describe(
      'of the day of the airport that `at` falls in, upper limb on a level horizon, to about a minute; null for a station without a position',
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
    .describe('parts to answer with, besides the reports'),
  at: z.iso
    .datetime({ offset: true, error: 'INVALID_AT' })
    .max(maxTimeText, 'INVALID_AT')
    .nullish()
    .describe(
      'time of `forecast`, `airAbove` and `sun`, ISO 8601; now when absent. With a time the answer has `forecast` even when it is not named in `include`',
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
