import { z } from 'zod';
import type { Rwycc } from './profile-parts.ts';
import type { Effect } from './profile-effects.ts';
import {
  AirDistance,
  Autobrake,
  Braking,
  Condition,
  Credit,
  Factors,
  Flap,
  Quality,
  Thrust,
  WindFactors,
  WindLimit,
} from './profile-parts.ts';
import { Brakes, Calibration, Climb, Options, TakeoffModel, Vector } from './profile-blocks.ts';
import { InopItem, NonNormal } from './profile-effects.ts';
import { standardDispatchConditions, standardEnrouteConditions } from './rcam.ts';

const positive = z.number().positive();

export const AircraftProfile = z.object({
  schemaVersion: z.literal(1),
  id: z
    .string()
    .regex(/^[A-Za-z0-9.-]+$/)
    .describe('file name without .json'),
  family: z.enum(['A', 'B']),
  profile: z.looseObject({
    title: z.string(),
    description: z.string(),
    isBeta: z.boolean().default(false),
    userRegistration: z.string().nullable().default(null),
    virtualAirline: z.string().nullable().default(null),
    checklistId: z.string().optional(),
  }),
  model: z.object({
    manufacturer: z.string(),
    category: z.string(),
    variant: z.string(),
    type: z.string(),
    engines: z.string(),
    brakes: z.string(),
    certification: z.string(),
    enginesThrustLimitTime: positive,
    maxCertifiedTakeoffAndLandingAltitude: positive,
    folderGroup: z.string(),
  }),
  provenance: z
    .array(
      z.object({
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
          'wind',
        ]),
        quality: Quality,
        source: z.string(),
      }),
    )
    .min(1),
  weight: z.object({
    oew: positive,
    mstow: positive,
    mslw: positive,
    mzfw: positive,
    msrw: positive,
    isFlexibleTOW: z.boolean().default(false),
    flexibleTOW: z.array(z.number()).nullable().default(null),
    performanceLimitedWeight: z.number().nullable().default(null),
  }),
  calculationLimit: z.object({
    maxTemperatureC: z.number(),
    minTemperatureC: z.number(),
    maxQNHhPa: z.number(),
    minQNHhPa: z.number(),
  }),
  takeoff: z.object({
    n1label: z.string().default('N1'),
    isCGAvailable: z.boolean().default(false),
    useAlternateCG: z.boolean().default(false),
    useAlternateN1: z.boolean().default(false),
    isN1displayed: z.boolean().default(false),
    windLimit: WindLimit,
    improved: z.boolean().default(false),
    ratings: z.array(z.object({ value: z.string(), label: z.string() })).min(1),
    flaps: z.array(z.string()).min(1),
  }),
  landing: z.object({
    vrefFlapRef: z.string(),
    vrefAdditiveDefault: z.number().min(0),
    vrefAdditiveMax: z.number().positive().default(20),
    assumedAirDistanceRef: z.string(),
    displayResultUnfactoredLandingDistances: z.boolean().default(true),
    autolandFlapsOption: z.boolean(),
    brakeCooling: z.object({
      isBrakeCoolingActive: z.boolean(),
      userTurnaroundTime: z.number().min(0).nullable(),
    }),
    windLimit: WindLimit,
    useAlternateCG: z.boolean().default(false),
    vrefLabel: z.string(),
    goAroundFlap: z.string().optional().describe('family B, for the balked landing'),
  }),
  engineCount: z.int().min(2).max(4),
  wingAreaM2: positive,
  vmcaKt: positive,
  limits: z.object({
    pressureAltitudeMinFt: z.number(),
    pressureAltitudeMaxFt: z.number(),
    slopePercent: positive.default(2),
    tireSpeedKt: positive,
    runwayWidthMinM: z.number().min(0).default(30),
  }),
  flaps: z.array(Flap).min(2),
  thrust: Thrust,
  braking: Braking,
  autobrakes: z.array(Autobrake).min(2),
  airDistance: AirDistance,
  wind: WindFactors,
  credit: Credit.prefault({}),
  conditions: z
    .object({ dispatch: z.array(Condition).min(2), enroute: z.array(Condition).min(2) })
    .default(() => ({ dispatch: standardDispatchConditions(), enroute: standardEnrouteConditions() })),
  factors: Factors.prefault({}),
  climb: Climb,
  brakes: Brakes,
  brakeOptions: z
    .record(z.enum(['steel', 'carbon']), Brakes.optional())
    .prefault({})
    .describe('other brakes that the type flies with; `model.brakes` or a case selects them'),
  nonNormal: z.array(NonNormal).min(12),
  mel: z.array(InopItem).min(10),
  cdl: z.array(InopItem).min(10),
  options: Options,
  takeoffModel: TakeoffModel,
  calibration: Calibration.prefault({}),
  vectors: z.array(Vector).default([]),
  formData: z.looseObject({ userEditedRawData: z.unknown().optional() }).optional(),
});

/** A validated aircraft profile: catalogue sections of the contract and the parameters of the engine. */
export type AircraftProfile = z.infer<typeof AircraftProfile>;
export type FlapProfile = z.infer<typeof Flap>;
export type AutobrakeProfile = z.infer<typeof Autobrake>;
export type ConditionProfile = z.infer<typeof Condition>;
export type EffectProfile = z.infer<typeof Effect>;
export type NonNormalProfile = z.infer<typeof NonNormal>;
export type InopProfile = z.infer<typeof InopItem>;
export type VectorProfile = z.infer<typeof Vector>;
export type QualityMark = z.infer<typeof Quality>;
export type RwyccCode = z.infer<typeof Rwycc>;
export type WindLimitProfile = z.infer<typeof WindLimit>;
