/** The runway condition that the operator of an airport reports; it counts before what is guessed from weather. */
import { enrouteByCode, surfaceByCode } from '../../weather/condition-names.ts';
import type { RunwayCondition } from '../../weather/runway-condition.ts';
import type { NumberedNotam } from '../airport.ts';
import { isValidAt } from '../validity.ts';
import { surfaceOfContaminant, worstDeposit } from './contaminants.ts';
import { readSurface } from './read.ts';
import type { SurfaceReport, SurfaceThird } from './report.ts';

/** A SNOWTAM is not used for longer (ICAO Doc 10066). */
const maxSnowtamMinutes = 8 * 60;
/** FICON and RSC without an end: most are issued for a day. */
const withoutEndMinutes = 24 * 60;
/** Clocks of airports differ. */
const maxAheadMinutes = 15;
const minuteMs = 60_000;

export interface OfficialReport extends SurfaceReport {
  /** Number of the NOTAM. */
  notam: string;
  /** From the observation to the time of the landing or takeoff. */
  ageMinutes: number;
  isExpired: boolean;
}

export interface OfficialReports {
  /** The latest observation first, of one time the worst. */
  reports: OfficialReport[];
  /** What begins like a report and was not understood. */
  unread: { notam: string; text: string }[];
}

const isOver = (end: string, at: Date): boolean => at.getTime() >= Date.parse(end);

/** FICON and RSC end with their NOTAM, also at an estimated time, or earlier where their text says so. */
const hasExpired = (
  { format, validUntil }: SurfaceReport,
  toUtc: string | null,
  at: Date,
  ageMinutes: number,
): boolean => {
  if (format === 'SNOWTAM') return ageMinutes > maxSnowtamMinutes;
  const ends = [toUtc, validUntil ?? null].filter((end) => end !== null);
  return ends.length === 0 ? ageMinutes >= withoutEndMinutes : ends.some((end) => isOver(end, at));
};

/** The reports in the NOTAM that are valid at a time. */
export const officialReports = (notams: readonly NumberedNotam[], at: Date): OfficialReports => {
  const all: OfficialReports = { reports: [], unread: [] };
  for (const notam of notams) {
    if (!isValidAt(notam, at)) continue;
    const { reports, unread } = readSurface(notam);
    if (notam.toUtc === null || !isOver(notam.toUtc, at))
      all.unread.push(...unread.map((text) => ({ notam: notam.number, text })));
    for (const report of reports) {
      const ageMinutes = Math.floor((at.getTime() - Date.parse(report.observedAt)) / minuteMs);
      if (ageMinutes < -maxAheadMinutes) continue;
      const isExpired = hasExpired(report, notam.toUtc, at, ageMinutes);
      all.reports.push({ ...report, notam: notam.number, ageMinutes: Math.max(0, ageMinutes), isExpired });
    }
  }
  all.reports.sort(
    (a, b) =>
      b.observedAt.localeCompare(a.observedAt) || worstThird(a.thirds).code - worstThird(b.thirds).code,
  );
  return all;
};

/** The report that counts for a direction, its thirds in that direction; null without one. */
export const officialFor = ({ reports }: OfficialReports, ident: string): OfficialReport | null => {
  const found = reports.find(({ isExpired, runways }) => !isExpired && runways.includes(ident));
  if (!found || found.runways[0] === ident) return found ?? null;
  const [near, middle, far] = found.thirds;
  return { ...found, runways: [found.runways[1], found.runways[0]], thirds: [far, middle, near] };
};

/** `5/3/3`. */
export const codesText = ({ thirds }: Pick<SurfaceReport, 'thirds'>): string =>
  thirds.map(({ code }) => code).join('/');

/** `FICON 06/026: 5/3/3`; the number of a SNOWTAM names its kind already. */
export const officialText = (report: OfficialReport): string => {
  const { format, notam } = report;
  return `${notam.startsWith(format) ? notam : `${format} ${notam}`}: ${codesText(report)}`;
};

/** The third with the worst code counts for the whole runway; of several, the one with the deepest deposit. */
const worstThird = ([first, ...others]: SurfaceReport['thirds']): SurfaceThird =>
  others.reduce((worst, one) => {
    if (one.code !== worst.code) return one.code < worst.code ? one : worst;
    const depth = (third: SurfaceThird) => worstDeposit(third.deposits)?.depthMm ?? 0;
    return depth(one) > depth(worst) ? one : worst;
  }, first);

/** As a condition to calculate with; its states are null where the report says that braking is nil. */
export const conditionOfReport = (report: OfficialReport): RunwayCondition => {
  const { code, deposits } = worstThird(report.thirds);
  const deposit = worstDeposit(deposits);
  const common = {
    depthMm: deposit?.depthMm ?? null,
    coveragePercent: deposit?.coveragePercent ?? null,
    evidence: officialText(report),
    isAssumed: false,
    isCodeReported: true,
  };
  if (code === 0)
    return { takeoffDispatch: null, landingDispatch: null, landingEnroute: null, code: null, ...common };
  const described = deposit === null ? 'DRY' : surfaceOfContaminant(deposit.contaminant);
  const dispatch = described === 'DRY' || described === 'WET' ? surfaceByCode[code] : described;
  return {
    takeoffDispatch: dispatch,
    landingDispatch: dispatch,
    landingEnroute: enrouteByCode[code],
    code,
    ...common,
  };
};
