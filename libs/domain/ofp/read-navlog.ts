import { maxWaypoints } from '../winds/wind-aloft.ts';
import type { Cursor } from './cursor.ts';
import { ranges } from './ranges.ts';
import { laterBy } from './scalars.ts';
import type { OfpFix, OfpWaypoint } from './schema.ts';
import type { Warnings } from './warnings.ts';

const maxLevels = 20;

const readFix = (fix: Cursor, off: string | null): OfpFix => {
  const totalSeconds = fix.seconds(ranges.seconds, 'time_total');
  return {
    ident: fix.text(30, 'ident'),
    name: fix.text(100, 'name'),
    type: fix.text(20, 'type'),
    stage: fix.text(10, 'stage'),
    airway: fix.text(30, 'via_airway'),
    isSidStar: fix.flag('is_sid_star'),
    latitude: fix.number(ranges.latitude, 'pos_lat'),
    longitude: fix.number(ranges.longitude, 'pos_long'),
    legNm: fix.number(ranges.distanceNm, 'distance'),
    trackTrueDeg: fix.number(ranges.degrees, 'track_true'),
    trackMagneticDeg: fix.number(ranges.degrees, 'track_mag'),
    altitudeFt: fix.integer(ranges.altitudeFt, 'altitude_feet'),
    indicatedKt: fix.number(ranges.speedKt, 'ind_airspeed'),
    trueKt: fix.number(ranges.speedKt, 'true_airspeed'),
    mach: fix.number(ranges.mach, 'mach'),
    windComponentKt: fix.number(ranges.componentKt, 'wind_component'),
    windDirectionDeg: fix.number(ranges.degrees, 'wind_dir'),
    windKt: fix.number(ranges.windKt, 'wind_spd'),
    temperatureC: fix.number(ranges.temperatureC, 'oat'),
    legSeconds: fix.seconds(ranges.seconds, 'time_leg'),
    totalSeconds,
    eto: laterBy(off, totalSeconds),
    legFuel: fix.number(ranges.weight, 'fuel_leg'),
    fuelUsed: fix.number(ranges.weight, 'fuel_totalused'),
    minimumFuel: fix.number(ranges.weight, 'fuel_min_onboard'),
    plannedFuel: fix.number(ranges.weight, 'fuel_plan_onboard'),
    fir: fix.text(30, 'fir'),
    moraFt: fix.integer(ranges.altitudeFt, 'mora'),
    winds: fix
      .eachIn('wind_data', 'level')
      .filter((level) => !level.isEmpty)
      .slice(0, maxLevels)
      .map((level) => ({
        altitudeFt: level.integer(ranges.altitudeFt, 'altitude'),
        windDirectionDeg: level.number(ranges.degrees, 'wind_dir'),
        windKt: level.number(ranges.windKt, 'wind_spd'),
        temperatureC: level.number(ranges.temperatureC, 'oat'),
      })),
  };
};

const maxFixes = 2_000;

/** Rows of the navigation log; their times count from takeoff at `off`. */
export const readFixes = (plan: Cursor, off: string | null, warnings: Warnings): OfpFix[] => {
  const fixes = plan.eachIn('navlog', 'fix');
  if (fixes.length === 0) warnings.add('NO_NAVLOG', 'navlog', 'The plan has no navigation log.');
  return fixes.slice(0, maxFixes).flatMap((fix) => {
    const read = readFix(fix, off);
    if (read.ident !== null || read.latitude !== null) return [read];
    warnings.add('ENTRY_SKIPPED', fix.path, 'A line of the navigation log without a name was left out.');
    return [];
  });
};

/** Every n-th entry of an overlong list, always with the first and the last. */
const decimated = <T>(list: readonly T[], max: number): T[] =>
  Array.from({ length: max }, (_, i) => list[Math.round((i * (list.length - 1)) / (max - 1))] as T);

/** Fixes with a position, in the form and number accepted by windAloft. */
export const waypointsOf = (
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
