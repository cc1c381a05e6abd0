import { z } from 'zod';
import { speedEvidenceSchema } from '#domain/aircraft/profile-takeoff.ts';
import { takeoffSettingsShape } from './takeoff-settings.ts';
import { cautionAnswerSchema } from './caution.ts';
import { takeoffNoticesInForceSchema } from './notices.ts';
import { accuracySchema, answerOf, windComponentsSchema } from './result-parts.ts';
import { brakeCoolingScheduleSchema, landingLimitSchema } from './result.ts';
import { tones } from './verdict.ts';

const distance = (text: string) => z.int().nullable().describe(`${text}, in the distance unit`);
const weight = (text: string) =>
  z.int().nullable().describe(`${text}, in the weight unit; null: not limiting or not known`);
const speed = (text: string) => z.int().nullable().describe(`${text}, knots`);

const takeoffLimitCodes = ['STRUCT', 'FIELD', 'CLIMB', 'OBSTACLE', 'TYRE', 'BRAKE'] as const;
const limitCodeSchema = z.enum(takeoffLimitCodes);

const takeoffVerdictSchema = z
  .enum(['FITS', 'LIMIT_EXCEEDED', 'TOO_HEAVY', 'NO_TAKEOFF'])
  .describe(
    'FITS: at or below the lowest limit weight, no limit exceeded; LIMIT_EXCEEDED: another limit, such as of wind, is exceeded; TOO_HEAVY: above the lowest limit weight; NO_TAKEOFF: no weight can take off',
  );
export type TakeoffVerdict = z.output<typeof takeoffVerdictSchema>;

/** Words and colour of each takeoff verdict. */
export const takeoffVerdictWords: Record<TakeoffVerdict, { text: string; tone: (typeof tones)[number] }> = {
  FITS: { text: 'within limits', tone: 'good' },
  LIMIT_EXCEEDED: { text: 'limit exceeded', tone: 'bad' },
  TOO_HEAVY: { text: 'too heavy', tone: 'bad' },
  NO_TAKEOFF: { text: 'no takeoff', tone: 'bad' },
};

const speedShape = {
  assumedTemperature: z
    .int()
    .nullable()
    .describe('degrees C (FLEX); null: thrust of the rating, or no weight in the request'),
  v1: speed('decision speed; null without a weight in the request, or where it is above its limit'),
  vR: speed('rotation'),
  v2: speed('takeoff safety speed'),
};

/** A takeoff at rated or reduced thrust. */
const takeoffColumnAnswerSchema = z.strictObject({
  ...speedShape,
  thrustReduction: z.number().describe('percent of the thrust of the rating'),
  v1Min: speed('lowest V1 from which the takeoff can be continued; null: none'),
  v1Max: speed('highest V1 from which the aircraft can stop; null: none'),
  v1Basis: z
    .enum(['RULE', 'BALANCED', 'GO', 'STOP'])
    .nullable()
    .describe(
      'RULE: V1 as published for the type; BALANCED: going and stopping need the same part of the runway; GO, STOP: the published one could not go on, or not stop; null: no V1',
    ),
  asd: distance('accelerate-stop distance, on a wet runway not below the dry one from the dry V1'),
  asdMargin: distance('ASDA less that'),
  eogd: distance(
    'takeoff distance with an engine failure at V1 to 35 ft; on a wet runway to 15 ft, but not below the dry one from the dry V1',
  ),
  eogdMargin: distance('TODA less that'),
  agd: distance('takeoff distance with all engines, times 1.15'),
  agdMargin: distance('TODA less that'),
  secondSegmentGradient: z.number().describe('gross, one engine inoperative at V2, gear up, percent'),
  allEnginesGradient: z.number().describe('at V2, gear up, percent'),
  allEnginesFtPerNm: z
    .int()
    .describe('the same in feet per NM (nautical miles), to compare with a departure'),
  stopCooling: brakeCoolingScheduleSchema.describe('brakes after a stop from V1, without reverse'),
});
export type TakeoffColumnAnswer = z.output<typeof takeoffColumnAnswerSchema>;

const optionShape = {
  maxTakeoffWeight: weight('lowest of the limits'),
  limitedBy: limitCodeSchema.describe('the lowest limit of this option'),
  ...speedShape,
};

/** With `assess: true`; each number comes from an engine run. */
const takeoffAssessmentSchema = z
  .strictObject({
    flaps: z.array(z.strictObject({ flap: z.string(), ...optionShape })).describe('every takeoff flap'),
    ratings: z
      .array(
        z.strictObject({
          rating: z.string().describe('value of the rating, as `configuration.rating` takes it'),
          label: z.string().describe('the rating in words'),
          ...optionShape,
        }),
      )
      .describe('every rating of the profile, with the flap of the result'),
    sensitivity: z
      .array(
        z.strictObject({
          change: z.enum([
            'WEIGHT_PLUS_1_T',
            'TEMPERATURE_PLUS_5_C',
            'QNH_MINUS_10_HPA',
            'TAILWIND_PLUS_5_KT',
            'ONE_CODE_WORSE',
            'RUNWAY_MINUS_100_M',
          ]),
          label: z.string(),
          reason: z.string().nullable().describe('why the change does not apply; null: it does'),
          maxTakeoffWeight: weight('lowest of the limits'),
          delta: z.int().nullable().describe('the same less that without the change, in the weight unit'),
          limitedBy: limitCodeSchema.nullable().describe('the lowest limit with the change'),
          ...speedShape,
          verdict: takeoffVerdictSchema.nullable().describe('of the weight of the request; null without one'),
        }),
      )
      .describe('the takeoff with one change each'),
  })
  .describe('every flap and rating, and what-if, when `assess` was true');

const pictureSchema = z.strictObject({ svg: z.string(), png: z.string(), jpg: z.string() });

export const takeoffPicturesSchema = z.strictObject({
  takeoff: pictureSchema.describe('runway, places and distances at full and reduced thrust'),
});

/** `performance` of a takeoff. */
export const takeoffPerformanceAnswerSchema = z.strictObject({
  flap: z.string().describe('takeoff flap, as a value of the profile'),
  rating: z.string().describe('rating of the thrust, as a value of the profile'),
  thrust: z
    .enum(['FULL', 'REDUCED'])
    .describe(
      'FULL: the thrust of the rating; REDUCED: by the assumed temperature. The speeds are those of it',
    ),
  ...speedShape,
  runwayIdent: z.string(),
  isNOTAM: z.boolean(),
  noticesInForce: takeoffNoticesInForceSchema.optional(),
  tora: z.int().describe('takeoff run available from where the takeoff begins, in the distance unit'),
  toda: z.int().describe('takeoff distance available likewise'),
  asda: z.int().describe('accelerate-stop distance available likewise'),
  takeoffWeight: z.int().nullable().describe('as supplied, in the weight unit; null: limits only'),
  maxTakeoffWeight: weight('lowest of the limits'),
  limitedBy: limitCodeSchema.describe('the lowest limit'),
  nextLimitedBy: limitCodeSchema.nullable().describe('the next lowest'),
  limits: z
    .strictObject({
      structural: weight('maximum structural takeoff weight'),
      field: weight('runway: engine failure, stop and all engines'),
      climb: weight('gradients of the first, second and final segment with one engine inoperative'),
      obstacle: weight('net flight path over the obstacles'),
      tire: weight('tire speed at lift-off'),
      brakeEnergy: weight('energy of the brakes in a stop from V1'),
      vmcMinimum: weight('below it V1 and VR are the minimum control speed on the ground (VMCG)'),
    })
    .describe('each as computed, above the structural limit too'),
  full: takeoffColumnAnswerSchema.nullable().describe('at the thrust of the rating; null without a weight'),
  reduced: takeoffColumnAnswerSchema
    .nullable()
    .describe('at reduced thrust; null when thrust is not reduced, or without a weight'),
  distanceQuality: accuracySchema.shape.quality.describe(
    'of `asd`, `eogd` and `agd`; estimated where only limit weights are published',
  ),
  requiredGradient: z.number().describe('least gross gradient of the second segment, percent'),
  ...takeoffSettingsShape,
  flapSpeeds: z
    .array(z.strictObject({ flap: z.string(), speed: z.int().describe('maneuvering speed, knots') }))
    .describe('flap retraction, the takeoff flap first; empty without a weight, or see `notKnown`'),
  cleanSpeed: speed('flaps up maneuvering speed or green dot; null without a weight, or see `notKnown`'),
  finalSegmentGradient: z
    .number()
    .nullable()
    .describe(
      'gross, clean, one engine inoperative, maximum continuous thrust at the acceleration altitude, percent; estimated; null without a weight, or see `notKnown`',
    ),
  requiredFinalGradient: z.number().describe('least gross gradient of the final segment, percent'),
  notKnown: z
    .array(
      z.strictObject({
        field: z.string().describe('name of the member that is null'),
        reason: z.string().describe('why nothing is known, for people'),
      }),
    )
    .describe('fields that are null because there is no evidence for the type'),
  engineFailureProcedure: z
    .strictObject({
      isStandard: z.boolean(),
      text: z.string().describe('what to fly'),
      accelerationAltitude: z
        .int()
        .describe('in the altitude unit; the standard one is 1,500 ft above the runway'),
      minimumAccelerationAltitude: z.int().describe('400 ft above the runway (25.111), in the altitude unit'),
    })
    .describe('of the airport where its operator has one, else the standard one'),
  returnLanding: z
    .strictObject({
      maxLandingWeight: z.int().describe('maximum structural landing weight, in the weight unit'),
      isOverweight: z.boolean().describe('whether a return with the takeoff weight is an overweight landing'),
      limitWeight: z
        .int()
        .nullable()
        .describe(
          'lowest limit of a landing on the same runway in the same weather, in the weight unit; null: no weight can land, or its landing distance is not known',
        ),
      limitedBy: landingLimitSchema.nullable().describe('what that is the limit of'),
    })
    .nullable()
    .describe('null without a weight'),
  obstacles: z
    .strictObject({
      considered: z.int().describe('number of obstacles in the result'),
      text: z.string().describe('the same in words, to show with the result'),
    })
    .describe('obstacles of the request in the result'),
  validity: z
    .strictObject({
      minQnh: z.number().describe('in the pressure unit'),
      maxTemperature: z.number().describe('degrees C'),
      minHeadwind: z.number().describe('in the wind unit, negative: tailwind'),
    })
    .describe(
      'at these the takeoff weight is still carried, at most 5 hPa and 3 °C away; beyond them calculate again',
    ),
  rwycc: z.int().min(1).max(6).describe('shown only: a takeoff uses the contaminant and its depth'),
  windComponents: windComponentsSchema,
  accuracy: accuracySchema
    .extend({
      band: z.tuple([z.int(), z.int()]).nullable().describe('maxTakeoffWeight less and plus one RMS'),
    })
    .describe('RMS of limit weights against published ones'),
  speedAccuracy: speedEvidenceSchema.describe('how well the speeds are known for the type and the surface'),
  verdict: takeoffVerdictSchema.nullable().describe('of the takeoff weight; null without one'),
  shown: z
    .strictObject({
      verdict: takeoffVerdictSchema,
      text: z.string().describe('the verdict in words'),
      tone: z.enum(tones).describe('its color: green, amber, red or none'),
    })
    .nullable()
    .describe('the verdict as tables and drawings show it'),
  limitsExceeded: z.array(cautionAnswerSchema).describe('limits that are exceeded, with value and limit'),
  assessment: takeoffAssessmentSchema.optional(),
  graphic: takeoffPicturesSchema.optional(),
});

/** The engine's result; the API adds version, counters and drawings. */
export const takeoffAnswerSchema = answerOf(z.literal('TAKEOFF'), takeoffPerformanceAnswerSchema);

export type TakeoffAnswer = z.output<typeof takeoffAnswerSchema>;
export type TakeoffPerformanceAnswer = z.output<typeof takeoffPerformanceAnswerSchema>;
export type TakeoffAssessment = z.output<typeof takeoffAssessmentSchema>;

/** The column with the speeds to fly; null without a weight. */
export const flownColumn = (of: TakeoffPerformanceAnswer): TakeoffColumnAnswer | null =>
  of.thrust === 'REDUCED' ? of.reduced : of.full;
