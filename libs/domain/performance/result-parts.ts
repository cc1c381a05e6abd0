/** Parts shared by landing and takeoff answers. */
import { z } from 'zod';
import { cautionAnswerSchema } from './caution.ts';
import { answerUnitsSchema } from './request-parts.ts';

export const bandSchema = z
  .tuple([z.int(), z.int()])
  .describe('distance minus and plus one RMS, in the distance unit');

/** Accuracy of a distance. */
export const accuracySchema = z.strictObject({
  rms: z.number().describe('RMS against published distances, as a share: 0.021 is 2.1 %'),
  quality: z
    .enum(['fitted', 'estimated'])
    .describe(
      'estimated: no distances are published for this type, or for the selected failure or inoperative item',
    ),
  band: bandSchema,
});

export const windComponentsSchema = z
  .strictObject({
    headwind: z.number(),
    crosswind: z.number(),
    gustHeadwind: z.number().optional().describe('gust headwind component; absent without gusts'),
    gustCrosswind: z.number().optional().describe('gust crosswind component; absent without gusts'),
    isVariable: z
      .boolean()
      .optional()
      .describe('true: the wind has no direction; its full speed is taken both as crosswind and as tailwind'),
  })
  .describe('in the wind unit, one decimal; headwind negative: tailwind');

/** URLs of a drawing. */
export const pictureSchema = z.strictObject({ svg: z.string(), png: z.string(), jpg: z.string() });

const appliedSchema = z
  .array(
    z.strictObject({
      name: z.string(),
      value: z.union([z.string(), z.number()]),
      unit: z.string(),
      source: z.string(),
    }),
  )
  .describe('every correction and factor in the result');

/** The answer around the `performance` of this kind. */
export const answerOf = <K extends z.ZodType<string>, P extends z.ZodType>(
  subCalculation: K,
  performance: P,
) =>
  z.strictObject({
    calculationPossible: z.boolean(),
    subCalculation,
    units: answerUnitsSchema,
    caution: z.array(z.string()),
    cautions: z
      .array(cautionAnswerSchema)
      .describe('the messages of `caution` in the same order, each with code, field and numbers'),
    error: z.array(z.string()).optional(),
    errors: z
      .array(cautionAnswerSchema)
      .optional()
      .describe('the reasons of `error` in the same order, each with code, field and numbers'),
    performance: performance.optional(),
    applied: appliedSchema,
    dataQuality: z.enum(['certifiedFit', 'tableFit', 'estimated']).optional(),
    copyright: z.string(),
    disclaimer: z.string(),
  });
