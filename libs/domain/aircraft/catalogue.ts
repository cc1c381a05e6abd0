/** Answers of `allowedAircrafts` and `aircraft` (section 2.8). Weights kg, temperatures °C, QNH hPa, altitudes ft. */
import { z } from 'zod';
import { documentOutputSchema } from '../checklists/document.ts';

const profileSchema = z.strictObject({
  title: z.string(),
  description: z.string(),
  userRegistration: z.string().nullable(),
  virtualAirline: z.string().nullable(),
  file: z.string(),
  isBeta: z.boolean(),
});

export const modelSchema = z.strictObject({
  manufacturer: z.string(),
  category: z.string(),
  variant: z.string(),
  type: z.string(),
  engines: z.string(),
  brakes: z.string(),
  certification: z.string(),
  enginesThrustLimitTime: z.number(),
  maxCertifiedTakeoffAndLandingAltitude: z.number(),
  folderGroup: z.string(),
});

export const calculationLimitSchema = z.strictObject({
  maxTemperatureC: z.number(),
  minTemperatureC: z.number(),
  maxQNHhPa: z.number(),
  minQNHhPa: z.number(),
});

export const catalogueEntrySchema = z.strictObject({ profile: profileSchema, model: modelSchema });

export type CatalogueEntry = z.output<typeof catalogueEntrySchema>;

const formOptionSchema = z.strictObject({
  description: z.string(),
  value: z.string(),
  order: z.int(),
  isDefault: z.boolean(),
  paramName: z.string(),
  minValue: z.number().optional(),
  maxValue: z.number().optional(),
  shortDisplay: z.string().optional(),
  requiresDepth: z.boolean().optional(),
  isSlippery: z.boolean().optional(),
  flap: z
    .string()
    .nullable()
    .optional()
    .describe('the only flap setting with which the option is available; null: every setting'),
  autobrakeInop: z.boolean().optional(),
  autolandAvailable: z.boolean().optional(),
  vrefAdd: z.number().optional(),
  source: z.string().optional(),
});

/** An entry of a list in `formData`. */
export type FormOption = z.output<typeof formOptionSchema>;

const optionsSchema = z.array(formOptionSchema);

/** Wind limits as shown by `aircraft`, in knots. */
const windLimitSchema = z.looseObject({
  headwind: z.number(),
  tailwind: z.number(),
  windshearWarningFCTM: z.string().nullable(),
  windshearRecommendedFlaps: z.string().nullable(),
  crosswindLimitsPerRunwayConditions: z.array(
    z.looseObject({
      runwayCondition: z.string(),
      windLimit: z.number(),
      increaseableWindLimit: z.boolean(),
      increaseableWindLimitValue: z.number().nullable(),
      increaseableWindLimitText: z.string().nullable(),
      increaseableWindLimitFwdCG: z.number().nullable(),
      increaseableWindLimitAftCG: z.number().nullable(),
      increaseableWindLimitRunwayWidth: z.number().nullable(),
      increaseableWindLimitRunwayMinimumFlaps: z.string().nullable(),
    }),
  ),
});

const inopitemSchema = z.strictObject({ mel: optionsSchema, cdl: optionsSchema });

const formDataSchema = z.strictObject({
  takeoff: z.strictObject({
    acBleed: optionsSchema,
    ai: optionsSchema,
    cgPosition: optionsSchema,
    condition: optionsSchema,
    flap: optionsSchema,
    improved: optionsSchema,
    inopitem: inopitemSchema,
    rating: optionsSchema,
  }),
  landing: z.strictObject({
    acBleed: optionsSchema,
    ai: optionsSchema,
    autobrake: optionsSchema,
    catiiIii: optionsSchema,
    flap: optionsSchema,
    groundSpoilers: optionsSchema,
    reversers: optionsSchema,
    nonNormalConf: optionsSchema,
    conditionDispatch: optionsSchema,
    conditionEnroute: optionsSchema,
    inopitem: inopitemSchema,
    cgPosition: optionsSchema,
  }),
  userEditedRawData: z.unknown(),
});

export const aircraftSchema = z.strictObject({
  ...catalogueEntrySchema.shape,
  weight: z.strictObject({
    oew: z.number(),
    mstow: z.number(),
    mslw: z.number(),
    mzfw: z.number(),
    msrw: z.number(),
    isFlexibleTOW: z.boolean(),
    flexibleTOW: z.array(z.number()).nullable(),
    performanceLimitedWeight: z.number().nullable(),
  }),
  calculationLimit: calculationLimitSchema,
  takeoff: z.looseObject({
    n1label: z.string(),
    isCGAvailable: z.boolean(),
    useAlternateCG: z.boolean(),
    useAlternateN1: z.boolean(),
    isN1displayed: z.boolean(),
    windLimit: windLimitSchema,
  }),
  landing: z.looseObject({
    vrefFlapRef: z.string(),
    vrefAdditiveDefault: z.number(),
    vrefAdditiveMax: z.number(),
    assumedAirDistanceRef: z.string(),
    displayResultUnfactoredLandingDistances: z.boolean(),
    autolandFlapsOption: z.boolean(),
    brakeCooling: z.looseObject({
      isBrakeCoolingActive: z.boolean(),
      userTurnaroundTime: z.number().nullable(),
    }),
    windLimit: windLimitSchema,
    useAlternateCG: z.boolean(),
    vrefLabel: z.string(),
  }),
  formData: formDataSchema,
  checklists: z.strictObject({
    isChecklistAvailable: z.boolean(),
    isChecklistActive: z.boolean(),
    checklistId: z.string().nullish(),
    file: z.string().nullish(),
    data: documentOutputSchema
      .optional()
      .describe('the document; absent when there is none or the caller may not read it'),
  }),
});

/** The features of the user's product for this aircraft, spelled as in the aircraft answer. */
export const aircraftSubscriptionSchema = z.strictObject({
  id: z.int().nullable(),
  manufacturer: z.string(),
  category: z.string(),
  modelGroup: z.string(),
  model: z.string(),
  variantId: z.string(),
  variant: z.string(),
  level: z.int(),
  isAirportNotam: z.boolean(),
  isNotam: z.boolean(),
  isNnc: z.boolean(),
  isMel: z.boolean(),
  isCdl: z.boolean(),
  isMostfav: z.boolean(),
  isFleetDatabase: z.boolean(),
  isCommercial: z.boolean(),
  isDemo: z.boolean(),
});

export const availableAirportSchema = z.strictObject({
  icao: z.string(),
  iata: z.string().nullable(),
  name: z.string(),
  longuestRunwayLength: z.number().describe('metres'),
});
