import { z } from 'zod';
import { calcCaseSchema } from '../performance/calc.ts';

const positiveSchema = z.number().positive();

const optionBase = {
  value: z.string(),
  label: z.string(),
  order: z.int(),
  isDefault: z.boolean().default(false),
};

/** Option lists whose entries affect the calculation. */
export const optionsSchema = z.strictObject({
  antiIce: z
    .array(
      z.strictObject({
        ...optionBase,
        gradientDecrementPercent: z.number().min(0).default(0),
        icingDecrementPercent: z.number().min(0).default(0).describe('extra at or below 10 C'),
        iceAccretionKt: z
          .record(z.string(), z.number())
          .default({})
          .describe('family A, per flap; "default" for the rest'),
      }),
    )
    .min(1),
  reversers: z
    .array(z.strictObject({ ...optionBase, inoperative: z.union([z.int().min(0), z.literal('all')]) }))
    .min(2),
  groundSpoilers: z
    .array(
      z.strictObject({
        ...optionBase,
        delayAddS: z.number().min(0).default(0),
        fieldWeightDecrementKg: z.number().min(0).default(0),
        spoilerFraction: z.number().min(0).max(1).default(1),
      }),
    )
    .min(1),
  acBleed: z.array(z.strictObject({ ...optionBase, gradientAddPercent: z.number().default(0) })).min(1),
  cgPosition: z
    .array(
      z.strictObject({
        ...optionBase,
        vrefAddKt: z.number().min(0).default(0),
        fromPercent: z.number().min(0).max(100).optional().describe('lower limit of the range, % MAC'),
      }),
    )
    .default([]),
  approachType: z.array(z.strictObject({ ...optionBase, autoland: z.boolean() })).default([]),
});

/** Wind limits (kt, gusts included) for automatic landings; those for manual landings apply, too. */
export const autolandWindLimitSchema = z.strictObject({
  headwind: z.number().positive(),
  tailwind: z.number().positive(),
  crosswind: z.number().positive(),
  source: z.string(),
});

/** Climb minima, and the height for which the go-around gradient is reported. */
export const climbSchema = z.strictObject({
  approachPercent: positiveSchema.describe('2.1, 2.4 or 2.7 by number of engines'),
  landingPercent: positiveSchema.default(3.2),
  goAroundHeightFt: positiveSchema
    .default(1500)
    .describe('height above the runway, used when no go-around altitude is stored for the runway'),
  goAroundFraction: z.number().min(0).max(1).default(0.66),
});

/** Brake energy and cooling. Energies in million ft-lb per brake, as in published charts. */
export const brakesSchema = z.strictObject({
  count: z.int().positive(),
  kind: z.enum(['steel', 'carbon']),
  energy: z.strictObject({
    kineticShare: positiveSchema.describe('of the kinetic energy per brake'),
    kineticSigmaShare: z.number().min(0).default(0).describe('of the kinetic energy times the density ratio'),
    perReferenceMass: z.number().default(0).describe('times mass / referenceMassKg'),
    aeroSigmaV4: z.number().describe('times sigma (V/70)^4, subtracted'),
    perV70: z.number().describe('times V/70, V the true airspeed in m/s'),
    referenceMassKg: positiveSchema,
  }),
  taxiPerMileMftlb: z.number().min(0).default(1),
  taxiPerMileHotColdMftlb: z.number().min(0).default(1).describe('above 30 C or below -25 C'),
  cooling: z.strictObject({
    freeBelowMftlb: positiveSchema,
    points: z
      .array(
        z.strictObject({
          energyMftlb: positiveSchema,
          groundMin: z.number(),
          airMin: z.number(),
          btms: z.number(),
        }),
      )
      .min(2),
    cautionAboveMftlb: positiveSchema,
    fuseMeltAboveMftlb: positiveSchema,
  }),
  quickTurn: z
    .strictObject({
      referenceWeightKg: positiveSchema.describe('limit at sea level ISA, no wind, level'),
      flap: z.string(),
      sigmaExponent: positiveSchema,
      capKg: positiveSchema,
      perPercentUpKg: z.number().min(0),
      perPercentDownKg: z.number().min(0),
      per10KtHeadwindKg: z.number().min(0),
      per10KtTailwindKg: z.number().min(0),
      waitMinutes: z.int().positive(),
      btmsThreshold: positiveSchema,
    })
    .nullable(),
});

/** A golden point stored in the profile and recomputed by the loader. `input` is a case for `npm run calc`. */
export const vectorProfileSchema = z.strictObject({
  name: z.string(),
  input: calcCaseSchema,
  expect: z.record(z.string(), z.number()).describe('dotted path in the output to value'),
  tolerancePercent: z.number().min(0).default(0),
  toleranceAbsolute: z.number().min(0).default(0),
  source: z.string(),
});

const massCurveSchema = z.array(z.tuple([positiveSchema, positiveSchema])).min(2);

/** Optional fitted corrections of the in-flight ground roll, relative to physics. Dispatch uses none. */
export const calibrationSchema = z.strictObject({
  tableMassKg: positiveSchema.describe(
    'maximum landing weight of the type, for which its tables are made; a lower limit of one aircraft changes no distance',
  ),
  rollByMass: massCurveSchema.optional().describe('[kg, factor], mass ascending'),
  rollByMassPerFlap: z
    .record(z.string(), massCurveSchema)
    .default({})
    .describe('instead of rollByMass for a flap'),
  rollPerKft: z.number().min(0).default(0).describe('factor added per 1000 ft of pressure altitude'),
  downhillFactor: z
    .number()
    .min(1)
    .default(1)
    .describe('on the downhill slope in flight: published ones are envelopes'),
  certifiedByMassPerFlap: z
    .record(z.string(), massCurveSchema)
    .default({})
    .describe('factor on the ground part of the certified dry distance, by flap'),
  contaminatedByMassPerFlap: z
    .record(z.string(), massCurveSchema)
    .default({})
    .describe('factor on the ground part of a contaminated dispatch distance, by flap'),
  contaminatedPerKft: z
    .number()
    .min(0)
    .default(0)
    .describe('as rollPerKft, for a contaminated dispatch distance'),
  manualOverweightMPerTonne: z
    .number()
    .min(0)
    .default(0)
    .describe('metres of ground part added per tonne above tableMassKg: manual braking on codes 6 and 5'),
});
