import { z } from 'zod';
import { speedEvidenceSchema } from '#domain/aircraft/profile-takeoff.ts';
import { cautionAnswerSchema } from './caution.ts';
import { takeoffNoticesInForceSchema } from './notices.ts';
import { accuracySchema, answerOf, pictureSchema, windComponentsSchema } from './result-parts.ts';
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
    'FITS: at or below the lowest limit weight, and no other limit exceeded; LIMIT_EXCEEDED: another limit, such as the wind limit, is exceeded; TOO_HEAVY: above the lowest limit weight; NO_TAKEOFF: takeoff is impossible at any weight',
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
    .describe('degrees C (FLEX); null: full thrust of the rating, or no weight in the request'),
  v1: speed('decision speed; null without a weight in the request, or where it is above its limit'),
  vR: speed('rotation speed'),
  v2: speed('takeoff safety speed'),
};

/** A takeoff at rated or reduced thrust. */
const takeoffColumnAnswerSchema = z.strictObject({
  ...speedShape,
  thrustReduction: z.number().describe('percent of the rated thrust'),
  v1Min: speed('lowest V1 from which the takeoff can be continued; null: none'),
  v1Max: speed('highest V1 from which the aircraft can stop; null: none'),
  v1Basis: z
    .enum(['RULE', 'BALANCED', 'GO', 'STOP'])
    .nullable()
    .describe(
      'RULE: as published for the type; BALANCED: accelerate-go and accelerate-stop use the same share of the distances available; GO or STOP: changed because the published V1 would not allow the takeoff to be continued, or rejected; null: no V1',
    ),
  asd: distance('accelerate-stop distance, on a wet runway not below the dry one from the dry V1'),
  asdMargin: distance('ASDA minus `asd`'),
  eogd: distance(
    'takeoff distance with an engine failure at V1 to 35 ft; on a wet runway to 15 ft, but not below the dry one from the dry V1',
  ),
  eogdMargin: distance('TODA minus `eogd`'),
  agd: distance('takeoff distance with all engines, times 1.15'),
  agdMargin: distance('TODA minus `agd`'),
  secondSegmentGradient: z
    .number()
    .describe('gross gradient, one engine inoperative at V2, gear up, percent'),
  allEnginesGradient: z.number().describe('gradient at V2, gear up, percent'),
  allEnginesFtPerNm: z
    .int()
    .describe('the same in feet per NM (nautical miles), to compare with the departure procedure'),
  stopCooling: brakeCoolingScheduleSchema.describe(
    'brake cooling after a rejected takeoff from V1, without reverse thrust',
  ),
});
export type TakeoffColumnAnswer = z.output<typeof takeoffColumnAnswerSchema>;

const optionShape = {
  maxTakeoffWeight: weight('lowest limit weight'),
  limitedBy: limitCodeSchema.describe('the limiting factor with this option'),
  ...speedShape,
};

/** With `assess: true`; each number comes from an engine run. */
const takeoffAssessmentSchema = z
  .strictObject({
    flaps: z
      .array(z.strictObject({ flap: z.string(), ...optionShape }))
      .describe('results for every takeoff flap'),
    ratings: z
      .array(
        z.strictObject({
          rating: z.string().describe('rating, as a value for `configuration.rating`'),
          label: z.string().describe('the rating in words'),
          ...optionShape,
        }),
      )
      .describe('results for every rating of the profile, with the flap of the result'),
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
          maxTakeoffWeight: weight('lowest limit weight'),
          delta: z.int().nullable().describe('change in the limit weight, in the weight unit'),
          limitedBy: limitCodeSchema.nullable().describe('the limiting factor with the change'),
          ...speedShape,
          verdict: takeoffVerdictSchema
            .nullable()
            .describe('verdict on the requested weight; null without a weight'),
        }),
      )
      .describe('the takeoff with a single change, for each of several changes'),
  })
  .describe('results for every flap and rating, and what-if changes; present when `assess` was true');

export const takeoffPicturesSchema = z.strictObject({
  takeoff: pictureSchema.describe(
    'drawing of the runway, with points and distances at full and reduced thrust',
  ),
});

const settingBand = (field: string) =>
  z
    .tuple([z.number(), z.number()])
    .nullable()
    .describe(`${field} minus and plus the RMS error of its law against published values`);

/** Thrust setting and trim. */
const takeoffSettingsShape = {
  n1: z
    .number()
    .nullable()
    .describe('takeoff thrust setting, percent; null without a weight, or see `notKnown`'),
  n1Band: settingBand('n1'),
  trim: z
    .number()
    .nullable()
    .describe('stabilizer trim, units; null without a weight and `weight.cg`, or see `notKnown`'),
  trimBand: settingBand('trim'),
  maxAssumedTemperature: z
    .int()
    .nullable()
    .describe('highest assumed temperature allowed with the rating, degrees C; null: see `notKnown`'),
  maxAssumedTemperatureBand: settingBand('maxAssumedTemperature'),
};

/** `performance` of a takeoff. */
export const takeoffPerformanceAnswerSchema = z.strictObject({
  flap: z.string().describe('takeoff flap, as a value of the profile'),
  rating: z.string().describe('thrust rating, as a value of the profile'),
  thrust: z
    .enum(['FULL', 'REDUCED'])
    .describe(
      'FULL: full thrust of the rating; REDUCED: reduced by the assumed temperature. The speeds are for this thrust',
    ),
  ...speedShape,
  runwayIdent: z.string(),
  isNOTAM: z.boolean(),
  noticesInForce: takeoffNoticesInForceSchema.optional(),
  tora: z.int().describe('takeoff run available from where the takeoff begins, in the distance unit'),
  toda: z.int().describe('takeoff distance available likewise'),
  asda: z.int().describe('accelerate-stop distance available likewise'),
  takeoffWeight: z.int().nullable().describe('as sent, in the weight unit; null: limits only'),
  maxTakeoffWeight: weight('lowest limit weight'),
  limitedBy: limitCodeSchema.describe('the limiting factor'),
  nextLimitedBy: limitCodeSchema.nullable().describe('the next limiting factor'),
  limits: z
    .strictObject({
      structural: weight('maximum structural takeoff weight'),
      field: weight('field limit: engine failure, rejected takeoff and all engines'),
      climb: weight('climb limit: first, second and final segment gradients with one engine inoperative'),
      obstacle: weight('obstacle limit: net flight path above the obstacles'),
      tire: weight('tire speed limit at lift-off'),
      brakeEnergy: weight('brake energy limit in a rejected takeoff from V1'),
      vmcMinimum: weight(
        'weight below which V1 and VR are set by the minimum control speed on the ground (VMCG)',
      ),
    })
    .describe('limit weights as calculated, even above the structural limit'),
  full: takeoffColumnAnswerSchema.nullable().describe('at full thrust of the rating; null without a weight'),
  reduced: takeoffColumnAnswerSchema
    .nullable()
    .describe('at reduced thrust; null when thrust is not reduced, or without a weight'),
  distanceQuality: accuracySchema.shape.quality.describe(
    'quality of `asd`, `eogd` and `agd`; estimated if only limit weights are published',
  ),
  requiredGradient: z.number().describe('minimum gross gradient in the second segment, percent'),
  ...takeoffSettingsShape,
  flapSpeeds: z
    .array(z.strictObject({ flap: z.string(), speed: z.int().describe('maneuvering speed, knots') }))
    .describe('flap retraction speeds, takeoff flap first; empty without a weight, or see `notKnown`'),
  cleanSpeed: speed('flaps up maneuvering speed or green dot; null without a weight, or see `notKnown`'),
  finalSegmentGradient: z
    .number()
    .nullable()
    .describe(
      'gross gradient in percent: clean, one engine inoperative, maximum continuous thrust, at the acceleration altitude; estimated; null without a weight, or see `notKnown`',
    ),
  requiredFinalGradient: z.number().describe('minimum gross gradient in the final segment, percent'),
  notKnown: z
    .array(
      z.strictObject({
        field: z.string().describe('name of the null field'),
        reason: z.string().describe('why it is not known, for people'),
      }),
    )
    .describe('fields that are null because nothing is published for the type'),
  engineFailureProcedure: z
    .strictObject({
      isStandard: z.boolean(),
      text: z.string().describe('what to fly'),
      accelerationAltitude: z.int().describe('in the altitude unit; by default 1,500 ft above the runway'),
      minimumAccelerationAltitude: z.int().describe('400 ft above the runway (25.111), in the altitude unit'),
    })
    .describe('acceleration altitude set for the airport by its operator, else the standard one'),
  returnLanding: z
    .strictObject({
      maxLandingWeight: z.int().describe('maximum structural landing weight, in the weight unit'),
      isOverweight: z
        .boolean()
        .describe('true when a return at takeoff weight would be an overweight landing'),
      limitWeight: z
        .int()
        .nullable()
        .describe(
          'landing limit weight on the same runway in the same weather, in the weight unit; null: no weight can land, or the landing distance is not known',
        ),
      limitedBy: landingLimitSchema.nullable().describe('what limits that weight'),
    })
    .nullable()
    .describe('null without a weight'),
  obstacles: z
    .strictObject({
      considered: z.int().describe('number of obstacles considered'),
      text: z.string().describe('the same in words, to display with the result'),
    })
    .describe('how the obstacles of the request were considered'),
  validity: z
    .strictObject({
      minQnh: z.number().describe('in the pressure unit'),
      maxTemperature: z.number().describe('degrees C'),
      minHeadwind: z.number().describe('in the wind unit, negative: tailwind'),
    })
    .describe(
      'limits of the conditions in which the takeoff weight is still possible, at most 5 hPa and 3 °C away; beyond them, recalculate',
    ),
  rwycc: z
    .int()
    .min(1)
    .max(6)
    .describe('for display only: the takeoff is calculated from the contaminant and its depth'),
  windComponents: windComponentsSchema,
  accuracy: accuracySchema
    .extend({
      band: z.tuple([z.int(), z.int()]).nullable().describe('maxTakeoffWeight minus and plus one RMS'),
    })
    .describe('RMS of limit weights against published values'),
  speedAccuracy: speedEvidenceSchema.describe('how well the speeds are known for the type and the surface'),
  verdict: takeoffVerdictSchema.nullable().describe('verdict on the takeoff weight; null without a weight'),
  shown: z
    .strictObject({
      verdict: takeoffVerdictSchema,
      text: z.string().describe('the verdict in words'),
      tone: z.enum(tones).describe('colour of the verdict: green, amber, red or none'),
    })
    .nullable()
    .describe('the verdict, for tables and drawings'),
  limitsExceeded: z.array(cautionAnswerSchema).describe('exceeded limits, with value and limit'),
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
