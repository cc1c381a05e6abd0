import { z } from 'zod';

export const highlightItem = z.object({
  text: z.string(),
  color: z
    .string()
    .regex(/^#[0-9A-F]{6}$/)
    .nullable(),
  spaceSuffix: z.boolean(),
});

const utcDateTime = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const whole = z.int().nullable();

/** One runway of `metar2SVC`: kt, hPa, degrees C; null where the report does not say. */
export const runwayWeather = z.object({
  windDir: whole,
  windSpeed: whole,
  gust: whole,
  headwind: whole,
  gustHeadwind: whole,
  crosswindDir: z.enum(['L', 'R']).nullable(),
  crosswindSpeed: whole,
  vrefAdd: whole,
  qnh: whole,
  temp: whole,
  dew: whole,
  runwayConditionTakeoffDispatch: z.string().nullable(),
  runwayConditionLandingDispatch: z.string().nullable(),
  runwayConditionLandingEnroute: z.string().nullable(),
  icing: z.boolean(),
});

const report = {
  icao: z.string(),
  source: z.string(),
  date: utcDateTime,
  text: z.string(),
  textHighlighted: z.array(highlightItem),
  decoded: z.string(),
};

export const metarObject = z.object({
  report: z.literal('METAR'),
  ...report,
  metar2SVC: z.record(z.string().regex(/^\d\d[lcr]?t?$/), runwayWeather),
});

export const tafObject = z.object({ report: z.literal('TAF'), ...report });

export const networkAAtis = z.object({
  frequency: z.string().nullable(),
  timestamp: z.string(),
  atis: z.array(z.string()),
  callsign: z.string(),
  revision: z.string().nullable(),
  sessionId: z.int(),
  order: z.int().min(0),
});

export const networkBAtis = z.object({
  frequency: z.string().nullable(),
  atis: z.array(z.string()),
  callsign: z.string(),
  atisCode: z.string().nullable(),
  order: z.int().min(0),
});

/** The body of the `weather` answer without `apiVersion`. */
export const weatherOutput = z.object({
  metar: metarObject.nullable(),
  taf: tafObject.nullable(),
  networkADAtis: z.array(networkAAtis).nullable(),
  networkBDAtis: z.array(networkBAtis).nullable(),
});

export type RunwayWeather = z.infer<typeof runwayWeather>;
export type MetarObject = z.infer<typeof metarObject>;
export type TafObject = z.infer<typeof tafObject>;
export type NetworkAAtis = z.infer<typeof networkAAtis>;
export type NetworkBAtis = z.infer<typeof networkBAtis>;
export type WeatherOutput = z.infer<typeof weatherOutput>;
