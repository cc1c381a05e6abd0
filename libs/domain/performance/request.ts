import { z } from 'zod';
import {
  aircraftAtAirportShape,
  byProfile,
  cgField,
  inopItemsSchema,
  option,
  runwayIdField,
  shorteningSchema,
  situationShape,
  weightField,
} from './request-parts.ts';

const configurationSchema = z.strictObject({
  flap: option()
    .optional()
    .describe(
      "landing flap of the profile, with or without the autoland suffix, or OPTIMUM (family A). Default: OPTIMUM for family A, the profile's default option for family B",
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
      'knots; in flight at most 20, and at least 5 for autoland. Family A adds it to its own correction for wind, auto-thrust and ice, so do not send the `vrefAdd` of `weather` here. Null: family B uses `weather.vrefAdd`, else its gust additive, but no less than the `vrefAdditiveDefault` of the profile (0 for standard aircraft). Ignored at dispatch',
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
      'percent; enforced for family A at dispatch, else advisory. Null: the gradient stored for the runway, 2.5 unless the operator has set another',
    ),
  landingTechnique: option().nullable().default(null).describe('family A: AUTO_LDG, MANUAL'),
  autothrust: z
    .boolean()
    .default(true)
    .describe('family A: true for auto-thrust on the approach, which adds at least 5 kt to VLS'),
  airDistance: z
    .enum(['TABLE', '7S'])
    .default('TABLE')
    .describe(
      "in flight, the air distance: as in the manufacturer's table (737: 305 m, the touchdown zone), or 7 s from 50 ft (AC 25-32) if that is longer; the arrival assessment always uses 7 s",
    ),
  acBleed: option().optional().describe("option of the profile; if absent, the profile's default"),
  approachAngle: z
    .number()
    .min(2)
    .max(7.5)
    .nullable()
    .default(null)
    .describe('glide path angle in degrees; a steep one adds a caution'),
});

const weightSchema = z.strictObject({
  landingWeight: weightField('required in flight, ignored at dispatch'),
  maxLandingWeight: weightField(
    "used as maximum landing weight if it is lower than the profile's, for example the limit of the owner of a shared plan",
  ),
  cg: cgField(
    '% MAC: selects the `cgPosition` range, and the increased crosswind limits on types that have them; a caution says if it does not affect the distance',
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
  notam: shorteningSchema.describe(
    'lengths closed, in the distance unit; they reduce the landing distance available',
  ),
  assess: z
    .boolean()
    .default(false)
    .describe(
      'adds an arrival assessment: results for every runway condition code, and for single changes; requires a subscription that includes non-normal conditions',
    ),
});

export type LandingRequest = z.output<typeof landingRequestSchema>;
