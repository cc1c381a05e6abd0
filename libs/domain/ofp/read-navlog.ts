import { maxWaypoints } from '../winds/wind-aloft.ts';
import type { Cursor } from './cursor.ts';
import { laterBy } from './scalars.ts';
import { ofpFix } from './schema.ts';
import type { OfpFix, OfpWaypoint } from './schema.ts';
import type { Warnings } from './warnings.ts';

const maxFixes = 2_000;

/** Rows of the navigation log; their times count from takeoff at `off`. */
export const readFixes = (plan: Cursor, off: string | null, warnings: Warnings): OfpFix[] => {
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
