import { z } from 'zod';
import { fractionSchema, fromZeroSchema, notNegativeSchema, positiveSchema } from './profile-parts.ts';

const curveSchema = z.number().min(-1).max(0).default(0);

/** Change of usable length per unit, m: `[a, b]` means a + b times the length in km. */
const perLengthSchema = z.tuple([z.number(), z.number()]);

/** Equivalent length of a level runway without wind, per % of slope and kt of wind. */
const lengthWorthSchema = z.strictObject({
  uphill: perLengthSchema,
  downhill: perLengthSchema,
  headwind: perLengthSchema,
  tailwind: perLengthSchema,
});

/** A speed in kt CAS: this factor times (mass in tonnes)^`exponent`. */
const powerLawSchema = z.strictObject({ factorKt: positiveSchema, exponent: positiveSchema.max(1) });

/**
 * A speed difference, kt: at zero mass, per tonne, and for losing all thrust, relative to the full rating at sea level
 * ISA.
 */
const speedLawSchema = z.strictObject({
  kt: z.number().default(0),
  perTonne: z.number().default(0),
  perThrustLost: z.number().default(0),
});

/** V1 by the manufacturer's rule, with its corrections for slope (per % and tonne) and wind (per kt). */
const v1LawSchema = z.strictObject({
  belowVr: speedLawSchema,
  uphill: notNegativeSchema,
  downhill: notNegativeSchema,
  headwind: notNegativeSchema,
  tailwind: notNegativeSchema,
});

const evidenceSchema = z.strictObject({
  quality: z.enum(['tableFit', 'estimated']).describe('fitted to published speeds, or not published'),
  bandKt: positiveSchema.describe('RMS against published speeds, or how far the estimate may be off, knots'),
});
export const speedEvidenceSchema = z.strictObject({
  v1: evidenceSchema.describe('decision speed'),
  vR: evidenceSchema.describe('rotation speed'),
  v2: evidenceSchema.describe('takeoff safety speed'),
});

/** Takeoff parameters of one flap setting. */
const takeoffFlapSchema = z.strictObject({
  v2: powerLawSchema,
  v2LessVrKt: fromZeroSchema,
  groundCd: notNegativeSchema.describe('before rotation: drag less rolling friction times lift'),
  climbCd0: positiveSchema.describe('gear up, one engine inoperative, in its drag'),
  climbK: positiveSchema,
  climbByLength: notNegativeSchema
    .max(0.3)
    .default(0)
    .describe(
      'relative gain of the climb limit per natural logarithm of the length over 3 km, which sets the speeds',
    ),
  climbByLengthCurve: curveSchema.describe(
    'coefficient of the squared logarithm: the gain levels off with speed',
  ),
});

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
const settingsSchema = z.strictObject({
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

/** Takeoff performance fitted for a type. */
export const takeoffPerformanceSchema = z.strictObject({
  thrust: z.strictObject({
    staticPerEngineN: positiveSchema,
    fieldFactor: positiveSchema.default(1).describe('thrust on the ground over thrust in the climb'),
    lossPerMps: notNegativeSchema.max(0.005).describe('relative loss per m/s of true airspeed'),
    flatRatedToIsaPlusC: z.number().describe('ISA deviation up to which thrust is flat-rated at sea level'),
    flatRatingFallsCPerKft: fromZeroSchema.describe('how far that deviation falls per 1,000 ft'),
    flatRatingFallsFromFt: fromZeroSchema.describe('pressure altitude up to which the sea-level value holds'),
    lapsePerC: positiveSchema,
    kinkShiftCPerKft: z.number(),
    partialLapsePerC: z.number(),
    deltaExponent: positiveSchema,
    deltaCurve: z.number().default(0).describe('on the logarithm of delta, added to that exponent'),
    coldPerC: z.number().default(0).describe('relative gain per degree below the flat rating'),
    packsOffGain: fromZeroSchema.describe('relative gain in thrust'),
    packsOffClimbGain: notNegativeSchema
      .optional()
      .describe('relative gain in the climb; absent: as on the ground'),
    antiIceLoss: z
      .record(z.string(), notNegativeSchema.max(0.2))
      .default({})
      .describe('relative loss of thrust by value of the anti-ice option'),
    continuousShare: positiveSchema
      .max(1)
      .default(0.9)
      .describe('maximum continuous thrust over takeoff thrust; the default is an estimate'),
    mostReduction: notNegativeSchema.max(0.5).default(0.25),
    maxAssumedIsaPlusC: positiveSchema.default(60),
  }),
  ratings: z
    .record(z.string(), positiveSchema.max(1))
    .default({})
    .describe('thrust of fixed derates over full thrust'),
  rollingFriction: positiveSchema.default(0.015),
  rotationS: positiveSchema,
  rotationAllEnginesS: positiveSchema,
  gearCd: notNegativeSchema,
  asymmetryCd: notNegativeSchema.describe('on the ground, one engine inoperative'),
  stop: z.strictObject({
    mu: positiveSchema.describe('dry runway, fully braked'),
    cd: z.number(),
    transitionS: notNegativeSchema.describe('after the 2 s of the rule'),
    wetEfficiency: positiveSchema,
    reversePerEngineN: notNegativeSchema,
  }),
  contaminated: z
    .strictObject({
      hasOwnLosses: z
        .boolean()
        .default(false)
        .describe('published for the type; they replace the calculated contaminant forces'),
      v1BelowVrKt: notNegativeSchema
        .default(16.5)
        .describe('published V1 below VR where the losses are those of the type'),
      speeds: z
        .strictObject({ vR: powerLawSchema, v2LessVrKt: notNegativeSchema })
        .optional()
        .describe('published with the losses of the type, for every flap'),
      losses: z
        .array(
          z.strictObject({
            states: z.array(z.string()).min(1),
            depthMm: fromZeroSchema,
            fixed: z.number().default(0).describe('over the highest takeoff weight'),
            share: perLengthSchema.default([0, 0]),
            perKft: fromZeroSchema.describe('of that weight by pressure altitude'),
          }),
        )
        .default([])
        .describe(
          'least loss against the dry field limit W by depth: a fixed part and a share of W, a + b times the length in km',
        ),
    })
    .optional(),
  vmcgKt: positiveSchema,
  vmcaKt: positiveSchema,
  vmcExponent: notNegativeSchema.default(0.3).describe('VMCG and VMCA as thrust to this power'),
  brakeEnergyJ: positiveSchema.nullable().default(null).describe('kinetic energy at VR; null: not known'),
  brakeEnergyLaw: z
    .strictObject({
      byLength: fractionSchema.default(0).describe('exponent of the runway length over 3 km'),
      byLengthCurve: curveSchema.describe(
        'coefficient of the squared logarithm of that length: the gain levels off on longer runways',
      ),
      perKft: notNegativeSchema
        .max(0.1)
        .default(0)
        .describe('relative loss per 1,000 ft of pressure altitude'),
      speedExponent: z
        .number()
        .min(1)
        .max(2)
        .default(2)
        .describe('of VR over 75 m/s; below 2 where V1 falls further below VR at higher speeds'),
      perHotC: fromZeroSchema.describe('relative loss per degree above the flat rating'),
      windShare: fractionSchema.default(1).describe('of the credited wind'),
    })
    .prefault({})
    .describe('corrections by which published brake-energy limits depart from a constant energy'),
  lineup: z
    .record(z.enum(['90', '180']), z.strictObject({ asdaM: notNegativeSchema, todaM: notNegativeSchema }))
    .optional()
    .describe('length lost by lining up with a turn of so many degrees; absent: not known'),
  lineupIsEstimated: z.boolean().default(false).describe('from the wheelbase, not published for the type'),
  mostPublishedKg: z
    .strictObject({ field: positiveSchema.optional(), climb: positiveSchema.optional() })
    .default({})
    .describe('highest weights of the published tables; no limit above them is reported'),
  v1: z
    .union([
      z.literal('balanced'),
      z.strictObject({ dry: v1LawSchema, wet: v1LawSchema }),
      z.strictObject({
        belowVrKt: notNegativeSchema.describe('V1 below VR where the takeoff needs the whole runway, kt'),
        fromShare: notNegativeSchema.max(0.9).describe('share of the runway up to which V1 is VR'),
      }),
    ])
    .default('balanced')
    .describe(
      'V1 within its range: going and stopping in balance, or as published by weight and thrust, or by the part of the runway that is needed',
    ),
  v2PerThrustLostKt: fromZeroSchema.describe('V2 falls by this, times the share of thrust lost'),
  v2LessVr: speedLawSchema.prefault({}).describe('V2 less VR, in addition to that of the flap'),
  speedEvidence: speedEvidenceSchema.prefault({
    v1: { quality: 'estimated', bandKt: 12 },
    vR: { quality: 'estimated', bandKt: 8 },
    v2: { quality: 'estimated', bandKt: 4 },
  }),
  retraction: z
    .union([
      z.strictObject({
        vrefFlap: z.string(),
        addKt: z
          .record(z.string(), notNegativeSchema)
          .describe('maneuvering speed of each flap above VREF of `vrefFlap`'),
      }),
      z.strictObject({
        greenDot: z.strictObject({ perTonneKt: positiveSchema, addKt: z.number() }),
        slats: z
          .strictObject({ flap: z.string(), ktPerRootTonne: positiveSchema })
          .optional()
          .describe('S speed, with only the slats of `flap` out: times the root of tonnes'),
      }),
    ])
    .nullable()
    .default(null)
    .describe("manufacturer's rule for flap retraction speeds; null: not known"),
  preferredFlap: z
    .string()
    .optional()
    .describe(
      'flap that OPTIMUM selects while it carries the weight; absent: the flap that allows the largest thrust reduction',
    ),
  distancesAreEstimated: z
    .boolean()
    .default(false)
    .describe(
      'only chart limit weights are published, not the distances with one engine out or with all engines',
    ),
  settings: settingsSchema.optional().describe('absent: nothing is published'),
  fittedFlaps: z.array(z.string()).default([]).describe('flaps whose limits were fitted to tables'),
  worth: z.strictObject({ dry: lengthWorthSchema, wet: lengthWorthSchema }),
  flaps: z.record(z.string(), takeoffFlapSchema),
});

export type TakeoffPerformance = z.output<typeof takeoffPerformanceSchema>;
export type TakeoffFlap = z.output<typeof takeoffFlapSchema>;
export type V1Law = z.output<typeof v1LawSchema>;
export type SpeedLaw = z.output<typeof speedLawSchema>;
export type LengthWorth = z.output<typeof lengthWorthSchema>;
export type N1Law = z.output<typeof n1LawSchema>;
