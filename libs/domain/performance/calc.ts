import { z } from 'zod';

const numberSchema = z.number();

/** Runway condition as a state of the profile or as a bare condition code. */
const runwayConditionSchema = z.union([
  z.strictObject({ state: z.string(), depthMm: z.number().min(0).default(0) }),
  z.strictObject({
    rwycc: z.union([0, 1, 2, 3, 4, 5, 6].map((code) => z.literal(code as 0 | 1 | 2 | 3 | 4 | 5 | 6))),
  }),
]);

/** One case of the command-line calculator, without its id and aircraft. SI and knots. */
export const calcCaseSchema = z.strictObject({
  mode: z.enum(['inflight', 'dispatch']),
  runway: z.strictObject({
    ldaM: z.number().positive(),
    elevationFt: numberSchema.default(0),
    slopePercent: numberSchema.default(0),
    widthM: z.number().positive().optional(),
    approachAngleDeg: z.number().positive().optional(),
    notamShorteningM: z.number().min(0).optional(),
    goAroundAltitudeFt: numberSchema.optional(),
    exits: z
      .array(
        z.strictObject({
          name: z.string(),
          distanceM: z.number().positive(),
          speedKt: z.number().positive(),
        }),
      )
      .optional(),
  }),
  weather: z
    .strictObject({
      headwindKt: numberSchema.default(0),
      crosswindKt: z.number().min(0).default(0),
      temperatureC: numberSchema.default(15),
      qnhHpa: z.number().positive().default(1013.25),
    })
    .prefault({}),
  runwayCondition: runwayConditionSchema.prefault({ state: 'DRY' }),
  configuration: z
    .strictObject({
      flap: z.string().optional(),
      autobrake: z.string().nullable().default(null),
      reversers: z.union([z.literal('ALL'), z.literal('NONE'), z.int().min(0)]).default('ALL'),
      vAppAdditiveKt: z.number().min(0).max(40).default(0),
      autoland: z.boolean().default(false),
      autothrust: z.boolean().default(false),
      antiIce: z.string().default('OFF'),
      acBleed: z.string().optional(),
      speedbrake: z.string().optional(),
      cgPosition: z.string().optional(),
      cgPercent: z.number().min(0).max(100).optional(),
      brakes: z.enum(['steel', 'carbon']).optional(),
      airDistance: z.enum(['TABLE', '7S']).default('TABLE'),
      missedApproachClimbGradientPercent: z.number().min(0).default(2.5),
      nonNormalCondition: z
        .union([z.string(), z.array(z.string())])
        .nullable()
        .default(null),
      mel: z.array(z.string()).default([]),
      cdl: z.array(z.string()).default([]),
    })
    .prefault({}),
  weightKg: z.number().positive().optional(),
  assess: z.boolean().default(false),
});

/** One line of `npm run calc`. `id` is returned unchanged. */
export const calcRequestSchema = calcCaseSchema.extend({ id: z.unknown().optional(), aircraft: z.string() });

export type CalcCase = z.output<typeof calcCaseSchema>;
export type CalcRequest = z.output<typeof calcRequestSchema>;
