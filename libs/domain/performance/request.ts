import { z } from 'zod';

/** Units of a request; answers use the same. */
export const landingUnitsSchema = z.object({
  weight: z.enum(['kg', 'lb']).default('kg'),
  wind: z.enum(['kt', 'ms']).default('kt'),
  altitude: z.enum(['feet', 'meter']).default('feet'),
  distance: z.enum(['feet', 'meter']).default('feet'),
  depth: z.enum(['mm', 'inches']).default('mm'),
  pressure: z.enum(['hpa', 'inhg']).default('hpa'),
});

/** The three keys of a profile; the last two are null for a standard aircraft. */
export const aircraftKeySchema = z.object({
  file: z.string().min(1),
  userRegistration: z.string().nullable().default(null),
  virtualAirline: z.string().nullable().default(null),
});

const weatherSchema = z.object({
  windDirection: z.int().min(0).max(360).default(0).describe('degrees true, as in a METAR'),
  windSpeed: z.int().min(0).default(0).describe('in the wind unit'),
  headwind: z.int().nullable().default(null).describe('negative: tailwind; overrides direction and speed'),
  temperature: z.number().default(15).describe('degrees C'),
  qnh: z.number().positive().optional().describe('in the pressure unit; 1013 hPa when absent'),
});

const configurationSchema = z.object({
  flap: z
    .string()
    .optional()
    .describe(
      'a landing flap of the profile, with or without the autoland suffix; OPTIMUM (family A). Default: OPTIMUM for family A, the default option for family B',
    ),
  autobrake: z
    .string()
    .nullable()
    .default(null)
    .describe('in flight: ALL (family B) or an option; null returns every mode. Ignored at dispatch'),
  antiIce: z.string().default('OFF'),
  reverser: z.string().default('ALL'),
  speedbrake: z.string().default('AUTO'),
  vrefAdditive: z
    .int()
    .min(0)
    .default(0)
    .describe('knots; in flight capped at 20, at least 5 for autoland. Ignored at dispatch'),
  nonNormalCondition: z.string().nullable().default(null).describe('in flight only'),
  approachType: z.string().nullable().default(null).describe('family A: CAT_II, AUTOLAND, MANUAL_LDG'),
  missedApproachClimbGradient: z
    .number()
    .min(0)
    .max(15)
    .default(2.5)
    .describe('percent; enforced in a family A dispatch, else advisory'),
  landingTechnique: z.string().nullable().default(null).describe('family A: AUTO_LDG, MANUAL'),
  acBleed: z.string().optional().describe('an option of the profile; its default when absent'),
});

const weightSchema = z.object({
  landingWeight: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe('required in flight, ignored at dispatch'),
  cg: z.number().min(0).max(100).nullable().default(null).describe('% MAC, family B'),
  cgPosition: z.string().nullable().default(null),
});

/** `data` of `performance` with requestType LANDING. */
export const landingRequestSchema = z.object({
  requestType: z.literal('LANDING'),
  landingMode: z.enum(['dispatch', 'inflight']).default('dispatch'),
  units: landingUnitsSchema.prefault({}),
  aircraft: aircraftKeySchema,
  airport: z
    .string()
    .trim()
    .min(1)
    .transform((icao) => icao.toUpperCase()),
  runway: z.string().trim().min(1),
  weather: weatherSchema.prefault({}),
  runwayCondition: z
    .object({
      state: z.string().default('DRY'),
      depth: z.number().min(0).default(0).describe('in the depth unit'),
    })
    .prefault({}),
  configuration: configurationSchema.prefault({}),
  weight: weightSchema.prefault({}),
  inopItems: z
    .object({ mel: z.array(z.string()).default([]), cdl: z.array(z.string()).default([]) })
    .prefault({}),
  notam: z
    .object({ shortenStart: z.number().min(0).default(0), shortenEnd: z.number().min(0).default(0) })
    .nullable()
    .default(null)
    .describe('in the distance unit; reduces the landing distance available'),
});

export type LandingRequest = z.output<typeof landingRequestSchema>;
export type LandingUnits = z.output<typeof landingUnitsSchema>;
