import { readReport } from '#domain/weather/report.ts';
import { apartMs, forecastTime, mostAheadMs, timeFromGroup } from '#domain/weather/times.ts';
import { maxReportLength } from '#domain/weather/tokenizer.ts';
import type { MetarRecord, TafRecord, WeatherSource } from '#domain/weather/types.ts';

const stationPattern = /^[A-Z0-9]{3,4}$/;
/** Largest difference, from rounding, between group time and source time; forecasts may be sent again hours later. */
const metarApartMs = 60 * 60_000;
const tafApartMs = 12 * 60 * 60_000;

/** One report from a source, with texts as delivered. */
export interface SourcedReport {
  raw: string | undefined;
  station?: string | undefined;
  /** Observation or issue time as printed by the source (ISO). */
  time?: string | undefined;
  validFrom?: string | undefined;
  validTo?: string | undefined;
}

/** Folds blanks and line breaks without changing words. */
export const oneLine = (raw: string): string => raw.replace(/\s+/g, ' ').trim();

/** A validated METAR record, or the reason for rejecting it. Times missing in the source are taken from the report. */
export const metarRecord = (
  report: SourcedReport,
  source: WeatherSource,
  now: Date,
): MetarRecord | string => {
  const base = checked(report);
  if (typeof base === 'string') return base;
  const { raw, station } = base;
  const foreign = notMetar(raw);
  if (foreign !== null) return foreign;
  let icao = station;
  let observedAt = isoOf(report.time);
  if (icao === null || observedAt === null) {
    if (!headerPattern.test(raw)) return 'no report header';
    const read = readReport(raw, 'METAR');
    icao ??= read.icao;
    observedAt ??= read.time && timeFromGroup(read.time, now);
  }
  if (icao === null) return 'no station';
  if (observedAt === null) return 'no time of observation';
  if (Date.parse(observedAt) > now.getTime() + mostAheadMs) return `observed in the future (${observedAt})`;
  const contradiction = contradicted(raw, observedAt, metarApartMs);
  if (contradiction !== null) return contradiction;
  return { icao, observedAt, raw, source };
};

/** A validated TAF record, or the reason for rejecting it. */
export const tafRecord = (report: SourcedReport, source: WeatherSource, now: Date): TafRecord | string => {
  const base = checked(report);
  if (typeof base === 'string') return base;
  const { raw, station } = base;
  const read = readReport(raw, 'TAF');
  if (read.typeWord === 'METAR' || read.typeWord === 'SPECI') return `a ${read.typeWord}, not a TAF`;
  if (read.nil) return 'NIL: nothing is forecast';
  const hasPeriod = read.validity !== null || isoOf(report.validFrom) !== null;
  if (!hasPeriod && !read.cancelled) return 'no period of validity: not a TAF';
  if (station === null && !headerPattern.test(raw)) return 'no report header';
  const icao = station ?? read.icao;
  if (icao === null) return 'no station';
  const issuedAt = isoOf(report.time) ?? (read.time && timeFromGroup(read.time, now));
  if (issuedAt === null) return 'no time of issue';
  if (Date.parse(issuedAt) > now.getTime() + mostAheadMs) return `issued in the future (${issuedAt})`;
  const contradiction = contradicted(raw, issuedAt, tafApartMs);
  if (contradiction !== null) return contradiction;
  const period = read.validity;
  return {
    icao,
    issuedAt,
    validFrom: isoOf(report.validFrom) ?? (period && forecastTime(period.from, issuedAt)),
    validTo: isoOf(report.validTo) ?? (period && forecastTime(period.to, issuedAt)),
    raw,
    source,
  };
};

/** Type and correction words, station and time: other texts are no reports. */
const headerPattern =
  /^(?:(?:METAR|SPECI|TAF|AMD|COR|CORR|CC[A-Z]|AUTO|RTD) ){0,4}(?=\d?[A-Z])[A-Z0-9]{4} \d{6}Z\b/;

/** Why a text is not a METAR: it has a TAF type word, a forecast validity in its header, or no content. */
const notMetar = (raw: string): string | null => {
  const read = readReport(raw.slice(0, 120), 'TAF');
  if (read.typeWord === 'TAF') return 'a TAF, not a METAR';
  if (read.validity !== null) return 'a period of validity: a TAF, not a METAR';
  // The previous report is kept.
  return read.nil ? 'NIL: nothing is reported' : null;
};

const checked = (report: SourcedReport): { raw: string; station: string | null } | string => {
  if (report.raw === undefined) return 'no report text';
  const raw = oneLine(report.raw);
  if (raw === '') return 'no report text';
  if (raw.length > maxReportLength) return `report of ${raw.length} characters`;
  const station = report.station?.trim().toUpperCase() ?? null;
  if (station !== null && !stationPattern.test(station)) return `station ${station.slice(0, 20)}`;
  if (station !== null && !raw.slice(0, 40).includes(station)) return 'report of another station';
  return { raw, station };
};

const timeGroup = /\b(\d\d)(\d\d)(\d\d)Z\b/;

/** The reason for rejecting a report whose time differs from its source's. */
const contradicted = (raw: string, iso: string, mostMs: number): string | null => {
  const found = timeGroup.exec(raw.slice(0, 60));
  if (!found) return null;
  const [group, day, hour, minute] = found;
  const apart = apartMs({ day: Number(day), hour: Number(hour), minute: Number(minute) }, iso);
  return apart === null || apart > mostMs ? `${group} is not the time of its source (${iso})` : null;
};

const isoOf = (time: string | undefined): string | null => {
  if (time === undefined) return null;
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
};
