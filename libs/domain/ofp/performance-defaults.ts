/** What a plan already says for a landing or takeoff calculation, in the shape of `performance`. */
import { z } from 'zod';
import { isIcaoCode } from '../airports/ident.ts';
import { landingUnitsSchema } from '../performance/request.ts';
import { hpaFromInHg } from '../weather/pressure.ts';
import { readReport } from '../weather/report.ts';
import { kgOf } from './profile-match.ts';
import type { ProfileMatch } from './profile-match.ts';
import type { OfpPlanned, PlannedAirport, PlannedReport } from './planned.ts';

const { shape } = landingUnitsSchema;
/** Without the defaults of requests: an answer that is complete needs no parsing. */
const unitsSchema = z.strictObject({
  weight: shape.weight.unwrap(),
  wind: shape.wind.unwrap(),
  altitude: shape.altitude.unwrap(),
  distance: shape.distance.unwrap(),
  depth: shape.depth.unwrap(),
  pressure: shape.pressure.unwrap(),
});

const weatherSchema = z.strictObject({
  windDirection: z.int().optional(),
  windSpeed: z.int().optional(),
  headwind: z.int().optional().describe('knots; of a variable wind: the worst case'),
  temperature: z.number().optional(),
  qnh: z.number().optional(),
});

const commonShape = {
  units: unitsSchema,
  aircraft: z
    .strictObject({
      file: z.string(),
      userRegistration: z.string().nullable(),
      virtualAirline: z.string().nullable(),
    })
    .nullable(),
  airport: z.string().nullable(),
  runway: z.string().nullable(),
  weather: weatherSchema,
};

export const performanceDefaultsSchema = z.strictObject({
  landing: z.strictObject({
    requestType: z.literal('LANDING'),
    landingMode: z.literal('inflight'),
    ...commonShape,
    weight: z.strictObject({ landingWeight: z.int().nullable() }),
  }),
  takeoff: z.strictObject({
    ...commonShape,
    weight: z.strictObject({ takeoffWeight: z.int().nullable() }),
  }),
});
export type PerformanceDefaults = z.output<typeof performanceDefaultsSchema>;

/** Units of the numbers below. */
const units = unitsSchema.parse({
  weight: 'kg',
  wind: 'kt',
  altitude: 'feet',
  distance: 'meter',
  depth: 'mm',
  pressure: 'hpa',
});

type Weather = z.output<typeof weatherSchema>;

const ofMetar = (metar: string): Weather => {
  const { main, temperatureC, qnhHpa } = readReport(metar, 'METAR');
  const { wind } = main;
  const speed = wind?.speedKt ?? null;
  const isFrom = wind !== null && wind.directionDeg !== null && wind.directionDeg <= 360;
  return {
    ...(speed !== null && isFrom
      ? { windDirection: Math.round(wind.directionDeg ?? 0), windSpeed: Math.round(speed) }
      : {}),
    ...(speed !== null && wind?.variable === true ? { headwind: -Math.round(speed) + 0 } : {}),
    ...(temperatureC === null ? {} : { temperature: temperatureC }),
    ...(qnhHpa === null || qnhHpa <= 0 ? {} : { qnh: qnhHpa }),
  };
};

const ofConditions = (conditions: PlannedReport['conditions']): Weather => {
  const { windDirectionDeg, windKt, temperatureC, altimeterInHg } = conditions;
  return {
    ...(windDirectionDeg === null || windKt === null
      ? {}
      : { windDirection: Math.round(windDirectionDeg), windSpeed: Math.round(windKt) }),
    ...(temperatureC === null ? {} : { temperature: temperatureC }),
    ...(altimeterInHg === null ? {} : { qnh: hpaFromInHg(altimeterInHg) }),
  };
};

/** The report of the airport in the plan, else the conditions that its performance section was computed for. */
const weatherOf = ({ metar }: PlannedAirport, report: PlannedReport | null): Weather => {
  const reported = metar === null ? {} : ofMetar(metar);
  if (Object.keys(reported).length > 0) return reported;
  return report === null ? {} : ofConditions(report.conditions);
};

const placeOf = (airport: PlannedAirport, report: PlannedReport | null) => ({
  airport: airport.icao !== null && isIcaoCode(airport.icao) ? airport.icao : null,
  runway: airport.runway ?? report?.conditions.runway ?? null,
  weather: weatherOf(airport, report),
});

/** Weights in kg, wind in knots, QNH in hPa. `aircraft` is null without a profile for the plan. */
export const performanceDefaultsOf = (ofp: OfpPlanned, match: ProfileMatch | null): PerformanceDefaults => {
  const { general, weights, landing, takeoff } = ofp;
  const aircraft = match && {
    file: match.file,
    userRegistration: match.userRegistration,
    virtualAirline: match.virtualAirline,
  };
  return {
    landing: {
      requestType: 'LANDING',
      landingMode: 'inflight',
      units,
      aircraft,
      ...placeOf(ofp.destination, landing),
      weight: { landingWeight: kgOf(weights.ldw ?? landing?.conditions.weight ?? null, general) || null },
    },
    takeoff: {
      units,
      aircraft,
      ...placeOf(ofp.origin, takeoff),
      weight: { takeoffWeight: kgOf(weights.tow ?? takeoff?.conditions.weight ?? null, general) || null },
    },
  };
};
