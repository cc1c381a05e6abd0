import { z } from 'zod';
import { calculationLimitSchema, modelSchema } from './catalogue.ts';
import type { effectProfileSchema } from './profile-blocks.ts';
import type { rwyccCodeSchema } from './profile-parts.ts';
import {
  airDistanceSchema,
  autobrakeProfileSchema,
  brakingSchema,
  conditionProfileSchema,
  creditSchema,
  factorsSchema,
  flapProfileSchema,
  qualityMarkSchema,
  thrustSchema,
  windFactorsSchema,
  windLimitProfileSchema,
} from './profile-parts.ts';
import {
  autolandWindLimitSchema,
  brakesSchema,
  calibrationSchema,
  climbSchema,
  inopProfileSchema,
  nonNormalProfileSchema,
  optionsSchema,
  vectorProfileSchema,
} from './profile-blocks.ts';
import { takeoffPerformanceSchema } from './profile-takeoff.ts';
import { standardDispatchConditions, standardEnrouteConditions } from './rcam.ts';

const positiveSchema = z.number().positive('must be more than 0');

export const aircraftProfileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  id: z
    .string()
    .regex(/^[A-Za-z0-9.-]+$/)
    .describe('file name without .json'),
  formerIds: z
    .array(z.string().regex(/^[A-Za-z0-9.-]+$/))
    .default([])
    .describe('ids that stored profiles and apps may still use for it'),
  family: z.enum(['A', 'B']),
  profile: z.looseObject({
    title: z.string(),
    description: z.string(),
    isBeta: z.boolean().default(false),
    userRegistration: z.string().nullable().default(null),
    virtualAirline: z.string().nullable().default(null),
  }),
  checklists: z
    .strictObject({
      isChecklistAvailable: z.boolean().default(true),
      isChecklistActive: z.boolean().default(true),
      checklistId: z.string().max(200).nullish().describe('takes precedence over file'),
      file: z.string().max(200).nullish().describe('file name of a built-in checklist'),
    })
    .optional(),
  model: modelSchema.extend({
    enginesThrustLimitTime: positiveSchema,
    maxCertifiedTakeoffAndLandingAltitude: positiveSchema,
  }),
  provenance: z
    .array(
      z.strictObject({
        block: z.enum([
          'weight',
          'speeds',
          'inflight',
          'dispatch',
          'climb',
          'brakes',
          'nonNormal',
          'inopItems',
          'takeoff',
          'takeoffPerformance',
          'wind',
        ]),
        quality: qualityMarkSchema,
        rms: z
          .number()
          .positive()
          .max(0.2)
          .optional()
          .describe('RMS of the distances of this block against published ones, as a share (0.02 is 2 %)'),
        source: z.string(),
      }),
    )
    .min(1),
  weight: z.strictObject({
    oew: positiveSchema,
    mstow: positiveSchema,
    mslw: positiveSchema,
    mzfw: positiveSchema,
    msrw: positiveSchema,
    isFlexibleTOW: z.boolean().default(false),
    flexibleTOW: z.array(z.number()).nullable().default(null),
    performanceLimitedWeight: z.number().nullable().default(null),
  }),
  calculationLimit: calculationLimitSchema,
  takeoff: z.strictObject({
    n1label: z.string().default('N1'),
    isCGAvailable: z.boolean().default(false),
    useAlternateCG: z.boolean().default(false),
    useAlternateN1: z.boolean().default(false),
    isN1displayed: z.boolean().default(false),
    windLimit: windLimitProfileSchema,
    improved: z.boolean().default(false),
    ratings: z.array(z.strictObject({ value: z.string(), label: z.string() })).min(1),
    flaps: z.array(z.string()).min(1),
  }),
  landing: z.strictObject({
    vrefFlapRef: z.string(),
    vrefAdditiveDefault: z.number().min(0),
    vrefAdditiveMax: z.number().positive().default(20),
    assumedAirDistanceRef: z.string(),
    displayResultUnfactoredLandingDistances: z.boolean().default(true),
    autolandFlapsOption: z.boolean(),
    brakeCooling: z.strictObject({
      isBrakeCoolingActive: z.boolean(),
      userTurnaroundTime: z.number().min(0).nullable(),
    }),
    windLimit: windLimitProfileSchema,
    autolandWindLimit: autolandWindLimitSchema,
    useAlternateCG: z.boolean().default(false),
    vrefLabel: z.string(),
    goAroundFlap: z.string().optional().describe('family B, for the balked landing'),
  }),
  engineCount: z.int().min(2).max(4),
  wingAreaM2: positiveSchema,
  vmcaKt: positiveSchema,
  limits: z.strictObject({
    pressureAltitudeMinFt: z.number(),
    pressureAltitudeMaxFt: z
      .number()
      .describe(
        'highest value of any option certified for the type; `model.maxCertifiedTakeoffAndLandingAltitude` is the limit of this aircraft',
      ),
    slopePercent: positiveSchema.default(2),
    tireSpeedKt: positiveSchema,
    runwayWidthMinM: z.number().min(0).default(30),
    drySnowMm: positiveSchema.default(102).describe('greatest dry snow depth for takeoff or landing'),
  }),
  flaps: z.array(flapProfileSchema).min(2),
  thrust: thrustSchema,
  braking: brakingSchema,
  autobrakes: z.array(autobrakeProfileSchema).min(2),
  airDistance: airDistanceSchema,
  wind: windFactorsSchema,
  credit: creditSchema.prefault({}),
  conditions: z
    .strictObject({
      dispatch: z.array(conditionProfileSchema).min(2),
      enroute: z.array(conditionProfileSchema).min(2),
    })
    .default(() => ({ dispatch: standardDispatchConditions(), enroute: standardEnrouteConditions() })),
  factors: factorsSchema.prefault({}),
  climb: climbSchema,
  brakes: brakesSchema,
  brakeOptions: z
    .record(z.enum(['steel', 'carbon']), brakesSchema.optional())
    .prefault({})
    .describe('other brakes available for the type; `model.brakes` or a case selects them'),
  nonNormal: z.array(nonNormalProfileSchema).min(12),
  mel: z.array(inopProfileSchema).min(10),
  cdl: z.array(inopProfileSchema).min(10),
  options: optionsSchema,
  takeoffPerformance: takeoffPerformanceSchema.optional(),
  calibration: calibrationSchema,
  vectors: z.array(vectorProfileSchema).default([]),
  formData: z.looseObject({ userEditedRawData: z.unknown().optional() }).optional(),
});

/** A validated aircraft profile: catalogue sections of the specification, and engine parameters. */
export type AircraftProfile = z.output<typeof aircraftProfileSchema>;
export type FlapProfile = z.output<typeof flapProfileSchema>;
export type AutobrakeProfile = z.output<typeof autobrakeProfileSchema>;
export type ConditionProfile = z.output<typeof conditionProfileSchema>;
export type EffectProfile = z.output<typeof effectProfileSchema>;
export type NonNormalProfile = z.output<typeof nonNormalProfileSchema>;
export type VectorProfile = z.output<typeof vectorProfileSchema>;
export type QualityMark = z.output<typeof qualityMarkSchema>;
export type RwyccCode = z.output<typeof rwyccCodeSchema>;
export type WindLimitProfile = z.output<typeof windLimitProfileSchema>;

/** Default go-around flap of family B: 15 for 737 types, 20 for others (M-2.9.3b). */
export const defaultGoAroundFlap = ({ model }: Pick<AircraftProfile, 'model'>): string =>
  model.variant.startsWith('737') ? '15' : '20';
