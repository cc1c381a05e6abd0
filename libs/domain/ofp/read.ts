/** Reads a plan document of any SimBrief version. */
import type { Cursor } from './cursor.ts';
import { ranges } from './ranges.ts';
import { readAirport, readAlternates, readSuitableAirports, readWeatherBlock } from './read-airport.ts';
import type { OfpAirport, OfpEtops } from './schema-parts.ts';
import { cursorOf } from './cursor.ts';
import { readFiles, readFuelBuckets, readNotams } from './read-briefing.ts';
import { readFuel, readTimes, readUnits, readWeights, takeoffTimeOf } from './read-loads.ts';
import { readFixes, waypointsOf } from './read-navlog.ts';
import { readImpacts, readLandingReport, readReport } from './read-reports.ts';
import type { NormalizedOfp, OfpGeneral, OfpUnits } from './schema.ts';
import { createWarnings } from './warnings.ts';
import type { OfpWarning, Warnings } from './warnings.ts';
import { isRecord } from '../record.ts';

// The ETOPS segment of a plan.

type Point = NonNullable<OfpEtops['entry']>;

const maxPoints = 20;
const maxDiversions = 10;

const readPoint = (point: Cursor): Point | null =>
  point.isEmpty
    ? null
    : {
        airport: point.text(10, 'icao_code')?.toUpperCase() ?? null,
        latitude: point.number(ranges.latitude, 'pos_lat_fix', 'pos_lat'),
        longitude: point.number(ranges.longitude, 'pos_long_fix', 'pos_long'),
        elapsedSeconds: point.seconds(ranges.seconds, 'elapsed_time'),
        minimumFuel: point.number(ranges.weight, 'min_fob'),
        plannedFuel: point.number(ranges.weight, 'est_fob'),
        criticalFuel: point.number(ranges.weight, 'critical_fuel'),
        condition: point.text(60, 'etops_condition'),
        diversions: point
          .each('div_airport')
          .slice(0, maxDiversions)
          .map((airport) => ({
            icao: airport.text(10, 'icao_code')?.toUpperCase() ?? null,
            distanceNm: airport.number(ranges.distanceNm, 'distance'),
            trackTrueDeg: airport.number(ranges.degrees, 'track_true'),
            windComponentKt: airport.number(ranges.componentKt, 'avg_wind_comp'),
          })),
      };

/** Null if the plan has none. */
const readEtops = (plan: Cursor, generatedAt: string | null): OfpEtops | null => {
  const etops = plan.at('etops');
  if (etops.isEmpty) return null;
  return {
    ruleMinutes: etops.integer(ranges.minutes, 'rule'),
    entry: readPoint(etops.at('entry')),
    exit: readPoint(etops.at('exit')),
    equalTimePoints: etops
      .each('equal_time_point')
      .slice(0, maxPoints)
      .flatMap((point) => readPoint(point) ?? []),
    criticalPoint: readPoint(etops.at('critical_point')),
    airports: readSuitableAirports(plan, (airport, reports) => ({
      ...readAirport(airport, reports, generatedAt),
      suitableFrom: airport.time('suitability_start'),
      suitableTo: airport.time('suitability_end'),
    })),
  };
};

/** SimBrief's ids of a plan; we issue our own, because these can be guessed and are unique only within a planner. */
export interface PlannerIds {
  requestId: string | null;
  sequenceId: string | null;
  staticId: string | null;
  /** ISO 8601 with Z. */
  generatedAt: string | null;
}

interface ReadOfp {
  ids: PlannerIds;
  ofp: NormalizedOfp;
  warnings: OfpWarning[];
}

const isPlan = (value: unknown): boolean =>
  isRecord(value) && ['origin', 'destination', 'fetch'].some((name) => Object.hasOwn(value, name));

/** The document, or the content of its root element, which exporters name differently; ofpGet puts it last. */
export const unwrapped = (document: unknown): unknown =>
  isRecord(document) && !isPlan(document) ? (Object.values(document).findLast(isPlan) ?? document) : document;

const readGeneral = (plan: Cursor, units: OfpUnits | null): OfpGeneral => {
  const general = plan.at('general');
  const params = plan.at('params');
  const airline = general.text(20, 'icao_airline');
  const flightNumber = general.text(20, 'flight_number');
  const callsign = plan.at('atc').text(20, 'callsign') ?? (`${airline ?? ''}${flightNumber ?? ''}` || null);
  return {
    callsign,
    airline,
    flightNumber,
    release: general.text(20, 'release'),
    units,
    airac: params.text(10, 'airac'),
    layout: params.text(40, 'ofp_layout'),
    isEtops: general.flag('is_etops'),
    isDetailedProfile: general.flag('is_detailed_profile'),
    cruiseProfile: general.text(40, 'cruise_profile'),
    costIndex: general.number(ranges.costIndex, 'costindex', 'cost_index'),
    initialAltitudeFt: general.integer(ranges.altitudeFt, 'initial_altitude'),
    stepClimbs: general.text(1_000, 'stepclimb_string'),
    averageWindComponentKt: general.number(ranges.componentKt, 'avg_wind_comp'),
    averageWindDirectionDeg: general.number(ranges.degrees, 'avg_wind_dir'),
    averageWindKt: general.number(ranges.windKt, 'avg_wind_spd'),
    averageTemperatureDeviationC: general.number(ranges.deviationC, 'avg_temp_dev'),
    greatCircleNm: general.number(ranges.distanceNm, 'gc_distance'),
    routeNm: general.number(ranges.distanceNm, 'route_distance'),
    airNm: general.number(ranges.distanceNm, 'air_distance'),
    passengers: general.integer(ranges.people, 'passengers'),
    route: general.text(8_000, 'route', 'route_navigraph', 'route_ifps'),
    routeIfps: general.text(8_000, 'route_ifps'),
    sid: general.text(30, 'sid_ident'),
    sidTransition: general.text(30, 'sid_trans'),
    star: general.text(30, 'star_ident'),
    starTransition: general.text(30, 'star_trans'),
    dispatchRemarks: general.texts(2_000, 'dx_rmk').slice(0, 50),
    systemRemarks: general.texts(2_000, 'sys_rmk').slice(0, 50),
  };
};

const readAircraft = (aircraft: Cursor): NormalizedOfp['aircraft'] => ({
  icao: aircraft.text(10, 'icao_code', 'icaocode', 'icao')?.toUpperCase() ?? null,
  baseType: aircraft.text(20, 'base_type')?.toUpperCase() ?? null,
  name: aircraft.text(100, 'name'),
  engines: aircraft.text(100, 'engines'),
  registration: aircraft.text(30, 'reg')?.toUpperCase() ?? null,
  fin: aircraft.text(30, 'fin'),
  selcal: aircraft.text(20, 'selcal'),
  equipment: aircraft.text(200, 'equip'),
  isCustom: aircraft.flag('is_custom'),
  maxPassengers: aircraft.integer(ranges.people, 'max_passengers'),
});

const generatedAtOf = (plan: Cursor): string | null => plan.at('params').time('time_generated');

/** The airport of a block; without an ident, the one requested from SimBrief. */
const airportOf = (
  plan: Cursor,
  block: 'origin' | 'destination',
  requested: 'orig' | 'dest',
  warnings: Warnings,
): OfpAirport => {
  const airport = readAirport(plan.at(block), readWeatherBlock(plan, block), generatedAtOf(plan));
  const icao = airport.icao ?? plan.at('api_params').text(10, requested)?.toUpperCase() ?? airport.iata;
  if (icao === null)
    warnings.add('MISSING_VALUE', `${block}.icao_code`, `The plan has no airport of ${block}.`);
  return { ...airport, icao };
};

/** Authors who remove the ids leave zeros. */
const idOf = (params: Cursor, name: string): string | null => {
  const id = params.text(100, name);
  return id === null || /^0+$/.test(id) ? null : id;
};

const idsOf = (plan: Cursor): PlannerIds => {
  const params = plan.at('params');
  return {
    requestId: idOf(params, 'request_id'),
    sequenceId: idOf(params, 'sequence_id'),
    staticId: idOf(params, 'static_id'),
    generatedAt: generatedAtOf(plan),
  };
};

const readOfp = (plan: Cursor, warnings: Warnings): NormalizedOfp => {
  const general = readGeneral(plan, readUnits(plan, warnings));
  const times = readTimes(plan.at('times'));
  const fixes = readFixes(plan, takeoffTimeOf(times), warnings);
  const atc = plan.at('atc');
  const generatedAt = generatedAtOf(plan);
  return {
    general,
    aircraft: readAircraft(plan.at('aircraft')),
    origin: airportOf(plan, 'origin', 'orig', warnings),
    destination: airportOf(plan, 'destination', 'dest', warnings),
    alternates: readAlternates(plan, 'alternate', generatedAt),
    takeoffAlternates: readAlternates(plan, 'takeoff_altn', generatedAt),
    enrouteAlternates: readAlternates(plan, 'enroute_altn', generatedAt),
    etops: readEtops(plan, generatedAt),
    navlog: waypointsOf(fixes, general.initialAltitudeFt, warnings),
    fixes,
    fuel: readFuel(plan.at('fuel')),
    fuelBuckets: readFuelBuckets(plan),
    weights: readWeights(plan.at('weights')),
    times,
    impacts: readImpacts(plan.at('impacts')),
    takeoff: readReport(plan.at('tlr').at('takeoff')),
    landing: readLandingReport(plan.at('tlr').at('landing')),
    atc: {
      callsign: atc.text(20, 'callsign'),
      route: atc.text(8_000, 'route'),
      flightplan: atc.text(8_000, 'flightplan_text'),
      section18: atc.text(4_000, 'section18'),
    },
    notams: readNotams(plan),
    files: readFiles(plan),
  };
};

/** Blocks without which a plan is of little use. */
const expectedBlocks = [
  ['NO_WEIGHTS', 'weights', 'The plan has no weights.'],
  ['NO_FUEL', 'fuel', 'The plan has no fuel.'],
  ['NO_TIMES', 'times', 'The plan has no times.'],
] as const;

/** Null if the document is not a plan: it has neither departure nor destination. Never throws. */
export const readPlan = (document: unknown): ReadOfp | null => {
  const warnings = createWarnings();
  const plan = cursorOf(unwrapped(document), warnings);
  if (plan.at('origin').isEmpty && plan.at('destination').isEmpty) return null;
  const ofp = readOfp(plan, warnings);
  if (ofp.origin.icao === null && ofp.destination.icao === null) return null;
  for (const [code, block, message] of expectedBlocks)
    if (plan.at(block).isEmpty) warnings.add(code, block, message);
  return { ids: idsOf(plan), ofp, warnings: warnings.list() };
};
