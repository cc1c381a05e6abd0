import { z } from 'zod';
import { calcParts } from '#domain/performance/calc.ts';

const { number: numberSchema, length: lengthSchema } = calcParts;

const turnSchema = z.strictObject({
  distanceM: z.number().min(0),
  headingChangeDeg: z.number().positive().max(360),
  bankDeg: z.number().min(5).max(25).default(15),
});

/** One takeoff of the command-line calculator. SI and knots. */
const takeoffCalcCaseSchema = z.strictObject({
  mode: z.literal('takeoff'),
  runway: z.strictObject({
    toraM: lengthSchema,
    todaM: lengthSchema.optional(),
    asdaM: lengthSchema.optional(),
    ...calcParts.runway,
    lineupAngle: z.literal([0, 90, 180]).default(0),
  }),
  weather: calcParts.weather,
  runwayCondition: calcParts.surface.prefault({ state: 'DRY' }),
  configuration: z
    .strictObject({
      flap: z.string().default('OPTIMUM'),
      rating: z.string().optional(),
      acBleed: z.string().default('AUTO'),
      antiIce: z.string().default('OFF'),
      reversers: calcParts.reversers,
      thrust: z.enum(['AUTO', 'FULL']).default('AUTO'),
      assumedTemperatureC: z.union([z.enum(['AUTO', 'NONE']), z.number()]).default('AUTO'),
      improvedClimb: z.enum(['OFF', 'ON']).default('OFF'),
      windshear: z.boolean().default(false),
      mel: calcParts.names,
      cdl: calcParts.names,
    })
    .prefault({}),
  accelerationHeightFt: z.number().min(0).optional(),
  obstacles: z
    .array(z.strictObject({ distanceM: lengthSchema, heightM: numberSchema }))
    .max(50)
    .default([]),
  turns: z.array(turnSchema).max(6).default([]),
  ...calcParts.end,
});

/** One takeoff of `npm run calc`. */
export const takeoffCalcRequestSchema = takeoffCalcCaseSchema.extend(calcParts.line);

export type TakeoffCalcCase = z.output<typeof takeoffCalcCaseSchema>;
