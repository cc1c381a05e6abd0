import { z } from 'zod';
import { aircraftKeyFields, icaoField, listField, requiredTextField, textField } from '../fields/index.ts';

/** Messages of this query, not codes: every invalid field is one line of INVALID_INPUT (G-08). */
const messages = (invalid: string) => ({ missing: 'is required', invalid });
const maxOptionLength = 60;
const maxInopItems = 50;

/** One option of the profile, checked once the profile is known. */
const option = () =>
  textField(maxOptionLength, messages(`must be a string of at most ${maxOptionLength} characters`));
const inopItems = () =>
  listField(
    option(),
    { max: maxInopItems },
    messages(`must be a list of at most ${maxInopItems} items`),
  ).default([]);

/** Units of a request; answers use the same. */
export const landingUnitsSchema = z.object({
  weight: z.enum(['kg', 'lb']).default('kg'),
  wind: z.enum(['kt', 'ms']).default('kt'),
  altitude: z.enum(['feet', 'meter']).default('feet'),
  distance: z.enum(['feet', 'meter']).default('feet'),
  depth: z.enum(['mm', 'inches']).default('mm'),
  pressure: z.enum(['hpa', 'inhg']).default('hpa'),
});

const { file, userRegistration, virtualAirline } = aircraftKeyFields(messages('must be a key of a profile'));
/** The three keys of a profile; the last two are null for a standard aircraft. */
export const aircraftKeySchema = z.object({
  file,
  userRegistration: userRegistration.default(null),
  virtualAirline: virtualAirline.default(null),
});

const weatherSchema = z.object({
  windDirection: z.int().min(0).max(360).default(0).describe('degrees true, as in a METAR'),
  windSpeed: z.int().min(0).default(0).describe('in the wind unit'),
  headwind: z
    .int()
    .nullable()
    .default(null)
    .describe('in the wind unit, negative: tailwind; overrides direction and speed'),
  temperature: z.number().default(15).describe('degrees C'),
  qnh: z.number().positive().optional().describe('in the pressure unit; 1013 hPa when absent'),
});

const configurationSchema = z.object({
  flap: option()
    .optional()
    .describe(
      'a landing flap of the profile, with or without the autoland suffix; OPTIMUM (family A). Default: OPTIMUM for family A, the default option for family B',
    ),
  autobrake: option()
    .nullable()
    .default(null)
    .describe('in flight: ALL (family B) or an option; null returns every mode. Ignored at dispatch'),
  antiIce: option().default('OFF'),
  reverser: option().default('ALL'),
  speedbrake: option().default('AUTO'),
  vrefAdditive: z
    .int()
    .min(0)
    .default(0)
    .describe('knots; in flight capped at 20, at least 5 for autoland. Ignored at dispatch'),
  nonNormalCondition: option().nullable().default(null).describe('in flight only'),
  approachType: option().nullable().default(null).describe('family A: CAT_II, AUTOLAND, MANUAL_LDG'),
  missedApproachClimbGradient: z
    .number()
    .min(0)
    .max(15)
    .default(2.5)
    .describe('percent; enforced in a family A dispatch, else advisory'),
  landingTechnique: option().nullable().default(null).describe('family A: AUTO_LDG, MANUAL'),
  autothrust: z
    .boolean()
    .default(true)
    .describe('family A: auto-thrust on the approach, which adds at least 5 kt to VLS'),
  acBleed: option().optional().describe('an option of the profile; its default when absent'),
  approachAngle: z
    .number()
    .min(2)
    .max(7.5)
    .nullable()
    .default(null)
    .describe('glide path in degrees; a caution when it is steep'),
});

const weightSchema = z.object({
  landingWeight: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe('in the weight unit; required in flight, ignored at dispatch'),
  cg: z.number().min(0).max(100).nullable().default(null).describe('% MAC, family B'),
  cgPosition: option().nullable().default(null),
});

/** `data` of `performance` with requestType LANDING. */
export const landingRequestSchema = z.object({
  requestType: z.literal('LANDING'),
  landingMode: z.enum(['dispatch', 'inflight']).default('dispatch'),
  units: landingUnitsSchema.prefault({}),
  aircraft: aircraftKeySchema,
  airport: icaoField(messages('must be an ICAO code')),
  runway: requiredTextField(40, messages('must be a string of at most 40 characters')),
  weather: weatherSchema.prefault({}),
  runwayCondition: z
    .object({
      state: option().default('DRY'),
      depth: z.number().min(0).default(0).describe('in the depth unit'),
    })
    .prefault({}),
  configuration: configurationSchema.prefault({}),
  weight: weightSchema.prefault({}),
  inopItems: z.object({ mel: inopItems(), cdl: inopItems() }).prefault({}),
  notam: z
    .object({ shortenStart: z.number().min(0).default(0), shortenEnd: z.number().min(0).default(0) })
    .nullable()
    .default(null)
    .describe('in the distance unit; reduces the landing distance available'),
  assess: z
    .boolean()
    .default(false)
    .describe(
      'adds an arrival assessment: every runway condition code, and the landing with one change each; needs the subscription of non-normal conditions',
    ),
});

export type LandingRequest = z.output<typeof landingRequestSchema>;
export type LandingUnits = z.output<typeof landingUnitsSchema>;
