import { z } from 'zod';

/** A caution or refusal as data; `caution` and `error` have only the texts. */
export const cautionAnswerSchema = z.strictObject({
  code: z.string().describe('does not change between versions; the guide explains every code'),
  severity: z
    .enum(['error', 'warning', 'advisory'])
    .describe('error: there is no result; warning: a limit or a requirement is not met; advisory: the rest'),
  field: z.string().nullable().describe('of the request, or of the answer as `performance.…`; null: of none'),
  text: z.string().describe('a sentence in English, in the units of the request'),
  value: z.number().nullable().describe('the number that was compared, in `unit`'),
  limit: z.number().nullable().describe('what it was compared with, in `unit`'),
  unit: z.string().nullable().describe('of value and limit, as in the text; empty for a number without unit'),
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
    'The request has no landingMode, so a dispatch was calculated, without what it has for a landing in flight.',
  FORMER_ICAO: 'The airport code of the request is a former one; the airport was found by its present one.',
  SURFACE_REPORT_NOT_READ:
    'A report of the runway surfaces of the airport was not understood, or not certainly for a runway of it, and has to be read.',
  SURFACE_REPORT_EXPIRED:
    'The last report of the operator on this runway is over. It counts for a day more, until there is another.',
  SURFACE_MAY_HAVE_CHANGED:
    'It has rained or thawed since the operator of the airport reported snow or ice on this runway.',
  DEPTH_ASSUMED: 'The request has water, slush or snow without its depth, which was assumed.',
  WEATHER_OLD: 'A report of the weather is more than 90 minutes old at the time of use.',
  AIRCRAFT_DIFFERS:
    'The aircraft is not the one that the flight plan was imported with, and the text says in what its profile differs.',
  SETTINGS_NOT_CARRIED:
    'The flight plan was made with settings for which the aircraft has no option; the text names them.',
  NOTAM_NOT_INCLUDED: 'A NOTAM is in force that the calculation does not include.',
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
