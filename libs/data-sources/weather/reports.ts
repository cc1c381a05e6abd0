import { hourMs } from '#domain/time.ts';
import type { ReportKind } from '#domain/weather/groups.ts';
import { readReport } from '#domain/weather/report.ts';
import { apartMs, forecastTime, mostAheadMs, timeFromGroup } from '#domain/weather/times.ts';
import { maxReportLength } from '#domain/weather/tokenizer.ts';
import type { MetarRecord, TafRecord, WeatherSource } from '#domain/weather/types.ts';

const stationPattern = /^[A-Z0-9]{3,4}$/;
/** `apartMs`: largest difference, from rounding, between group and source time; a TAF may be sent again hours later. */
const kinds = {
  METAR: { made: 'observed', making: 'observation', apartMs: hourMs },
  TAF: { made: 'issued', making: 'issue', apartMs: 12 * hourMs },
} as const;

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
  const foreign = notMetar(base.raw);
  if (foreign !== null) return foreign;
  const head = headOf(base, 'METAR', now);
  return typeof head === 'string' ? head : { icao: head.icao, observedAt: head.at, raw: base.raw, source };
};

/** A validated TAF record, or the reason for rejecting it. */
export const tafRecord = (report: SourcedReport, source: WeatherSource, now: Date): TafRecord | string => {
  const base = checked(report);
  if (typeof base === 'string') return base;
  const { typeWord, nil, cancelled, validity } = readReport(base.raw, 'TAF');
  if (typeWord === 'METAR' || typeWord === 'SPECI') return `a ${typeWord}, not a TAF`;
  if (nil) return 'NIL: nothing is forecast';
  const [from, to] = [isoOf(report.validFrom), isoOf(report.validTo)];
  if (validity === null && from === null && !cancelled) return 'no period of validity: not a TAF';
  const head = headOf(base, 'TAF', now);
  if (typeof head === 'string') return head;
  return {
    icao: head.icao,
    issuedAt: head.at,
    validFrom: from ?? (validity && forecastTime(validity.from, head.at)),
    validTo: to ?? (validity && forecastTime(validity.to, head.at)),
    raw: base.raw,
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

interface Checked {
  raw: string;
  /** Null when the source does not state it; so is the time. */
  station: string | null;
  at: string | null;
}

const checked = ({ raw: text, station: code, time }: SourcedReport): Checked | string => {
  const raw = oneLine(text ?? '');
  if (raw === '') return 'no report text';
  if (raw.length > maxReportLength) return `report of ${raw.length} characters`;
  const station = code?.trim().toUpperCase() ?? null;
  if (station !== null && !stationPattern.test(station)) return `station ${station.slice(0, 20)}`;
  if (station !== null && !raw.slice(0, 40).includes(station)) return 'report of another station';
  return { raw, station, at: isoOf(time) };
};

/** Station and time, from the report if the source does not state them, or the reason for rejecting it. */
const headOf = (
  { raw, ...stated }: Checked,
  kind: ReportKind,
  now: Date,
): { icao: string; at: string } | string => {
  const { made, making, apartMs: mostMs } = kinds[kind];
  const isStated = stated.station !== null && stated.at !== null;
  if (!isStated && !headerPattern.test(raw)) return 'no report header';
  const read = isStated ? null : readReport(raw, kind);
  const icao = stated.station ?? read?.icao ?? null;
  const at = stated.at ?? (read?.time ? timeFromGroup(read.time, now) : null);
  if (icao === null) return 'no station';
  if (at === null) return `no time of ${making}`;
  if (Date.parse(at) > now.getTime() + mostAheadMs) return `${made} in the future (${at})`;
  const [group, day, hour, minute] = timeGroup.exec(raw.slice(0, 60)) ?? [];
  if (group === undefined) return { icao, at };
  const apart = apartMs({ day: Number(day), hour: Number(hour), minute: Number(minute) }, at);
  return apart === null || apart > mostMs ? `${group} is not the time of its source (${at})` : { icao, at };
};

const timeGroup = /\b(\d\d)(\d\d)(\d\d)Z\b/;

const isoOf = (time: string | undefined): string | null => {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
};
