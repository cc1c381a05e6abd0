import { z } from 'zod';
import { PerRwycc } from './profile-parts.ts';

const positive = z.number().positive();
const fraction = z.number().min(0).max(1);

/** What a failure or an inoperative item does to the calculation. Everything absent is unchanged. */
export const Effect = z.object({
  frictionFactor: fraction.optional().describe('on the braking coefficient'),
  antiskidInop: z.boolean().optional(),
  spoilerFraction: fraction.optional().describe('share of the spoilers that works'),
  reversersInop: z.int().min(0).optional(),
  delayAddS: z.number().min(0).optional(),
  groundDragFactor: positive.optional(),
  distanceFactor: positive.optional().describe('on the actual distance'),
  distanceFactorPerRwycc: PerRwycc.optional(),
  distanceAddM: z.number().min(0).optional(),
  fieldWeightDecrementKg: z.number().min(0).optional(),
  climbWeightDecrementKg: z.number().min(0).optional(),
  gradientDecrementPercent: z.number().min(0).optional(),
  vrefAddKt: z.number().min(0).optional(),
  brakeEnergyFactor: positive.optional(),
  autobrakeInop: z.boolean().optional(),
  autolandInop: z.boolean().optional(),
  enginesOut: z.int().min(0).optional(),
});

export const NonNormal = z.object({
  value: z.string(),
  label: z.string(),
  order: z.int(),
  vref: z
    .object({ flap: z.string(), addKt: z.number() })
    .nullable()
    .describe('null: normal VREF of the flap used'),
  flap: z.string().nullable().describe('flap to land with; null: as selected'),
  effect: Effect,
  combine: z.enum(['multiply', 'highest']).default('multiply').describe('highest: the asterisk rule'),
  autobrakeAllowed: z.boolean().default(false),
  note: z.string().optional(),
});

export const InopItem = z.object({
  value: z.string(),
  label: z.string(),
  order: z.int(),
  appliesTo: z.enum(['dispatch', 'inflight', 'both']).default('both'),
  effect: Effect,
  effectDispatch: Effect.optional().describe(
    'instead of `effect` at dispatch, where the flight manual has its own rule',
  ),
  onRequired: z.boolean().default(false).describe('distance factor acts after the operational factor'),
  combine: z.enum(['multiply', 'highest']).default('multiply'),
  source: z.string(),
});
