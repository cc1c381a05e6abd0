import { z } from 'zod';
import { ignoredField } from '../fields/unknown-keys.ts';

export const highlightItemSchema = z.object({
  text: z.string(),
  color: z
    .string()
    .regex(/^#[0-9A-F]{6}$/)
    .nullable(),
  spaceSuffix: z.boolean(),
});

const utcDateTimeSchema = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const wholeSchema = z.int().nullable();

/** One runway of `metar2SVC`: kt, hPa, degrees C; null where the report has no value. */
export const runwayWeatherSchema = z.object({
  windDir: wholeSchema,
  windSpeed: wholeSchema,
  gust: wholeSchema,
  headwind: wholeSchema,
  gustHeadwind: wholeSchema,
  crosswindDir: z.enum(['L', 'R']).nullable(),
  crosswindSpeed: wholeSchema,
  vrefAdd: wholeSchema,
  qnh: wholeSchema,
  temp: wholeSchema,
  dew: wholeSchema,
  runwayConditionTakeoffDispatch: z.string().nullable(),
  runwayConditionLandingDispatch: z.string().nullable(),
  runwayConditionLandingEnroute: z.string().nullable(),
  icing: z.boolean(),
});

const report = {
  icao: z.string(),
  source: z.string(),
  date: utcDateTimeSchema,
  text: z.string(),
  textHighlighted: z.array(highlightItemSchema),
  decoded: z.string(),
};

export const metarObjectSchema = z.object({
  report: z.literal('METAR'),
  ...report,
  metar2SVC: z.record(z.string().regex(/^\d\d[lcr]?t?$/), runwayWeatherSchema),
});

export const tafObjectSchema = z.object({ report: z.literal('TAF'), ...report });

export const networkAAtisSchema = z.object({
  frequency: z.string().nullable(),
  timestamp: z.string(),
  atis: z.array(z.string()),
  callsign: z.string(),
  revision: z.string().nullable(),
  sessionId: z.int(),
  order: z.int().min(0),
});

export const networkBAtisSchema = z.object({
  frequency: z.string().nullable(),
  atis: z.array(z.string()),
  callsign: z.string(),
  atisCode: z.string().nullable(),
  order: z.int().min(0),
});

/** The body of the `weather` answer without `apiVersion`. */
export const weatherOutputSchema = z.object({
  metar: metarObjectSchema.nullable(),
  taf: tafObjectSchema.nullable(),
  networkADAtis: z.array(networkAAtisSchema).nullable(),
  networkBDAtis: z.array(networkBAtisSchema).nullable(),
  ...ignoredField,
});

export type RunwayWeather = z.output<typeof runwayWeatherSchema>;
export type MetarObject = z.output<typeof metarObjectSchema>;
export type TafObject = z.output<typeof tafObjectSchema>;
export type NetworkAAtis = z.output<typeof networkAAtisSchema>;
export type NetworkBAtis = z.output<typeof networkBAtisSchema>;
export type WeatherOutput = z.output<typeof weatherOutputSchema>;
