/** Runway condition reports (RCR) of airport operators, which count before what is assumed from weather. */
import { reciprocalIdent } from '../../airports/ident.ts';
import { runwayEndsNamed } from '../../airports/reported-runway.ts';
import type { RunwayNames } from '../../airports/reported-runway.ts';
import { surfaceByCode } from '../../weather/condition-names.ts';
import type { RunwayCondition } from '../../weather/runway-condition.ts';
import type { NumberedNotam } from '../airport.ts';
import { isValidAt } from '../types.ts';
import { surfaceOfContaminant, worstDeposit } from './contaminants.ts';
import { readSurface } from './read.ts';
import type { SurfaceReport, SurfaceThird } from './report.ts';

/** A SNOWTAM is valid for no longer (ICAO Doc 10066). */
const snowtamMinutes = 8 * 60;
/** FICON and RSC without an end: most are issued for a day. */
const withoutEndMinutes = 24 * 60;
/** After its end a report is the last that is known of a surface; a day later it says nothing of it any more. */
const keptMs = 24 * 60 * 60_000;
/** Clocks of airports differ. */
const maxAheadMinutes = 15;
const minuteMs = 60_000;

export interface OfficialReport extends SurfaceReport {
  /** Number of the NOTAM. */
  notam: string;
  /** From the observation to the time of the landing or takeoff. */
  ageMinutes: number;
  /** Over, but the last that is known of this surface. */
  isExpired: boolean;
  /** The designator of the report where the airport data have another for it, or none. */
  named?: string;
  /** No runway of the airport data is certainly meant: it may be about any. */
  isOfUnknownRunway?: boolean;
}

export interface OfficialReports {
  /** The latest observation first, of one time the worst. */
  reports: OfficialReport[];
  /** What begins like a report and was not understood, or is not certainly about a runway of the airport. */
  unread: { notam: string; text: string }[];
  /** NOTAM by which runways are slippery when wet; any runway where `runwayEnds` is empty. */
  slippery: { notam: string; ageMinutes: number; runwayEnds: string[] }[];
}

/** FICON and RSC end with their NOTAM, also at an estimated time, or earlier where their text says so. */
const endMs = ({ format, validUntil, observedAt }: SurfaceReport, toUtc: string | null): number => {
  const observedMs = Date.parse(observedAt);
  if (format === 'SNOWTAM') return observedMs + snowtamMinutes * minuteMs;
  const ends = [toUtc, validUntil ?? null].filter((end) => end !== null);
  return ends.length === 0
    ? observedMs + withoutEndMinutes * minuteMs
    : Math.min(...ends.map((end) => Date.parse(end)));
};

const turned = ([near, middle, far]: SurfaceReport['thirds']): SurfaceReport['thirds'] => [far, middle, near];

/** The report with the present designators of its runway, one for each strip that it may mean. */
const placed = (
  report: OfficialReport,
  known: RunwayNames | null,
  taken: readonly string[],
): OfficialReport[] => {
  const [named] = report.runways;
  const runwayEnds = known ? runwayEndsNamed(known, named, taken) : [named];
  if (runwayEnds.length === 0) return [{ ...report, named, isOfUnknownRunway: true }];
  return runwayEnds.map((ident) => ({
    ...report,
    runways: [ident, reciprocalIdent(ident)],
    ...(ident === named ? {} : { named }),
  }));
};

const isOf = ({ runways }: SurfaceReport, ident: string): boolean => runways.includes(ident);

/** The reports in the NOTAM that are valid at a time, or were until a day before. Without `known` their designators are as printed. */
export const officialReports = (
  notams: readonly NumberedNotam[],
  at: Date,
  known: RunwayNames | null,
): OfficialReports => {
  const found: OfficialReport[] = [];
  const unread: OfficialReports['unread'] = [];
  const slippery: OfficialReports['slippery'] = [];
  const nowMs = at.getTime();
  for (const notam of notams) {
    if (notam.type === 'C' || Date.parse(notam.fromUtc) > nowMs) continue;
    const read = readSurface(notam);
    if (read.isSlipperyWhenWet && isValidAt(notam, at)) {
      const { number, runways, fromUtc } = notam;
      const runwayEnds = runways.flatMap((named) =>
        known ? runwayEndsNamed(known, named, runways) : [named],
      );
      const ageMinutes = Math.floor((nowMs - Date.parse(fromUtc)) / minuteMs);
      slippery.push({ notam: number, ageMinutes, runwayEnds });
    }
    if (notam.toUtc === null || nowMs < Date.parse(notam.toUtc))
      unread.push(...read.unread.map((text) => ({ notam: notam.number, text })));
    for (const report of read.reports) {
      const ageMinutes = Math.floor((nowMs - Date.parse(report.observedAt)) / minuteMs);
      const overMs = nowMs - endMs(report, notam.toUtc);
      if (ageMinutes < -maxAheadMinutes || overMs >= keptMs) continue;
      const isExpired = overMs >= 0;
      found.push({ ...report, notam: notam.number, ageMinutes: Math.max(0, ageMinutes), isExpired });
    }
  }
  const taken = found.flatMap(({ runways }) => runways);
  const reports = found.flatMap((report) => placed(report, known, taken));
  for (const { notam, named, text, isExpired, isOfUnknownRunway } of reports)
    if (isOfUnknownRunway && !isExpired)
      unread.push({ notam, text: `${text}, but the airport has no certain runway ${named}` });
  return {
    reports: reports.toSorted(
      (a, b) => b.observedAt.localeCompare(a.observedAt) || worstCode(a) - worstCode(b),
    ),
    unread,
    slippery,
  };
};

/** What NOTAM in force say of a wet surface of a runway end: code 3 of the assessment matrix. */
export interface SlipperyWhenWet {
  evidence: string;
  ageMinutes: number;
}

export const slipperyWhenWet = ({ slippery }: OfficialReports, ident: string): SlipperyWhenWet | null => {
  const found = slippery.find(
    ({ runwayEnds }) =>
      runwayEnds.length === 0 || runwayEnds.includes(ident) || runwayEnds.includes(reciprocalIdent(ident)),
  );
  return found ? { evidence: `NOTAM ${found.notam}: slippery when wet`, ageMinutes: found.ageMinutes } : null;
};

/**
 * The report that counts for a runway end, its thirds from that end; null without one. A runway that none in force names has
 * the worst of its last one and of those on a runway that is not known.
 */
export const officialFor = ({ reports }: OfficialReports, ident: string): OfficialReport | null => {
  const own = reports.filter((report) => isOf(report, ident));
  const unknownRunways = reports.filter(({ isOfUnknownRunway }) => isOfUnknownRunway);
  const strips = new Map(unknownRunways.toReversed().map((report) => [report.named, report]));
  const last = [own[0], ...strips.values()].filter((report) => report !== undefined);
  const found =
    own.find(({ isExpired }) => !isExpired) ??
    last.toSorted((a, b) => worstCode(a) - worstCode(b))[0] ??
    null;
  if (!found || found.isOfUnknownRunway || found.runways[0] === ident) return found;
  return { ...found, runways: [found.runways[1], found.runways[0]], thirds: turned(found.thirds) };
};

/** `5/3/3`. */
export const codesText = ({ thirds }: Pick<SurfaceReport, 'thirds'>): string =>
  thirds.map(({ code }) => code).join('/');

/** `FICON 06/026: 5/3/3`; the number of a SNOWTAM names its kind already. */
export const officialText = (report: OfficialReport): string => {
  const { format, notam, named, isExpired } = report;
  const number = notam.startsWith(format) ? notam : `${format} ${notam}`;
  return `${number}${named === undefined ? '' : ` of runway ${named}`}: ${codesText(report)}${isExpired ? ', expired' : ''}`;
};

/** The third with the worst code counts for the whole runway; of several, the one with the deepest deposit. */
const worstThird = ([first, ...others]: SurfaceReport['thirds']): SurfaceThird =>
  others.reduce((worst, one) => {
    if (one.code !== worst.code) return one.code < worst.code ? one : worst;
    const depth = (third: SurfaceThird) => worstDeposit(third.deposits)?.depthMm ?? 0;
    return depth(one) > depth(worst) ? one : worst;
  }, first);

const worstCode = ({ thirds }: Pick<SurfaceReport, 'thirds'>): number => worstThird(thirds).code;

/** As a condition to calculate with; its states are null where the report says that braking is nil. */
export const conditionOfReport = (report: OfficialReport): RunwayCondition => {
  const { code, deposits } = worstThird(report.thirds);
  const deposit = worstDeposit(deposits);
  const described = deposit === null ? 'DRY' : surfaceOfContaminant(deposit.contaminant);
  const isBare = described === 'DRY' || described === 'WET';
  return {
    code: code === 0 ? null : code,
    dispatch: code === 0 ? null : isBare ? surfaceByCode[code] : described,
    depthMm: deposit?.depthMm ?? null,
    coveragePercent: deposit?.coveragePercent ?? null,
    evidence: officialText(report),
    isAssumed: false,
    isCodeReported: true,
    isOfRunway: true,
  };
};
