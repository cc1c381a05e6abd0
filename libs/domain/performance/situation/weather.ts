/** The weather of a landing or takeoff in the form of `performance`, each part from the best evidence that has it. */
import { z } from 'zod';
import type { WindGroup } from '../../weather/groups.ts';
import { hpaFromInHg } from '../../weather/pressure.ts';
import type { Report } from '../../weather/report.ts';
import { partSourceOf } from './source.ts';
import type { CompleteSources, PartSource } from './source.ts';

/** Knots, degrees C, hPa: the units in which these values are handed out. */
export const situationWeatherSchema = z
  .strictObject({
    windDirection: z.int().nullable().describe('degrees true; null: variable or unknown'),
    windSpeed: z.number().describe('knots'),
    gust: z.number().nullable().describe('knots; null without gusts'),
    vrefAdd: z
      .int()
      .optional()
      .describe('knots that family B adds to VREF for this wind; absent where the runway is not known'),
    temperature: z.number().describe('degrees C'),
    qnh: z.number().describe('hPa'),
  })
  .describe('wind, temperature and pressure; what is not reported is assumed, which `sources` says');
export type SituationWeather = z.output<typeof situationWeatherSchema>;

/** What one report, forecast or plan says; null for what it does not say. */
export interface WeatherEvidence {
  source: PartSource['source'];
  /** ISO 8601. */
  at: string | null;
  /** Its name in `text`: METAR, TAF, performance section of the plan. */
  name: string;
  wind: Pick<WindGroup, 'directionDeg' | 'variable' | 'speedKt' | 'gustKt' | 'isGustMissing'> | null;
  temperatureC: number | null;
  qnhHpa: number | null;
}

export const evidenceOfReport = (
  report: Report,
  { source, at, name }: Pick<WeatherEvidence, 'source' | 'at' | 'name'>,
): WeatherEvidence => ({
  source,
  at,
  name,
  wind: report.main.wind,
  temperatureC: report.temperatureC,
  qnhHpa: report.qnhHpa === null || report.qnhHpa <= 0 ? null : report.qnhHpa,
});

export interface PlannedConditions {
  windDirectionDeg: number | null;
  windKt: number | null;
  temperatureC: number | null;
  altimeterInHg: number | null;
}

/** The conditions that the performance section of a plan was computed for. */
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
  temperatureC,
  qnhHpa: altimeterInHg === null ? null : hpaFromInHg(altimeterInHg),
});

/** What is assumed where nothing says it: calm, ISA at sea level. */
export const assumedWeather = { windDirection: 0, windSpeed: 0, gust: null, temperature: 15, qnh: 1_013 };

type Wind = Pick<SituationWeather, 'windDirection' | 'windSpeed' | 'gust'>;

/** Not to whole knots: half a knot of headwind more would shorten the landing. */
const hundredths = (kt: number): number => Math.round(kt * 100) / 100;

/** Knots as a calculation takes them; a direction that is variable or not reported is null, north is 360 as printed. */
const windOf = ({ wind }: WeatherEvidence): Wind | null => {
  if (!wind || wind.speedKt === null) return null;
  const { directionDeg, variable, speedKt, gustKt } = wind;
  return {
    windDirection: variable || directionDeg === null ? null : Math.round(directionDeg),
    windSpeed: hundredths(speedKt),
    gust: gustKt === null ? null : hundredths(gustKt),
  };
};

/** The first evidence that has a part gives it; a part that none has is assumed. Every part is named in `sources`. */
export const weatherFrom = (
  evidence: readonly WeatherEvidence[],
): {
  weather: SituationWeather;
  sources: Omit<CompleteSources, 'runwayCondition'>;
} => {
  const pick = <T>(
    read: (one: WeatherEvidence) => T | null,
    assumed: T,
    assumption: string,
    nameOf = ({ name }: WeatherEvidence) => name,
  ): { value: T; source: PartSource } => {
    for (const one of evidence) {
      const value = read(one);
      if (value !== null) return { value, source: partSourceOf(one.source, one.at, nameOf(one)) };
    }
    return { value: assumed, source: partSourceOf('assumed', null, assumption) };
  };
  const { windDirection, windSpeed, gust, temperature, qnh } = assumedWeather;
  const wind = pick<Wind>(windOf, { windDirection, windSpeed, gust }, 'calm', ({ name, wind: reported }) =>
    reported?.isGustMissing ? `${name}, gust not reported and assumed to be none` : name,
  );
  const air = pick((one) => one.temperatureC, temperature, `${temperature} degrees C`);
  const pressure = pick((one) => one.qnhHpa, qnh, `${qnh} hPa`);
  return {
    weather: { ...wind.value, temperature: air.value, qnh: pressure.value },
    sources: { wind: wind.source, temperature: air.source, qnh: pressure.source },
  };
};
