/** Parts shared by landing and takeoff requests. */
import { z } from 'zod';
import { situationSourcesSchema } from './situation/source.ts';
import { situationTimeField } from './situation/time.ts';
import type { SituationPart } from './situation/source.ts';
import { assumedWeather } from './situation/weather.ts';
import { unitConfigSchema } from '../users/units.ts';
import {
  aircraftKeyFields,
  icaoField,
  listField,
  orNumber,
  requiredTextField,
  textField,
} from '../fields/index.ts';

/** This query uses messages instead of codes: each invalid field is one line of INVALID_INPUT (G-08). */
export const messages = (invalid: string) => ({ missing: 'is required', invalid });
const maxOptionLength = 60;
const maxInopItems = 50;

/** A profile option, checked once the profile is known; `flap: 30` counts as `"30"`. */
export const option = () =>
  orNumber(
    textField(
      maxOptionLength,
      messages(
        `must be one of the options of the query aircraft, a text of at most ${maxOptionLength} characters`,
      ),
    ),
  );
const maxRunwayLength = 40;
/** A runway id; `4` counts as `"4"`. */
export const runwayIdField = () =>
  orNumber(
    requiredTextField(
      maxRunwayLength,
      messages(`must be a runway id such as "04L", a text of at most ${maxRunwayLength} characters`),
    ),
  );
const inopItems = () =>
  listField(
    option(),
    { max: maxInopItems },
    messages(`must be a list of at most ${maxInopItems} items`),
  ).default([]);
export const inopItemsSchema = z.strictObject({ mel: inopItems(), cdl: inopItems() });

export const answerUnitsSchema = unitConfigSchema.pick({
  weight: true,
  wind: true,
  altitude: true,
  distance: true,
  depth: true,
  pressure: true,
});
const units = answerUnitsSchema.shape;

/** Units of the request and its answer. */
export const landingUnitsSchema = z.strictObject({
  weight: units.weight.default('kg'),
  wind: units.wind.default('kt'),
  altitude: units.altitude.default('feet'),
  distance: units.distance.default('feet'),
  depth: units.depth.default('mm'),
  pressure: units.pressure.default('hpa'),
});

/** The three keys of a profile; the last two are null for a standard aircraft. */
const aircraftKeySchema = z.strictObject(aircraftKeyFields(messages('must be a key of a profile')));

/** Stronger than at any aerodrome; a wind as fast as the aircraft would leave no distance. */
const mostWind = 150;
const windField = () => z.number().min(0).max(mostWind).nullish();

/** A null value counts as absent, since `weather` returns null for values that a report lacks. */
export const weatherSchema = z
  .strictObject({
    windDirection: z
      .int()
      .min(0)
      .max(360)
      .nullish()
      .describe(
        'degrees true, as in a METAR; null or absent: variable or unknown, so the full wind is taken both as tailwind and as crosswind',
      ),
    windSpeed: windField().meta({ default: 0 }).describe('in the wind unit'),
    gust: windField().describe(
      'in the wind unit; used for limits, and for the family B additive unless that is sent',
    ),
    vrefAdd: z
      .int()
      .min(0)
      .nullish()
      .describe(
        'knots, as returned by `weather`: the family B additive for this wind unless `vrefAdditive` is sent; family A calculates its own',
      ),
    headwind: z
      .number()
      .min(-mostWind)
      .max(mostWind)
      .nullish()
      .describe('in the wind unit, negative: tailwind; overrides direction and speed'),
    maxHeadwind: windField().describe(
      'in the wind unit, gusts included: the strongest headwind if several winds are possible; used only for the headwind limit',
    ),
    maxTailwind: windField().describe(
      'in the wind unit, gusts included: the strongest tailwind if several winds are possible; when sent, `gust` is used only for the crosswind',
    ),
    temperature: z.number().nullish().meta({ default: 15 }).describe('degrees C'),
    qnh: z.number().positive().nullish().describe('in the pressure unit; 1013 hPa when absent'),
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
      // Only calm wind has no direction.
      windDirection:
        given.windDirection ?? ((speed ?? given.gust ?? 0) > 0 ? null : assumedWeather.windDirection),
      windSpeed: speed ?? assumedWeather.windSpeed,
      gust: given.gust ?? assumedWeather.gust,
      vrefAdd: given.vrefAdd ?? null,
      headwind: given.headwind ?? null,
      maxHeadwind: given.maxHeadwind ?? undefined,
      maxTailwind: given.maxTailwind ?? undefined,
      temperature: given.temperature ?? assumedWeather.temperature,
      ...(typeof qnh === 'number' ? { qnh } : {}),
      assumed,
    };
  });

/** Why no condition is available for calculation. */
export const noCondition = {
  closedBySnow: 'the runway is closed by snow: there is no condition to calculate with',
  brakingNil:
    'the operator of the airport reports a code of 0, braking is nil: there is no condition to calculate with',
};
const nullState = 'must not be null: the runway is closed by snow or braking is nil';

/** The condition used in the calculation. */
interface StatedCondition {
  state: string;
  depth: number;
  isAssumed: boolean;
  /** From the runway condition report: a takeoff brakes no better than with this code. */
  reportedCode?: number;
  /** The runway condition report that the request deviates from. */
  operator?: OperatorReport;
}

/** The runway condition report: code (0: braking is NIL), a short text, and its age. */
export interface OperatorReport {
  code: number;
  evidence: string;
  ageMinutes: number;
}

export const runwayConditionSchema = z
  .strictObject({
    state: option().nullish().meta({ default: 'DRY' }),
    depth: z.number().min(0).nullish().meta({ default: 0 }).describe('in the depth unit'),
  })
  .transform(({ state, depth }, context): StatedCondition => {
    if (state === null) context.addIssue({ code: 'custom', message: nullState, path: ['state'] });
    return { state: state ?? 'DRY', depth: depth ?? 0, isAssumed: state === undefined };
  });

/** Members of every calculation request. */
export const aircraftAtAirportShape = {
  units: landingUnitsSchema.prefault({}),
  aircraft: aircraftKeySchema,
  airport: icaoField(messages('must be an ICAO code')),
};
export const situationShape = {
  weather: weatherSchema.prefault({}),
  at: situationTimeField('must be a time in ISO 8601 such as 2026-11-05T18:30:00Z'),
  sources: situationSourcesSchema.prefault({}),
  runwayCondition: runwayConditionSchema.prefault({}),
};

/** Lengths at the start and at the end of the runway that a NOTAM has closed. */
export const shorteningSchema = z
  .strictObject({ shortenStart: z.number().min(0).default(0), shortenEnd: z.number().min(0).default(0) })
  .nullable()
  .default(null);

export const weightField = (text: string) =>
  z.number().positive().nullable().default(null).describe(`in the weight unit; ${text}`);

/** Centre of gravity. */
export const cgField = (text: string) => z.number().min(0).max(100).nullable().default(null).describe(text);

export const byProfile = 'a fleet profile may set another default';

export type LandingUnits = z.output<typeof landingUnitsSchema>;
