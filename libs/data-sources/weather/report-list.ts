import type { Reject } from '#domain/weather/types.ts';
import { FeedFormatError, refuseHtml } from './feed-error.ts';
import type { SourcedReport } from './reports.ts';

/**
 * Reads a list of reports: one per line, or a JSON array of texts or of objects with the text under `field`.
 * `read` returns the record or the reason for its rejection.
 */
export const readReportList = <T extends object>(
  text: string,
  field: string,
  read: (report: SourcedReport) => T | string,
): { records: T[]; rejects: Reject[] } => {
  refuseHtml(text);
  const records: T[] = [];
  const rejects: Reject[] = [];
  for (const raw of reportsOf(text, field)) {
    const record = read({ raw });
    if (typeof record === 'string') rejects.push({ reason: record, sample: raw.slice(0, 120) });
    else records.push(record);
  }
  if (records.length === 0)
    throw new FeedFormatError('EMPTY', `The list contains no readable ${field.toUpperCase()}.`);
  return { records, rejects };
};

const reportsOf = (text: string, field: string): string[] => {
  if (!text.trimStart().startsWith('[')) return text.split('\n').filter((line) => line.trim() !== '');
  let items: unknown;
  try {
    items = JSON.parse(text);
  } catch (error) {
    throw new FeedFormatError(
      'NOT_JSON',
      `The list is not valid JSON: ${error instanceof Error ? error.message : ''}`,
    );
  }
  return (items as unknown[]).flatMap((item) => {
    if (typeof item === 'string') return [item];
    const report =
      typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[field] : null;
    return typeof report === 'string' && report.trim() !== '' ? [report] : [];
  });
};
