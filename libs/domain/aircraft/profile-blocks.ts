import { z } from 'zod';
import {
  fractionSchema,
  fromZeroSchema,
  notNegativeSchema,
  perRwyccSchema,
  positiveSchema,
} from './profile-parts.ts';
import { calcCaseSchema } from '../performance/calc.ts';

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
        gradientDecrementPercent: fromZeroSchema,
        icingDecrementPercent: fromZeroSchema.describe('extra at or below 10 C'),
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
        delayAddS: fromZeroSchema,
        fieldWeightDecrementKg: fromZeroSchema,
        spoilerFraction: fractionSchema.default(1),
      }),
    )
    .min(1),
  acBleed: z.array(z.strictObject({ ...optionBase, gradientAddPercent: z.number().default(0) })).min(1),
  cgPosition: z
    .array(
      z.strictObject({
        ...optionBase,
        vrefAddKt: fromZeroSchema,
        fromPercent: notNegativeSchema.max(100).optional().describe('lower limit of the range, % MAC'),
      }),
    )
    .default([]),
  approachType: z.array(z.strictObject({ ...optionBase, autoland: z.boolean() })).default([]),
});

/** Wind limits (kt, gusts included) for automatic landings; those for manual landings apply, too. */
export const autolandWindLimitSchema = z.strictObject({
  headwind: positiveSchema,
  tailwind: positiveSchema,
  crosswind: positiveSchema,
  source: z.string(),
});

/** Climb minima, and the height for which the go-around gradient is reported. */
export const climbSchema = z.strictObject({
  approachPercent: positiveSchema.describe('2.1, 2.4 or 2.7 by number of engines'),
  landingPercent: positiveSchema.default(3.2),
  goAroundHeightFt: positiveSchema
    .default(1500)
    .describe('height above the runway, used when no go-around altitude is stored for the runway'),
  goAroundFraction: fractionSchema.default(0.66),
});

/** Brake energy and cooling. Energies in million ft-lb per brake, as in published charts. */
export const brakesSchema = z.strictObject({
  count: z.int().positive(),
  kind: z.enum(['steel', 'carbon']),
  energy: z.strictObject({
    kineticShare: positiveSchema.describe('of the kinetic energy per brake'),
    kineticSigmaShare: fromZeroSchema.describe('of the kinetic energy times the density ratio'),
    perReferenceMass: z.number().default(0).describe('times mass / referenceMassKg'),
    aeroSigmaV4: z.number().describe('times sigma (V/70)^4, subtracted'),
    perV70: z.number().describe('times V/70, V the true airspeed in m/s'),
    referenceMassKg: positiveSchema,
  }),
  taxiPerMileMftlb: notNegativeSchema.default(1),
  taxiPerMileHotColdMftlb: notNegativeSchema.default(1).describe('above 30 C or below -25 C'),
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
      perPercentUpKg: notNegativeSchema,
      perPercentDownKg: notNegativeSchema,
      per10KtHeadwindKg: notNegativeSchema,
      per10KtTailwindKg: notNegativeSchema,
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
  tolerancePercent: fromZeroSchema,
  toleranceAbsolute: fromZeroSchema,
  source: z.string(),
});

const massCurveSchema = z.array(z.tuple([positiveSchema, positiveSchema])).min(2);
const massCurvePerFlapSchema = z.record(z.string(), massCurveSchema).default({});

/** Optional fitted corrections of the in-flight ground roll, relative to physics. Dispatch uses none. */
export const calibrationSchema = z.strictObject({
  tableMassKg: positiveSchema.describe(
    'maximum landing weight of the type, for which its tables are made; a lower limit of one aircraft changes no distance',
  ),
  rollByMass: massCurveSchema.optional().describe('[kg, factor], mass ascending'),
  rollByMassPerFlap: massCurvePerFlapSchema.describe('instead of rollByMass for a flap'),
  rollPerKft: fromZeroSchema.describe('factor added per 1000 ft of pressure altitude'),
  downhillFactor: z
    .number()
    .min(1)
    .default(1)
    .describe('on the downhill slope in flight: published ones are envelopes'),
  certifiedByMassPerFlap: massCurvePerFlapSchema.describe(
    'factor on the ground part of the certified dry distance, by flap',
  ),
  contaminatedByMassPerFlap: massCurvePerFlapSchema.describe(
    'factor on the ground part of a contaminated dispatch distance, by flap',
  ),
  contaminatedPerKft: fromZeroSchema.describe('as rollPerKft, for a contaminated dispatch distance'),
  manualOverweightMPerTonne: fromZeroSchema.describe(
    'metres of ground part added per tonne above tableMassKg: manual braking on codes 6 and 5',
  ),
});

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
