import { z } from 'zod';

/** A caution or refusal as data; `caution` and `error` have only the texts. */
export const cautionAnswerSchema = z.strictObject({
  code: z.string().describe('stable between versions; the guide explains every code'),
  severity: z
    .enum(['error', 'warning', 'advisory'])
    .describe(
      'error: there is no result; warning: a limit or requirement is not met; advisory: anything else',
    ),
  field: z
    .string()
    .nullable()
    .describe('field of the request it concerns, or of the answer as `performance.…`; null: no field'),
  text: z.string().describe('a sentence in English, in the units of the request'),
  value: z.number().nullable().describe('the number that was compared, in `unit`'),
  limit: z.number().nullable().describe('the limit it was compared with, in `unit`'),
  unit: z
    .string()
    .nullable()
    .describe('unit of `value` and `limit`, as in the text; empty for a number without unit'),
});
export type CautionAnswer = z.output<typeof cautionAnswerSchema>;

/** Cautions without numbers to compare, and their meaning. */
export const plainCautions = {
  UNKNOWN_FIELD: 'The request has a field that this query does not know and that was ignored.',
  ELEVATION_ASSUMED: 'The elevation of the runway is unknown; sea level was assumed.',
  LDA_COMPUTED:
    'The landing distance available was computed from the pavement; there is no declared distance.',
  TORA_COMPUTED:
    'Takeoff: the distances available were computed from the pavement; there are no declared ones.',
  LANDING_MODE_ASSUMED:
    'Without landingMode, a dispatch was calculated; values that only apply in flight were ignored.',
  FORMER_ICAO: 'The request has a former airport code; the airport was found by its current one.',
  SURFACE_REPORT_NOT_READ:
    'A runway surface report of the airport could not be interpreted with certainty and has to be read.',
  SURFACE_REPORT_EXPIRED:
    'The last runway condition report has expired. It counts for another day, unless a new one arrives.',
  SURFACE_MAY_HAVE_CHANGED: 'It has rained or thawed since snow or ice was reported on this runway.',
  DEPTH_ASSUMED: 'The request has water, slush or snow without a depth, so a depth was assumed.',
  WEATHER_OLD: 'A weather report is more than 90 minutes old at the time of use.',
  AIRCRAFT_DIFFERS:
    'The aircraft is not the one that the flight plan was imported with; the text names the differences.',
  SETTINGS_NOT_CARRIED: 'The flight plan has settings that the aircraft does not offer; the text names them.',
  NOTAM_NOT_INCLUDED: 'The calculation does not include a NOTAM in force.',
} as const satisfies Record<string, string>;
export type PlainCaution = keyof typeof plainCautions;

/** A caution without numbers. */
export const plainCaution = (
  code: PlainCaution,
  text: string,
  field: string | null = null,
): CautionAnswer => ({
  code,
  severity: 'advisory',
  field,
  text,
  value: null,
  limit: null,
  unit: null,
});
