import { z } from 'zod';

/** Quality of a profile block: fitted to certified data, fitted to a published table, or estimated. */
export const qualityMarkSchema = z.enum(['certifiedFit', 'tableFit', 'estimated']);

export const positiveSchema = z.number().positive();
export const notNegativeSchema = z.number().min(0);
export const fromZeroSchema = notNegativeSchema.default(0);
export const fractionSchema = z.number().min(0).max(1);

/** Runway condition code of the RCAM. Code 0 (nil) never yields a distance. */
export const rwyccCodeSchema = z.literal([0, 1, 2, 3, 4, 5, 6]);

/** A value for each code that can yield a distance. */
const byCodeField = <S extends z.ZodType>(schema: S) =>
  z.strictObject({ 6: schema, 5: schema, 4: schema, 3: schema, 2: schema, 1: schema });

/** A crosswind limit, in knots, gusts included. */
const crosswindLimitSchema = z.strictObject({
  runwayCondition: z.string().describe('text of the condition'),
  windLimit: positiveSchema,
  rwycc: z.array(rwyccCodeSchema).default([]).describe('codes this row applies to (engine use)'),
  increaseableWindLimit: z.boolean().default(false),
  increaseableWindLimitValue: z.number().nullable().default(null),
  increaseableWindLimitText: z.string().nullable().default(null),
  increaseableWindLimitFwdCG: z.number().nullable().default(null),
  increaseableWindLimitAftCG: z.number().nullable().default(null),
  increaseableWindLimitRunwayWidth: z
    .number()
    .nullable()
    .default(null)
    .describe('minimum runway width, metres'),
  increaseableWindLimitRunwayMinimumFlaps: z.string().nullable().default(null),
  increaseableWindLimitLdaAboveM: z.number().nullable().default(null).describe('engine use'),
});

export const windLimitProfileSchema = z.strictObject({
  headwind: positiveSchema,
  tailwind: positiveSchema,
  windshearWarningFCTM: z.string().nullable().default(null),
  windshearRecommendedFlaps: z.string().nullable().default(null),
  crosswindLimitsPerRunwayConditions: z.array(crosswindLimitSchema).min(1),
});

/** VREF: k x (mass in tonnes)^exponent with a floor, or a table of [kg, kt] ascending in mass. */
const vrefLawSchema = z.union([
  z.strictObject({
    ktPerSqrtTonne: positiveSchema,
    exponent: fractionSchema.default(0.5),
    floorKt: fromZeroSchema,
  }),
  z.strictObject({ table: z.array(z.tuple([positiveSchema, positiveSchema])).min(2) }),
]);

/** Lift and drag on the ground for one flap, with spoilers deployed and stowed. */
const groundAeroSchema = z.strictObject({
  cl: z.number(),
  cd: positiveSchema,
  clSpoilersIn: z.number(),
  cdSpoilersIn: positiveSchema,
});

/** Drag polar of one flap in flight; `gearCd` is added with the gear down. */
const polarSchema = z.strictObject({ cd0: positiveSchema, k: positiveSchema, gearCd: positiveSchema });

/** Certified dry landing distance T*Vt + V^2/(2a), with true airspeed and ground speed at 50 ft. */
const certifiedPairSchema = z.strictObject({ timeS: positiveSchema, decelerationMps2: positiveSchema });

export const flapProfileSchema = z.strictObject({
  code: z.string().min(1),
  label: z.string(),
  landing: z.boolean().default(false).describe('offered as a landing flap'),
  order: z.int(),
  isDefault: z.boolean().default(false),
  setting: notNegativeSchema.describe('rank of extension: lower means less flap'),
  vref: vrefLawSchema,
  vmclKt: fromZeroSchema,
  vfeKt: positiveSchema,
  autolandAvailable: z.boolean().default(false),
  ground: groundAeroSchema,
  polar: polarSchema,
  certified: certifiedPairSchema.optional().describe('required for dispatch with this flap'),
  goAround: z
    .strictObject({
      flap: z.string(),
      speedFlap: z.string().describe('flap whose VREF is the base of the climb speed'),
      speedAddKt: z.number(),
    })
    .optional()
    .describe('required for a landing flap'),
});

/** Friction of one runway condition code, an airplane braking coefficient before `loadFactor`. */
const frictionSchema = z.union([
  z.strictObject({ kind: z.literal('constant'), mu: positiveSchema }),
  z.strictObject({ kind: z.literal('wetSmooth'), efficiency: positiveSchema.max(1.2) }),
  z.strictObject({
    kind: z.literal('hydroplaning'),
    efficiency: positiveSchema.max(1.2),
    muCap: positiveSchema,
    muPlaning: positiveSchema,
  }),
]);

export const brakingSchema = z.strictObject({
  tirePressurePsi: z.number().min(50).max(300),
  loadFactor: fractionSchema.describe('share of the weight on braked wheels'),
  friction: byCodeField(frictionSchema),
  contaminantWidthM: fromZeroSchema.describe('tyre widths in the fluid; 0: no drag credit'),
  torqueLimitN: positiveSchema.nullable().default(null).describe('largest total brake force, newtons'),
  antiskidInopFactor: z
    .strictObject({
      dry: fractionSchema,
      slippery: fractionSchema,
      ice: fractionSchema.optional().describe('code 1; as slippery when absent'),
    })
    .default({ dry: 0.5, slippery: 0.6 })
    .describe('share of friction without anti-skid'),
});

export const autobrakeProfileSchema = z.strictObject({
  value: z.string(),
  label: z.string(),
  manual: z.boolean().default(false).describe('maximum manual braking, the mode of dispatch'),
  targetMps2: positiveSchema.nullable().describe('total deceleration held; null for manual'),
  delayS: notNegativeSchema.describe('from touchdown to full effect'),
  order: z.int(),
  isDefault: z.boolean().default(false),
  minimumRwycc: rwyccCodeSchema.default(0),
  allowedWithNonNormal: z.boolean().default(true),
  event: z
    .strictObject({
      reverse: z.tuple([z.number(), z.number(), z.number()]),
      noReverse: z.tuple([z.number(), z.number(), z.number()]),
    })
    .optional()
    .describe('share of the reference energy absorbed by the brakes, c0 + c1 E + c2 E^2, E in million ft-lb'),
});

export const airDistanceSchema = z.strictObject({
  timeS: positiveSchema,
  thresholdRatio: fractionSchema.default(0.98).describe('mean airborne speed over threshold speed'),
  touchdownRatio: fractionSchema.default(0.96),
  autolandExtraM: z
    .record(z.string(), notNegativeSchema)
    .describe('per flap code; key "default" for the rest'),
});

/** Share of the reported wind that a calculation credits. */
export const windFactorsSchema = z.strictObject({
  dispatchHeadwind: fractionSchema.default(0.5),
  dispatchTailwind: z.number().min(1).default(1.5),
  inflightHeadwind: fractionSchema.describe('0 for family A, whose VAPP already increases with the wind'),
  inflightTailwind: z.number().min(1).default(1.5),
});

/** Share of the physical effect that a distance credits; family A tables credit none. */
export const creditSchema = z.strictObject({
  uphillSlope: fractionSchema.default(1),
  colderThanIsa: fractionSchema.default(1),
  belowSeaLevel: fractionSchema.default(1),
});

export const thrustSchema = z.strictObject({
  goAroundStaticPerEngineN: positiveSchema.describe('net, sea level, at the climb speed'),
  flatRatedToIsaPlusC: z.number(),
  lapsePerC: fractionSchema.describe('loss per degree above the kink'),
  kinkShiftCPerKft: fromZeroSchema.describe('the full lapse starts this much later per 1000 ft'),
  partialLapsePerC: fractionSchema
    .default(0)
    .describe('loss per degree between the flat rating and the shifted kink'),
  deltaExponent: positiveSchema,
  landingClimbFraction: fractionSchema
    .default(0.9)
    .describe('of go-around thrust, 8 s after the levers move'),
  idleForwardPerEngineN: notNegativeSchema,
  reverse: z.strictObject({
    perEngineN: positiveSchema,
    cutSpeedKt: positiveSchema,
    dispatchCutSpeedKt: notNegativeSchema
      .optional()
      .describe('instead of it in a contaminated dispatch distance'),
    delayS: notNegativeSchema.default(2).describe('from touchdown until the reversers are effective'),
    creditByCode: z
      .record(z.enum(['6', '5', '4', '3', '2', '1']), fractionSchema)
      .optional()
      .describe('share of the reverse thrust credited in flight by runway condition code; all when absent'),
    count: z.int().positive().optional().describe('all engines when absent'),
  }),
});

const contaminantSchema = z.strictObject({
  fluid: z.enum(['water', 'slush', 'wetSnow', 'drySnow', 'compactedSnow', 'ice', 'frost']),
  densityKgM3: notNegativeSchema.describe('0: no drag is credited'),
});

export const conditionProfileSchema = z.strictObject({
  value: z.string(),
  label: z.string(),
  shortDisplay: z.string().optional(),
  order: z.int(),
  isDefault: z.boolean().default(false),
  group: z.enum(['dry', 'wet', 'contaminated']),
  rwycc: rwyccCodeSchema,
  warmer: z
    .strictObject({ thanC: z.number(), rwycc: rwyccCodeSchema })
    .optional()
    .describe('another code above this temperature (compacted snow)'),
  thin: z
    .strictObject({
      upToMm: positiveSchema,
      rwycc: rwyccCodeSchema,
      group: z.enum(['wet', 'contaminated']),
    })
    .optional()
    .describe('another code and group up to this depth'),
  isSlippery: z.boolean(),
  requiresDepth: z.boolean().default(false),
  minDepthMm: fromZeroSchema,
  maxDepthMm: fromZeroSchema,
  contaminant: contaminantSchema.optional(),
  certifiedFactor: positiveSchema.optional().describe('dispatch factor instead of wet, e.g. grooved'),
});

export const factorsSchema = z.strictObject({
  dry: positiveSchema.default(1 / 0.6),
  wet: positiveSchema.default(1.15),
  contaminated: positiveSchema.default(1.15),
  autoland: positiveSchema.default(1.15),
  inflight: positiveSchema
    .default(1)
    .describe('factoredDistance over landingDistance; the margin is already included'),
  nonNormal: positiveSchema.default(1),
  advisoryMargin: positiveSchema.default(0.85).describe('actual distance over landingDistance'),
  familyADispatch: positiveSchema.default(1.15).describe('factored over actual distance'),
});

/** A number per RWYCC, for factors that physics alone does not explain. */
export const perRwyccSchema = byCodeField(positiveSchema);
