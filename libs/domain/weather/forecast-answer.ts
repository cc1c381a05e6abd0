/** The TAF at one time in the answer of `weather`, with wind and condition by runway. */
import { z } from 'zod';
import { categoryOf, ceilingFt, flightCategories } from './category.ts';
import type { Conditions, Report } from './report.ts';
import { enrouteOf } from './condition-names.ts';
import { runwayCondition } from './runway-condition.ts';
import { runwayKey, runwayWind } from './runway-wind.ts';
import { tafAt } from './taf-at.ts';
import type { ForecastGroup, TafNotAt } from './taf-at.ts';
import type { TafRecord } from './types.ts';

export const flightCategorySchema = z
  .enum(flightCategories)
  .nullable()
  .describe(
    'FAA flight category by ceiling and visibility, best first: VFR, MVFR, IFR, LIFR; null when neither is reported, or when the ceiling height is unknown and the visibility would be VFR or MVFR',
  );

const wholeSchema = z.int().nullable();
const runwaySchema = z.strictObject({
  headwind: wholeSchema.describe('knots; negative: tailwind; null: no wind is forecast'),
  gustHeadwind: wholeSchema.describe('headwind of the gust, knots; null without gusts'),
  crosswindDir: z
    .enum(['L', 'R'])
    .nullable()
    .describe('side from which the crosswind blows; null without crosswind'),
  crosswindSpeed: wholeSchema.describe('knots; a variable wind is taken in full'),
  vrefAdd: wholeSchema.describe('family B VREF additive for this wind, knots'),
});

const conditionsShape = {
  windDirection: wholeSchema.describe('degrees true; null: variable or not forecast'),
  isVariable: z.boolean().describe('true: the wind has no direction'),
  windSpeed: wholeSchema.describe('knots; null: not forecast'),
  gust: wholeSchema.describe('knots; null without gusts'),
  visibility: wholeSchema.describe('metres; 9999: 10 km or more; null: not forecast'),
  weather: z.array(z.string()).describe('weather groups as printed, for example -SHRA'),
  ceiling: wholeSchema.describe(
    'lowest broken or overcast layer, feet above the field; null: none, or of unknown height (`BKN///`)',
  ),
  flightCategory: flightCategorySchema,
  runwayCondition: z
    .strictObject({
      takeoffDispatch: z.string().nullable().describe('for takeoff; null: cannot be determined'),
      landingDispatch: z
        .string()
        .nullable()
        .describe('for a landing at dispatch; null: cannot be determined'),
      landingEnroute: z.string().nullable().describe('for a landing in flight; null: cannot be determined'),
      rwycc: wholeSchema.describe('runway condition code'),
      evidence: z
        .string()
        .nullable()
        .describe('the weather group on which the condition is based; null: dry'),
    })
    .describe('runway condition to expect in this weather, as in `metar2SVC`'),
  runways: z
    .record(z.string().regex(/^\d\d[lcr]?t?$/), runwaySchema)
    .describe('wind components for each runway; keys as in `metar2SVC`'),
};

const groupShape = {
  kind: z
    .enum(['MAIN', 'FM', 'BECMG', 'TEMPO', 'INTER', 'PROB'])
    .describe('MAIN: the part before the first change group'),
  probability: wholeSchema.describe('percent; null when the group states none'),
  from: z.string().describe('ISO 8601'),
  to: z.string().nullable().describe('ISO 8601; null: the group states no end'),
  text: z.string().describe('text of the group'),
};

const problems = ['NO_TAF', 'NOT_READABLE', 'CANCELLED', 'BEFORE_VALIDITY', 'AFTER_VALIDITY'] as const;

export const forecastSchema = z.strictObject({
  at: z.string().describe('requested time, ISO 8601'),
  problem: z
    .enum(problems)
    .nullable()
    .describe('why there is no forecast for this time; null when there is one'),
  message: z.string().nullable().describe('explanation in English, for people'),
  validFrom: z.string().nullable().describe('start of TAF validity, ISO 8601; null: not known'),
  validTo: z.string().nullable().describe('end of TAF validity, ISO 8601; null: not known'),
  prevailing: z
    .strictObject(conditionsShape)
    .nullable()
    .describe(
      'prevailing conditions at this time, without temporary or probable changes; null when `problem` is set',
    ),
  groups: z
    .array(z.strictObject(groupShape))
    .describe('TAF groups that make up the prevailing conditions, in TAF order'),
  changes: z
    .array(z.strictObject({ ...groupShape, ...conditionsShape }))
    .describe(
      'changes that may apply as well: TEMPO, INTER and PROB groups at this time, and a BECMG in progress; each with full conditions',
    ),
});
type Forecast = z.output<typeof forecastSchema>;

interface RunwayBearing {
  ident: string;
  trueBearingDeg: number;
}

const conditionsOf = (conditions: Conditions, report: Report, runways: readonly RunwayBearing[]) => {
  const { wind, visibility, cavok } = conditions;
  const ceiling = ceilingFt(conditions);
  const condition = runwayCondition(
    { ...report, main: conditions, temperatureC: null, dewpointC: null, runwayStates: [], recentWeather: [] },
    '',
  );
  const { windDir, isVariable, windSpeed, gust } = runwayWind(wind, 0);
  return {
    windDirection: windDir,
    isVariable,
    windSpeed,
    gust,
    visibility: cavok ? 9_999 : (visibility?.metres ?? null),
    weather: conditions.weather.map(({ code }) => code),
    ceiling: ceiling === null || ceiling === Infinity ? null : ceiling,
    flightCategory: categoryOf(conditions),
    runwayCondition: {
      takeoffDispatch: condition.dispatch,
      landingDispatch: condition.dispatch,
      landingEnroute: enrouteOf(condition.code),
      rwycc: condition.code,
      evidence: condition.evidence,
    },
    runways: Object.fromEntries(
      runways.flatMap(({ ident, trueBearingDeg }) => {
        const key = runwayKey(ident);
        if (key === null) return [];
        const { headwind, gustHeadwind, crosswindDir, crosswindSpeed, vrefAdd } = runwayWind(
          wind,
          trueBearingDeg,
        );
        return [[key, { headwind, gustHeadwind, crosswindDir, crosswindSpeed, vrefAdd }]];
      }),
    ),
  };
};

const shownGroup = (group: ForecastGroup) => {
  const { conditions: _, named: __, ...shown } = group;
  return shown;
};

const messageOf = (
  problem: (typeof problems)[number],
  at: string,
  { validFrom, validTo }: Pick<TafNotAt, 'validFrom' | 'validTo'>,
): string => {
  if (problem === 'NO_TAF') return 'The station has no TAF.';
  if (problem === 'CANCELLED') return 'The TAF is cancelled or has no content.';
  if (problem === 'NOT_READABLE')
    return validFrom === null
      ? 'The validity of the TAF cannot be read.'
      : 'What the TAF says of this time is not read: it is in a period without TEMPO, BECMG or the like.';
  const side = problem === 'BEFORE_VALIDITY' ? 'before' : 'after';
  return `${at} is ${side} the validity of the TAF, ${validFrom} to ${validTo}.`;
};

/** `at` is ISO 8601 in UTC. */
export const forecastAnswer = (
  taf: Pick<TafRecord, 'raw' | 'issuedAt'> | null,
  runways: readonly RunwayBearing[],
  at: string,
): Forecast => {
  const found = taf && tafAt(taf.raw, at, taf.issuedAt);
  if (!found || 'reason' in found) {
    const problem = found?.reason ?? 'NO_TAF';
    const validity = { validFrom: found?.validFrom ?? null, validTo: found?.validTo ?? null };
    const message = messageOf(problem, at, validity);
    return { at, problem, message, ...validity, prevailing: null, groups: [], changes: [] };
  }
  const { report, prevailing, groups, changes, validFrom, validTo } = found;
  return {
    at,
    problem: null,
    message: null,
    validFrom,
    validTo,
    prevailing: conditionsOf(prevailing, report, runways),
    groups: groups.map(shownGroup),
    changes: changes.map((group) => ({
      ...shownGroup(group),
      ...conditionsOf(group.conditions, report, runways),
    })),
  };
};
