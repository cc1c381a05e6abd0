import { readReport } from '#domain/weather/report.ts';
import { maxReportLength } from '#domain/weather/tokenizer.ts';
import { forecastTime } from '#domain/weather/times.ts';
import type { ReportKind } from '#domain/weather/groups.ts';
import type { ParseResult } from '#domain/weather/types.ts';
import { collector } from './collect.ts';
import { refuseHtml } from '#domain/source-error.ts';
import { oneLine } from './reports.ts';
import type { SourcedReport } from './reports.ts';

/**
 * Reads a NOAA cycle file of blocks: a date line, a report on one or more lines, and an empty line. Repeated blocks are
 * read once; a block with two concatenated reports is rejected.
 */
export const readCycleFile = <T extends object>(
  text: string,
  kind: ReportKind,
  read: (report: SourcedReport) => T | string,
): ParseResult<T> => {
  refuseHtml(text);
  const found = collector<T>();
  for (const block of new Set(text.replaceAll('\r', '').split(/\n\s*\n/))) {
    if (block.trim() === '') continue;
    const report = readBlock(block, kind);
    found.add(typeof report === 'string' ? report : read(report), block.trim());
  }
  return found.result('The cycle file contains no readable report');
};

const readBlock = (block: string, kind: ReportKind): SourcedReport | string => {
  const m = /^\s*(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d)\s*\n([\s\S]+)$/.exec(block);
  if (!m) return 'no date line';
  const [, year, month, day, hour, minute, body = ''] = m;
  const printed = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  if (Number.isNaN(printed)) return 'no such date';
  const raw = oneLine(body);
  if (raw.length > maxReportLength) return `report of ${raw.length} characters`;
  const report = readReport(raw, kind);
  if (report.icao === null || report.time === null) return 'no report header';
  if (report.tokens.some((t) => t.section === 'other')) return 'two reports in one block';
  // The printed date is sometimes a day off: it provides month and year, the report the day.
  const time = forecastTime(report.time, new Date(printed).toISOString());
  return { raw, station: report.icao, time };
};
