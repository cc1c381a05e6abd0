/** Takeoff and landing on every runway of an airport for one aircraft: request and answer of `performanceAirport`. */
import { z } from 'zod';
import { cautionAnswerSchema } from './caution.ts';
import { noticesInForceSchema, takeoffNoticesInForceSchema } from './notices.ts';
import {
  aircraftAtAirportShape,
  answerUnitsSchema,
  runwayConditionSchema,
  situationShape,
  weatherSchema,
} from './request-parts.ts';
import { landingRequestSchema } from './request.ts';
import { takeoffRequestSchema } from './takeoff-request.ts';
import { takeoffPerformanceAnswerSchema } from './takeoff-result.ts';
import { landingPerformanceSchema } from './result.ts';

const weightField = (text: string) =>
  z.number().positive().nullable().default(null).describe(`in the weight unit; ${text}`);

export const airportTableRequestSchema = z.strictObject({
  ...aircraftAtAirportShape,
  weather: weatherSchema
    .prefault({})
    .describe('`headwind` beside a wind counts on a runway where the wind itself is not worse along it'),
  at: situationShape.at,
  sources: situationShape.sources,
  runwayCondition: runwayConditionSchema
    .prefault({})
    .describe('a described surface, as at dispatch, for both phases'),
  configuration: z
    .strictObject({
      takeoff: takeoffRequestSchema.shape.configuration.describe('of the takeoff'),
      landing: landingRequestSchema.shape.configuration.describe('of the landing'),
    })
    .prefault({})
    .describe('as `performance` takes it for each phase'),
  weight: z
    .strictObject({
      takeoffWeight: weightField('null: takeoff limits only'),
      landingWeight: weightField('null: the landing is that of a dispatch'),
    })
    .prefault({}),
});
export type AirportTableRequest = z.output<typeof airportTableRequestSchema>;

const {
  maxTakeoffWeight,
  limitedBy,
  flap,
  v1,
  vR,
  v2,
  assumedTemperature,
  verdict,
  shown,
  limitsExceeded,
  windComponents,
} = takeoffPerformanceAnswerSchema.shape;
const errorSchema = cautionAnswerSchema.nullable().describe('why there is no result; null: there is one');
const marginSchema = z.int().nullable();
const reportedConditionSchema = z
  .string()
  .nullable()
  .describe(
    'report of the operator on this runway, as `FICON 06/026: 5/3/3`; it counts where the request has no condition',
  );

const cautionsSchema = z
  .array(cautionAnswerSchema)
  .describe(
    'as `performance` gives them for this runway, with those on the NOTAM that these figures leave out',
  );

const takeoffRowSchema = z.strictObject({
  runway: z.string().describe('runway id for `performance`'),
  maxTakeoffWeight,
  limitedBy: limitedBy.nullable(),
  flap: flap.nullable(),
  assumedTemperature,
  v1,
  vR,
  v2,
  margin: marginSchema.describe('least of the margins to ASDA and TODA, in the distance unit'),
  verdict,
  shown,
  limitsExceeded,
  windComponents: windComponents.nullable(),
  reportedCondition: reportedConditionSchema,
  cautions: cautionsSchema,
  noticesInForce: takeoffNoticesInForceSchema,
  error: errorSchema,
});

const landing = landingPerformanceSchema.shape;
const landingRowSchema = z.strictObject({
  runway: z.string().describe('runway id for `performance`'),
  lda: landing.lda.nullable(),
  landingWeight: landing.landingWeight.nullable(),
  limitedBy: landing.limitedBy,
  mode: z.string().nullable().describe('in flight: the brake mode with the shortest distance'),
  distance: z
    .int()
    .nullable()
    .describe('in flight its factored distance, at dispatch the required one, in the distance unit'),
  margin: marginSchema.describe('lda less distance, in the distance unit'),
  verdict: landing.verdict.unwrap().nullable(),
  shown: landing.shown.unwrap().nullable(),
  limitsExceeded: landing.limitsExceeded.unwrap().describe('limits that are exceeded, with value and limit'),
  windComponents: windComponents.nullable(),
  reportedCondition: reportedConditionSchema,
  cautions: cautionsSchema,
  noticesInForce: noticesInForceSchema,
  error: errorSchema,
});

export const airportTableSchema = z.strictObject({
  airport: z.string(),
  units: answerUnitsSchema,
  takeoff: z.array(takeoffRowSchema).describe('the best runway first'),
  landing: z.array(landingRowSchema).describe('the best runway first'),
  closed: z
    .array(z.string())
    .describe('runways closed for takeoff, landing or both, and those on which braking is reported nil'),
});
/** Members shown next to a calculation. */
type Said = 'reportedCondition' | 'cautions' | 'noticesInForce';
export type TakeoffRow = Omit<z.output<typeof takeoffRowSchema>, Said>;
export type LandingRow = Omit<z.output<typeof landingRowSchema>, Said>;
