import type { ReportKind } from '#domain/weather/groups.ts';
import { SourceError, refuseHtml } from '#domain/source-error.ts';
import { bestPerStation, replacesMetar, replacesTaf } from '#domain/weather/selection.ts';
import type { MetarRecord, ParseResult, TafRecord, WeatherSource } from '#domain/weather/types.ts';
import { readAwcCache } from './awc-xml.ts';
import { collector } from './collect.ts';
import { readCycleFile } from './noaa-cycle.ts';
import { metarRecord, tafRecord } from './reports.ts';
import type { SourcedReport } from './reports.ts';

/** Whether the text is a NOAA cycle file, which may repeat reports. */
const isCycleFile = (text: string): boolean => /^\s*\d{4}\/\d\d\/\d\d \d\d:\d\d/.test(text);

/**
 * Reports in any source format, identified by content: AWC cache XML (schema 1.2 and 2.0), NOAA cycle file, or a list
 * of one report per line, whose source is `listSource`. `read` returns the record or the reason for rejecting it.
 * Throws SourceError when nothing may be stored.
 */
const readReports = <T extends object>(
  text: string,
  kind: ReportKind,
  listSource: WeatherSource,
  read: (report: SourcedReport, source: WeatherSource) => T | string,
): ParseResult<T> => {
  if (text.trimStart().startsWith('<')) return readAwcCache(text, kind, (report) => read(report, 'AWC'));
  if (isCycleFile(text)) return readCycleFile(text, kind, (report) => read(report, 'NOAA'));
  refuseHtml(text);
  const found = collector<T>();
  for (const raw of text.split('\n')) if (raw.trim() !== '') found.add(read({ raw }, listSource), raw);
  return found.result(`The list contains no readable ${kind}`);
};

/** The newest METAR per station in a file of any format. `source` names the network of a list. Throws SourceError. */
export const parseMetars = (
  text: string,
  now: Date,
  source: WeatherSource = 'VATSIM',
): ParseResult<MetarRecord> => {
  if (/(?:^|\n)raw_text,/.test(text.slice(0, 2_000)))
    throw new SourceError('WRONG_CONTENT', 'CSV of the AWC is not read; its XML has the same reports.');
  const { records, rejects } = readReports(text, 'METAR', source, (report, from) =>
    metarRecord(report, from, now),
  );
  // Cycle files repeat reports; the later line wins.
  const isCycle = isCycleFile(text);
  const replaces = (a: MetarRecord, b: MetarRecord): boolean =>
    (isCycle && a.observedAt === b.observedAt) || replacesMetar(a, b);
  return { records: bestPerStation(records, replaces), rejects };
};

/** The latest TAF per station in a file of any format, amended before original. Throws SourceError. */
export const parseTafs = (text: string, now: Date): ParseResult<TafRecord> => {
  const { records, rejects } = readReports(text, 'TAF', 'FILE', (report, source) =>
    tafRecord(report, source, now),
  );
  return { records: bestPerStation(records, replacesTaf), rejects };
};
