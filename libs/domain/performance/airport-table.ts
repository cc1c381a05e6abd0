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
  weightField,
} from './request-parts.ts';
import { landingRequestSchema } from './request.ts';
import { takeoffRequestSchema } from './takeoff-request.ts';
import { takeoffPerformanceAnswerSchema } from './takeoff-result.ts';
import { landingPerformanceSchema } from './result.ts';

export const airportTableRequestSchema = z.strictObject({
  ...aircraftAtAirportShape,
  weather: weatherSchema
    .prefault({})
    .describe(
      "a `headwind` sent with a wind is used on runways where it is worse than the wind's own headwind component",
    ),
  at: situationShape.at,
  sources: situationShape.sources,
  runwayCondition: runwayConditionSchema
    .prefault({})
    .describe('surface described as for dispatch, used for both phases'),
  configuration: z
    .strictObject({
      takeoff: takeoffRequestSchema.shape.configuration.describe('configuration of the takeoff'),
      landing: landingRequestSchema.shape.configuration.describe('configuration of the landing'),
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
    'runway condition report for this runway, e.g. `FICON 06/026: 5/3/3`; used if the request has no condition',
  );

const cautionsSchema = z
  .array(cautionAnswerSchema)
  .describe(
    'cautions of `performance` for this runway, including those about NOTAM that these figures leave out',
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
  margin: marginSchema.describe('smaller of the margins to ASDA and TODA, in the distance unit'),
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
    .describe('factored distance in flight, required distance at dispatch, in the distance unit'),
  margin: marginSchema.describe('`lda` minus `distance`, in the distance unit'),
  verdict: landing.verdict.unwrap().nullable(),
  shown: landing.shown.unwrap().nullable(),
  limitsExceeded: landing.limitsExceeded.unwrap().describe('exceeded limits, with value and limit'),
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
    .describe('runways closed for takeoff, landing or both, and runways with NIL braking action'),
});
/** Members added to the results of a calculation. */
type Added = 'reportedCondition' | 'cautions' | 'noticesInForce';
export type TakeoffRow = Omit<z.output<typeof takeoffRowSchema>, Added>;
export type LandingRow = Omit<z.output<typeof landingRowSchema>, Added>;
