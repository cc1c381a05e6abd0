import { z } from 'zod';
import { listField } from '../fields/index.ts';
import {
  aircraftAtAirportShape,
  byProfile,
  cgField,
  inopItemsSchema,
  messages,
  option,
  runwayIdField,
  shorteningSchema,
  situationShape,
  weightField,
} from './request-parts.ts';

const maxObstacles = 50;
const maxTurns = 6;
const lengthSchema = z.number().positive().max(100_000);
const distanceText = 'in the distance unit';

/** A runway id, or an object that overrides its figures. */
const runwaySchema = z
  .union([
    runwayIdField(),
    z.strictObject({
      ident: runwayIdField().describe('runway id'),
      tora: lengthSchema.optional().describe(`takeoff run available, ${distanceText}`),
      toda: lengthSchema
        .optional()
        .describe(`takeoff distance available, ${distanceText}; \`tora\` when absent`),
      asda: lengthSchema
        .optional()
        .describe(`accelerate-stop distance available, ${distanceText}; \`tora\` when absent`),
      slope: z.number().min(-10).max(10).optional().describe('percent, uphill positive'),
      elevation: z.number().min(-2_000).max(20_000).optional().describe('in the altitude unit'),
    }),
  ])
  .describe(
    'runway id: `04L`, from an intersection `04L/A5`, or with a NOTAM `04L.N1`; or an object with an id and values that replace those in the airport data',
  );

const configurationSchema = z.strictObject({
  flap: option().default('OPTIMUM').describe('takeoff flap of the profile, or OPTIMUM for the best one'),
  rating: option()
    .optional()
    .describe(
      'thrust rating of the profile; if absent, the default in its form data: FLEX for family A, else full',
    ),
  assumedTemperature: z
    .union([z.enum(['AUTO', 'NONE']), z.number().min(-60).max(100)])
    .default('AUTO')
    .describe(
      'degrees C (FLEX); AUTO: the highest temperature within all limits; NONE: the full thrust of the rating',
    ),
  antiIce: option().optional().meta({ default: 'OFF' }).describe(byProfile),
  acBleed: option().optional().describe("option of the profile; if absent, the profile's default"),
  improvedClimb: z
    .enum(['OFF', 'ON'])
    .default('OFF')
    .describe(
      'improved climb: higher speeds on a long runway for a higher climb limit weight, if the profile offers it',
    ),
  windshear: z.boolean().default(false).describe('windshear precaution: no reduced thrust'),
});

const obstacleSchema = z.strictObject({
  distance: z.number().min(0).max(200_000).describe(distanceText),
  from: z
    .enum(['RUNWAY_END', 'BRAKE_RELEASE'])
    .default('RUNWAY_END')
    .describe('point from which `distance` is measured: the end or the start of the takeoff run available'),
  height: z.number().min(-5_000).max(30_000).describe('above the end of the runway, in the altitude unit'),
});

const departureTurnSchema = z.strictObject({
  distance: z
    .number()
    .min(0)
    .max(200_000)
    .describe(`where the turn begins along the flight path, ${distanceText}`),
  from: obstacleSchema.shape.from,
  headingChange: z.number().positive().max(360).describe('degrees, to either side'),
  bank: z
    .number()
    .min(5)
    .max(25)
    .default(15)
    .describe(
      'degrees; above 15, the turn must begin at 400 ft or higher, V2 rises by 1 kt per degree, and obstacles are cleared by 50 ft',
    ),
});

/** `data` of `performance` with requestType TAKEOFF. */
export const takeoffRequestSchema = z.strictObject({
  requestType: z.literal('TAKEOFF'),
  ...aircraftAtAirportShape,
  runway: runwaySchema,
  intersection: z
    .union([z.number().min(0).max(20_000), option()])
    .nullable()
    .default(null)
    .describe(
      `name of an intersection of the runway, or the length that starting there loses, ${distanceText}`,
    ),
  lineupAngle: z
    .union([z.literal(0), z.literal(90), z.literal(180)])
    .default(0)
    .describe('turn onto the runway, in degrees; the line-up allowance depends on it'),
  ...situationShape,
  configuration: configurationSchema.prefault({}),
  weight: z
    .strictObject({
      takeoffWeight: weightField('null: only limits are calculated'),
      cg: cgField('% MAC'),
      cgPosition: option().nullable().default(null),
    })
    .prefault({}),
  inopItems: inopItemsSchema.prefault({}),
  notam: shorteningSchema.describe(
    'lengths closed, in the distance unit; they reduce all declared distances',
  ),
  obstacles: listField(
    obstacleSchema,
    { max: maxObstacles },
    messages(`must be a list of at most ${maxObstacles} items`),
  )
    .default([])
    .describe(
      'obstacles along the departure path, which follows `departureTurns`; if absent, the answer says that obstacles are not considered',
    ),
  departureTurns: listField(
    departureTurnSchema,
    { max: maxTurns },
    messages(`must be a list of at most ${maxTurns} items`),
  )
    .default([])
    .describe(
      'turns in the engine-failure path: the gradient is lower in a turn, and distances in `obstacles` are measured along the path',
    ),
  assess: z
    .boolean()
    .default(false)
    .describe(
      'adds results for every flap, every rating and single changes; requires a subscription that includes non-normal conditions',
    ),
});

export type TakeoffRequest = z.output<typeof takeoffRequestSchema>;
