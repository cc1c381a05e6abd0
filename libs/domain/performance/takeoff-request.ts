import { z } from 'zod';
import { listField } from '../fields/index.ts';
import {
  aircraftAtAirportShape,
  byProfile,
  inopItemsSchema,
  messages,
  option,
  runwayIdField,
  shorteningSchema,
  situationShape,
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
      ident: runwayIdField().describe('a runway id of the airport'),
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
    'a runway id of the airport: `04L`, from an intersection `04L/A5`, with NOTAM `04L.N1`; or an object with an id and own figures, which replace those of the airport data',
  );

const configurationSchema = z.strictObject({
  flap: option().default('OPTIMUM').describe('a takeoff flap of the profile, or OPTIMUM: the best of them'),
  rating: option()
    .optional()
    .describe(
      'a rating of the profile; the default of its form data when absent: FLEX for family A, else full',
    ),
  assumedTemperature: z
    .union([z.enum(['AUTO', 'NONE']), z.number().min(-60).max(100)])
    .default('AUTO')
    .describe('degrees C (FLEX); AUTO: the highest at which every limit holds; NONE: thrust of the rating'),
  antiIce: option().optional().meta({ default: 'OFF' }).describe(byProfile),
  acBleed: option().optional().describe('an option of the profile; its default when absent'),
  improvedClimb: z
    .enum(['OFF', 'ON'])
    .default('OFF')
    .describe('higher speeds on a long runway for a higher climb limit, where the profile offers it'),
  windshear: z.boolean().default(false).describe('precaution against windshear: no reduced thrust'),
});

const obstacleSchema = z.strictObject({
  distance: z.number().min(0).max(200_000).describe(distanceText),
  from: z
    .enum(['RUNWAY_END', 'BRAKE_RELEASE'])
    .default('RUNWAY_END')
    .describe('where `distance` begins: the end of the takeoff run available, or its beginning'),
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
      'degrees; more than 15 needs 400 ft at the beginning, V2 plus a knot for each further degree, and clears obstacles by 50 ft',
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
    .describe('turn onto the runway in degrees; lining up costs length'),
  ...situationShape,
  configuration: configurationSchema.prefault({}),
  weight: z
    .strictObject({
      takeoffWeight: z
        .number()
        .positive()
        .nullable()
        .default(null)
        .describe('in the weight unit; null: only the limits are calculated'),
      cg: z.number().min(0).max(100).nullable().default(null).describe('% MAC'),
      cgPosition: option().nullable().default(null),
    })
    .prefault({}),
  inopItems: inopItemsSchema.prefault({}),
  notam: shorteningSchema.describe('in the distance unit; reduces every distance available'),
  obstacles: listField(
    obstacleSchema,
    { max: maxObstacles },
    messages(`must be a list of at most ${maxObstacles} items`),
  )
    .default([])
    .describe(
      'in the departure path, which `departureTurns` may turn; without any the answer says that obstacles are not considered',
    ),
  departureTurns: listField(
    departureTurnSchema,
    { max: maxTurns },
    messages(`must be a list of at most ${maxTurns} items`),
  )
    .default([])
    .describe(
      'turns of the path after an engine failure: in a turn the gradient is less, and distances of `obstacles` are along the path',
    ),
  assess: z
    .boolean()
    .default(false)
    .describe(
      'adds every flap, every rating, and the takeoff with one change each; needs the subscription of non-normal conditions',
    ),
});

export type TakeoffRequest = z.output<typeof takeoffRequestSchema>;
