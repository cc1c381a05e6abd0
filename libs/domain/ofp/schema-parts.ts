/**
 * Parts of a plan: airports, alternates, ETOPS segment, NOTAM, files. Members missing from older imports are optional.
 */
import { z } from 'zod';

export const textSchema = z.string().nullable();
export const numberSchema = z.number().nullable();
export const integerSchema = z.int().nullable();

export const ofpAirportSchema = z.strictObject({
  icao: textSchema,
  iata: textSchema,
  name: textSchema,
  elevationFt: numberSchema,
  latitude: numberSchema,
  longitude: numberSchema,
  runway: textSchema,
  transitionAltitudeFt: integerSchema,
  transitionLevelFt: integerSchema,
  metar: textSchema,
  metarTime: textSchema.optional().describe('time of the report, ISO 8601; absent in older imports'),
  metarAgeMinutes: integerSchema
    .optional()
    .describe(
      'age of the report when the plan was generated, minutes; null: unknown; absent in older imports',
    ),
  taf: textSchema,
  atis: z.array(
    z.strictObject({ network: textSchema, letter: textSchema, type: textSchema, message: textSchema }),
  ),
  notamCount: z.int(),
});

export const ofpAlternateSchema = ofpAirportSchema.extend({
  distanceNm: numberSchema,
  burn: numberSchema,
  enrouteSeconds: integerSchema,
  route: textSchema,
  cruiseAltitudeFt: integerSchema,
});

const etopsPointSchema = z.strictObject({
  airport: textSchema.describe(
    'ICAO code of the airport from which the segment counts; null for other points',
  ),
  latitude: numberSchema,
  longitude: numberSchema,
  elapsedSeconds: integerSchema.describe('seconds since takeoff'),
  minimumFuel: numberSchema.describe('least fuel on board, in `units`'),
  plannedFuel: numberSchema.describe('planned fuel on board, in `units`'),
  criticalFuel: numberSchema.describe('fuel for the worst diversion from here, in `units`'),
  condition: textSchema.describe('the failure that is planned for, in the words of SimBrief'),
  diversions: z
    .array(
      z.strictObject({
        icao: textSchema,
        distanceNm: numberSchema.describe('nautical miles'),
        trackTrueDeg: numberSchema,
        windComponentKt: numberSchema,
      }),
    )
    .describe('airports to divert to from here'),
});

export const ofpEtopsSchema = z.strictObject({
  ruleMinutes: integerSchema.describe('the rule: minutes from an adequate airport'),
  entry: etopsPointSchema.nullable().describe('where the segment begins'),
  exit: etopsPointSchema.nullable().describe('where the segment ends'),
  equalTimePoints: z.array(etopsPointSchema).describe('points from which two airports take the same time'),
  criticalPoint: etopsPointSchema.nullable().describe('where the critical fuel is highest'),
  airports: z
    .array(
      ofpAirportSchema.extend({
        suitableFrom: textSchema.describe('ISO 8601'),
        suitableTo: textSchema.describe('ISO 8601'),
      }),
    )
    .describe('airports that are planned as suitable'),
});

export const ofpNotamSchema = z.strictObject({
  id: textSchema.describe('number, such as A0123/26'),
  location: textSchema.describe('ICAO code of the airport or region'),
  text: z.string(),
  qCode: textSchema.describe('Q code, such as QMRLC'),
  from: textSchema.describe('ISO 8601'),
  to: textSchema.describe('ISO 8601; null: until further notice, or unknown'),
  isEstimated: z.boolean().describe('the end is an estimate'),
});

export const ofpFileSchema = z.strictObject({
  kind: z.enum(['document', 'fms', 'image']).describe('a briefing, a file for an FMS, or a map'),
  format: textSchema.describe('ending or name of the format, such as pdf'),
  name: textSchema,
  url: textSchema.describe('at SimBrief; null without a web address'),
});

export const ofpFuelBucketSchema = z.strictObject({
  name: textSchema.describe('what it is for'),
  fuel: numberSchema.describe('in `units`'),
  time: textSchema.describe('as SimBrief writes it'),
  isRequired: z.boolean().describe('may not be left out'),
});

export const ofpFixWindSchema = z.strictObject({
  altitudeFt: integerSchema,
  windDirectionDeg: numberSchema,
  windKt: numberSchema,
  temperatureC: numberSchema,
});

const ofpLandingDistanceSchema = z
  .strictObject({
    weight: numberSchema.describe('in `units`'),
    flap: textSchema.describe('landing flap'),
    brakes: textSchema.describe('brake setting'),
    hasReverserCredit: z.boolean().describe('reverse thrust is counted'),
    vrefKt: integerSchema.describe('VREF in knots'),
    actualFt: numberSchema.describe('actual landing distance, in the unit of the runway lengths, feet'),
    factoredFt: numberSchema.describe('with the margin of SimBrief, in the unit of the runway lengths, feet'),
  })
  .nullable();

export const landingDistancesShape = {
  distanceDry: ofpLandingDistanceSchema.optional().describe('on a dry runway; absent in older imports'),
  distanceWet: ofpLandingDistanceSchema.optional().describe('on a wet runway; absent in older imports'),
};

export type OfpAirport = z.output<typeof ofpAirportSchema>;
export type OfpAlternate = z.output<typeof ofpAlternateSchema>;
export type OfpEtops = z.output<typeof ofpEtopsSchema>;
export type OfpNotam = z.output<typeof ofpNotamSchema>;
export type OfpFile = z.output<typeof ofpFileSchema>;
export type OfpFuelBucket = z.output<typeof ofpFuelBucketSchema>;
export type OfpLandingDistance = z.output<typeof ofpLandingDistanceSchema>;
