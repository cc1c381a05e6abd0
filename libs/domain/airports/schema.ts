/** Answer of the `airport` query: the choices a pilot has before a calculation. */
import { z } from 'zod';

const distanceSourceSchema = z
  .string()
  .describe('operator, faa_nasr, aixm_<state>, or derived (from length and displaced threshold)');

const distanceSchema = z.strictObject({ value: z.number().describe('metres'), source: distanceSourceSchema });

const distances = { tora: distanceSchema, toda: distanceSchema, asda: distanceSchema, lda: distanceSchema };

const intersectionSchema = z.strictObject({
  id: z.string().describe('runway id of this intersection for a calculation, e.g. 07L/A5'),
  name: z.string(),
  tora: z.number().describe('metres available from the intersection'),
  toda: z.number(),
  asda: z.number(),
  source: z.enum(['osm', 'operator']),
});

const exitSchema = z.strictObject({
  name: z.string(),
  side: z.enum(['left', 'right']).nullable(),
  distance: z.number().describe('metres from the landing threshold'),
  angle: z.number().nullable().describe('degrees between landing direction and taxiway'),
  class: z.enum(['high', 'mid', 'right', 'reverse', 'unknown']),
  source: z.enum(['osm', 'operator']),
});

/** The same names as in refusals of a calculation. */
export const missingFeatureSchema = z
  .literal('notam')
  .nullable()
  .describe(
    'feature that a calculation with this NOTAM needs and the subscription lacks; null when nothing is missing',
  );

const notamVariantSchema = z.strictObject({
  id: z
    .string()
    .nullable()
    .describe('runway id with this NOTAM applied, e.g. 07L.N1; null when `missingFeature` is set'),
  missingFeature: missingFeatureSchema,
  notam: z.string(),
  text: z.string(),
  isClosed: z.boolean(),
  tora: z.number().nullable(),
  toda: z.number().nullable(),
  asda: z.number().nullable(),
  lda: z.number().nullable(),
  displacedThreshold: z
    .number()
    .nullable()
    .describe('metres from the beginning of the runway; exits are measured from it; null: as published'),
});

export const runwayAnswerSchema = z.strictObject({
  ident: z.string().describe('runway id for a calculation, two digits and L, C or R'),
  publishedIdent: z.string(),
  reciprocal: z.string(),
  heading: z.number().nullable().describe('degrees magnetic'),
  trueBearing: z.number().describe('degrees true'),
  length: z.number().describe('metres'),
  width: z.number().nullable().describe('metres'),
  displacedThreshold: z.number().describe('metres'),
  ...distances,
  distancesAsOf: z.string().nullable(),
  slope: z.number().describe('percent, uphill positive'),
  slopeSource: z.enum(['published', 'assumed']),
  elevation: z.number().nullable().describe('feet, at the landing threshold'),
  threshold: z.strictObject({ latitude: z.number(), longitude: z.number() }).nullable(),
  surface: z.enum(['paved', 'unpaved', 'water', 'unknown']),
  isLighted: z.boolean(),
  isClosed: z.boolean(),
  efp: z.strictObject({
    isStandard: z.boolean(),
    text: z.string().nullable(),
    accelerationAltitude: z.number().nullable().describe('feet'),
    turn: z.enum(['none', 'left', 'right']).nullable(),
  }),
  missedApproachClimbGradient: z.number().describe('percent'),
  intersections: z.array(intersectionSchema),
  exits: z.array(exitSchema),
  notams: z.array(notamVariantSchema),
  flags: z.array(z.string()).describe('what the import flagged'),
});

export const airportAnswerSchema = z.strictObject({
  icao: z.string().describe('current code, even when a former one was sent'),
  formerIcaos: z.array(z.string()).describe('former codes, which find the airport too'),
  iata: z.string().nullable(),
  name: z.string(),
  type: z.enum(['large', 'medium', 'small', 'heliport', 'seaplane', 'other']),
  latitude: z.number(),
  longitude: z.number(),
  elevation: z.number().nullable().describe('feet'),
  country: z.string(),
  municipality: z.string().nullable(),
  timeZone: z.string().nullable(),
  magneticVariation: z.number().nullable().describe('degrees, east positive'),
  isMagneticVariationOutdated: z.boolean(),
  longestRunway: z.number().nullable().describe('metres'),
  runways: z.array(runwayAnswerSchema),
  source: z.string(),
  updatedAt: z.string().describe('UTC'),
  copyright: z.string(),
});

export type AirportAnswer = z.output<typeof airportAnswerSchema>;
export type RunwayAnswer = z.output<typeof runwayAnswerSchema>;
