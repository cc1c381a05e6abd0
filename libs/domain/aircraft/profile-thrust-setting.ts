import { z } from 'zod';
import { fromZeroSchema, positiveSchema } from './profile-parts.ts';

/**
 * N1 of a rating by temperature and pressure altitude: rises about with the root of the temperature up to the kink,
 * then falls.
 */
const n1LawSchema = z.strictObject({
  percent: z
    .tuple([positiveSchema, z.number(), z.number()])
    .describe('at 15 C: a + b h + c h^2, h in 1,000 ft of pressure altitude'),
  exponent: positiveSchema.describe('of the absolute temperature over 15 C, below the kink'),
  kinkC: z.tuple([z.number(), z.number()]).describe('temperature of the kink: a + b h'),
  fallPerC: positiveSchema.describe('above the kink, percent'),
  mostAssumedC: z
    .tuple([z.number(), z.number()])
    .optional()
    .describe('highest assumed temperature: a + b h, and a degree more for each above the kink'),
});

const trimLawSchema = z.strictObject({
  units: z.number(),
  perCgPercent: z.number(),
  perTonne: z.number(),
});

/** Thrust setting and trim by laws fitted to published tables, each with its RMS error. */
export const settingsSchema = z.strictObject({
  n1: z.record(z.string(), n1LawSchema).describe('by rating; packs on, no anti-ice'),
  n1Rms: positiveSchema,
  packsOffPercent: fromZeroSchema,
  mostAssumedRmsC: positiveSchema.optional(),
  trim: z
    .strictObject({
      byFlap: z.record(z.string(), trimLawSchema),
      byRating: z.record(z.string(), z.number()).describe('units to add'),
      least: z.number(),
      most: z.number(),
      rms: positiveSchema,
    })
    .optional()
    .describe('stabilizer units by flap, within its band'),
});

export type N1Law = z.output<typeof n1LawSchema>;
