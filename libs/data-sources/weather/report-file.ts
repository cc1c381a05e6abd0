import type { ReportKind } from '#domain/weather/groups.ts';
import type { ParseResult, WeatherSource } from '#domain/weather/types.ts';
import { readAwcCache } from './awc-xml.ts';
import { collector } from './collect.ts';
import { readCycleFile } from './noaa-cycle.ts';
import { refuseHtml } from '#domain/source-error.ts';
import { parseSourceJson } from './source-json.ts';
import type { SourcedReport } from './reports.ts';

/** Whether the text is a NOAA cycle file, which may repeat reports. */
export const isCycleFile = (text: string): boolean => /^\s*\d{4}\/\d\d\/\d\d \d\d:\d\d/.test(text);

/**
 * Reports in any source format, identified by content: AWC cache XML (schema 1.2 and 2.0), NOAA cycle file, or a list
 * (one report per line, or JSON of texts or of objects with `metar` or `taf`), whose source is `listSource`. `read`
 * returns the record or the reason for rejecting it. Throws SourceError when nothing may be stored.
 */
export const readReports = <T extends object>(
  text: string,
  kind: ReportKind,
  listSource: WeatherSource,
  read: (report: SourcedReport, source: WeatherSource) => T | string,
): ParseResult<T> => {
  if (text.trimStart().startsWith('<')) return readAwcCache(text, kind, (report) => read(report, 'AWC'));
  if (isCycleFile(text)) return readCycleFile(text, kind, (report) => read(report, 'NOAA'));
  refuseHtml(text);
  const found = collector<T>();
  for (const raw of listed(text, kind.toLowerCase())) found.add(read({ raw }, listSource), raw);
  return found.result(`The list contains no readable ${kind}`);
};

const listed = (text: string, field: string): string[] => {
  if (!text.trimStart().startsWith('[')) return text.split('\n').filter((line) => line.trim() !== '');
  return (parseSourceJson(text, 'The list') as unknown[]).flatMap((item) => {
    if (typeof item === 'string') return [item];
    const report =
      typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[field] : null;
    return typeof report === 'string' && report.trim() !== '' ? [report] : [];
  });
};
