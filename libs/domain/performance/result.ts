import { z } from 'zod';
import { assessmentSchema } from './assessment.ts';
import { cautionAnswerSchema } from './caution.ts';
import { noticesInForceSchema } from './notices.ts';
import { accuracySchema, answerOf, bandSchema, pictureSchema, windComponentsSchema } from './result-parts.ts';
import { distanceVerdictSchema, shownSchema, verdictSchema } from './verdict.ts';

const distance = (text: string) => z.int().describe(`${text}, in the distance unit`);
const weight = (text: string) =>
  z.int().nullable().describe(`${text}, in the weight unit; null: not computable, inactive or not limiting`);
const coolingValueSchema = z.union([z.number(), z.literal('CAUTION'), z.literal('FUSE MELT')]);

/** Brake cooling for one mode; present if the profile's brake cooling is active. */
export const brakeCoolingScheduleSchema = z.strictObject({
  credit: z.enum(['REVERSE', 'NONE']).describe('reverse thrust included in the energy'),
  aerodynamicDrag: z.boolean().describe('aerodynamic drag included in the energy'),
  ground: coolingValueSchema.describe('minutes on the ground'),
  air: coolingValueSchema.describe('minutes in the air, gear down'),
  btms: z.number().nullable().describe('brake temperature monitor reading at its peak'),
  energy: z.number().describe('million foot-pounds per brake'),
});

const autobrakeDistanceSchema = z.strictObject({
  label: z.string(),
  autobrakeValue: z.string(),
  airDistance: distance('from 50 ft to touchdown, part of the actual distance'),
  landingDistance: distance(
    'advisory distance: actual / 0.85, margin included; with a non-normal condition the actual distance',
  ),
  landingDistanceIsAboveLDA: z.boolean(),
  factoredDistance: distance('landing distance x regulatory factor of the profile'),
  factoredDistanceIsAboveLDA: z.boolean(),
  unfactoredDistance: distance('actual distance from 50 ft to stop (0.85 x landing distance)'),
  unfactoredDistanceIsAboveLDA: z.boolean(),
  order: z.int(),
  combination: z
    .enum(['physics', 'added'])
    .optional()
    .describe(
      "family A: how corrections are combined: by physics, or added and rounded up as in the manufacturer's tables when that is longer",
    ),
  verdict: verdictSchema.optional(),
  distanceVerdict: distanceVerdictSchema
    .optional()
    .describe('verdict on the distance alone, even if other limits are exceeded'),
  shown: shownSchema.optional(),
  margin: distance('`lda` minus `factoredDistance`; negative when the landing does not fit').optional(),
  accuracy: accuracySchema
    .extend({ landingBand: bandSchema, factoredBand: bandSchema })
    .optional()
    .describe('`band` of unfactoredDistance'),
  brakeCoolingSchedule: brakeCoolingScheduleSchema.optional(),
});

/** A requested brake mode without a distance. */
const unusableModeSchema = z.strictObject({
  label: z.string(),
  autobrakeValue: z.string(),
  order: z.int(),
  verdict: z.enum(['CANNOT_STOP', 'NOT_AVAILABLE']),
  shown: shownSchema.optional(),
  reason: z.string(),
});

const balkedLandingSchema = z.strictObject({
  procedure: z.string(),
  isCalculationRequired: z.boolean(),
  userAllowed: z.boolean(),
  maxLandingWeight: z.int().nullable(),
  margin: z.int().nullable(),
  goAroundFlaps: z.string().nullable(),
});

const vAppDetailsSchema = z.strictObject({
  deltaWind: z.number().describe('a third of the headwind, 15 kt at most'),
  athrOn: z.number().describe('5 with auto-thrust, else 0'),
  deltaIceAccretion: z.number().describe('0 without ice, else 5 or 10'),
  approachCorrection: z.number().describe('the highest of the three'),
  vPilot: z.number().describe('the requested additive'),
  totalVrefCorrection: z.number(),
});

const runwayExitSchema = z.strictObject({
  name: z.string(),
  distance: distance('from the landing threshold'),
  remainingRunway: distance('runway remaining after the exit'),
  exitSpeed: z.number().describe('knots'),
  modes: z.array(
    z.strictObject({
      autobrakeValue: z.string(),
      distanceAtExitSpeed: distance(
        'from the landing threshold to the point at which the exit speed is reached',
      ),
      margin: distance('from that point to the exit; negative beyond the exit'),
      reachable: z.boolean(),
    }),
  ),
});

export const picturesSchema = z.strictObject({
  factored: pictureSchema,
  unfactored: pictureSchema,
  dispatch: pictureSchema.optional(),
});

/** The limit that determines a landing weight. */
export const landingLimitSchema = z.enum(['STRUCT.', 'MACG', 'FIELD', 'CLIMB', 'QUICK', 'TIRE']);

/** `performance` of a landing answer, both modes; optional members belong to one mode or family. */
export const landingPerformanceSchema = z.strictObject({
  flap: z.string(),
  lda: distance('landing distance available, minus NOTAM shortening'),
  isNOTAM: z.boolean(),
  noticesInForce: noticesInForceSchema.optional(),
  runwayIdent: z.string(),
  landingWeight: z.int().describe('dispatch: the calculated maximum; in flight: as sent'),
  perfLimitedLandingWeight: weight('lowest of approach climb, field, landing climb and tire limits'),
  appClimbLimit: weight('approach climb limit, one engine inoperative'),
  fieldLimit: weight('required distance equals the landing distance available (dispatch)'),
  ldgClimbLimit: weight('landing climb limit, all engines'),
  quickTurnWeight: weight('quick turnaround limit'),
  quickTurnTime: z.int().nullable().describe('waiting time above the quick turnaround weight, minutes'),
  structLandingWeight: z.int(),
  tireSpeed: weight('tire speed limit at touchdown'),
  limitedBy: landingLimitSchema.nullable().describe('null in flight'),
  notLimiting: z
    .array(z.enum(['appClimbLimit', 'fieldLimit', 'ldgClimbLimit', 'tireSpeed']))
    .optional()
    .describe('limits that are null because no weight of this aircraft reaches them'),
  verdict: verdictSchema
    .optional()
    .describe(
      'verdict on the landing: at dispatch for the landing weight, in flight for the selected or shortest brake mode',
    ),
  shown: shownSchema.optional(),
  limitsExceeded: z
    .array(
      cautionAnswerSchema.extend({
        modes: z.array(z.string()).nullable().describe('null: every brake mode'),
      }),
    )
    .optional()
    .describe('exceeded limits, with value and limit; no verdict is then better than LIMIT_EXCEEDED'),
  isOverweightLanding: z.boolean(),
  vRef: z.int(),
  vFly: z.int().describe('`vRef` plus the additive'),
  vApp: z.int(),
  vMca: z.int(),
  vrefLabel: z.string(),
  vrefAdditive: z.int().optional().describe('in flight: additive used, knots'),
  vAppDetails: vAppDetailsSchema.optional(),
  requiredLandingDist: distance('dispatch: factored certified distance at the landing weight').optional(),
  actualLandingDistance: distance(
    'family A dispatch: actual distance with manual braking. On a contaminated runway or for an autoland, the distance that `requiredLandingDist` exceeds by at least 15 %; otherwise the in-flight distance',
  ).optional(),
  factoredLandingDistance: distance('family A dispatch: 1.15 x actual').optional(),
  accuracy: accuracySchema.optional().describe('dispatch: accuracy of requiredLandingDist'),
  actualAccuracy: accuracySchema
    .extend({ factoredBand: bandSchema })
    .optional()
    .describe('family A at dispatch: band of actualLandingDistance and factoredLandingDistance'),
  rwycc: z.int().min(1).max(6).optional().describe('runway condition code used'),
  windComponents: windComponentsSchema.optional(),
  ldgGaClimbGrad: z.number().describe('percent, one engine inoperative, at 66 % of the go-around altitude'),
  goAroundAltitude: z.int().nullable().describe('in the altitude unit'),
  balkedLandingProcedure: balkedLandingSchema.optional(),
  autobrakeLandingDist: z.array(autobrakeDistanceSchema).optional(),
  autobrakeNotPossible: z
    .array(unusableModeSchema)
    .optional()
    .describe('in flight: requested brake modes without distances, and why'),
  assessment: assessmentSchema.optional(),
  nonNormalCondition: z.string().nullable().optional(),
  runwayExits: z.array(runwayExitSchema).optional(),
  graphic: picturesSchema.optional(),
});

/** The engine's result; the API adds version, counters and drawings. */
export const landingAnswerSchema = answerOf(
  z.enum(['LANDING_DISPATCH', 'LANDING_INFLIGHT']),
  landingPerformanceSchema,
);

export type LandingAnswer = z.output<typeof landingAnswerSchema>;
export type LandingPerformance = z.output<typeof landingPerformanceSchema>;
export type BalkedLanding = z.output<typeof balkedLandingSchema>;
