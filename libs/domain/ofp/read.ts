/** Reads a plan document of any SimBrief version. */
import { maxWaypoints } from '../winds/wind-aloft.ts';
import { cursorOf } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { readAirports, readWeatherBlock, withReports } from './read-airport.ts';
import { readFiles, readNotams } from './read-briefing.ts';
import { laterBy } from './scalars.ts';
import { ofpAirport, ofpAlternate, ofpEtops, ofpSuitableAirport } from './schema-parts.ts';
import type { OfpAirport } from './schema-parts.ts';
import {
  ofpAircraft,
  ofpAtc,
  ofpFix,
  ofpFuel,
  ofpFuelBuckets,
  ofpGeneral,
  ofpImpact,
  ofpLandingReport,
  ofpTakeoffReport,
  ofpTimes,
  ofpWeights,
} from './schema.ts';
import type { NormalizedOfp, OfpFix, OfpTimes, OfpWaypoint } from './schema.ts';
import { createWarnings } from './warnings.ts';
import type { Warnings } from './warnings.ts';
import { isRecord } from '../record.ts';

const isPlan = (value: unknown): boolean =>
  isRecord(value) && ['origin', 'destination', 'fetch'].some((name) => Object.hasOwn(value, name));

/** The document, or the content of its root element, which exporters name differently; ofpGet puts it last. */
export const unwrapped = (document: unknown): unknown =>
  isRecord(document) && !isPlan(document) ? (Object.values(document).findLast(isPlan) ?? document) : document;

/** The unit of all weights and fuel; null with a warning if the plan names none that is known. */
const readUnits = (plan: Cursor, warnings: Warnings): NormalizedOfp['general']['units'] => {
  const units = plan.at('params').text(20, 'units') ?? plan.at('general').text(20, 'units');
  if (/^(?:kg|kilo)/i.test(units ?? '')) return 'kgs';
  if (/^(?:lb|pound)/i.test(units ?? '')) return 'lbs';
  warnings.add('UNITS_UNKNOWN', 'params.units', 'The plan does not say whether its weights are kgs or lbs.');
  return null;
};

const readGeneral = (plan: Cursor, warnings: Warnings): NormalizedOfp['general'] => {
  const units = readUnits(plan, warnings);
  const params = plan.at('params');
  const general = ofpGeneral.read(plan.at('general'));
  const { airline, flightNumber } = general;
  const callsign = plan.at('atc').text(20, 'callsign') ?? (`${airline ?? ''}${flightNumber ?? ''}` || null);
  return {
    ...general,
    callsign,
    units,
    airac: params.text(10, 'airac'),
    layout: params.text(40, 'ofp_layout'),
  };
};

/** Takeoff time: estimated, else scheduled, else from the taxi time. */
const takeoffTimeOf = ({ estimated, scheduled, taxiOutSeconds }: OfpTimes): string | null =>
  estimated.off ?? scheduled.off ?? laterBy(estimated.out ?? scheduled.out, taxiOutSeconds);

const maxFixes = 2_000;

/** Rows of the navigation log; their times count from takeoff at `off`. */
const readFixes = (plan: Cursor, off: string | null, warnings: Warnings): OfpFix[] => {
  const fixes = plan.eachIn('navlog', 'fix');
  if (fixes.length === 0) warnings.add('NO_NAVLOG', 'navlog', 'The plan has no navigation log.');
  return fixes.slice(0, maxFixes).flatMap((fix) => {
    const read = ofpFix.read(fix);
    if (read.ident !== null || read.latitude !== null)
      return [{ ...read, eto: laterBy(off, read.totalSeconds) }];
    warnings.add('ENTRY_SKIPPED', fix.path, 'A line of the navigation log without a name was left out.');
    return [];
  });
};

/** Every n-th entry of an overlong list, always with the first and the last. */
const decimated = <T>(list: readonly T[], max: number): T[] =>
  Array.from({ length: max }, (_, i) => list[Math.round((i * (list.length - 1)) / (max - 1))] as T);

/** Fixes with a position, in the form and number accepted by windAloft. */
const waypointsOf = (
  fixes: readonly OfpFix[],
  cruiseAltitudeFt: number | null,
  warnings: Warnings,
): OfpWaypoint[] => {
  const waypoints = fixes.flatMap(({ ident, name, latitude, longitude, altitudeFt, eto }, i) => {
    if (latitude === null || longitude === null) {
      warnings.add('NO_POSITION', `fixes[${i}]`, 'A fix without a valid position is not part of the winds.');
      return [];
    }
    const cruiseLevel = Math.min(999, Math.max(0, Math.round((altitudeFt ?? cruiseAltitudeFt ?? 0) / 100)));
    return [{ name: ident ?? name ?? '', latitude, longitude, cruiseLevel, eto }];
  });
  if (waypoints.length <= maxWaypoints) return waypoints;
  warnings.add(
    'NAVLOG_THINNED',
    'navlog',
    `Of ${waypoints.length} waypoints ${maxWaypoints} are used for winds.`,
  );
  return decimated(waypoints, maxWaypoints);
};

/** Null if the plan has none. */
const readEtops = (plan: Cursor, generatedAt: string | null): NonNullable<NormalizedOfp['etops']> | null => {
  const etops = ofpEtops.read(plan.at('etops'));
  return (
    etops && {
      ...etops,
      airports: readAirports(plan, 'suitable_airport', ofpSuitableAirport.read, generatedAt),
    }
  );
};

const impactNames = [
  'minus_6000ft',
  'minus_4000ft',
  'minus_2000ft',
  'plus_2000ft',
  'plus_4000ft',
  'plus_6000ft',
  'higher_ci',
  'lower_ci',
  'zfw_plus_1000',
  'zfw_minus_1000',
] as const;

/** The impact of other levels, cost indices and weights. */
const readImpacts = (impacts: Cursor): NormalizedOfp['impacts'] =>
  impactNames
    .filter((name) => !impacts.at(name).isEmpty)
    .map((name) => ({ ...ofpImpact.read(impacts.at(name)), name }));

const generatedAtOf = (plan: Cursor): string | null => plan.at('params').time('time_generated');

/** The airport of a block; without an ident, the one requested from SimBrief. */
const airportOf = (
  plan: Cursor,
  block: 'origin' | 'destination',
  requested: 'orig' | 'dest',
  warnings: Warnings,
): OfpAirport => {
  const read = ofpAirport.read(plan.at(block));
  const airport = withReports(read, readWeatherBlock(plan, block), generatedAtOf(plan));
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

const idsOf = (plan: Cursor) => {
  const params = plan.at('params');
  const generatedAt = generatedAtOf(plan);
  return {
    requestId: idOf(params, 'request_id'),
    sequenceId: idOf(params, 'sequence_id'),
    staticId: idOf(params, 'static_id'),
    generatedAt: generatedAt === null ? null : new Date(generatedAt),
  };
};

const readOfp = (plan: Cursor, warnings: Warnings): NormalizedOfp => {
  const general = readGeneral(plan, warnings);
  const times = ofpTimes.read(plan.at('times'));
  const fixes = readFixes(plan, takeoffTimeOf(times), warnings);
  const generatedAt = generatedAtOf(plan);
  const alternates = (place: 'alternate' | 'takeoff_altn' | 'enroute_altn') =>
    readAirports(plan, place, ofpAlternate.read, generatedAt);
  return {
    general,
    aircraft: ofpAircraft.read(plan.at('aircraft')),
    origin: airportOf(plan, 'origin', 'orig', warnings),
    destination: airportOf(plan, 'destination', 'dest', warnings),
    alternates: alternates('alternate'),
    takeoffAlternates: alternates('takeoff_altn'),
    enrouteAlternates: alternates('enroute_altn'),
    etops: readEtops(plan, generatedAt),
    navlog: waypointsOf(fixes, general.initialAltitudeFt, warnings),
    fixes,
    fuel: ofpFuel.read(plan.at('fuel')),
    fuelBuckets: ofpFuelBuckets.read(plan),
    weights: ofpWeights.read(plan.at('weights')),
    times,
    impacts: readImpacts(plan.at('impacts')),
    takeoff: ofpTakeoffReport.read(plan.at('tlr').at('takeoff')),
    landing: ofpLandingReport.read(plan.at('tlr').at('landing')),
    atc: ofpAtc.read(plan.at('atc')),
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
export const readPlan = (document: unknown) => {
  const warnings = createWarnings();
  const plan = cursorOf(unwrapped(document), warnings);
  if (plan.at('origin').isEmpty && plan.at('destination').isEmpty) return null;
  const ofp = readOfp(plan, warnings);
  if (ofp.origin.icao === null && ofp.destination.icao === null) return null;
  for (const [code, block, message] of expectedBlocks)
    if (plan.at(block).isEmpty) warnings.add(code, block, message);
  return { ids: idsOf(plan), ofp, warnings: warnings.list() };
};
