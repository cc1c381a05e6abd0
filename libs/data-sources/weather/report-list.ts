import type { ParseResult } from '#domain/weather/types.ts';
import { collector } from './collect.ts';
import { refuseHtml } from '#domain/source-error.ts';
import { parseSourceJson } from './source-json.ts';
import type { SourcedReport } from './reports.ts';

/**
 * Reads a list of reports: one per line, a JSON array of texts, or of objects with the text in `field`. `read` returns
 * the record or the reason for rejecting it.
 */
export const readReportList = <T extends object>(
  text: string,
  field: string,
  read: (report: SourcedReport) => T | string,
): ParseResult<T> => {
  refuseHtml(text);
  const found = collector<T>();
  for (const raw of reportsOf(text, field)) {
    const record = read({ raw });
    if (typeof record === 'string') found.reject(record, raw);
    else found.accept(record);
  }
  return found.result(`The list contains no readable ${field.toUpperCase()}`);
};

const reportsOf = (text: string, field: string): string[] => {
  if (!text.trimStart().startsWith('[')) return text.split('\n').filter((line) => line.trim() !== '');
  return (parseSourceJson(text, 'The list') as unknown[]).flatMap((item) => {
    if (typeof item === 'string') return [item];
    const report =
      typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[field] : null;
    return typeof report === 'string' && report.trim() !== '' ? [report] : [];
  });
};
