/** Airport operators' runway condition reports (RCR), which take precedence over conditions derived from weather. */
import { reciprocalIdent } from '../../airports/ident.ts';
import { runwayEndsNamed } from '../../airports/reported-runway.ts';
import type { RunwayNames } from '../../airports/reported-runway.ts';
import { minuteMs } from '../../time.ts';
import { surfaceByCode } from '../../weather/condition-names.ts';
import type { RunwayCondition } from '../../weather/condition-names.ts';
import type { NumberedNotam } from '../apply.ts';
import { isValidAt } from '../types.ts';
import { surfaceOfContaminant, worstDeposit } from './contaminants.ts';
import { readSurface } from './read.ts';
import type { SurfaceReport, SurfaceThird } from './report.ts';

/** A SNOWTAM is valid for at most this time (ICAO Doc 10066). */
const snowtamMinutes = 8 * 60;
/** Validity of a FICON or RSC without an end: most are issued for a day. */
const withoutEndMinutes = 24 * 60;
/** An expired report remains the last known surface condition for a day. */
const keptMs = 24 * 60 * 60_000;
/** Airport clocks differ. */
const maxAheadMinutes = 15;

export interface OfficialReport extends SurfaceReport {
  /** NOTAM number. */
  notam: string;
  /** From the observation to the landing or takeoff. */
  ageMinutes: number;
  /** Expired, but the last known report on this surface. */
  isExpired: boolean;
  /** The designator in the report if the airport data have another one, or none. */
  named?: string;
  /** The report matches no runway in the airport data with certainty, so it may be about any. */
  isOfUnknownRunway?: boolean;
}

export interface OfficialReports {
  /** Latest observation first; of reports at the same time, the worst first. */
  reports: OfficialReport[];
  /** Texts that begin like a report but were not understood, or match no runway of the airport with certainty. */
  unread: { notam: string; text: string }[];
  /** NOTAM that declare runways slippery when wet; an empty `runwayEnds` means any runway. */
  slippery: { notam: string; ageMinutes: number; runwayEnds: string[] }[];
}

/** FICON and RSC end with their NOTAM, even at an estimated time, or earlier if their text says so. */
const endMs = ({ format, validUntil, observedAt }: SurfaceReport, toUtc: string | null): number => {
  const observedMs = Date.parse(observedAt);
  if (format === 'SNOWTAM') return observedMs + snowtamMinutes * minuteMs;
  const ends = [toUtc, validUntil ?? null].filter((end) => end !== null);
  return ends.length === 0
    ? observedMs + withoutEndMinutes * minuteMs
    : Math.min(...ends.map((end) => Date.parse(end)));
};

/** The report with the current designators of its runway, once for each runway that it may mean. */
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

/** Reports valid at a time, or expired less than a day before. Without `known`, designators stay as printed. */
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

/** NOTAM in force that declare a runway end slippery when wet: code 3 in the assessment matrix. */
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
 * The decisive report for a runway end, with the thirds counted from that end; null without one. If no report in force
 * names the runway, the worst applies of its last report and the reports on unknown runways.
 */
export const officialFor = ({ reports }: OfficialReports, ident: string): OfficialReport | null => {
  const own = reports.filter(({ runways }) => runways.includes(ident));
  const unknownRunways = reports.filter(({ isOfUnknownRunway }) => isOfUnknownRunway);
  const strips = new Map(unknownRunways.toReversed().map((report) => [report.named, report]));
  const last = [own[0], ...strips.values()].filter((report) => report !== undefined);
  const found =
    own.find(({ isExpired }) => !isExpired) ??
    last.toSorted((a, b) => worstCode(a) - worstCode(b))[0] ??
    null;
  if (!found || found.isOfUnknownRunway || found.runways[0] === ident) return found;
  const [near, middle, far] = found.thirds;
  return { ...found, runways: [found.runways[1], found.runways[0]], thirds: [far, middle, near] };
};

/** `5/3/3`. */
export const codesText = ({ thirds }: Pick<SurfaceReport, 'thirds'>): string =>
  thirds.map(({ code }) => code).join('/');

/** `FICON 06/026: 5/3/3`; a SNOWTAM number already names the kind of report. */
export const officialText = (report: OfficialReport): string => {
  const { format, notam, named, isExpired } = report;
  const number = notam.startsWith(format) ? notam : `${format} ${notam}`;
  return `${number}${named === undefined ? '' : ` of runway ${named}`}: ${codesText(report)}${isExpired ? ', expired' : ''}`;
};

/** The third with the worst code decides for the whole runway; among equal codes, the one with the deepest deposit. */
const worstThird = ([first, ...others]: SurfaceReport['thirds']): SurfaceThird =>
  others.reduce((worst, one) => {
    if (one.code !== worst.code) return one.code < worst.code ? one : worst;
    const depth = (third: SurfaceThird) => worstDeposit(third.deposits)?.depthMm ?? 0;
    return depth(one) > depth(worst) ? one : worst;
  }, first);

const worstCode = ({ thirds }: Pick<SurfaceReport, 'thirds'>): number => worstThird(thirds).code;

/** The reported condition for calculations; its states are null when braking is reported as nil. */
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
