import { parse } from 'csv-parse/sync';
import type { Reject } from '#domain/weather/types.ts';
import type { AwcElement } from './awc-xml.ts';
import { FeedFormatError, refuseHtml } from './feed-error.ts';

/**
 * Reads the first columns of an AWC cache CSV; column names repeat after them, so rows are read by position.
 */
export const readAwcCsv = <T>(
  csv: string,
  read: (record: AwcElement) => T | string,
): { records: T[]; rejects: Reject[] } => {
  refuseHtml(csv);
  const header = csv.indexOf('raw_text,station_id,');
  if (header < 0) throw new FeedFormatError('WRONG_CONTENT', 'The file has no AWC CSV header.');
  const rows: string[][] = parse(csv.slice(header), {
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
  });
  const [names = [], ...lines] = rows;
  const records: T[] = [];
  const rejects: Reject[] = [];
  for (const line of lines) {
    const fields: Record<string, string> = {};
    for (const [i, name] of names.entries()) if (!(name in fields)) fields[name] = line[i] ?? '';
    const record = read(fields);
    if (typeof record === 'string')
      rejects.push({ reason: record, sample: line.slice(0, 3).join(',').slice(0, 120) });
    else records.push(record);
  }
  if (records.length === 0) throw new FeedFormatError('EMPTY', 'The CSV file contains no readable record.');
  return { records, rejects };
};
