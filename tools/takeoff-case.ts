import { z } from 'zod';

const numberSchema = z.number();
const lengthSchema = z.number().positive();

/** One takeoff of the command-line calculator. SI and knots. */
export const takeoffCalcCaseSchema = z.strictObject({
  mode: z.literal('takeoff'),
  runway: z.strictObject({
    toraM: lengthSchema,
    todaM: lengthSchema.optional(),
    asdaM: lengthSchema.optional(),
    elevationFt: numberSchema.default(0),
    slopePercent: numberSchema.default(0),
    lineupAngle: z.union([z.literal(0), z.literal(90), z.literal(180)]).default(0),
  }),
  weather: z
    .strictObject({
      headwindKt: numberSchema.default(0),
      crosswindKt: z.number().min(0).default(0),
      temperatureC: numberSchema.default(15),
      qnhHpa: lengthSchema.default(1013.25),
    })
    .prefault({}),
  runwayCondition: z
    .strictObject({ state: z.string(), depthMm: z.number().min(0).default(0) })
    .prefault({ state: 'DRY' }),
  configuration: z
    .strictObject({
      flap: z.string().default('OPTIMUM'),
      rating: z.string().optional(),
      acBleed: z.string().default('AUTO'),
      antiIce: z.string().default('OFF'),
      reversers: z.union([z.literal('ALL'), z.literal('NONE'), z.int().min(0)]).default('ALL'),
      thrust: z.enum(['AUTO', 'FULL']).default('AUTO'),
      assumedTemperatureC: z.union([z.enum(['AUTO', 'NONE']), z.number()]).default('AUTO'),
      improvedClimb: z.enum(['OFF', 'ON']).default('OFF'),
      windshear: z.boolean().default(false),
      mel: z.array(z.string()).default([]),
      cdl: z.array(z.string()).default([]),
    })
    .prefault({}),
  accelerationHeightFt: z.number().min(0).optional(),
  obstacles: z
    .array(z.strictObject({ distanceM: lengthSchema, heightM: numberSchema }))
    .max(50)
    .default([]),
  turns: z
    .array(
      z.strictObject({
        distanceM: z.number().min(0),
        headingChangeDeg: z.number().positive().max(360),
        bankDeg: z.number().min(5).max(25).default(15),
      }),
    )
    .max(6)
    .default([]),
  weightKg: lengthSchema.optional(),
  assess: z.boolean().default(false),
});

/** One takeoff line of `npm run calc`. `id` is returned unchanged. */
export const takeoffCalcRequestSchema = takeoffCalcCaseSchema.extend({
  id: z.unknown().optional(),
  aircraft: z.string(),
});

export type TakeoffCalcCase = z.output<typeof takeoffCalcCaseSchema>;
