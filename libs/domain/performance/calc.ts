import { z } from 'zod';

const numberSchema = z.number();
const lengthSchema = z.number().positive();

/** Parts shared by landings and takeoffs of the command-line calculator, in SI and knots. */
export const calcParts = {
  number: numberSchema,
  length: lengthSchema,
  names: z.array(z.string()).default([]),
  reversers: z.union([z.literal('ALL'), z.literal('NONE'), z.int().min(0)]).default('ALL'),
  runway: { elevationFt: numberSchema.default(0), slopePercent: numberSchema.default(0) },
  weather: z
    .strictObject({
      headwindKt: numberSchema.default(0),
      crosswindKt: z.number().min(0).default(0),
      temperatureC: numberSchema.default(15),
      qnhHpa: lengthSchema.default(1013.25),
    })
    .prefault({}),
  surface: z.strictObject({ state: z.string(), depthMm: z.number().min(0).default(0) }),
  end: { weightKg: lengthSchema.optional(), assess: z.boolean().default(false) },
  /** `id` is returned unchanged */
  line: { id: z.unknown().optional(), aircraft: z.string() },
};

const rwyccSchema = z.literal([0, 1, 2, 3, 4, 5, 6]);
const exitSchema = z.strictObject({ name: z.string(), distanceM: lengthSchema, speedKt: lengthSchema });

/** A landing for the command-line calculator, without id and aircraft. */
export const calcCaseSchema = z.strictObject({
  mode: z.enum(['inflight', 'dispatch']),
  runway: z.strictObject({
    ldaM: lengthSchema,
    ...calcParts.runway,
    widthM: lengthSchema.optional(),
    approachAngleDeg: lengthSchema.optional(),
    notamShorteningM: z.number().min(0).optional(),
    goAroundAltitudeFt: numberSchema.optional(),
    exits: z.array(exitSchema).optional(),
  }),
  weather: calcParts.weather,
  runwayCondition: z
    .union([calcParts.surface, z.strictObject({ rwycc: rwyccSchema })])
    .prefault({ state: 'DRY' }),
  configuration: z
    .strictObject({
      flap: z.string().optional(),
      autobrake: z.string().nullable().default(null),
      reversers: calcParts.reversers,
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
      mel: calcParts.names,
      cdl: calcParts.names,
    })
    .prefault({}),
  ...calcParts.end,
});

/** A landing for `npm run calc`. */
export const calcRequestSchema = calcCaseSchema.extend(calcParts.line);

export type CalcCase = z.output<typeof calcCaseSchema>;
