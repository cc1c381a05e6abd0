import { z } from 'zod';
import { listField, textField } from '../fields/index.ts';
import { ignoredField } from '../fields/unknown-keys.ts';
import { etoMs } from './eto.ts';
import { answeredWind, forecastTimeAt, windSampler } from './interpolate.ts';
import type { WindSampler } from './interpolate.ts';
import { forecastHours } from './snapshot.ts';
import type { WindSnapshot } from './snapshot.ts';
import { flightLevelPressureHpa, kelvinAt0c } from './standard-atmosphere.ts';

export const maxWaypoints = 500;

const invalid = 'INVALID_WAYPOINTS';
const codes = { missing: invalid, invalid };
const numberSchema = z.number(invalid);

/** A waypoint in the request. Messages are error codes; an issue's path gives index and field. */
export const waypointSchema = z.strictObject(
  {
    name: textField(100, codes).nullish(),
    latitude: numberSchema.min(-90, invalid).max(90, invalid),
    longitude: numberSchema.min(-180, invalid).max(180, invalid),
    /** Flight level, in hundreds of feet. */
    cruiseLevel: z
      .int(invalid)
      .min(0, invalid)
      .refine((level) => level <= 999, {
        error: invalid,
        params: { problem: 'must be a flight level of at most 999, hundreds of feet' },
      })
      .meta({ maximum: 999 }),
    eto: z
      .union([textField(40, codes), z.number()], invalid)
      .refine((eto) => etoMs(eto) !== null, {
        error: invalid,
        params: { problem: 'must be a time in UTC like 2026-09-16T12:00:00Z, or seconds since 1970' },
      })
      .nullish(),
  },
  invalid,
);

/** Input of windAloft. Codes: MISSING_FIELD, INVALID_WAYPOINTS, TOO_MANY_WAYPOINTS. */
export const windAloftInputSchema = z.strictObject({
  waypoints: listField(
    waypointSchema,
    { min: 1, max: maxWaypoints },
    { invalid, tooMany: 'TOO_MANY_WAYPOINTS' },
  ),
});

const windLevelSchema = z.strictObject({
  flightLevel: z.int(),
  altitude: z.int(),
  windDirection: z.int().min(0).max(360).nullable(),
  windSpeed: z.int().min(0).nullable(),
  temperature: z.number().nullable(),
});

export const windLevelsSchema = z.strictObject({
  plus4000: windLevelSchema,
  plus2000: windLevelSchema,
  cruise: windLevelSchema,
  minus2000: windLevelSchema,
  minus4000: windLevelSchema,
});

const windAloftEntrySchema = z.strictObject({
  name: z.string().nullable(),
  latitude: z.number(),
  longitude: z.number(),
  cruiseLevel: z.int(),
  eto: z.union([z.string(), z.number()]).nullable(),
  forecastHour: z.literal([...forecastHours]),
  cruiseTemperature: z.number().nullable(),
  winds: windLevelsSchema,
});

/** Output of windAloft besides `apiVersion`. */
export const windAloftOutputSchema = z.strictObject({
  windAloft: z.array(windAloftEntrySchema),
  /** Model of the winds; null without winds. */
  source: z.string().nullable(),
  ...ignoredField,
});

export type Waypoint = z.output<typeof waypointSchema>;
type WindAloftEntry = z.output<typeof windAloftEntrySchema>;

/**
 * Winds at five levels for each waypoint at its ETO (default: now). All waypoints use the same snapshot, so an answer
 * never mixes two cycles. Values are null without a snapshot and outside its grid, levels or hours. Rounded once, at
 * the end: whole degrees true (1 to 360; 0 only if calm), whole knots, tenths of a degree C.
 */
export const windAloft = (
  snapshot: WindSnapshot | null,
  waypoints: readonly Waypoint[],
  nowMs: number,
): WindAloftEntry[] =>
  waypoints.map(({ name = null, latitude, longitude, cruiseLevel, eto = null }) => ({
    name,
    latitude,
    longitude,
    cruiseLevel,
    eto,
    ...windsAt(snapshot, { latitude, longitude }, cruiseLevel, (eto === null ? null : etoMs(eto)) ?? nowMs),
  }));

/** The part of a waypoint's answer that comes from the forecast. */
export const windsAt = (
  snapshot: WindSnapshot | null,
  place: { latitude: number; longitude: number },
  cruiseLevel: number,
  timeMs: number,
) => {
  const sample = windSampler(snapshot, place, timeMs);
  const cruise = levelWind(sample, cruiseLevel);
  return {
    forecastHour: snapshot === null ? 0 : forecastTimeAt(snapshot.header, timeMs).forecastHour,
    cruiseTemperature: cruise.temperature,
    winds: {
      plus4000: levelWind(sample, cruiseLevel + 40),
      plus2000: levelWind(sample, cruiseLevel + 20),
      cruise,
      minus2000: levelWind(sample, cruiseLevel - 20),
      minus4000: levelWind(sample, cruiseLevel - 40),
    },
  };
};

export const levelWind = (sample: WindSampler, flightLevel: number) => {
  const found = sample(flightLevelPressureHpa(flightLevel));
  const celsius = found.temperatureK === null ? null : found.temperatureK - kelvinAt0c;
  const temperature = celsius === null ? null : Math.round(celsius * 10) / 10 + 0;
  return { flightLevel, altitude: flightLevel * 100, ...answeredWind(found), temperature };
};
