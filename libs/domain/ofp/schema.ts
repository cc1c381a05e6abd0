/**
 * A plan in one form for all planners, versions and formats. Every value may be null. Fuel and weights are in `units`;
 * times are ISO 8601 with Z, durations in seconds.
 */
import { z } from 'zod';
import {
  added,
  block,
  code,
  derived,
  described,
  flag,
  integer,
  list,
  member,
  number,
  numberSchema,
  orNull,
  ranges,
  seconds,
  text,
  texts,
  textSchema,
  time,
  within,
} from './members.ts';
import { ofpAirport, ofpAlternate, ofpEtops, ofpFileSchema, ofpNotam } from './schema-parts.ts';

/** In the spelling of planners. */
export const ofpUnits = ['kgs', 'lbs'] as const;
const unitsSchema = z.enum(ofpUnits).nullable().describe('unit of all weights and fuel; null when unknown');

export const ofpGeneral = block({
  callsign: derived(textSchema, null),
  airline: text(20, 'icao_airline'),
  flightNumber: text(20, 'flight_number'),
  release: text(20, 'release'),
  units: derived(unitsSchema, null),
  airac: derived(textSchema, null),
  layout: derived(textSchema, null),
  isEtops: flag('is_etops'),
  isDetailedProfile: flag('is_detailed_profile'),
  cruiseProfile: text(40, 'cruise_profile'),
  costIndex: number(ranges.costIndex, 'costindex', 'cost_index'),
  initialAltitudeFt: integer(ranges.altitudeFt, 'initial_altitude'),
  stepClimbs: text(1_000, 'stepclimb_string'),
  averageWindComponentKt: number(ranges.componentKt, 'avg_wind_comp'),
  averageWindDirectionDeg: number(ranges.degrees, 'avg_wind_dir'),
  averageWindKt: number(ranges.windKt, 'avg_wind_spd'),
  averageTemperatureDeviationC: number(ranges.deviationC, 'avg_temp_dev'),
  greatCircleNm: number(ranges.distanceNm, 'gc_distance'),
  routeNm: number(ranges.distanceNm, 'route_distance'),
  airNm: number(ranges.distanceNm, 'air_distance'),
  passengers: integer(ranges.people, 'passengers'),
  route: text(8_000, 'route', 'route_navigraph', 'route_ifps'),
  routeIfps: text(8_000, 'route_ifps'),
  sid: text(30, 'sid_ident'),
  sidTransition: text(30, 'sid_trans'),
  star: text(30, 'star_ident'),
  starTransition: text(30, 'star_trans'),
  dispatchRemarks: texts(2_000, 'dx_rmk'),
  systemRemarks: texts(2_000, 'sys_rmk'),
});

export const ofpAircraft = block({
  icao: described(code(10, 'icao_code', 'icaocode', 'icao'), 'ICAO type designator; null when not given.'),
  baseType: code(20, 'base_type'),
  name: text(100, 'name'),
  engines: text(100, 'engines'),
  registration: code(30, 'reg'),
  fin: text(30, 'fin'),
  selcal: text(20, 'selcal'),
  equipment: text(200, 'equip'),
  isCustom: flag('is_custom'),
  maxPassengers: integer(ranges.people, 'max_passengers'),
});

/** A waypoint as accepted by windAloft. */
const ofpWaypointSchema = z.strictObject({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  cruiseLevel: z.int().describe('flight level'),
  eto: textSchema,
});

export const ofpFix = block({
  ident: text(30, 'ident'),
  name: text(100, 'name'),
  type: text(20, 'type'),
  stage: text(10, 'stage'),
  airway: text(30, 'via_airway'),
  isSidStar: flag('is_sid_star'),
  latitude: number(ranges.latitude, 'pos_lat'),
  longitude: number(ranges.longitude, 'pos_long'),
  legNm: number(ranges.distanceNm, 'distance'),
  trackTrueDeg: number(ranges.degrees, 'track_true'),
  trackMagneticDeg: number(ranges.degrees, 'track_mag'),
  altitudeFt: integer(ranges.altitudeFt, 'altitude_feet'),
  indicatedKt: number(ranges.speedKt, 'ind_airspeed'),
  trueKt: number(ranges.speedKt, 'true_airspeed'),
  mach: number(ranges.mach, 'mach'),
  windComponentKt: number(ranges.componentKt, 'wind_component'),
  windDirectionDeg: number(ranges.degrees, 'wind_dir'),
  windKt: number(ranges.windKt, 'wind_spd'),
  temperatureC: number(ranges.temperatureC, 'oat'),
  legSeconds: seconds(ranges.seconds, 'time_leg'),
  totalSeconds: seconds(ranges.seconds, 'time_total'),
  eto: derived(textSchema, null),
  legFuel: number(ranges.weight, 'fuel_leg'),
  fuelUsed: number(ranges.weight, 'fuel_totalused'),
  minimumFuel: number(ranges.weight, 'fuel_min_onboard'),
  plannedFuel: number(ranges.weight, 'fuel_plan_onboard'),
  fir: text(30, 'fir'),
  moraFt: integer(ranges.altitudeFt, 'mora'),
  winds: added(
    list(
      20,
      (fix) => fix.eachIn('wind_data', 'level').filter(({ isEmpty }) => !isEmpty),
      block({
        altitudeFt: integer(ranges.altitudeFt, 'altitude'),
        windDirectionDeg: number(ranges.degrees, 'wind_dir'),
        windKt: number(ranges.windKt, 'wind_spd'),
        temperatureC: number(ranges.temperatureC, 'oat'),
      }),
    ),
    'winds by level; ',
  ),
});

const weight = (...names: string[]) => number(ranges.weight, ...names);
/** A whole number, though not declared as one. */
const count = (...names: string[]) => member(numberSchema, integer(ranges.people, ...names).read);

export const ofpFuel = block({
  taxi: weight('taxi'),
  enroute: weight('enroute_burn'),
  contingency: weight('contingency'),
  alternate: weight('alternate_burn'),
  reserve: weight('reserve'),
  etops: weight('etops'),
  extra: weight('extra'),
  minimumTakeoff: weight('min_takeoff'),
  takeoff: weight('plan_takeoff'),
  ramp: weight('plan_ramp'),
  landing: weight('plan_landing'),
  averageFlow: weight('avg_fuel_flow'),
  maxTanks: weight('max_tanks'),
});

export const ofpFuelBuckets = list(
  20,
  (plan) => plan.eachIn('fuel_extra', 'bucket').filter(({ isEmpty }) => !isEmpty),
  block({
    name: described(text(60, 'label', 'name'), 'what it is for'),
    fuel: described(weight('fuel'), 'in `units`'),
    time: described(text(20, 'time'), 'as SimBrief writes it'),
    isRequired: described(flag('required'), 'true when the plan requires it'),
  }),
);

export const ofpWeights = block({
  oew: weight('oew'),
  pax: count('pax_count_actual', 'pax_count'),
  bags: member(numberSchema, integer(ranges.weight, 'bag_count_actual', 'bag_count').read),
  cargo: weight('cargo'),
  payload: weight('payload'),
  zfw: weight('est_zfw'),
  maxZfw: weight('max_zfw'),
  tow: weight('est_tow'),
  maxTow: weight('max_tow'),
  maxTowStructural: weight('max_tow_struct'),
  ldw: weight('est_ldw'),
  maxLdw: weight('max_ldw'),
  ramp: weight('est_ramp'),
  towLimit: text(40, 'tow_limit_code'),
});

const blockTimes = (kind: 'sched' | 'est') =>
  block({
    out: time(`${kind}_out`),
    off: time(`${kind}_off`),
    on: time(`${kind}_on`),
    in: time(`${kind}_in`),
    blockSeconds: seconds(ranges.seconds, `${kind}_block`),
  });

export const ofpTimes = block({
  scheduled: blockTimes('sched'),
  estimated: blockTimes('est'),
  enrouteSeconds: seconds(ranges.seconds, 'est_time_enroute', 'sched_time_enroute'),
  taxiOutSeconds: seconds(ranges.seconds, 'taxi_out'),
  taxiInSeconds: seconds(ranges.seconds, 'taxi_in'),
  reserveSeconds: seconds(ranges.seconds, 'reserve_time'),
  enduranceSeconds: seconds(ranges.seconds, 'endurance'),
});

/** Members that the takeoff and landing reports of all planners share. */
const reportMembers = {
  conditions: within(
    'conditions',
    block({
      airport: text(10, 'airport_icao'),
      runway: text(20, 'planned_runway'),
      weight: weight('planned_weight'),
      windDirectionDeg: number(ranges.degrees, 'wind_direction'),
      windKt: number(ranges.windKt, 'wind_speed'),
      temperatureC: number(ranges.temperatureC, 'temperature'),
      altimeterInHg: number(ranges.inHg, 'altimeter'),
      surface: text(40, 'surface_condition'),
      flap: text(40, 'flap_setting'),
    }),
  ),
  runways: list(
    40,
    (report) => report.each('runway'),
    block({
      runway: text(20, 'identifier', 'runway', 'ident'),
      lengthFt: number(ranges.lengthFt, 'length_lda', 'length_tora', 'length'),
      headwindKt: number(ranges.componentKt, 'headwind_component'),
      crosswindKt: number(ranges.componentKt, 'crosswind_component'),
      flap: text(40, 'flap_setting'),
      thrust: text(40, 'thrust_setting'),
      bleed: added(text(40, 'bleed_setting')),
      antiIce: added(text(40, 'anti_ice_setting')),
      flexTemperatureC: number({ min: -80, max: 120 }, 'flex_temperature'),
      maxWeight: weight('max_weight', 'max_weight_dry'),
      limit: text(40, 'limit_code'),
      v1: integer(ranges.speedKt, 'speeds_v1', 'v1'),
      vr: integer(ranges.speedKt, 'speeds_vr', 'vr'),
      v2: integer(ranges.speedKt, 'speeds_v2', 'v2'),
    }),
  ),
};

const landingDistance = orNull(
  block({
    weight: described(weight('weight'), 'in `units`'),
    flap: described(text(40, 'flap_setting'), 'landing flap'),
    brakes: described(text(40, 'brake_setting'), 'brake setting'),
    hasReverserCredit: described(flag('reverser_credit'), 'true when reverse thrust is credited'),
    vrefKt: described(integer(ranges.speedKt, 'speeds_vref'), 'VREF in knots'),
    actualFt: described(number(ranges.lengthFt, 'actual_distance'), 'actual landing distance in feet'),
    factoredFt: described(
      number(ranges.lengthFt, 'factored_distance'),
      "landing distance with SimBrief's margin, in feet",
    ),
  }),
);

export const ofpTakeoffReport = orNull(block(reportMembers));
export const ofpLandingReport = orNull(
  block({
    ...reportMembers,
    distanceDry: within('distance_dry', added(landingDistance, 'on a dry runway; ')),
    distanceWet: within('distance_wet', added(landingDistance, 'on a wet runway; ')),
  }),
);

export const ofpImpact = block({
  name: derived(z.string(), ''),
  timeSeconds: seconds(ranges.secondsChange, 'time_difference'),
  burn: number(ranges.weightChange, 'burn_difference'),
  rampFuel: weight('ramp_fuel'),
});

export const ofpAtc = block({
  callsign: text(20, 'callsign'),
  route: text(8_000, 'route'),
  flightplan: text(8_000, 'flightplan_text'),
  section18: text(4_000, 'section18'),
});

export const normalizedOfpSchema = z.strictObject({
  general: ofpGeneral.schema,
  aircraft: ofpAircraft.schema,
  origin: ofpAirport.schema,
  destination: ofpAirport.schema,
  alternates: z.array(ofpAlternate.schema),
  takeoffAlternates: z.array(ofpAlternate.schema).optional().describe('absent in older imports'),
  enrouteAlternates: z.array(ofpAlternate.schema).optional().describe('absent in older imports'),
  etops: ofpEtops.schema
    .optional()
    .describe('the ETOPS segment; null: the plan has none; absent in older imports'),
  navlog: z.array(ofpWaypointSchema).describe('as windAloft takes it'),
  fixes: z.array(ofpFix.schema),
  fuel: ofpFuel.schema,
  fuelBuckets: ofpFuelBuckets.schema
    .optional()
    .describe('what the extra fuel is for; absent in older imports'),
  weights: ofpWeights.schema,
  times: ofpTimes.schema,
  impacts: z.array(ofpImpact.schema),
  takeoff: ofpTakeoffReport.schema,
  landing: ofpLandingReport.schema,
  atc: ofpAtc.schema,
  notams: z
    .array(ofpNotam.schema)
    .optional()
    .describe('NOTAM for airports and regions; empty when the import dropped them; absent in older imports'),
  files: z.array(ofpFileSchema).optional().describe('files at SimBrief; absent in older imports'),
});

export type NormalizedOfp = z.output<typeof normalizedOfpSchema>;
export type OfpFix = z.output<typeof ofpFix.schema>;
export type OfpWaypoint = z.output<typeof ofpWaypointSchema>;
export type OfpTimes = z.output<typeof ofpTimes.schema>;
