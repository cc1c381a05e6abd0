/** Weather of several airports in one answer. */
import { z } from 'zod';
import { isIcaoCode } from '../airports/ident.ts';
import { listField, textField } from '../fields/index.ts';
import { ignoredField } from '../fields/unknown-keys.ts';
import { weatherPartsInput, weatherPartsShape } from './parts.ts';

export const maxBatchAirports = 40;
const maxCodeText = 20;

const invalid = { missing: 'INVALID_ICAO', invalid: 'INVALID_ICAO' };

export const weatherBatchInputSchema = z.strictObject({
  icao: listField(
    textField(maxCodeText, invalid),
    { min: 1, max: maxBatchAirports },
    { missing: 'MISSING_ICAO', invalid: 'INVALID_ICAO', tooMany: 'TOO_MANY_ICAO' },
  ).describe('ICAO codes; the entry for an invalid or unknown code has an error'),
  ...weatherPartsInput,
});

const reportShape = {
  icao: z.string().describe('reporting station'),
  source: z.string().describe('source of the report'),
  date: z.string().describe('time of the report, UTC, `YYYY-MM-DD HH:MM:SS`'),
  text: z.string().describe('the report as published'),
};

export const weatherBatchOutputSchema = z.strictObject({
  airports: z
    .array(
      z.strictObject({
        icao: z.string().describe('the requested code in upper case'),
        error: z
          .strictObject({
            code: z.enum(['INVALID_ICAO', 'UNKNOWN_ICAO']).describe('stable error code, for programs'),
            message: z.string().describe('explanation in English, for people'),
          })
          .nullable()
          .describe('why this airport has no weather; null without an error'),
        metar: z.strictObject(reportShape).nullable().describe('the latest METAR; null when there is none'),
        taf: z
          .strictObject({
            ...reportShape,
            validityHasEnded: z.boolean().describe('true when the forecast is no longer valid'),
          })
          .nullable()
          .describe('the latest TAF; null when there is none'),
        ...weatherPartsShape,
      }),
    )
    .describe('one entry per distinct code, in the order of the request'),
  ...ignoredField,
});

export type BatchEntry = z.input<typeof weatherBatchOutputSchema>['airports'][number];

/** Distinct codes in upper case and request order, and the syntactically valid ones among them. */
export const batchCodes = (asked: readonly string[]): { codes: string[]; valid: string[] } => {
  const codes = [...new Set(asked.map((icao) => icao.trim().toUpperCase()))];
  return { codes, valid: codes.filter(isIcaoCode) };
};
