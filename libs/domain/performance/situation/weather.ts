/** The weather for a landing or takeoff in the form of `performance`, each part from the best evidence. */
import type { WindGroup } from '../../weather/groups.ts';
import type { Conditions } from '../../weather/report.ts';
import { z } from 'zod';
import { hpaFromInHg } from '../../weather/report.ts';
import type { Report } from '../../weather/report.ts';
import { leastVrefAddKt } from '../../weather/runway-wind.ts';
import { partSourceOf } from './source.ts';
import type { CompleteSources, PartSource } from './source.ts';

/** In knots, degrees C and hPa. */
export const situationWeatherSchema = z
  .strictObject({
    windDirection: z.int().nullable().describe('degrees true; null: variable or unknown'),
    windSpeed: z.number().describe('knots'),
    gust: z.number().nullable().describe('knots; null without gusts'),
    headwind: z
      .number()
      .optional()
      .describe(
        'in the unit of `windSpeed`, negative: tailwind; present when another possible wind has a worse component along the runway than the wind above',
      ),
    maxHeadwind: z
      .number()
      .optional()
      .describe(
        'likewise, gusts included; present when another possible wind has a stronger headwind component',
      ),
    maxTailwind: z
      .number()
      .optional()
      .describe(
        'likewise, gusts included; present when another possible wind has a stronger tailwind component',
      ),
    vrefAdd: z
      .int()
      .optional()
      .describe('family B VREF additive for this wind, knots; absent when the runway is not known'),
    temperature: z.number().describe('degrees C'),
    qnh: z.number().describe('hPa'),
  })
  .describe(
    'wind, temperature and pressure; `sources` says which values are assumed because they are not reported',
  );
export type SituationWeather = z.output<typeof situationWeatherSchema>;

/** Values from one report, forecast or plan; null if not stated. */
export interface WeatherEvidence {
  source: PartSource['source'];
  /** ISO 8601. */
  at: string | null;
  /** Its name in `text`: METAR, TAF, performance section of the plan. */
  name: string;
  wind: Omit<WindGroup, 'kind' | 'above'> | null;
  /** Directions between which the wind varies, clockwise. */
  variation: Conditions['windVariation'];
  temperatureC: number | null;
  qnhHpa: number | null;
}

export type HeldWind = WeatherEvidence & { wind: NonNullable<WeatherEvidence['wind']> };

export interface WorstWind {
  weather: Omit<SituationWeather, 'temperature' | 'qnh'>;
  /** With gusts, each from the wind with the highest value. */
  tailwindKt: number;
  headwindKt: number;
  crosswindKt: number;
  /** From the wind with the worst crosswind. */
  across: HeldWind;
  /** From the wind with the longest distance. */
  along: HeldWind;
}

export const evidenceOfReport = ({
  report: { main, temperatureC, qnhHpa },
  source,
  at,
  name,
}: Pick<WeatherEvidence, 'source' | 'at' | 'name'> & {
  report: Pick<Report, 'main' | 'temperatureC' | 'qnhHpa'>;
}): WeatherEvidence => ({
  source,
  at,
  name,
  wind: main.wind,
  variation: main.windVariation,
  temperatureC,
  qnhHpa: qnhHpa === null || qnhHpa <= 0 ? null : qnhHpa,
});

export interface PlannedConditions {
  windDirectionDeg: number | null;
  windKt: number | null;
  temperatureC: number | null;
  altimeterInHg: number | null;
}

/** The conditions for which a plan's performance section was computed. */
export const evidenceOfConditions = (
  { windDirectionDeg, windKt, temperatureC, altimeterInHg }: PlannedConditions,
  at: string | null,
): WeatherEvidence => ({
  source: 'plan',
  at,
  name: 'performance section of the plan',
  wind:
    windKt === null
      ? null
      : {
          directionDeg: windDirectionDeg,
          variable: false,
          speedKt: windKt,
          gustKt: null,
          isGustMissing: false,
        },
  variation: null,
  temperatureC,
  qnhHpa: altimeterInHg === null ? null : hpaFromInHg(altimeterInHg),
});

export const windsOf = (evidence: readonly WeatherEvidence[]): HeldWind[] =>
  evidence.filter((one): one is HeldWind => one.wind !== null && one.wind.speedKt !== null);

/** Assumed without any evidence: calm, ISA at sea level. */
export const assumedWeather = { windDirection: 0, windSpeed: 0, gust: null, temperature: 15, qnh: 1_013 };
export const assumedTexts = {
  wind: 'calm',
  temperature: `${assumedWeather.temperature} degrees C`,
  qnh: `${assumedWeather.qnh} hPa`,
};

const windSource = ({ across, along }: WorstWind): PartSource => {
  const { source, at, name, wind } = across;
  const other = along.name === name ? '' : `, along the runway ${along.name}`;
  const gust = wind.isGustMissing ? ', gust not reported and assumed to be none' : '';
  return partSourceOf(source, at, `${name}${other}${gust}`);
};

/**
 * Uses the worst wind, and the first evidence with a temperature or QNH. Missing parts are assumed. `sources`
 * names the source of every part.
 */
export const weatherFrom = (
  wind: WorstWind | undefined,
  evidence: readonly WeatherEvidence[],
): {
  weather: SituationWeather;
  sources: Omit<CompleteSources, 'runwayCondition'>;
} => {
  const pick = (part: 'temperature' | 'qnh', read: (one: WeatherEvidence) => number | null) => {
    for (const one of evidence) {
      const value = read(one);
      if (value !== null) return { value, source: partSourceOf(one.source, one.at, one.name) };
    }
    return { value: assumedWeather[part], source: partSourceOf('assumed', null, assumedTexts[part]) };
  };
  const { windDirection, windSpeed, gust } = assumedWeather;
  const air = pick('temperature', (one) => one.temperatureC);
  const pressure = pick('qnh', (one) => one.qnhHpa);
  return {
    weather: {
      ...(wind?.weather ?? { windDirection, windSpeed, gust, vrefAdd: leastVrefAddKt }),
      temperature: air.value,
      qnh: pressure.value,
    },
    sources: {
      wind: wind ? windSource(wind) : partSourceOf('assumed', null, assumedTexts.wind),
      temperature: air.source,
      qnh: pressure.source,
    },
  };
};
