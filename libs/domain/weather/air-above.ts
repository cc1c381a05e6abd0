/** Air above an airport from the wind grid: freezing level and wind in the circuit. */
import { z } from 'zod';
import { answeredWind, windSampler } from '../winds/interpolate.ts';
import type { WindSnapshot } from '../winds/snapshot.ts';
import {
  densityAltitudeFt,
  flightLevelPressureHpa,
  isaDeviationC,
  kelvinAt0c,
  pressureAltitudeFt,
  pressureAltitudeOn,
  standardQnhHpa,
} from '../winds/standard-atmosphere.ts';

/** Jets fly a circuit 1,500 ft above the aerodrome (ICAO Doc 8168). */
const circuitHeightFt = 1_500;

export const airAboveSchema = z.strictObject({
  at: z.string().describe('time of these values, ISO 8601'),
  source: z.string().nullable().describe('forecast model; null: none is loaded'),
  freezingLevels: z
    .array(z.int())
    .nullable()
    .describe(
      'altitudes on QNH, in feet, at which the temperature passes 0 degrees C, ascending; several: there is a warm layer above freezing air; empty: below or above 0 throughout, see isFreezingAtField; null: no forecast for this time',
    ),
  isFreezingAtField: z
    .boolean()
    .nullable()
    .describe('true when the forecast is 0 degrees C or less at field elevation; null: no forecast'),
  circuit: z
    .strictObject({
      altitude: z.int().describe('feet on QNH: 1,500 ft above the field'),
      windDirection: z
        .int()
        .nullable()
        .describe('direction from which the wind blows, degrees true; 0: calm; null: not known'),
      windSpeed: z.int().nullable().describe('knots; null: not known'),
      temperature: z.number().nullable().describe('degrees C; null: not known'),
      isaDeviation: z
        .number()
        .nullable()
        .describe('degrees C above the standard atmosphere; null: not known'),
    })
    .describe('values at circuit height'),
});
type AirAbove = z.output<typeof airAboveSchema>;

interface Field {
  latitudeDeg: number;
  longitudeDeg: number;
  elevationFt: number;
  /** Null: standard pressure is assumed. */
  qnhHpa: number | null;
}

const tenths = (value: number): number => Math.round(value * 10) / 10 + 0;

/** Altitudes in feet at which the temperature passes 0 degrees between neighbouring levels. */
const crossings = (column: readonly { altitudeFt: number; celsius: number }[]): number[] =>
  column.flatMap((upper, i) => {
    const lower = column[i - 1];
    if (!lower || lower.celsius > 0 === upper.celsius > 0) return [];
    const share = lower.celsius / (lower.celsius - upper.celsius);
    return [Math.round((lower.altitudeFt + share * (upper.altitudeFt - lower.altitudeFt)) / 10) * 10];
  });

/** Air above an airport at `timeMs`, rounded once: tens of feet, whole knots and degrees, tenths of a degree C. */
export const airAbove = (
  snapshot: WindSnapshot | null,
  { latitudeDeg, longitudeDeg, elevationFt, qnhHpa }: Field,
  timeMs: number,
): AirAbove => {
  const qnh = qnhHpa ?? standardQnhHpa;
  const levels = snapshot?.header.levelsHpa ?? [];
  const [topHpa = 0, lowestHpa = 0] = [levels[0], levels.at(-1)];
  const sample = windSampler(snapshot, { latitude: latitudeDeg, longitude: longitudeDeg }, timeMs);
  const at = (altitudeFt: number) => {
    const hPa = flightLevelPressureHpa(pressureAltitudeOn(altitudeFt, qnh) / 100);
    // The grid may end above the ground: its lowest level counts then. The rounded top altitude may exceed it.
    return sample(Math.max(topHpa, Math.min(lowestHpa, hPa)));
  };
  const celsiusAt = (altitudeFt: number): number | null => {
    const { temperatureK } = at(altitudeFt);
    return temperatureK === null ? null : temperatureK - kelvinAt0c;
  };
  const onField = celsiusAt(elevationFt);
  const above = levels
    .toReversed()
    .map((hPa) => pressureAltitudeFt(hPa) - pressureAltitudeOn(0, qnh))
    .filter((altitudeFt) => altitudeFt > elevationFt);
  const column = [elevationFt, ...above].flatMap((altitudeFt) => {
    const celsius = celsiusAt(altitudeFt);
    return celsius === null ? [] : [{ altitudeFt, celsius }];
  });
  const altitude = Math.round(elevationFt) + circuitHeightFt;
  const celsius = celsiusAt(altitude);
  return {
    at: new Date(timeMs).toISOString(),
    source: onField === null ? null : (snapshot?.header.source ?? null),
    freezingLevels: onField === null ? null : crossings(column),
    isFreezingAtField: onField === null ? null : onField <= 0,
    circuit: {
      altitude,
      ...answeredWind(at(altitude)),
      temperature: celsius === null ? null : tenths(celsius),
      isaDeviation:
        celsius === null ? null : tenths(isaDeviationC(celsius, pressureAltitudeOn(altitude, qnh))),
    },
  };
};

export const densityAltitudeSchema = z
  .strictObject({
    pressureAltitude: z.int().describe('pressure altitude of the field, feet'),
    densityAltitude: z.int().describe('density altitude of the field in dry air, feet'),
    isaDeviation: z.number().describe('degrees C above the standard atmosphere'),
  })
  .nullable()
  .describe(
    "calculated from elevation and the METAR's QNH and temperature; null when one of them is not known",
  );

export const densityAltitudeOf = (
  field: { elevationFt: number } | null,
  report: { qnhHpa: number | null; temperatureC: number | null } | null,
): z.output<typeof densityAltitudeSchema> => {
  if (!field || !report || report.qnhHpa === null || report.qnhHpa <= 0 || report.temperatureC === null)
    return null;
  const pressureAltitude = pressureAltitudeOn(field.elevationFt, report.qnhHpa);
  return {
    pressureAltitude: Math.round(pressureAltitude),
    densityAltitude: Math.round(densityAltitudeFt(report.temperatureC, pressureAltitude)),
    isaDeviation: tenths(isaDeviationC(report.temperatureC, pressureAltitude)),
  };
};
