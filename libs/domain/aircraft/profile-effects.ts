import { z } from 'zod';
import { fractionSchema, notNegativeSchema, perRwyccSchema, positiveSchema } from './profile-parts.ts';

/** Effect of a failure or an inoperative item on the calculation. Absent fields change nothing. */
export const effectProfileSchema = z.strictObject({
  frictionFactor: fractionSchema.optional().describe('on the braking coefficient'),
  antiskidInop: z.boolean().optional(),
  spoilerFraction: fractionSchema.optional().describe('share of the spoilers that work'),
  reversersInop: z.int().min(0).optional(),
  delayAddS: notNegativeSchema.optional(),
  groundDragFactor: positiveSchema.optional(),
  distanceFactor: positiveSchema.optional().describe('on the actual distance'),
  distanceFactorPerRwycc: perRwyccSchema.optional(),
  distanceAddM: notNegativeSchema.optional(),
  fieldWeightDecrementKg: notNegativeSchema.optional(),
  climbWeightDecrementKg: notNegativeSchema.optional(),
  gradientDecrementPercent: notNegativeSchema.optional(),
  vrefAddKt: notNegativeSchema.optional(),
  brakeEnergyFactor: positiveSchema.optional(),
  autobrakeInop: z.boolean().optional(),
  autolandInop: z.boolean().optional(),
  enginesOut: z.int().min(0).optional(),
});

/** Source of a condition without published figures. */
export const estimatedSource = 'estimated';

export const nonNormalProfileSchema = z.strictObject({
  value: z.string(),
  label: z.string(),
  order: z.int(),
  vref: z
    .strictObject({ flap: z.string(), addKt: z.number() })
    .nullable()
    .describe('null: normal VREF for the flap used'),
  flap: z.string().nullable().describe('flap to land with; null: as selected'),
  effect: effectProfileSchema,
  combine: z.enum(['multiply', 'highest']).default('multiply').describe('highest: the asterisk rule'),
  autobrakeAllowed: z.boolean().default(false),
  source: z
    .string()
    .default(estimatedSource)
    .describe('publication of speed, flap and effect; `estimated` when unpublished'),
  note: z.string().optional(),
});

export const inopProfileSchema = z.strictObject({
  value: z.string(),
  label: z.string(),
  order: z.int(),
  appliesTo: z.enum(['dispatch', 'inflight', 'both']).default('both'),
  effect: effectProfileSchema,
  effectDispatch: effectProfileSchema
    .optional()
    .describe('instead of `effect` at dispatch, where the flight manual has a separate rule'),
  onRequired: z.boolean().default(false).describe('distance factor applies after the operational factor'),
  combine: z.enum(['multiply', 'highest']).default('multiply'),
  source: z.string(),
});
