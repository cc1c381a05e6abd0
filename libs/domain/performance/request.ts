import { z } from 'zod';
import { situationSourcesSchema } from './situation/source.ts';
import type { SituationPart } from './situation/source.ts';
import { situationTimeField } from './situation/time.ts';
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

/** What is calculated with where the request is silent: calm, and the standard day at sea level. */
const silentWeather = { windDirection: 0, windSpeed: 0, gust: null, headwind: null, temperature: 15 };

/** Null, as in a report without the value, is the same as absent; but a wind of direction null is one that varies. */
const weatherSchema = z
  .object({
    windDirection: z
      .int()
      .min(0)
      .max(360)
      .nullable()
      .optional()
      .meta({ default: 0 })
      .describe(
        'degrees true, as in a METAR; null: variable or unknown, then the wind counts in full as tailwind and as crosswind',
      ),
    windSpeed: z.number().min(0).nullable().optional().meta({ default: 0 }).describe('in the wind unit'),
    gust: z
      .number()
      .min(0)
      .nullable()
      .optional()
      .describe('in the wind unit; counts for limits, and for the additive of family B unless that is given'),
    vrefAdd: z
      .int()
      .min(0)
      .nullable()
      .optional()
      .describe(
        'knots, as `weather` hands it out: additive of family B for this wind unless `vrefAdditive` is given; family A computes its own',
      ),
    headwind: z
      .number()
      .nullable()
      .optional()
      .describe('in the wind unit, negative: tailwind; overrides direction and speed'),
    temperature: z.number().nullable().optional().meta({ default: 15 }).describe('degrees C'),
    qnh: z.number().positive().nullable().optional().describe('in the pressure unit; 1013 hPa when absent'),
  })
  .transform(({ qnh, ...given }) => {
    const speed = given.windSpeed ?? null;
    const isWindGiven = speed !== null || (given.headwind ?? null) !== null;
    const assumed: SituationPart[] = [
      ...(isWindGiven ? [] : (['wind'] as const)),
      ...((given.temperature ?? null) === null ? (['temperature'] as const) : []),
      ...((qnh ?? null) === null ? (['qnh'] as const) : []),
    ];
    return {
      windDirection:
        given.windDirection === undefined || speed === null
          ? (given.windDirection ?? silentWeather.windDirection)
          : given.windDirection,
      windSpeed: speed ?? silentWeather.windSpeed,
      gust: given.gust ?? silentWeather.gust,
      vrefAdd: given.vrefAdd ?? null,
      headwind: given.headwind ?? silentWeather.headwind,
      temperature: given.temperature ?? silentWeather.temperature,
      ...(typeof qnh === 'number' ? { qnh } : {}),
      assumed,
    };
  });

const snowClosed =
  'must not be null: the runway is closed by snow, so there is no condition to calculate with';
const runwayConditionSchema = z
  .object({
    state: option().nullable().optional().meta({ default: 'DRY' }),
    depth: z.number().min(0).nullable().optional().meta({ default: 0 }).describe('in the depth unit'),
  })
  .transform(({ state, depth }, context) => {
    if (state === null) context.addIssue({ code: 'custom', message: snowClosed, path: ['state'] });
    return { state: state ?? 'DRY', depth: depth ?? 0, isAssumed: state === undefined };
  });

const byProfile = 'an own or airline profile may have another default, which then applies';

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

const weightSchema = z.object({
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
  at: situationTimeField('must be a time in ISO 8601 such as 2026-11-05T18:30:00Z'),
  sources: situationSourcesSchema.prefault({}),
  runwayCondition: runwayConditionSchema.prefault({}),
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
