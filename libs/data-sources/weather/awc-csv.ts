import { parse } from 'csv-parse/sync';
import type { ParseResult } from '#domain/weather/types.ts';
import { collector } from './collect.ts';
import type { AwcElement } from './awc-xml.ts';
import { FeedFormatError, refuseHtml } from '#domain/feed-error.ts';

/** A record has some 500 characters, the world 10,000 stations. */
const maxRecordLength = 100_000;
const mostRecords = 100_000;

/**
 * Reads the first columns of an AWC cache CSV; column names repeat after them, so rows are read by position.
 */
export const readAwcCsv = <T>(csv: string, read: (record: AwcElement) => T | string): ParseResult<T> => {
  refuseHtml(csv);
  const header = csv.indexOf('raw_text,station_id,');
  if (header < 0) throw new FeedFormatError('WRONG_CONTENT', 'The file has no AWC CSV header.');
  const found = collector<T>();
  const rows: string[][] = parse(csv.slice(header), {
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      found.reject(error?.code ?? 'not readable as CSV', '');
      return undefined;
    },
    max_record_size: maxRecordLength,
    to: mostRecords,
  });
  const [names = [], ...lines] = rows;
  for (const line of lines) {
    const fields: Record<string, string> = {};
    for (const [i, name] of names.entries()) if (!(name in fields)) fields[name] = line[i] ?? '';
    const record = read(fields);
    if (typeof record === 'string') found.reject(record, line.slice(0, 3).join(','));
    else found.accept(record);
  }
  return found.result('The CSV file contains no readable record');
};
