import { z } from 'zod';
import {
  aircraftAtAirportShape,
  byProfile,
  inopItemsSchema,
  option,
  runwayIdField,
  shorteningSchema,
  situationShape,
} from './request-parts.ts';

const configurationSchema = z.strictObject({
  flap: option()
    .optional()
    .describe(
      'a landing flap of the profile, with or without the autoland suffix; OPTIMUM (family A). Default: OPTIMUM for family A, the default option for family B',
    ),
  autobrake: option()
    .nullable()
    .default(null)
    .describe('in flight: ALL (family B) or an option; null returns every mode. Ignored at dispatch'),
  antiIce: option().optional().meta({ default: 'OFF' }).describe(byProfile),
  reverser: option().optional().meta({ default: 'ALL' }).describe(byProfile),
  speedbrake: option().optional().meta({ default: 'AUTO' }).describe(byProfile),
  vrefAdditive: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe(
      'knots; in flight capped at 20, at least 5 for autoland. Family A adds it to its correction for wind, auto-thrust and ice, so the `vrefAdd` of `weather` does not belong here. Null: family B takes `weather.vrefAdd`, else what it adds for gusts, but no less than the `vrefAdditiveDefault` of the profile, which is 0 for standard aircraft. Ignored at dispatch',
    ),
  nonNormalCondition: option().nullable().default(null).describe('in flight only'),
  approachType: option().nullable().default(null).describe('family A: CAT_II, AUTOLAND, MANUAL_LDG'),
  missedApproachClimbGradient: z
    .number()
    .min(0)
    .max(15)
    .nullable()
    .default(null)
    .describe(
      'percent; enforced in a family A dispatch, else advisory. Null: that of the runway, which is 2.5 unless its operator has another',
    ),
  landingTechnique: option().nullable().default(null).describe('family A: AUTO_LDG, MANUAL'),
  autothrust: z
    .boolean()
    .default(true)
    .describe('family A: auto-thrust on the approach, which adds at least 5 kt to VLS'),
  airDistance: z
    .enum(['TABLE', '7S'])
    .default('TABLE')
    .describe(
      'in flight, the air part of a distance: as in the table of the maker (737: 305 m, the touchdown zone), or 7 s from 50 ft (AC 25-32) where that is longer; the arrival assessment always has 7 s',
    ),
  acBleed: option().optional().describe('an option of the profile; its default when absent'),
  approachAngle: z
    .number()
    .min(2)
    .max(7.5)
    .nullable()
    .default(null)
    .describe('glide path in degrees; a caution when it is steep'),
});

const weightSchema = z.strictObject({
  landingWeight: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe('in the weight unit; required in flight, ignored at dispatch'),
  maxLandingWeight: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe(
      'in the weight unit; counts as maximum landing weight where it is less than that of the profile, for example that of the owner of a shared plan',
    ),
  cg: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .default(null)
    .describe(
      '% MAC: selects the range of `cgPosition` and the raised crosswind limits of the types that have them; a caution says where it changes no distance',
    ),
  cgPosition: option().nullable().default(null),
});

/** `data` of `performance` with requestType LANDING. */
export const landingRequestSchema = z.strictObject({
  requestType: z.literal('LANDING'),
  landingMode: z.enum(['dispatch', 'inflight']).default('dispatch'),
  ...aircraftAtAirportShape,
  runway: runwayIdField(),
  ...situationShape,
  configuration: configurationSchema.prefault({}),
  weight: weightSchema.prefault({}),
  inopItems: inopItemsSchema.prefault({}),
  notam: shorteningSchema.describe('in the distance unit; reduces the landing distance available'),
  assess: z
    .boolean()
    .default(false)
    .describe(
      'adds an arrival assessment: every runway condition code, and the landing with one change each; needs the subscription of non-normal conditions',
    ),
});

export type LandingRequest = z.output<typeof landingRequestSchema>;
