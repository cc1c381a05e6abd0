/**
 * A plan in one form for all planners, versions and formats. Every value may be null. Fuel and weights are in `units`;
 * times are ISO 8601 with Z, durations in seconds.
 */
import { z } from 'zod';
import {
  integerSchema,
  landingDistancesShape,
  numberSchema,
  ofpAirportSchema,
  ofpAlternateSchema,
  ofpEtopsSchema,
  ofpFileSchema,
  ofpFixWindSchema,
  ofpFuelBucketSchema,
  ofpNotamSchema,
  textSchema,
} from './schema-parts.ts';

/** As planners spell them. */
export const ofpUnits = ['kgs', 'lbs'] as const;
const unitsSchema = z.enum(ofpUnits).nullable().describe('of all weights and fuel; null when unknown');

const ofpGeneralSchema = z.strictObject({
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

/** A waypoint as accepted by windAloft. */
const ofpWaypointSchema = z.strictObject({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  cruiseLevel: z.int().describe('flight level'),
  eto: textSchema,
});

const ofpFixSchema = z.strictObject({
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
  winds: z.array(ofpFixWindSchema).optional().describe('winds by level; absent in older imports'),
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

const ofpTimesSchema = z.strictObject({
  scheduled: blockTimesSchema,
  estimated: blockTimesSchema,
  enrouteSeconds: integerSchema,
  taxiOutSeconds: integerSchema,
  taxiInSeconds: integerSchema,
  reserveSeconds: integerSchema,
  enduranceSeconds: integerSchema,
});

const ofpConditionsSchema = z.strictObject({
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

/** Runways in the takeoff and landing reports, as far as planners agree on their members. */
const ofpReportRunwaySchema = z.strictObject({
  runway: textSchema,
  lengthFt: numberSchema,
  headwindKt: numberSchema,
  crosswindKt: numberSchema,
  flap: textSchema,
  thrust: textSchema,
  bleed: textSchema.optional().describe('absent in older imports'),
  antiIce: textSchema.optional().describe('absent in older imports'),
  flexTemperatureC: numberSchema,
  maxWeight: numberSchema,
  limit: textSchema,
  v1: integerSchema,
  vr: integerSchema,
  v2: integerSchema,
});

const ofpReportSchema = z.strictObject({
  conditions: ofpConditionsSchema,
  runways: z.array(ofpReportRunwaySchema),
});
const ofpLandingReportSchema = ofpReportSchema.extend(landingDistancesShape);

export const normalizedOfpSchema = z.strictObject({
  general: ofpGeneralSchema,
  aircraft: z.strictObject({
    icao: textSchema.describe('ICAO type designator; null when not given.'),
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
  takeoffAlternates: z.array(ofpAlternateSchema).optional().describe('absent in older imports'),
  enrouteAlternates: z.array(ofpAlternateSchema).optional().describe('absent in older imports'),
  etops: ofpEtopsSchema
    .nullable()
    .optional()
    .describe('the ETOPS segment; null: the plan has none; absent in older imports'),
  navlog: z.array(ofpWaypointSchema).describe('as windAloft takes it'),
  fixes: z.array(ofpFixSchema),
  fuel: ofpFuelSchema,
  fuelBuckets: z
    .array(ofpFuelBucketSchema)
    .optional()
    .describe('what the extra fuel is for; absent in older imports'),
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
  landing: ofpLandingReportSchema.nullable(),
  atc: z.strictObject({
    callsign: textSchema,
    route: textSchema,
    flightplan: textSchema,
    section18: textSchema,
  }),
  notams: z
    .array(ofpNotamSchema)
    .optional()
    .describe('of airports and regions; empty when they were not to be kept; absent in older imports'),
  files: z.array(ofpFileSchema).optional().describe('files at SimBrief; absent in older imports'),
});

export type NormalizedOfp = z.output<typeof normalizedOfpSchema>;
export type OfpGeneral = z.output<typeof ofpGeneralSchema>;
export type OfpFix = z.output<typeof ofpFixSchema>;
export type OfpWaypoint = z.output<typeof ofpWaypointSchema>;
export type OfpTimes = z.output<typeof ofpTimesSchema>;
export type OfpReport = z.output<typeof ofpReportSchema>;
export type OfpLandingReport = z.output<typeof ofpLandingReportSchema>;
export type OfpUnits = (typeof ofpUnits)[number];
