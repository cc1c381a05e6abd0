/**
 * A plan in one shape, whichever planner, version and format it came from. Every value may be null. Fuel and weights
 * are in `units`; times are ISO 8601 with Z, durations seconds.
 */
import { z } from 'zod';

const textSchema = z.string().nullable();
const numberSchema = z.number().nullable();
const integerSchema = z.int().nullable();

/** `kgs` and `lbs` as planners write them. */
export const ofpUnits = ['kgs', 'lbs'] as const;
const unitsSchema = z.enum(ofpUnits).nullable().describe('of all weights and fuel; null when unknown');

export const ofpGeneralSchema = z.strictObject({
  callsign: textSchema,
  airline: textSchema,
  flightNumber: textSchema,
  release: textSchema,
  units: unitsSchema,
  airac: textSchema,
  layout: textSchema,
  isEtops: z.boolean(),
  isDetailedProfile: z.boolean(),
  cruiseProfile: textSchema,
  costIndex: numberSchema,
  initialAltitudeFt: integerSchema,
  stepClimbs: textSchema,
  averageWindComponentKt: numberSchema,
  averageWindDirectionDeg: numberSchema,
  averageWindKt: numberSchema,
  averageTemperatureDeviationC: numberSchema,
  greatCircleNm: numberSchema,
  routeNm: numberSchema,
  airNm: numberSchema,
  passengers: integerSchema,
  route: textSchema,
  routeIfps: textSchema,
  sid: textSchema,
  sidTransition: textSchema,
  star: textSchema,
  starTransition: textSchema,
  dispatchRemarks: z.array(z.string()),
  systemRemarks: z.array(z.string()),
});

export const ofpAirportSchema = z.strictObject({
  icao: textSchema,
  iata: textSchema,
  name: textSchema,
  elevationFt: numberSchema,
  latitude: numberSchema,
  longitude: numberSchema,
  runway: textSchema,
  transitionAltitudeFt: integerSchema,
  transitionLevelFt: integerSchema,
  metar: textSchema,
  metarTime: textSchema.optional().describe('time of the report, ISO 8601; absent in older imports'),
  taf: textSchema,
  atis: z.array(
    z.strictObject({ network: textSchema, letter: textSchema, type: textSchema, message: textSchema }),
  ),
  notamCount: z.int(),
});

export const ofpAlternateSchema = ofpAirportSchema.extend({
  distanceNm: numberSchema,
  burn: numberSchema,
  enrouteSeconds: integerSchema,
  route: textSchema,
  cruiseAltitudeFt: integerSchema,
});

/** A waypoint as windAloft takes it. */
export const ofpWaypointSchema = z.strictObject({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  cruiseLevel: z.int().describe('flight level'),
  eto: textSchema,
});

export const ofpFixSchema = z.strictObject({
  ident: textSchema,
  name: textSchema,
  type: textSchema,
  stage: textSchema,
  airway: textSchema,
  isSidStar: z.boolean(),
  latitude: numberSchema,
  longitude: numberSchema,
  legNm: numberSchema,
  trackTrueDeg: numberSchema,
  trackMagneticDeg: numberSchema,
  altitudeFt: integerSchema,
  indicatedKt: numberSchema,
  trueKt: numberSchema,
  mach: numberSchema,
  windComponentKt: numberSchema,
  windDirectionDeg: numberSchema,
  windKt: numberSchema,
  temperatureC: numberSchema,
  legSeconds: integerSchema,
  totalSeconds: integerSchema,
  eto: textSchema,
  legFuel: numberSchema,
  fuelUsed: numberSchema,
  minimumFuel: numberSchema,
  plannedFuel: numberSchema,
  fir: textSchema,
  moraFt: integerSchema,
});

const namedNumbers = <const Name extends string>(names: readonly Name[]) =>
  z.strictObject(
    Object.fromEntries(names.map((name) => [name, numberSchema])) as Record<Name, z.ZodNullable<z.ZodNumber>>,
  );

export const ofpFuelSchema = namedNumbers([
  'taxi',
  'enroute',
  'contingency',
  'alternate',
  'reserve',
  'etops',
  'extra',
  'minimumTakeoff',
  'takeoff',
  'ramp',
  'landing',
  'averageFlow',
  'maxTanks',
]);

export const ofpWeightsSchema = namedNumbers([
  'oew',
  'pax',
  'bags',
  'cargo',
  'payload',
  'zfw',
  'maxZfw',
  'tow',
  'maxTow',
  'maxTowStructural',
  'ldw',
  'maxLdw',
  'ramp',
]).extend({ towLimit: textSchema });

const blockTimesSchema = z.strictObject({
  out: textSchema,
  off: textSchema,
  on: textSchema,
  in: textSchema,
  blockSeconds: integerSchema,
});

export const ofpTimesSchema = z.strictObject({
  scheduled: blockTimesSchema,
  estimated: blockTimesSchema,
  enrouteSeconds: integerSchema,
  taxiOutSeconds: integerSchema,
  taxiInSeconds: integerSchema,
  reserveSeconds: integerSchema,
  enduranceSeconds: integerSchema,
});

export const ofpConditionsSchema = z.strictObject({
  airport: textSchema,
  runway: textSchema,
  weight: numberSchema,
  windDirectionDeg: numberSchema,
  windKt: numberSchema,
  temperatureC: numberSchema,
  altimeterInHg: numberSchema,
  surface: textSchema,
  flap: textSchema,
});

/** Runways of the takeoff and landing report, as far as planners agree on them. */
export const ofpReportRunwaySchema = z.strictObject({
  runway: textSchema,
  lengthFt: numberSchema,
  headwindKt: numberSchema,
  crosswindKt: numberSchema,
  flap: textSchema,
  thrust: textSchema,
  flexTemperatureC: numberSchema,
  maxWeight: numberSchema,
  limit: textSchema,
  v1: integerSchema,
  vr: integerSchema,
  v2: integerSchema,
});

export const ofpReportSchema = z.strictObject({
  conditions: ofpConditionsSchema,
  runways: z.array(ofpReportRunwaySchema),
});

export const normalizedOfpSchema = z.strictObject({
  general: ofpGeneralSchema,
  aircraft: z.strictObject({
    icao: textSchema,
    baseType: textSchema,
    name: textSchema,
    engines: textSchema,
    registration: textSchema,
    fin: textSchema,
    selcal: textSchema,
    equipment: textSchema,
    isCustom: z.boolean(),
    maxPassengers: integerSchema,
  }),
  origin: ofpAirportSchema,
  destination: ofpAirportSchema,
  alternates: z.array(ofpAlternateSchema),
  navlog: z.array(ofpWaypointSchema).describe('as windAloft takes it'),
  fixes: z.array(ofpFixSchema),
  fuel: ofpFuelSchema,
  weights: ofpWeightsSchema,
  times: ofpTimesSchema,
  impacts: z.array(
    z.strictObject({
      name: z.string(),
      timeSeconds: integerSchema,
      burn: numberSchema,
      rampFuel: numberSchema,
    }),
  ),
  takeoff: ofpReportSchema.nullable(),
  landing: ofpReportSchema.nullable(),
  atc: z.strictObject({
    callsign: textSchema,
    route: textSchema,
    flightplan: textSchema,
    section18: textSchema,
  }),
});

export type NormalizedOfp = z.output<typeof normalizedOfpSchema>;
export type OfpGeneral = z.output<typeof ofpGeneralSchema>;
export type OfpAirport = z.output<typeof ofpAirportSchema>;
export type OfpAlternate = z.output<typeof ofpAlternateSchema>;
export type OfpFix = z.output<typeof ofpFixSchema>;
export type OfpWaypoint = z.output<typeof ofpWaypointSchema>;
export type OfpTimes = z.output<typeof ofpTimesSchema>;
export type OfpReport = z.output<typeof ofpReportSchema>;
export type OfpUnits = (typeof ofpUnits)[number];
