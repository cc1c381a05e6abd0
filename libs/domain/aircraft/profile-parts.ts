import { z } from 'zod';

/** How well a block of a profile is known: a fit of certified data, of a published table, or an estimate. */
export const Quality = z.enum(['certifiedFit', 'tableFit', 'estimated']);

const positive = z.number().positive();
const fraction = z.number().min(0).max(1);

/** Runway condition code of the RCAM. Code 0 (nil) never yields a distance. */
export const Rwycc = z.union([
  z.literal(0),
  z.literal(1),
  z.literal(2),
  z.literal(3),
  z.literal(4),
  z.literal(5),
  z.literal(6),
]);

/** One crosswind limit of the catalogue, in knots, gust included. */
export const CrosswindLimit = z.object({
  runwayCondition: z.string().describe('text of the condition'),
  windLimit: z.number().positive(),
  rwycc: z.array(Rwycc).default([]).describe('codes this row applies to (engine use)'),
  increaseableWindLimit: z.boolean().default(false),
  increaseableWindLimitValue: z.number().nullable().default(null),
  increaseableWindLimitText: z.string().nullable().default(null),
  increaseableWindLimitFwdCG: z.number().nullable().default(null),
  increaseableWindLimitAftCG: z.number().nullable().default(null),
  increaseableWindLimitRunwayWidth: z
    .number()
    .nullable()
    .default(null)
    .describe('least runway width, metres'),
  increaseableWindLimitRunwayMinimumFlaps: z.string().nullable().default(null),
});

export const WindLimit = z.object({
  headwind: z.number().positive(),
  tailwind: z.number().positive(),
  windshearWarningFCTM: z.string().nullable().default(null),
  windshearRecommendedFlaps: z.string().nullable().default(null),
  crosswindLimitsPerRunwayConditions: z.array(CrosswindLimit).min(1),
});

/** VREF: k x (mass in tonnes)^exponent with a floor, or a table of [kg, kt] ascending in mass. */
export const VrefLaw = z.union([
  z.object({
    ktPerSqrtTonne: positive,
    exponent: fraction.default(0.5),
    floorKt: z.number().min(0).default(0),
  }),
  z.object({ table: z.array(z.tuple([positive, positive])).min(2) }),
]);

/** Lift and drag on the ground for one flap, spoilers out, and with spoilers stowed. */
const GroundAero = z.object({
  cl: z.number(),
  cd: positive,
  clSpoilersIn: z.number(),
  cdSpoilersIn: positive,
});

/** Parabolic drag of one flap in flight; `gearCd` is added with the gear down. */
export const Polar = z.object({ cd0: positive, k: positive, gearCd: positive });

/** Certified dry landing distance T*Vt + V^2/(2a): true airspeed and ground speed at 50 ft. */
export const CertifiedPair = z.object({ timeS: positive, decelerationMps2: positive });

export const Flap = z.object({
  code: z.string().min(1),
  label: z.string(),
  landing: z.boolean().default(false).describe('offered as a landing flap'),
  order: z.int(),
  isDefault: z.boolean().default(false),
  setting: z.number().min(0).describe('rank of extension: lower means less flap'),
  vref: VrefLaw,
  vmclKt: z.number().min(0).default(0),
  vfeKt: positive,
  autolandAvailable: z.boolean().default(false),
  ground: GroundAero,
  polar: Polar,
  certified: CertifiedPair.optional().describe('needed for dispatch with this flap'),
  goAround: z
    .object({
      flap: z.string(),
      speedFlap: z.string().describe('flap whose VREF is the base of the climb speed'),
      speedAddKt: z.number(),
    })
    .optional()
    .describe('needed for a landing flap'),
});

/** Friction of one runway condition code, an airplane braking coefficient before `loadFactor`. */
export const Friction = z.union([
  z.object({ kind: z.literal('constant'), mu: positive }),
  z.object({ kind: z.literal('wetSmooth'), efficiency: positive.max(1.2) }),
  z.object({
    kind: z.literal('hydroplaning'),
    efficiency: positive.max(1.2),
    muCap: positive,
    muPlaning: positive,
  }),
]);

export const Braking = z.object({
  tirePressurePsi: z.number().min(50).max(300),
  loadFactor: fraction.describe('share of the weight on braked wheels'),
  friction: z.object({ 6: Friction, 5: Friction, 4: Friction, 3: Friction, 2: Friction, 1: Friction }),
  contaminantWidthM: z
    .number()
    .min(0)
    .default(0)
    .describe('sum of tyre widths in the fluid; 0: no drag credit'),
  torqueLimitN: positive.nullable().default(null).describe('largest total brake force, newtons'),
  antiskidInopFactor: z
    .object({ dry: fraction, slippery: fraction })
    .default({ dry: 0.5, slippery: 0.6 })
    .describe('friction kept without anti-skid'),
});

export const Autobrake = z.object({
  value: z.string(),
  label: z.string(),
  manual: z.boolean().default(false).describe('maximum manual braking, the mode of dispatch'),
  targetMps2: positive.nullable().describe('total deceleration held; null for manual'),
  delayS: z.number().min(0).describe('from touchdown to full effect'),
  order: z.int(),
  isDefault: z.boolean().default(false),
  minimumRwycc: Rwycc.default(0),
  allowedWithNonNormal: z.boolean().default(true),
  event: z
    .object({
      reverse: z.tuple([z.number(), z.number(), z.number()]),
      noReverse: z.tuple([z.number(), z.number(), z.number()]),
    })
    .optional()
    .describe('share of the reference energy left to the brakes, c0 + c1 E + c2 E^2, E in million ft-lb'),
});

export const AirDistance = z.object({
  timeS: positive,
  thresholdRatio: fraction.default(0.98).describe('mean airborne speed over threshold speed'),
  touchdownRatio: fraction.default(0.96),
  autolandExtraM: z
    .record(z.string(), z.number().min(0))
    .describe('per flap code; key "default" for the rest'),
});

/** Share of the reported wind that a calculation takes. */
export const WindFactors = z.object({
  dispatchHeadwind: fraction.default(0.5),
  dispatchTailwind: z.number().min(1).default(1.5),
  inflightHeadwind: fraction.describe('0 for family A, whose VAPP already grows with the wind'),
  inflightTailwind: z.number().min(1).default(1.5),
});

/** Share of what physics credits that a distance takes: family A tables take none of it. */
export const Credit = z.object({
  uphillSlope: fraction.default(1),
  colderThanIsa: fraction.default(1),
  belowSeaLevel: fraction.default(1),
});

export const Thrust = z.object({
  goAroundStaticPerEngineN: positive.describe('net, sea level, at the climb speed'),
  flatRatedToIsaPlusC: z.number(),
  lapsePerC: fraction.describe('loss per degree above the kink'),
  kinkShiftCPerKft: z
    .number()
    .min(0)
    .default(0)
    .describe('the full lapse starts later by this much per 1000 ft'),
  partialLapsePerC: fraction
    .default(0)
    .describe('loss per degree between the flat rating and the shifted kink'),
  deltaExponent: positive,
  landingClimbFraction: fraction.default(0.9).describe('of go-around thrust, 8 s after the levers move'),
  idleForwardPerEngineN: z.number().min(0),
  reverse: z.object({
    perEngineN: positive,
    cutSpeedKt: positive,
    dispatchCutSpeedKt: z
      .number()
      .min(0)
      .optional()
      .describe('instead of it in a contaminated dispatch distance'),
    delayS: z.number().min(0).default(2).describe('from touchdown until the reversers push'),
    count: z.int().positive().optional().describe('all engines when absent'),
  }),
});

export const Contaminant = z.object({
  fluid: z.enum(['water', 'slush', 'wetSnow', 'drySnow', 'compactedSnow', 'ice', 'frost']),
  densityKgM3: z.number().min(0).describe('0: no drag is credited'),
});

export const Condition = z.object({
  value: z.string(),
  label: z.string(),
  shortDisplay: z.string().optional(),
  order: z.int(),
  isDefault: z.boolean().default(false),
  group: z.enum(['dry', 'wet', 'contaminated']),
  rwycc: Rwycc,
  warmer: z
    .object({ thanC: z.number(), rwycc: Rwycc })
    .optional()
    .describe('another code above this temperature (compacted snow)'),
  isSlippery: z.boolean(),
  requiresDepth: z.boolean().default(false),
  minDepthMm: z.number().min(0).default(0),
  maxDepthMm: z.number().min(0).default(0),
  contaminant: Contaminant.optional(),
  certifiedFactor: positive.optional().describe('dispatch factor beside wet, e.g. grooved'),
});

export const Factors = z.object({
  dry: positive.default(1 / 0.6),
  wet: positive.default(1.15),
  contaminated: positive.default(1.15),
  autoland: positive.default(1.15),
  inflight: positive
    .default(1)
    .describe('factoredDistance over landingDistance; the margin is inside already'),
  nonNormal: positive.default(1),
  advisoryMargin: positive.default(0.85).describe('actual distance over landingDistance'),
  familyADispatch: positive.default(1.15).describe('factored over actual distance'),
});

/** A code-to-number map over the RWYCC, for factors that physics alone does not give. */
export const PerRwycc = z.object({
  6: positive,
  5: positive,
  4: positive,
  3: positive,
  2: positive,
  1: positive,
});
